from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = _("Chat")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from documents.models import Job
        from documents.working import HANDLERS, Work

        HANDLERS["preview"] = Work("chat.impact.work_out", Job.Queue.BULK)
        HANDLERS["verify_chains"] = Work("chat.verification.work", Job.Queue.BULK)

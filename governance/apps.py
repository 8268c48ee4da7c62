from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GovernanceConfig(AppConfig):
    name = "governance"
    verbose_name = _("Governance")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from documents.models import Job
        from documents.working import HANDLERS, Work
        from governance import signals

        signals.connect()
        HANDLERS["check_import"] = Work("governance.importing.sent.check", Job.Queue.BULK)
        HANDLERS["import"] = Work("governance.importing.sent.carry_out", Job.Queue.BULK)

"""What readers say is wrong with an answer: work for the owner, and a candidate for the evaluation."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Feedback(models.Model):
    """One objection of a person to one claim of an answer (`claim`, from 1), or to its refusal (0).

    The question is not kept here: the evidence record holds it without personal data, as `comment` is held.
    """

    class Kind(models.TextChoices):
        WRONG_SOURCE = "wrong_source", _("wrong source")
        INVENTED = "invented", _("invented")
        OUTDATED = "outdated", _("outdated")
        REFUSED_WRONGLY = "refused_wrongly", _("refused wrongly")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("person")
    )
    evidence_id = models.UUIDField(_("evidence"))
    claim = models.PositiveSmallIntegerField(_("claim"), default=0)
    kind = models.CharField(_("kind"), max_length=15, choices=Kind)
    comment = models.TextField(_("comment"), blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("feedback")
        verbose_name_plural = _("feedback")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["evidence_id", "claim", "user"], name="chat_feedback_once"),
            models.CheckConstraint(
                condition=models.Q(kind="refused_wrongly", claim=0)
                | (~models.Q(kind="refused_wrongly") & models.Q(claim__gte=1)),
                name="chat_feedback_kind_fits_claim",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evidence_id} {self.claim} {self.kind}"

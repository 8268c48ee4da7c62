"""The audit trail: append-only in the database itself, each event chained to the one before by its hash.

People appear as the key of their `ReaderIdentity`, which can be erased without touching the chain.
"""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _


class Verb(models.TextChoices):
    """Everything that the trail can tell, `subject.what_happened`."""

    DOCUMENT_CREATED = "document.created", _("document created")
    DOCUMENT_CHANGED = "document.changed", _("document's data changed")
    OWNER_CHANGED = "document.owner_changed", _("owner changed")
    READERS_CHANGED = "document.readers_changed", _("readers changed")
    REVISION_CREATED = "revision.created", _("draft created")
    REVISION_REWRITTEN = "revision.rewritten", _("draft rewritten")
    REVISION_SUBMITTED = "revision.submitted", _("submitted for review")
    REVISION_APPROVED = "revision.approved", _("approved")
    REVISION_REJECTED = "revision.rejected", _("sent back to draft")
    REVISION_PUBLISHED = "revision.published", _("published")
    REVISION_SUCCEEDED = "revision.succeeded", _("window closed by its successor")
    REVISION_RETIRED = "revision.retired", _("retired")
    REVISION_RESTORED = "revision.restored", _("restored")
    PRECEDENCE_CREATED = "precedence.created", _("precedence rule created")
    PRECEDENCE_CHANGED = "precedence.changed", _("precedence rule changed")
    TASK_OPENED = "task.opened", _("task opened")
    TASK_DONE = "task.done", _("task done")
    TERM_CREATED = "glossary.created", _("glossary term created")
    TERM_CHANGED = "glossary.changed", _("glossary term changed")
    TERM_REMOVED = "glossary.removed", _("glossary term removed")
    CHANNEL_CHANGED = "channel.changed", _("channel changed")
    CHANNEL_REMOVED = "channel.removed", _("channel removed")
    PLACE_CREATED = "place.created", _("area or unit created")
    PLACE_CHANGED = "place.changed", _("area or unit changed")
    RELATION_CREATED = "relation.created", _("relation declared")
    RELATION_REMOVED = "relation.removed", _("relation taken back")
    IMPORT_STARTED = "import.started", _("import of a folder started")
    JOB_RETRIED = "job.retried", _("parked work retried")
    JOB_DISCARDED = "job.discarded", _("parked work discarded")
    SEEN_AS = "access.seen_as", _("portal seen as another person")


class AuditEvent(models.Model):
    """One thing that was done. `hash` covers every other field but `id`, and `previous` is the hash before it."""

    position = models.PositiveBigIntegerField(_("position"), unique=True)
    verb = models.CharField(_("what"), max_length=40, choices=Verb)
    actor = models.UUIDField(_("who"))
    target = models.CharField(_("of"), max_length=140, db_index=True)
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)
    reason = models.TextField(_("reason"))
    at = models.DateTimeField(_("at"))
    previous = models.CharField(_("hash of the event before"), max_length=64, blank=True)
    hash = models.CharField(_("hash"), max_length=64, unique=True)

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit trail")
        ordering = ["-position"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(reason=""), name="governance_auditevent_has_a_reason"),
        ]
        triggers = [
            pgtrigger.Protect(name="audit_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete),
            pgtrigger.Trigger(
                name="audit_is_not_emptied",
                level=pgtrigger.Statement,
                when=pgtrigger.Before,
                operation=pgtrigger.Truncate,
                func="RAISE EXCEPTION 'The audit trail is append-only';",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position} {self.verb} {self.target}"

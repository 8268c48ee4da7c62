"""A person's conversation: what follow-up questions are understood with. It is theirs and can be deleted."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Conversation(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("person"))
    title = models.CharField(_("title"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.title or str(self.id)


class Message(models.Model):
    class Role(models.TextChoices):
        USER = "user", _("person")
        ASSISTANT = "assistant", _("portal")

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="messages")
    role = models.CharField(max_length=9, choices=Role)
    text = models.TextField()
    evidence_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["evidence_id"], name="chat_message_evidence")]

    def __str__(self) -> str:
        return self.text[:60]


class Attempt(models.Model):
    """One sending of a question, by the token of its form: sent again, it leads to the same answer.

    `evidence_id` is the answer's record once there is one; `failed` says that there never will be.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    token = models.UUIDField()
    started_at = models.DateTimeField()
    evidence_id = models.UUIDField(null=True)
    conversation = models.ForeignKey(Conversation, models.CASCADE, null=True, related_name="+")
    failed = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "token"], name="chat_attempt_once")]

    def __str__(self) -> str:
        return str(self.token)

"""Who may read a document: django-guardian grants with direct foreign keys, and the key that stands for a person."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from guardian.models import GroupObjectPermissionBase, UserObjectPermissionBase

from documents.models.document import Document


class DocumentUserGrant(UserObjectPermissionBase):
    content_object = models.ForeignKey(Document, models.CASCADE, related_name="user_grants")

    class Meta(UserObjectPermissionBase.Meta):
        verbose_name = _("grant to a person")
        verbose_name_plural = _("grants to people")


class DocumentGroupGrant(GroupObjectPermissionBase):
    content_object = models.ForeignKey(Document, models.CASCADE, related_name="group_grants")

    class Meta(GroupObjectPermissionBase.Meta):
        verbose_name = _("grant to a group")
        verbose_name_plural = _("grants to groups")


class ReaderIdentity(models.Model):
    """Whose key it is. Deleting the row forgets the person and leaves every record that names the key intact."""

    key = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="reader_identity")

    def __str__(self) -> str:
        return str(self.key)

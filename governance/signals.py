"""Django's signals about people, groups and grants, to `governance.actions.follow`."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, User
from django.db.models import Model, QuerySet
from django.db.models.signals import post_delete, post_save, pre_delete, pre_save

from documents.models import Document, DocumentGroupGrant, DocumentUserGrant
from governance.actions.follow import follow

Grant = DocumentUserGrant | DocumentGroupGrant
_FOLLOWED = "_documents_to_follow"


def connect() -> None:
    for grant in (DocumentUserGrant, DocumentGroupGrant):
        post_save.connect(_granted, grant)
        post_delete.connect(_revoked, grant)
    for named in (User, Group):
        pre_delete.connect(_goes, named)
        post_delete.connect(_follow, named)
    pre_save.connect(_renamed, Group)
    post_save.connect(_follow, Group)


def _granted(sender: type[Grant], instance: Grant, raw: bool = False, **_more: Any) -> None:
    if not raw:  # a fixture is loaded, and its documents may not be there yet
        follow([instance.content_object_id])


def _revoked(sender: type[Grant], instance: Grant, origin: Model | QuerySet[Any] | None = None, **_more: Any) -> None:
    """A grant that goes with its person, group or document is followed with them."""
    model = origin.model if isinstance(origin, QuerySet) else type(origin)
    if model not in (User, Group, Document):
        follow([instance.content_object_id])


def _goes(sender: type[User | Group], instance: User | Group, **_more: Any) -> None:
    found: set[int]
    if isinstance(instance, Group):
        found = set(DocumentGroupGrant.objects.filter(group=instance).values_list("content_object_id", flat=True))
    else:
        found = set(DocumentUserGrant.objects.filter(user=instance).values_list("content_object_id", flat=True))
        found |= set(Document.objects.filter(owner=instance).values_list("pk", flat=True))
    setattr(instance, _FOLLOWED, found)


def _renamed(sender: type[Group], instance: Group, raw: bool = False, **_more: Any) -> None:
    if raw or instance.pk is None or Group.objects.filter(pk=instance.pk, name=instance.name).exists():
        return
    _goes(sender, instance)


def _follow(sender: type[User | Group], instance: User | Group, **_more: Any) -> None:
    follow(instance.__dict__.pop(_FOLLOWED, ()))

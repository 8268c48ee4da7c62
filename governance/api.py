"""Documents and revisions for the people who work on them, and the moves: the same functions as every other door."""

from __future__ import annotations

from datetime import date
from typing import Any, cast

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action as route
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from documents import api
from documents.models import Revision
from documents.querysets import DocumentQuerySet, RevisionQuerySet
from documents.rules.lifecycle import Action
from documents.rules.types import Role
from governance.actions import MOVES, approve
from governance.errors import Invalid
from governance.permissions import readable_documents, readable_revisions
from governance.serializers import MovedRevisionSerializer, MoveSerializer, WorkedRevisionSerializer

ACTIONS = "|".join(Action)


class HashNotUsed(Invalid):
    code = "hash_not_used"
    message = _("Only an approval takes seen_hash: leave it out.")  # type: ignore[assignment]


class WorkSight(api.Sight):
    """Beside what they may be quoted, people see what they own, wrote or decide on."""

    def readable_documents(self) -> DocumentQuerySet:
        return readable_documents(self.reader)

    def readable_revisions(self) -> RevisionQuerySet:
        return readable_revisions(self.reader)


class DocumentViewSet(WorkSight, api.DocumentViewSet):
    """Documents that the caller may read or works on."""


class RevisionViewSet(WorkSight, api.RevisionViewSet):
    """One revision with its sections, its original, and the moves that it goes through."""

    serializer_class = WorkedRevisionSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        context = super().get_serializer_context()
        return {**context, "reader": self.reader} if context["request"] else dict(context)

    @extend_schema(
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=[str(action) for action in Action])],
        request=MoveSerializer,
        responses=MovedRevisionSerializer,
    )
    @route(detail=True, methods=["post"], url_path=f"(?P<action>{ACTIONS})", serializer_class=MoveSerializer)
    def move(self, request: Request, id: str, action: str) -> Response:
        """Take the action for the caller. Refusals say which: `forbidden`, `wrong_state`, or what stands in the way."""
        revision = get_object_or_404(self._movable(), pk=id)
        given = MoveSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        moved = _take(Action(action), revision.pk, cast("AbstractBaseUser", request.user), **given.validated_data)
        return Response(MovedRevisionSerializer(moved, context={"reader": self.reader}).data)

    def _movable(self) -> RevisionQuerySet:
        """The incident team may take a text out of force without being able to read it."""
        if self.reader.active and Role.INCIDENTS in self.reader.roles:
            return Revision.objects.all()
        return self.readable_revisions()


def _take(
    action: Action,
    revision_id: int,
    actor: AbstractBaseUser,
    *,
    reason: str,
    on: date | None = None,
    seen_hash: str | None = None,
) -> Revision:
    if seen_hash is None:
        return MOVES[action](revision_id, actor=actor, reason=reason, on=on)
    if action is not Action.APPROVE:
        raise HashNotUsed
    return approve(revision_id, actor=actor, reason=reason, on=on, seen_hash=seen_hash)

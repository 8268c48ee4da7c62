"""Errors as problem details (RFC 9457) with a stable `code`: the one shape, for answers and for streams alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypedDict

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404
from django.utils.translation import gettext as _

from documents.errors import DomainError, no_room

MEDIA_TYPE = "application/problem+json"


class FieldError(TypedDict):
    """`field` is a path such as `body.on`; empty when the fault is not one field's."""

    field: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Problem:
    code: str
    status: int
    detail: str
    errors: Sequence[FieldError] = ()

    def body(self) -> dict[str, object]:
        """`title` is the phrase of the status, as the RFC asks of problems whose `type` has no page of its own."""
        body: dict[str, object] = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
        }
        return body | {"errors": list(self.errors)} if self.errors else body


def problem_of(error: Exception) -> Problem | None:
    """The problem that a planned refusal is, or None: then it is a fault of the server."""
    match error:
        case DomainError():
            return Problem(error.code, error.status, str(error.message))
        case OperationalError() | InterfaceError():
            return Problem("database_unavailable", 503, _("The database cannot be reached. Try again in a moment."))
        case OSError() if no_room(error):
            return Problem("no_room", 507, _("A disk of the portal is full. Tell its operator, then try again."))
    return _of_django(error)


def _of_django(error: Exception) -> Problem | None:
    match error:
        case Http404():
            return Problem("not_found", 404, _("Not found."))
        case PermissionDenied():
            return Problem("forbidden", 403, _("You may not do this."))
        case RequestDataTooBig():
            return Problem("too_large", 413, _("The request is too large."))
        case SuspiciousOperation():
            return Problem("bad_request", 400, _("The request could not be read."))
    return None


def server_error() -> Problem:
    """What is said of a fault; its cause goes to the log and nowhere else."""
    return Problem("server_error", 500, _("The server failed. The error was logged; try again in a moment."))

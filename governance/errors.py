"""Refusals of governance. "You may not" (`forbidden`) and "not in this state" (`wrong_state`) are different codes."""

from __future__ import annotations

from documents.errors import DomainError


class NotFound(DomainError):
    """Missing, or hidden from this person: the same words."""

    code = "not_found"
    status = 404


class Forbidden(DomainError):
    code = "forbidden"
    status = 403


class WrongState(DomainError):
    code = "wrong_state"
    status = 409


class Conflict(DomainError):
    """Another revision or rule stands in the way."""

    code = "conflict"
    status = 409


class ReviewOpen(Conflict):
    code = "review_open"


class Overlap(Conflict):
    code = "overlap"


class ApprovalOutdated(Conflict):
    code = "approval_outdated"


class OwnerRequired(Conflict):
    code = "no_owner"


class PrecedenceCycle(Conflict):
    code = "precedence_cycle"


class Invalid(DomainError):
    code = "invalid"
    status = 422


class ReasonRequired(Invalid):
    code = "reason_required"


class DateNotUsed(Invalid):
    code = "date_not_used"


class StartRequired(Invalid):
    code = "no_start"


class EmptyWindow(Invalid):
    code = "empty_window"


class TextRequired(Invalid):
    code = "no_text"


class UnknownReaders(Invalid):
    code = "unknown_readers"

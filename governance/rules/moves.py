"""Who may take which action on a revision or its document, as data over the capacities in which a person stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from documents.rules.lifecycle import Action
from documents.rules.types import Reader, Role
from governance.rules.approvals import is_approver, is_own_text


class Capacity(StrEnum):
    """How a person stands to one text. A superuser has none of these for being one."""

    OWNER = "owner"
    AUTHOR = "author"
    APPROVER = "approver"
    INCIDENTS = "incidents"
    AREA_MEMBER = "area_member"
    INDEXER = "indexer"


class Duty(StrEnum):
    """What is done to a document beside the moves of its revisions."""

    DRAFT = "draft"
    MANAGE = "manage"


class Refusal(StrEnum):
    INACTIVE = "inactive"
    NOT_IN_CHARGE = "not_in_charge"
    OWN_TEXT = "own_text"


@dataclass(frozen=True, slots=True)
class Subject:
    """What the rule needs to know of the text: its owner, its author (None: unknown) and its area's slug."""

    owner_id: int | None
    author_id: int | None
    area: str


MAY: Mapping[Action | Duty, frozenset[Capacity]] = MappingProxyType(
    {
        Action.SUBMIT: frozenset({Capacity.OWNER, Capacity.AUTHOR}),
        Action.APPROVE: frozenset({Capacity.APPROVER}),
        Action.REJECT: frozenset({Capacity.APPROVER}),
        Action.PUBLISH: frozenset({Capacity.OWNER, Capacity.APPROVER}),
        Action.RETIRE: frozenset({Capacity.OWNER, Capacity.APPROVER, Capacity.INCIDENTS}),
        Action.RESTORE: frozenset({Capacity.OWNER, Capacity.APPROVER, Capacity.INCIDENTS}),
        Duty.DRAFT: frozenset({Capacity.OWNER, Capacity.APPROVER, Capacity.AREA_MEMBER, Capacity.INDEXER}),
        Duty.MANAGE: frozenset({Capacity.OWNER, Capacity.APPROVER}),
    }
)
NOT_ON_OWN_TEXT = frozenset({Action.APPROVE, Action.REJECT})


def capacities(person: Reader, subject: Subject) -> frozenset[Capacity]:
    held = {
        Capacity.OWNER: subject.owner_id == person.user_id,
        Capacity.AUTHOR: subject.author_id == person.user_id,
        Capacity.APPROVER: is_approver(person, subject.area),
        Capacity.INCIDENTS: Role.INCIDENTS in person.roles,
        Capacity.AREA_MEMBER: subject.area in person.areas,
        Capacity.INDEXER: Role.INDEXER in person.roles,
    }
    return frozenset(capacity for capacity, stands in held.items() if stands)


def refusal(person: Reader, subject: Subject, action: Action | Duty) -> Refusal | None:
    """Why the person may not, or None when they may."""
    if not person.active:
        return Refusal.INACTIVE
    if not MAY[action] & capacities(person, subject):
        return Refusal.NOT_IN_CHARGE
    if action in NOT_ON_OWN_TEXT and is_own_text(person, subject.author_id):
        return Refusal.OWN_TEXT
    return None

"""A revision on its way through the actions, each as somebody who may."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.contrib.auth.base_user import AbstractBaseUser

from documents import clock
from documents.models import Document, Revision
from documents.reader import reader_of
from documents.rules.lifecycle import Action
from documents.rules.types import Reader, State
from governance.actions import MOVES_OF_MANY, Asked, publication, review
from governance.importing.manifest import RevisionEntry
from governance.importing.plan import ORDER
from governance.permissions import may, subject_of
from governance.rules.moves import Duty, refusal

REASON = "Importação do manifesto"
WAY = (
    (Action.SUBMIT, State.IN_REVIEW),
    (Action.APPROVE, State.APPROVED),
    (Action.PUBLISH, State.PUBLISHED),
    (Action.RETIRE, State.RETIRED),
)


@dataclass(frozen=True, slots=True)
class People:
    """Those that a manifest names, by username, and the import itself.

    `approvers` are candidates where a revision names nobody who may. With `alone` everything is done by the importer
    and by nobody else, so that a folder does not lend its sender what other people may.
    """

    by_name: Mapping[str, AbstractBaseUser]
    approvers: Sequence[AbstractBaseUser]
    importer: AbstractBaseUser
    alone: bool = False
    _readers: dict[int, Reader] = field(default_factory=dict)
    _owners: dict[int | None, AbstractBaseUser | None] = field(default_factory=dict)

    def named(self, username: str) -> AbstractBaseUser | None:
        return self.by_name.get(username)

    def writer(self, document: Document, entry: RevisionEntry) -> AbstractBaseUser:
        """The author of a new text: the one named, else the owner, else the import."""
        if self.alone:
            return self.importer
        author = self.named(entry.author)
        if author is not None:
            return author
        owner = self._owner(document)
        return owner if owner is not None and owner.is_active else self.importer

    def in_charge_of(self, document: Document, approvers: Iterable[str]) -> AbstractBaseUser:
        """Who may change the document's data: its owner, else an approver; the import itself when nobody may."""
        if self.alone:
            return self.importer
        named = [self.named(name) for name in approvers]
        for person in (self._owner(document), *named, *self.approvers):
            if person is not None and may(self._reader(person), document, Duty.MANAGE):
                return person
        return self.importer

    def mover(self, revision: Revision, action: Action, first: AbstractBaseUser | None) -> AbstractBaseUser:
        """Who takes the action: `first`, or else somebody who may. When nobody may, the action itself says why."""
        if self.alone:
            return self.importer
        subject = subject_of(revision.document, revision)
        owner = self._owner(revision.document)
        people = [person for person in (first, owner, *self.approvers) if person is not None]
        fitting = (person for person in people if refusal(self._reader(person), subject, action) is None)
        return next(fitting, people[0] if people else self.importer)

    def _owner(self, document: Document) -> AbstractBaseUser | None:
        """Read once an import: every action hands back a document that knows its owner's id alone."""
        pk = document.owner_id
        if pk not in self._owners:
            self._owners[pk] = document.owner
        return self._owners[pk]

    def _reader(self, person: AbstractBaseUser) -> Reader:
        if person.pk not in self._readers:
            self._readers[person.pk] = reader_of(person)
        return self._readers[person.pk]


def walk(revision: Revision, entry: RevisionEntry, people: People) -> bool:
    """Take the revision through the actions up to the state that is wanted; whether it moved."""
    return walk_all([(revision, entry)], people)


def walk_all(wanted: Sequence[tuple[Revision, RevisionEntry]], people: People) -> bool:
    """Take revisions of different documents through the actions, each up to its own state; whether any moved."""
    standing, moved = [revision for revision, _entry in wanted], False
    for action, target in WAY:
        places = [
            place
            for place, (revision, (_drafted, entry)) in enumerate(zip(standing, wanted, strict=True))
            if ORDER[State(revision.state)] < ORDER[target] <= ORDER[entry.state]
        ]
        if places:
            asked = [_asked(action, standing[place], wanted[place][1], people) for place in places]
            for place, revision in zip(places, MOVES_OF_MANY[action](asked), strict=True):
                standing[place] = revision
            moved = True
    return moved


def _asked(action: Action, revision: Revision, entry: RevisionEntry, people: People) -> Asked:
    first = revision.author if action is Action.SUBMIT else people.named(entry.approver)
    on = _retired_on(entry) if action is Action.RETIRE else None
    return Asked(revision.pk, people.mover(revision, action, first), REASON, on)


def take_back(revision: Revision, entry: RevisionEntry, people: People) -> None:
    """What waits for a decision, or for its day, becomes a draft again."""
    actor = people.mover(revision, Action.REJECT, people.named(entry.approver))
    review.reject(revision.pk, actor=actor, reason=f"{REASON}: o arquivo mudou")


def withdraw(revision: Revision, entry: RevisionEntry, people: People) -> None:
    """A text that gives way on its first day, or before it, never was in force."""
    actor = people.mover(revision, Action.RETIRE, people.named(entry.approver))
    reason = f"{REASON}: o arquivo mudou antes de completar um dia de vigência"
    publication.retire(revision.pk, actor=actor, reason=reason, on=revision.validity.lower)


def _retired_on(entry: RevisionEntry) -> date:
    today = clock.today()
    return min(entry.valid_until or today, today)

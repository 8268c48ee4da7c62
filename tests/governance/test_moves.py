"""Each action in each state by each kind of person: allowed, or refused with the right code and nothing changed."""

from __future__ import annotations

from datetime import date
from itertools import product

import pytest
from django.contrib.auth.models import User

from documents.errors import DomainError
from documents.models import Job, Revision
from documents.rules.lifecycle import TRANSITIONS, Action
from documents.rules.types import State
from governance.actions import MOVES
from governance.models import AuditEvent
from tests import factories

pytestmark = pytest.mark.django_db
START = date(2026, 1, 1)
KINDS = [
    "owner", "author", "approver", "author_approver", "approver_elsewhere", "incidents", "auditor", "indexer",
    "history", "product", "colleague", "reader", "superuser", "deactivated_owner",
]  # fmt: skip
MAY: dict[Action, set[str]] = {
    Action.SUBMIT: {"owner", "author", "author_approver"},
    Action.APPROVE: {"approver"},
    Action.REJECT: {"approver"},
    Action.PUBLISH: {"owner", "approver", "author_approver"},
    Action.RETIRE: {"owner", "approver", "author_approver", "incidents"},
    Action.RESTORE: {"owner", "approver", "author_approver", "incidents"},
}


def a_person(kind: str) -> User:
    made = {
        "approver": lambda: factories.person(areas=["operacoes"], roles=["approver"]),
        "author_approver": lambda: factories.person(areas=["operacoes"], roles=["approver"]),
        "approver_elsewhere": lambda: factories.person(areas=["rh"], roles=["approver"]),
        "incidents": lambda: factories.person(roles=["incidents"]),
        "auditor": lambda: factories.person(roles=["auditor"]),
        "indexer": lambda: factories.person(roles=["indexer"]),
        "history": lambda: factories.person(roles=["history"]),
        "product": lambda: factories.person(roles=["product"]),
        "colleague": lambda: factories.person(areas=["operacoes"]),
        "superuser": lambda: factories.person(is_superuser=True, is_staff=True),
        "deactivated_owner": lambda: factories.person(is_active=False),
    }
    return made.get(kind, factories.person)()


@pytest.fixture
def others() -> dict[str, User]:
    return {name: factories.person() for name in ("owner", "author", "approver")}


def a_revision(state: State, kind: str, person: User, others: dict[str, User]) -> Revision:
    owner = person if kind in ("owner", "deactivated_owner") else others["owner"]
    author = person if kind in ("author", "author_approver") else others["author"]
    document = factories.document(owner=owner, readers=[f"user:{person.username}"])
    return factories.revision(
        document,
        state=state,
        start=START,
        author=author,
        approver=others["approver"],
        retired_on=START if state is State.RETIRED else None,
    )


@pytest.mark.parametrize(("action", "state"), list(product(Action, State)))
def test_every_kind_of_person(action: Action, state: State, others: dict[str, User]) -> None:
    for kind in KINDS:
        person = a_person(kind)
        revision = a_revision(state, kind, person, others)
        events, jobs = AuditEvent.objects.count(), Job.objects.count()
        fits, may = state in TRANSITIONS[action].sources, kind in MAY[action]
        expected = "done" if fits and may else "forbidden" if fits else "wrong_state"
        try:
            MOVES[action](revision.pk, actor=person, reason="because")
            outcome = "done"
        except DomainError as error:
            outcome = error.code if str(error.message) else "speechless"
        assert outcome == expected, kind
        revision.refresh_from_db()
        assert revision.state == (TRANSITIONS[action].target if expected == "done" else state)
        done = expected == "done"
        assert (AuditEvent.objects.count() - events, Job.objects.count() - jobs) == (done, done), kind


@pytest.mark.parametrize("action", list(Action))
@pytest.mark.parametrize("reason", ["", "  \n"])
def test_no_move_without_a_reason(action: Action, reason: str, others: dict[str, User]) -> None:
    source = next(iter(TRANSITIONS[action].sources))
    owner = a_person("owner")
    revision = a_revision(source, "owner", owner, others)
    with pytest.raises(DomainError) as caught:
        MOVES[action](revision.pk, actor=owner, reason=reason)
    assert caught.value.code == "reason_required"


@pytest.mark.parametrize("action", [Action.SUBMIT, Action.APPROVE, Action.REJECT, Action.RESTORE])
def test_a_date_is_refused_where_it_means_nothing(action: Action, others: dict[str, User]) -> None:
    person = a_person("approver")
    revision = a_revision(next(iter(TRANSITIONS[action].sources)), "approver", person, others)
    with pytest.raises(DomainError) as caught:
        MOVES[action](revision.pk, actor=person, reason="because", on=START)
    assert caught.value.code == "date_not_used"


@pytest.mark.parametrize("action", list(Action))
def test_a_revision_that_is_not_there(action: Action) -> None:
    with pytest.raises(DomainError) as caught:
        MOVES[action](0, actor=a_person("owner"), reason="because")
    assert caught.value.code == "not_found"

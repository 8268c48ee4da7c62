"""What was taken away is gone from the next answer on every path, however late the index, a cache or a job is.

The tests run inside of a transaction, so no job ever fires: the index still offers what it offered before.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils import timezone

from chat import services
from chat.models import Conversation, EvidenceRecord
from chat.replay import replay
from documents.models import Document, IndexEntry, Job, Revision
from documents.search.postgres import FILTER_FIELDS
from governance.actions import access, publication
from governance.actions.document import data_of, set_data
from tests import factories
from tests.chat import portal
from tests.chat.portal import PICKING_Q, ask, published, quotes

pytestmark = pytest.mark.django_db
SECRET = "quatro horas úteis"
RIVAL_A = "1. Prazo\nO prazo de separação de pedidos do CD-SP é de quatro horas úteis, sem exceção.\n"
RIVAL_B = "1. Prazo\nO prazo de separação de pedidos do CD-SP é de nove horas úteis, sem exceção.\n"
FOLLOW_UP = "e de pedidos urgentes?"

Change = Callable[[Document, User], None]


def retire(document: Document, reader: User) -> None:
    revision = document.revisions.get()
    approver = factories.person(areas=["operacoes"], roles=["approver"])
    publication.retire(revision.pk, actor=approver, reason="substituída")


def revoke(document: Document, reader: User) -> None:
    access.set_readers(document.pk, [], actor=document.owner, reason="restrita")


def expire(document: Document, reader: User) -> None:
    document.revisions.update(validity=DateRange(date(2025, 1, 1), timezone.localdate(), "[)"))


def disown(document: Document, reader: User) -> None:
    access.set_owner(document.pk, None, actor=document.owner, reason="saiu da empresa")


def move(document: Document, reader: User) -> None:
    data = data_of(Document.objects.select_related("area").get(pk=document.pk))
    changed = type(data)(**{f: getattr(data, f) for f in data.__slots__} | {"scope_units": ("POA",)})
    set_data(document.pk, changed, actor=document.owner, reason="vale só em POA")


def confine(document: Document, reader: User) -> None:
    document.scope_jurisdictions = ["BR-RS"]
    document.save()


def leave_group(document: Document, reader: User) -> None:
    reader.groups.remove(factories.group("equipe"))


def deactivate(document: Document, reader: User) -> None:
    User.objects.filter(pk=reader.pk).update(is_active=False)


CHANGES: dict[str, Change] = {
    "retired": retire,
    "no_permission": revoke,
    "expired": expire,
    "no_owner": disown,
    "out_of_scope": move,
    "other_jurisdiction": confine,
    "left the group": leave_group,
    "deactivated": deactivate,
}


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    cache.clear()


@pytest.fixture
def ana() -> User:
    return factories.person("ana", groups=["equipe"], roles=["auditor"])


@pytest.fixture
def document() -> Document:
    return published("ops-cd-sp", portal.PICKING, readers=["group:equipe"])


@pytest.mark.parametrize("reason", CHANGES)
def test_a_change_holds_in_the_next_answer_on_every_path(reason: str, document: Document, ana: User) -> None:
    first = ask(ana, PICKING_Q, with_trace=True)
    assert SECRET in quotes(first)[0]
    entries = list(IndexEntry.objects.order_by("pk").values_list(*FILTER_FIELDS))
    CHANGES[reason](document, ana)
    assert list(IndexEntry.objects.order_by("pk").values_list(*FILTER_FIELDS)) == entries, "the index was to lag"
    ana.refresh_from_db()

    again = ask(ana, PICKING_Q, with_trace=True)  # the cache holds the first generation
    assert again["status"] != "answered"
    follow_up = ask(ana, FOLLOW_UP, conversation=first["conversation"], with_trace=True)
    portal.only_offers()
    offered = ask(ana, PICKING_Q, with_trace=True)
    for answer in (again, follow_up, offered):
        assert SECRET not in str(answer)
        assert not portal.sources(answer)
    if reason in ("left the group", "deactivated"):
        reason = "no_permission"
    told = {(row["document"], row["reason"]) for row in again["trace"]["excluded"]}
    assert told in ({("ops-cd-sp", reason)}, set())  # nobody left to search for: nothing is even a look-alike

    replayed = replay(EvidenceRecord.objects.get(id=first["evidence"]))
    assert replayed.differs
    assert not replayed.quotes_now
    assert not replayed.cited_now
    assert f"ops-cd-sp@v1: eligible → {reason}" in replayed.reasons
    assert SECRET not in str(replayed.reasons) + str(replayed.changes)


@pytest.mark.parametrize("reason", ["retired", "no_permission", "expired", "no_owner", "out_of_scope"])
def test_a_source_that_was_taken_away_contradicts_nothing(reason: str, ana: User) -> None:
    gone = published("um", RIVAL_A, readers=["group:equipe"], subjects=["separacao"])
    published("outro", RIVAL_B, readers=["group:equipe"], subjects=["separacao"])
    assert ask(ana, PICKING_Q)["status"] == "conflict"
    CHANGES[reason](gone, ana)
    answer = ask(ana, PICKING_Q, with_trace=True)
    assert answer["conflict"] is None
    assert "um" not in portal.sources(answer)
    assert SECRET not in str(answer)


def test_the_job_that_the_change_asked_for_is_still_waiting(document: Document, ana: User) -> None:
    revoke(document, ana)
    assert Job.objects.exclude(state="done").filter(argument=document.revisions.get().pk).exists()


def test_a_cached_answer_is_checked_again_for_each_person(document: Document, ana: User) -> None:
    owner, stranger = document.owner, factories.person("estranha")
    assert ask(ana, PICKING_Q)["status"] == "answered"
    again = ask(owner, PICKING_Q)
    assert EvidenceRecord.objects.get(id=again["evidence"]).body["cached"] is True
    refused = ask(stranger, PICKING_Q)
    assert refused["status"] == "not_found"
    assert SECRET not in str(refused)


def test_two_people_are_answered_from_what_each_may_read() -> None:
    published("um", RIVAL_A, readers=["group:um"])
    published("outro", RIVAL_B, readers=["group:outro"])
    one, other = factories.person(groups=["um"]), factories.person(groups=["outro"])
    for person, code, said in ((one, "um", "quatro"), (other, "outro", "nove"), (one, "um", "quatro")):
        answer = ask(person, PICKING_Q)
        assert portal.sources(answer) == {code}
        assert said in quotes(answer)[0]


def test_a_superuser_reads_no_more_than_anyone(document: Document) -> None:
    root = factories.person("root", is_superuser=True, is_staff=True, roles=["auditor", "product", "incidents"])
    answer = ask(root, PICKING_Q, with_trace=True)
    assert (answer["status"], answer["claims"], answer["related"]) == ("not_found", [], [])
    assert SECRET not in str(answer)


def test_an_empty_permission_means_nobody_but_the_owner() -> None:
    document = published("ops-cd-sp", portal.PICKING, readers=[])
    for person in (factories.person(), factories.person(areas=["operacoes"], roles=["approver"])):
        assert SECRET not in str(ask(person, PICKING_Q))
    assert ask(document.owner, PICKING_Q)["status"] == "answered"


def test_a_conversation_is_understood_by_the_persons_own_words_alone(document: Document, ana: User) -> None:
    """What the portal said earlier is never searched with: an answer that was taken away does not come back."""
    first = ask(ana, PICKING_Q)
    revoke(document, ana)
    follow_up = ask(ana, FOLLOW_UP, conversation=first["conversation"])
    assert SECRET not in follow_up["standalone_question"]
    assert Conversation.objects.get(pk=first["conversation"]).messages.count() == 4


def test_an_old_revision_is_not_quoted_on_the_day_that_a_new_one_begins(document: Document, ana: User) -> None:
    assert ask(ana, PICKING_Q)["status"] == "answered"
    today = timezone.localdate()
    document.revisions.update(validity=DateRange(date(2025, 1, 1), today, "[)"))
    portal.revise(document, "v2", RIVAL_B, start=today, index=False)
    assert ask(ana, PICKING_Q)["status"] != "answered"
    yesterday = ask(ana, PICKING_Q, on=today - timedelta(1))
    assert SECRET in quotes(yesterday)[0]
    assert Revision.objects.count() == 2


def test_what_a_stream_tells_before_the_record_is_no_text(document: Document, ana: User) -> None:
    events = list(services.ask(ana, PICKING_Q))
    assert [event.name for event in events[-2:]] == ["claim", "done"]
    assert all(set(event.data) == {"step", "n"} for event in events if event.name == "status")
    names = [event.name for event in events]
    assert names == sorted(names, key=["status", "claim", "done"].index)

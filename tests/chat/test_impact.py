"""The preview of a publication says what the publication then does, and leaves nothing behind."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat import impact
from chat.models import EvidenceRecord
from documents.models import Document, Revision
from documents.search import active
from documents.search.check import check
from documents.search.converge import converge
from governance import actions
from governance.actions.preview import ask_for, cancel
from governance.errors import Forbidden, WrongState
from governance.models import AuditEvent, Preview
from governance.preview import codes_of, differences
from tests import factories
from tests.chat import portal
from tests.chat.portal import PICKING, PICKING_Q, REFUND, REFUND_Q, ask, published, quotes

pytestmark = pytest.mark.django_db
LATER = PICKING.replace("quatro horas úteis", "duas horas úteis")


@pytest.fixture
def owner() -> User:
    return factories.person("bruno", areas=["operacoes"])


@pytest.fixture
def ana() -> User:
    return factories.person("ana", groups=["equipe"])


@pytest.fixture
def manual(owner: User) -> Document:
    published("reembolso", REFUND)
    return published("ops-cd-sp", PICKING, readers=["group:equipe"], owner=owner)


def preview(of: Revision, start: date, owner: User) -> Preview:
    made = ask_for(of.pk, start, actor=owner)
    impact.work_out(made.pk)
    made.refresh_from_db()
    return made


def approved(of: Document, text: str, owner: User, **more: Any) -> Revision:
    return portal.revise(of, "v2", text, state="approved", author=owner, **more)


def told(made: Preview) -> list[tuple[str, str, str, list[str], list[str]]]:
    found = differences(made, codes_of(made))
    return [
        (one.question, one.status_before, one.status_after, [str(s) for s in one.before], [str(s) for s in one.after])
        for one in found
    ]


def test_the_preview_is_what_the_publication_then_does(manual: Document, owner: User, ana: User) -> None:
    for question in (PICKING_Q, REFUND_Q):
        assert ask(ana, question)["status"] == "answered"
    draft = approved(manual, LATER, owner)
    made = preview(draft, timezone.localdate(), owner)
    assert (made.state, made.total, made.done) == ("done", 2, 2)
    assert told(made) == [(PICKING_Q, "answered", "answered", ["ops-cd-sp@v1"], ["ops-cd-sp@v2"])]
    before = EvidenceRecord.objects.count()
    actions.publish(draft.pk, actor=owner, reason="live", on=timezone.localdate())
    converge(Revision.objects.values_list("pk", flat=True))
    assert EvidenceRecord.objects.count() == before
    now = ask(ana, PICKING_Q)
    assert any("duas horas" in quote for quote in quotes(now))
    assert [c["revision"] for claim in now["claims"] for c in claim["citations"]] == ["v2"]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (LATER, "answered"),
        ("1. Outro\nEste manual agora fala apenas de uniformes e crachás da portaria.\n", "not_found"),
        (PICKING, None),
    ],
)
def test_status_and_quotes_agree_with_the_answer_after_it(
    manual: Document, owner: User, ana: User, text: str, status: str | None
) -> None:
    """Whatever the text says: a changed answer, one that is no longer found, or the same words under a new label."""
    ask(ana, PICKING_Q)
    draft = approved(manual, text, owner)
    found = told(preview(draft, timezone.localdate(), owner))
    actions.publish(draft.pk, actor=owner, reason="live", on=timezone.localdate())
    converge(Revision.objects.values_list("pk", flat=True))
    after = ask(ana, PICKING_Q)
    assert [one[2] for one in found] == ([status] if status else [])
    assert after["status"] == (status or "answered")


def test_a_first_text_answers_what_was_not_found(owner: User, ana: User) -> None:
    published("reembolso", REFUND)
    assert ask(ana, PICKING_Q)["status"] == "not_found"
    document = factories.document("ops-cd-sp", owner=owner, readers=["group:equipe"])
    draft = portal.revise(document, "v1", PICKING, state="in_review", author=owner)
    assert told(preview(draft, timezone.localdate(), owner)) == [
        (PICKING_Q, "not_found", "answered", [], ["ops-cd-sp@v1"])
    ]


def test_it_is_asked_on_the_day_that_the_text_begins(manual: Document, owner: User, ana: User) -> None:
    ask(ana, PICKING_Q)
    ask(ana, f"{PICKING_Q[:-1]} em 10/03/2025?")
    start = timezone.localdate() + timedelta(60)
    found = told(preview(approved(manual, LATER, owner), start, owner))
    assert [one[0] for one in found] == [PICKING_Q], "a question about a past day stays as it is"


def test_a_question_is_asked_as_its_own_reader(manual: Document, owner: User, ana: User) -> None:
    stranger = factories.person("zeca")
    ask(stranger, PICKING_Q)
    made = preview(approved(manual, LATER, owner), timezone.localdate(), owner)
    assert (made.done, told(made)) == (1, []), "this person reads neither text"


def test_nothing_is_left_behind(manual: Document, owner: User, ana: User) -> None:
    ask(ana, PICKING_Q)
    draft = approved(manual, LATER, owner)
    rows = list(Revision.objects.order_by("pk").values("pk", "state", "validity", "retired_on"))
    records, events = EvidenceRecord.objects.count(), AuditEvent.objects.count()
    first = ask(ana, PICKING_Q)
    preview(draft, timezone.localdate(), owner)
    assert list(Revision.objects.order_by("pk").values("pk", "state", "validity", "retired_on")) == rows
    assert (EvidenceRecord.objects.count(), AuditEvent.objects.count()) == (records + 1, events)
    version = active.version()
    assert version is not None
    assert check(active.engine(), version) == []
    assert quotes(ask(ana, PICKING_Q)) == quotes(first), "nor in the cache of answers"


def test_it_can_be_cancelled_and_goes_on_where_it_stopped(
    manual: Document, owner: User, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _round in range(3):
        ask(ana, PICKING_Q)
    draft = approved(manual, LATER, owner)
    made = ask_for(draft.pk, timezone.localdate(), actor=owner)
    monkeypatch.setattr(impact, "AT_A_TIME", 0.0)
    impact.work_out(made.pk)
    made.refresh_from_db()
    assert (made.state, made.done) == ("running", 1)
    impact.work_out(made.pk)
    made.refresh_from_db()
    assert made.done == 2
    cancel(made.pk, actor=owner)
    impact.work_out(made.pk)
    made.refresh_from_db()
    assert (made.state, made.changes) == ("cancelled", [])
    assert ask_for(draft.pk, timezone.localdate(), actor=owner).pk != made.pk


def test_a_cancellation_meanwhile_is_not_written_over(
    manual: Document, owner: User, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(ana, PICKING_Q)
    made = ask_for(approved(manual, LATER, owner).pk, timezone.localdate(), actor=owner)
    real = impact.hypothesis_of

    def cancelled_meanwhile(*args: Any) -> Any:
        cancel(made.pk, actor=owner)
        return real(*args)

    monkeypatch.setattr(impact, "hypothesis_of", cancelled_meanwhile)
    impact.work_out(made.pk)
    made.refresh_from_db()
    assert made.state == "cancelled"


def test_the_result_is_kept_for_the_text_and_the_day(manual: Document, owner: User, ana: User) -> None:
    ask(ana, PICKING_Q)
    draft = approved(manual, LATER, owner)
    today = timezone.localdate()
    made = preview(draft, today, owner)
    assert ask_for(draft.pk, today, actor=owner).pk == made.pk
    assert ask_for(draft.pk, today + timedelta(1), actor=owner).pk != made.pk
    assert ask_for(draft.pk, today, actor=owner, again=True).pk != made.pk


def test_it_is_for_those_in_charge_and_for_what_is_not_published(manual: Document, owner: User, ana: User) -> None:
    draft = approved(manual, LATER, owner)
    with pytest.raises(Forbidden):
        ask_for(draft.pk, timezone.localdate(), actor=ana)
    with pytest.raises(WrongState):
        ask_for(manual.revisions.get(label="v1").pk, timezone.localdate(), actor=owner)
    made = ask_for(draft.pk, timezone.localdate(), actor=owner)
    with pytest.raises(Forbidden):
        cancel(made.pk, actor=ana)


def test_sources_that_one_may_not_know_of_are_only_counted(manual: Document, owner: User, ana: User) -> None:
    ask(ana, PICKING_Q)
    made = preview(approved(manual, LATER, owner), timezone.localdate(), owner)
    (one,) = differences(made, frozenset())
    assert (one.before, one.after, one.hidden) == ((), (), 2)


def test_no_personal_data_of_who_asked_is_shown(manual: Document, owner: User) -> None:
    asker = factories.person("carlos", groups=["equipe"], first_name="Carlos", last_name="Albuquerque")
    ask(asker, f"Sou Carlos Albuquerque, {PICKING_Q}")
    made = preview(approved(manual, LATER, owner), timezone.localdate(), owner)
    assert "Albuquerque" not in str(made.changes)


def test_questions_asked_twice_are_worked_out_once(manual: Document, owner: User, ana: User) -> None:
    ask(ana, PICKING_Q)
    draft = approved(manual, LATER, owner)
    counts = []
    for _round in range(2):
        made = ask_for(draft.pk, timezone.localdate(), actor=owner, again=True)
        with CaptureQueriesContext(connection) as queries:
            impact.work_out(made.pk)
        counts.append(len(queries))
        for _again in range(5):
            ask(ana, PICKING_Q)
    assert counts[1] - counts[0] < 10 * 5

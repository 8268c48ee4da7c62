"""The dashboards: the numbers are those of the records, and each person sees those that are theirs to see."""

from __future__ import annotations

import csv
import html
import io
from datetime import date, timedelta
from typing import Any

import pgtrigger
import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from chat import recorder
from chat.models import EvidenceRecord, Feedback
from chat.rules.outcome import Outcome, Versions
from chat.rules.types import Status, Usage
from chat.statistics.board import board
from chat.statistics.days import days
from chat.statistics.scope import scope_of
from chat.statistics.tables import Cell, Table
from documents.models import Document, Propagation
from documents.propagation import expect_all
from documents.reader import reader_of
from governance.models import OwnerTask
from governance.worklist import Kind, worklist
from tests import factories

pytestmark = pytest.mark.django_db
PANEL = "/painel/"
VERSIONS = Versions("r", "i", "p", "v", "t", "e", "g", "k", "w")


@pytest.fixture
def ana() -> User:
    return factories.person("ana")


@pytest.fixture
def auditor() -> User:
    return factories.person("lucas", roles=["auditor"])


def write(
    user: User, status: Status = Status.NOT_FOUND, question: str = "qual o prazo?", **changes: Any
) -> EvidenceRecord:
    outcome = Outcome(status, question, question, date(2026, 11, 30), "current", **changes)
    return recorder.record(outcome, VERSIONS, reader_of(user), ())


def moved(record: EvidenceRecord, days_ago: int) -> None:
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        at = timezone.now() - timedelta(days=days_ago)
        EvidenceRecord.objects.filter(pk=record.pk).update(recorded_at=at)
    cache.clear()


def rows(user: User, slug: str, period: int = 30) -> list[list[Cell]]:
    scope = scope_of(user, reader_of(user))
    assert scope is not None
    [section] = [section for section in board(scope, period).sections if section.slug == slug]
    return [list(row) for row in section.table.rows]


def page(user: User, address: str = PANEL, *, code: int = 200) -> str:
    client = Client()
    client.force_login(user)
    response = client.get(address)
    assert response.status_code == code
    return html.unescape(response.content.decode())


# What is counted


def test_questions_are_counted_by_day_and_status(ana: User, auditor: User) -> None:
    write(ana, Status.ANSWERED), write(ana), write(ana, Status.BLOCKED, missing="no_owner")
    moved(write(ana, Status.ANSWERED), 3)
    today = timezone.localdate()
    told = {row[0]: row[1:] for row in rows(auditor, "perguntas", 7)}
    assert len(told) == 7
    assert told[today] == [1, 1, 0, 0, 1, 0]
    assert told[today - timedelta(3)] == [1, 0, 0, 0, 0, 0]
    assert sum(sum(row) for row in told.values()) == EvidenceRecord.objects.count()  # type: ignore[arg-type]


def test_a_period_ends_where_it_ends(ana: User, auditor: User) -> None:
    moved(write(ana), 6)
    moved(write(ana), 7)
    assert sum(row[2] for row in rows(auditor, "perguntas", 7)) == 1  # type: ignore[misc]
    assert sum(row[2] for row in rows(auditor, "perguntas", 30)) == 2  # type: ignore[misc]


def test_the_day_is_that_of_the_portals_clock(ana: User) -> None:
    """A question of 23:30 in São Paulo is of that day, though it is the next one in UTC."""
    record = write(ana)
    late = timezone.localtime().replace(hour=23, minute=30) - timedelta(days=2)
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        EvidenceRecord.objects.filter(pk=record.pk).update(recorded_at=late)
    [counted] = days(timezone.localdate(late), timezone.localdate(late))
    assert counted.questions == 1


def test_what_found_nothing_is_told_by_area(ana: User, auditor: User) -> None:
    factories.area("rh")
    for _ in range(3):
        write(ana, area="rh")
    write(ana, Status.ANSWERED, area="rh"), write(ana)
    assert rows(auditor, "areas") == [["Rh", 4, 3, "75%"], ["sem área", 1, 1, "100%"]]


def test_similar_questions_without_an_answer_are_one_topic(ana: User, auditor: User) -> None:
    for question in ("posso levar cachorro ao escritório?", "cachorro no escritório pode?", "qual a senha do wifi?"):
        write(ana, question=question)
    write(ana, Status.ANSWERED, "cachorro no escritório?")
    assert [row[1] for row in rows(auditor, "assuntos")] == [2, 1]
    assert EvidenceRecord.objects.get(sequence=3).id.hex in page(auditor).replace("-", "")


def test_a_topic_holds_no_personal_data(ana: User, auditor: User) -> None:
    write(ana, question="meu CPF é 529.982.247-25, posso levar cachorro?")
    assert "529.982.247-25" not in str(rows(auditor, "assuntos"))


def test_cost_tokens_and_caches_are_told_by_question(ana: User, auditor: User) -> None:
    usage, timings = Usage(prompt_tokens=90, cached_tokens=60, completion_tokens=10, cost=0.02), {"generate": 1.0}
    write(ana, Status.ANSWERED, usage=usage, timings=timings), write(ana, Status.ANSWERED, cached=True, timings=timings)
    [row] = rows(auditor, "custo")
    assert row[1:] == [2, 50.0, "67%", 0.01, "50%"]


def test_times_are_told_as_percentiles_of_each_step(ana: User, auditor: User) -> None:
    for number in range(1, 101):
        write(ana, timings={"search": float(number), "total": 2.0 * number})
    told = {row[0]: row[1:] for row in rows(auditor, "tempo")}
    assert told["busca"] == [100, 50.5, 95.0]
    assert told["total"] == [100, 101.0, 190.1]


def test_objections_are_told_by_document_and_kind(ana: User, auditor: User) -> None:
    record = write(ana, Status.ANSWERED)
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        EvidenceRecord.objects.filter(pk=record.pk).update(documents=["ferias"])
    factories.document("ferias")
    Feedback.objects.create(user=ana, evidence_id=record.id, claim=1, kind="wrong_source")
    Feedback.objects.create(user=auditor, evidence_id=record.id, claim=1, kind="invented")
    Feedback.objects.create(user=ana, evidence_id=write(ana).id, kind="refused_wrongly")
    assert rows(auditor, "objecoes") == [["ferias", 1, 1, 0, 0, 2], ["respostas sem fontes", 0, 0, 0, 1, 1]]


def test_each_report_leads_to_what_its_reader_may_open(ana: User, auditor: User) -> None:
    owner = factories.person(is_staff=True)
    factories.document("ferias", owner=owner)
    record = write(ana, Status.ANSWERED)
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        EvidenceRecord.objects.filter(pk=record.pk).update(documents=["ferias"])
    Feedback.objects.create(user=ana, evidence_id=record.id, claim=1, kind="invented", comment="não diz isso")
    other = write(ana)
    Feedback.objects.create(user=ana, evidence_id=other.id, kind="refused_wrongly", comment="está no manual")
    task = OwnerTask.objects.create(kind="feedback", document=Document.objects.get(), evidence=str(record.id))
    today = timezone.localdate()
    assert rows(auditor, "relatos") == [
        [today, "recusou errado", "respostas sem fontes", "está no manual"],
        [today, "inventado", "ferias", "não diz isso"],
    ]
    for one in (record, other):
        assert f"/evidencias/{one.id}/" in page(auditor)
    assert len(rows(owner, "relatos")) == 1, "an owner sees what is about their texts"
    assert f"/admin/governance/ownertask/{task.pk}/change/" in page(owner)
    assert str(record.id) not in page(owner)
    for role in ("product", "indexer"):
        looking = factories.person(roles=[role])
        assert len(rows(looking, "relatos")) == 2
        assert str(record.id) not in page(looking)
        assert "ownertask" not in page(looking)
    assert "não diz isso" not in page(looking), "words of readers are not for the machinery's people"


def test_conflicts_and_owners_answers_are_told(ana: User, auditor: User) -> None:
    one, other = factories.document("a"), factories.document("b")
    task = OwnerTask.objects.create(kind="conflict", document=one, other=other)
    done = OwnerTask.objects.create(kind="question", document=one)
    OwnerTask.objects.filter(pk=done.pk).update(state="done", done_at=done.created_at + timedelta(hours=5))
    assert rows(auditor, "conflitos") == [["a", "b", "aberta", timezone.localdate(task.created_at), 0]]
    assert rows(auditor, "responsaveis") == [["Operacoes", 2, 1, 5.0, 5.0]]


def test_texts_that_end_are_told_with_their_successor(auditor: User) -> None:
    today = timezone.localdate()
    for code, until in (("a", today + timedelta(10)), ("b", today + timedelta(91)), ("c", None)):
        factories.revision(factories.document(code), "v1", state="published", start=date(2020, 1, 1), until=until)
    followed = factories.document("d")
    factories.revision(followed, "v1", state="published", start=date(2020, 1, 1), until=today + timedelta(20))
    factories.revision(followed, "v2", state="published", start=today + timedelta(20))
    told = rows(auditor, "vencendo")
    assert [(row[0], row[4], row[5]) for row in told] == [("a", 10, "não"), ("d", 20, "sim")]


@pytest.mark.parametrize(
    ("follower", "followed"),
    [
        (None, False),
        ({"state": "published"}, True),
        ({"state": "approved"}, False),
        ({"state": "draft"}, False),
        ({"state": "published", "gap": 3}, False),
    ],
)
def test_what_leaves_force_is_one_rule_for_the_panel_and_the_first_page(
    auditor: User, follower: dict[str, Any] | None, followed: bool
) -> None:
    """Published, or published and to be retired on a day to come: it is what the text does that counts."""
    owner, today = factories.person(is_staff=True), timezone.localdate()
    end = today + timedelta(20)
    one, other = (factories.document(code, owner=owner) for code in ("a", "b"))
    factories.revision(one, "v1", state="published", start=date(2020, 1, 1), until=end)
    factories.revision(other, "v1", state="retired", start=date(2020, 1, 1), retired_on=end)
    if follower is not None:
        for document in (one, other):
            start = end + timedelta(follower.get("gap", 0))
            factories.revision(document, "v2", state=follower["state"], start=start)
    assert [row[5] for row in rows(auditor, "vencendo")] == ["sim" if followed else "não"] * 2
    [*pile] = [pile for pile in worklist(reader_of(owner), today) if pile.kind is Kind.EXPIRING]
    assert sum(one.count for one in pile) == (0 if followed else 2)


def test_how_fast_changes_arrive_is_told(auditor: User) -> None:
    expect_all(Propagation.Action.PUBLISH, [(factories.document("a"), None)])
    assert [row[2] for row in rows(auditor, "propagacao")] == ["índice", "cópias do índice", "caches"]


def test_a_record_that_was_tampered_with_stops_no_number(ana: User, auditor: User) -> None:
    write(ana)
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        for body in ("nada", [], {"usage": [1], "timings_ms": "x", "cached": {}, "area": 7}):
            EvidenceRecord.objects.filter(pk=write(ana).pk).update(body=body)
    cache.clear()
    assert sum(row[2] for row in rows(auditor, "perguntas")) == 4  # type: ignore[misc]


def test_a_day_that_is_over_is_counted_once_and_today_again(ana: User) -> None:
    record = write(ana)
    moved(record, 2)
    today = timezone.localdate()
    first = today - timedelta(2)
    assert [day.questions for day in days(first, today)] == [1, 0, 0]
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        EvidenceRecord.objects.filter(pk=record.pk).update(recorded_at=timezone.now())
    cache.delete(f"days:1:{timezone.get_current_timezone_name()}:{today.isoformat()}")
    assert [day.questions for day in days(first, today)] == [1, 0, 1]


# Who sees what

MACHINERY = {"custo", "tempo", "propagacao"}


def seen(user: User) -> set[str]:
    scope = scope_of(user, reader_of(user))
    return {section.slug for section in board(scope, 30).sections} if scope else set()


@pytest.mark.parametrize("role", ["auditor", "product", "indexer"])
def test_who_looks_after_the_portal_sees_all_of_it(ana: User, role: str) -> None:
    write(ana, area="rh")
    person = factories.person(roles=[role])
    assert seen(person) >= MACHINERY
    assert ("assuntos" in seen(person)) is (role != "indexer"), "words of questions are not for the machinery's people"
    assert rows(person, "areas")[0][1] == 1
    page(person)


def test_an_owner_sees_what_is_of_their_areas(ana: User) -> None:
    owner = factories.person()
    own = factories.document("a", owner=owner, area_slug="rh")
    other, third = factories.document("b", area_slug="ti"), factories.document("c", area_slug="ti")
    write(ana, area="rh", question="sobre rh?"), write(ana, area="ti", question="sobre ti?"), write(ana)
    OwnerTask.objects.create(kind="question", document=own), OwnerTask.objects.create(kind="question", document=other)
    OwnerTask.objects.create(kind="conflict", document=other, other=third)
    OwnerTask.objects.create(kind="conflict", document=own, other=other)
    assert not seen(owner) & MACHINERY
    assert rows(owner, "areas") == [["Rh", 1, 1, "100%"]]
    assert [row[0] for row in rows(owner, "assuntos")] == ["sobre rh?"]
    assert [row[:2] for row in rows(owner, "conflitos")] == [["a", "outro documento"]]
    assert [row[0] for row in rows(owner, "responsaveis")] == ["Rh"]
    assert "sobre ti" not in page(owner)
    page(owner, f"{PANEL}custo.csv", code=404)


def test_an_approver_sees_their_area_without_owning_anything(ana: User) -> None:
    write(ana, area="rh"), write(ana, area="ti")
    approver = factories.person(areas=["rh"], roles=["approver"])
    assert rows(approver, "areas") == [["Rh", 1, 1, "100%"]]


def test_who_may_not_know_of_a_document_does_not_find_its_code(ana: User) -> None:
    secret, other = factories.document("folha-secreta"), factories.document("outra")
    OwnerTask.objects.create(kind="conflict", document=secret, other=other)
    factories.revision(
        secret, "v1", state="published", start=date(2020, 1, 1), until=timezone.localdate() + timedelta(5)
    )
    assert "folha-secreta" not in page(factories.person(roles=["product"]))
    assert "folha-secreta" in page(factories.person(roles=["auditor"]))


@pytest.mark.parametrize("roles", [[], ["incidents"], ["history"]])
def test_for_everybody_else_there_is_no_panel(roles: list[str]) -> None:
    person = factories.person(roles=roles, areas=["operacoes"])
    page(person, code=404)
    page(person, f"{PANEL}perguntas.csv", code=404)


def test_a_superuser_is_nobody_special() -> None:
    page(factories.person(is_superuser=True, is_staff=True), code=404)


# The page and its files


@pytest.mark.parametrize("period", ["7", "90", "x", "-1", ""])
def test_a_period_that_is_none_is_the_usual_one(ana: User, auditor: User, period: str) -> None:
    write(ana)
    told = page(auditor, f"{PANEL}?periodo={period}")
    shown = period if period in ("7", "90") else "30"
    assert f'href="?periodo={shown}" aria-current="page"' in told


def test_every_table_is_a_file_with_the_same_rows(ana: User, auditor: User) -> None:
    write(ana, question="=soma(1)?"), write(ana, Status.ANSWERED, timings={"total": 3.0})
    for slug in ("perguntas", "areas", "assuntos", "custo", "tempo"):
        header, *told = csv.reader(io.StringIO(page(auditor, f"{PANEL}{slug}.csv?periodo=7")))
        assert len(told) == len(rows(auditor, slug, 7))
        assert all(len(row) == len(header) for row in told)
    assert "'=soma(1)?" in page(auditor, f"{PANEL}assuntos.csv")
    page(auditor, f"{PANEL}nada.csv", code=404)


def test_a_column_is_set_by_what_it_holds_from_top_to_bottom() -> None:
    told: list[list[Cell]] = [["a", None, "", "50%", None, date(2026, 1, 1)], ["b", 2, "x", "", None, None]]
    assert Table(["n"] * 6, told).numeric == [False, True, False, True, True, False]
    assert Table(["n"], []).numeric == []


def test_an_empty_panel_says_so_in_every_section(auditor: User) -> None:
    told = page(auditor)
    assert "Ninguém perguntou neste período." in told
    assert "Nada mudou neste período." in told


def test_a_chart_is_drawn_without_styles_and_scripts(ana: User, auditor: User) -> None:
    write(ana)
    told = page(auditor)
    assert '<rect class="s1"' in told
    assert "style=" not in told
    assert "<script" not in told


def test_the_page_costs_the_same_however_much_was_asked(
    ana: User, auditor: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(6):
        write(ana, question=f"pergunta {number}?", area="rh")
        document = factories.document(owner=ana)
        OwnerTask.objects.create(kind="question", document=document)
        until = timezone.localdate() + timedelta(5)
        factories.revision(document, state="published", start=date(2020, 1, 1), until=until)
    assert Document.objects.count() == 6
    client = Client()
    client.force_login(auditor)
    with django_assert_max_num_queries(30):
        client.get(PANEL)

"""The steps in their order, and what one question costs."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat import assembly, services
from chat.models import EvidenceRecord
from chat.pipeline import Ask, Step, run
from chat.rules.types import Turn
from documents.models import GlossaryEntry
from documents.reader import reader_of
from tests import factories
from tests.chat import portal
from tests.chat.portal import PICKING, PICKING_Q, ask, published

pytestmark = pytest.mark.django_db
QUERIES = 25
"""Of one question that is answered, from the person to the conversation, savepoints of the test apart."""


@pytest.fixture
def ana() -> User:
    return factories.person("ana", areas=["operacoes"], units=["CD-SP"])


def statements(user: User, question: str = PICKING_Q, **options: Any) -> list[str]:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        services.answer_of(services.ask(user, question, **options))
    told = [query["sql"] for query in captured.captured_queries]
    return [sql for sql in told if not sql.startswith(("SAVEPOINT", "RELEASE SAVEPOINT"))]


def test_a_question_takes_few_queries_however_many_documents_there_are(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    ask(ana, PICKING_Q)  # the person's key is made at the first question
    few = statements(ana)
    for number in range(12):
        published(f"ops-{number}", PICKING.replace("CD-SP", f"CD-SP lote {number}"))
    ask(ana, PICKING_Q)
    many = statements(ana)
    assert len(many) == len(few) <= QUERIES, "\n".join(few)


def test_a_follow_up_takes_hardly_more(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    first = ask(ana, PICKING_Q)
    assert len(statements(ana, "e depois das 14h?", conversation=first["conversation"])) <= QUERIES + 3


def test_the_steps_are_told_in_order(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    steps = run(Ask(PICKING_Q, reader_of(ana), date(2026, 11, 30)), assembly.parts())
    told: list[Step] = list(steps)
    assert [step.name for step in told] == ["searching", "reading", "verifying"]
    assert all(step.n >= 1 for step in told)


def test_who_may_read_nothing_searches_nothing(ana: User) -> None:
    published("ops-cd-sp", PICKING, readers=[])
    told = list(run(Ask(PICKING_Q, reader_of(ana), date(2026, 11, 30)), assembly.parts()))
    assert told == []


def test_the_stages_count_what_went_in_and_out(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    published("wiki", PICKING.replace("quatro", "umas quatro"), kind="wiki", authority="unofficial")
    record = EvidenceRecord.objects.get(id=ask(ana, PICKING_Q)["evidence"])
    stages = {stage["name"]: stage for stage in record.body["stages"]}
    assert list(stages) == ["search", "recheck", "rerank"]
    assert stages["search"]["by_corpus"] == {"official": 1, "wiki": 1}
    assert (stages["recheck"]["in"], stages["recheck"]["out"]) == (2, 2)
    assert (stages["rerank"]["in"], stages["rerank"]["out"]) == (2, 1)
    reasons = {item["document"]: item["reason"] for item in record.body["candidates"]}
    assert reasons == {"ops-cd-sp": "eligible", "wiki": "lower_precedence"}


def test_the_glossary_narrows_a_search_and_never_grants(ana: User) -> None:
    owner, rh = factories.person(), factories.area("rh")
    entry = {"owner": owner, "reason": "sigla da casa"}
    GlossaryEntry.objects.create(term="SLA", expansions=["prazo de separação"], area=rh, **entry)
    published("folha", portal.PAYROLL, area_slug="rh", readers=[])
    published("ops-cd-sp", PICKING)
    answer = ask(ana, "qual o SLA de pedidos do CD-SP?")
    assert portal.sources(answer) == {"ops-cd-sp"}


def test_the_timings_are_of_every_step_and_their_sum(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    timings = ask(ana, PICKING_Q)["timings_ms"]
    steps = [value for name, value in timings.items() if name != "total"]
    assert all(value >= 0 for value in steps)
    assert sum(steps) == pytest.approx(timings["total"], abs=0.5)


def test_a_question_that_names_its_date_is_searched_without_it(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    answer = ask(ana, "qual era o prazo de separação de pedidos do CD-SP em março de 2025?")
    assert (answer["status"], answer["on"], answer["temporal"]) == ("answered", "2025-03-31", "past")
    body = EvidenceRecord.objects.get(id=answer["evidence"]).body
    assert "2025" not in body["searches"][0]["text"]
    assert "2025" in body["question"]


def test_a_date_given_apart_wins_over_one_in_the_question(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    question = "qual era o prazo de separação de pedidos do CD-SP em março de 2025?"
    assert ask(ana, question, on=date(2024, 1, 1))["on"] == "2024-01-01"


@pytest.mark.parametrize("on", [date.min, date(1969, 12, 31), date(7000, 1, 1), date.max])
def test_any_day_can_be_asked_about(ana: User, on: date) -> None:
    published("ops-cd-sp", PICKING)
    answer = ask(ana, PICKING_Q, on=on)
    assert answer["on"] == on.isoformat()
    assert answer["status"] == ("answered" if on.year == 7000 else "not_found")


def test_the_history_of_somebody_else_is_not_read(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    told = ask(ana, "e do CD-SP?", history=[Turn("assistant", "O prazo do CD-RJ é de dez dias.")])
    assert told["standalone_question"] == "e do CD-SP?"

"""Every status of an answer, reached with real parts; a failure is never an empty answer."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from pytest_django import Settings

from chat.generators.base import GenerationError
from chat.models import Calibration, EvidenceRecord
from chat.rules import abstain
from chat.rules.types import Generation
from documents.embedders.base import EmbedderUnavailable, Vectors
from documents.embedders.hashing import Embedder as Hashing
from documents.models import Channel, IndexVersion
from documents.rules.passage import Passage
from documents.rules.types import Window
from governance.actions.precedence import RuleData, create_rule
from governance.models import OwnerTask
from governance.rules.precedence import PrecedenceKind
from tests import factories
from tests.chat import portal
from tests.chat.portal import PAYROLL, PICKING, PICKING_Q, ask, published, quotes

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> User:
    return factories.person("ana", areas=["operacoes"])


def recorded(answer: Any) -> EvidenceRecord:
    """The record of an answer, which says what the answer says."""
    record = EvidenceRecord.objects.get(id=answer["evidence"])
    assert (record.status, record.on.isoformat()) == (answer["status"], answer["on"])
    return record


def reason(answer: Any) -> str | None:
    assert not answer["claims"]
    recorded(answer)
    return answer["missing"]["reason"] if answer["missing"] else None


def test_answered_with_a_literal_quote_of_the_revision_in_force(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    answer = ask(ana, PICKING_Q)
    assert answer["status"] == "answered"
    assert "quatro horas úteis" in quotes(answer)[0]
    assert quotes(answer)[0] in PICKING
    assert recorded(answer).documents == ["ops-cd-sp"]


def test_not_found_says_where_to_ask(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    Channel.objects.create(area=None, label="Atendimento", url="https://a.example/")
    Channel.objects.create(area=factories.area("operacoes"), label="Operações", url="https://o.example/")
    portal.calibrate(2.0, 3.0)
    answer = ask(ana, PICKING_Q)
    assert (answer["status"], answer["related"]) == ("not_found", [])
    assert answer["channel"] == {"label": "Operações", "url": "https://o.example/"}
    stranger = ask(factories.person(is_active=False), PICKING_Q)
    assert (stranger["status"], stranger["channel"]["label"]) == ("not_found", "Atendimento")


def test_between_the_thresholds_there_is_something_to_read_and_no_claim(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    portal.only_offers()
    answer = ask(ana, PICKING_Q)
    assert (answer["status"], answer["claims"]) == ("not_found", [])
    assert {cited["document"] for cited in answer["related"]} == {"ops-cd-sp"}
    assert answer["related"][0]["quote"] in PICKING


def test_a_past_rule_without_a_date_needs_one(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    answer = ask(ana, "qual era o prazo de separação de pedidos antigamente?")
    assert (answer["status"], reason(answer)) == ("needs_date", "date")
    assert ask(ana, "qual era o prazo de separação de pedidos antigamente?", on=date(2025, 3, 1))["claims"]


RIVALS = (
    "1. Prazo\nO prazo de devolução de paletes vazios ao fornecedor é de 15 dias corridos.\n",
    "1. Prazo\nO prazo de devolução de paletes vazios ao fornecedor é de 30 dias corridos.\n",
)
RIVALS_Q = "qual o prazo de devolução de paletes vazios ao fornecedor?"


@pytest.fixture
def rivals() -> list[Any]:
    """Two texts of one standing on one subject that give different days."""
    owner = factories.person("dona")
    return [
        published(code, text, owner=owner, subjects=["paletes"])
        for code, text in zip(("paletes-a", "paletes-b"), RIVALS, strict=True)
    ]


def test_two_sources_that_disagree_are_both_shown_and_the_owners_are_told_once(ana: User, rivals: list[Any]) -> None:
    answer = ask(ana, RIVALS_Q)
    assert (answer["status"], answer["claims"]) == ("conflict", [])
    assert {cited["document"] for cited in answer["conflict"]["sources"]} == {"paletes-a", "paletes-b"}
    assert all(cited["quote"] in "".join(RIVALS) for cited in answer["conflict"]["sources"])
    assert recorded(answer).documents == ["paletes-a", "paletes-b"]
    assert ask(factories.person(), RIVALS_Q)["status"] == "conflict"
    task = OwnerTask.objects.get(kind="conflict")
    assert {task.document, task.other} == set(rivals)
    assert (task.owner, task.evidence) == (rivals[0].owner, answer["evidence"])


@pytest.mark.parametrize("kind", [PrecedenceKind.MANDATORY, PrecedenceKind.PREFERENTIAL])
def test_a_rule_of_precedence_decides_and_an_exception_turns_it(
    ana: User, rivals: list[Any], kind: PrecedenceKind
) -> None:
    southern = factories.person("joao", units=["POA"])
    data = RuleData(rivals[1], rivals[0], rivals[0].owner, kind, Window(date(2025, 1, 1), None), except_units=["POA"])
    create_rule(data, actor=rivals[0].owner, reason="norma da casa")
    here, there = ask(ana, RIVALS_Q), ask(southern, RIVALS_Q)
    assert (here["status"], there["status"]) == ("answered", "answered")
    assert "30 dias" in quotes(here)[0]
    assert "15 dias" in quotes(there)[0]
    if kind is PrecedenceKind.MANDATORY:
        assert portal.sources(here) == {"paletes-b"}
        assert portal.sources(there) == {"paletes-a"}
    assert not OwnerTask.objects.exists()


def test_a_rule_that_is_not_in_force_yet_decides_nothing(ana: User, rivals: list[Any]) -> None:
    data = RuleData(rivals[1], rivals[0], rivals[0].owner, PrecedenceKind.MANDATORY, Window(date(2999, 1, 1), None))
    create_rule(data, actor=rivals[0].owner, reason="norma futura")
    assert ask(ana, RIVALS_Q)["status"] == "conflict"


def test_a_text_without_owner_blocks(ana: User) -> None:
    published("folha", PAYROLL, owner=None)
    published("ops-cd-sp", PICKING)
    answer = ask(ana, portal.PAYROLL_Q)
    assert (answer["status"], reason(answer)) == ("blocked", "no_owner")
    assert "doze por cento" not in str(answer)


@pytest.mark.parametrize("offered", [False, True])
def test_a_passage_that_its_revision_does_not_hold_blocks(ana: User, offered: bool) -> None:
    document = published("ops-cd-sp", PICKING)
    if offered:
        portal.only_offers()
    chunk = document.revisions.get().chunks.get()
    chunk.text = chunk.text.replace("quatro horas", "nove horas")
    chunk.save()
    answer = ask(ana, PICKING_Q)
    assert (answer["status"], reason(answer)) == ("blocked", "passage_not_in_revision")
    assert answer["related"] == []
    assert "nove horas" not in str(answer)


@pytest.mark.parametrize("harm", ["missing", "damaged", "other version", "no index", "other rules"])
def test_an_index_that_cannot_be_read_is_unavailable(ana: User, harm: str) -> None:
    published("ops-cd-sp", PICKING)
    assert ask(ana, PICKING_Q)["status"] == "answered"
    version = IndexVersion.objects.get(state="active")
    folder = Path(settings.KB_INDEX_PATH) / str(version.pk)
    if harm == "missing":
        shutil.rmtree(folder)
    elif harm == "damaged":
        for file in folder.iterdir():
            file.write_bytes(b"\0" * 16)
    elif harm == "other version":
        version.fingerprint = "another model"
        version.save()
    elif harm == "other rules":
        version.rules = "other rules"
        version.save()
    else:
        IndexVersion.objects.update(state="dropped")
    answer = ask(ana, PICKING_Q)
    assert (answer["status"], reason(answer)) == ("unavailable", "component_down")
    assert recorded(answer).body["error"]


class DownEmbedder(Hashing):
    def query(self, text: str) -> Vectors:
        raise EmbedderUnavailable("no model here")


class NamelessEmbedder(Hashing):
    @property
    def fingerprint(self) -> str:
        raise EmbedderUnavailable("no model here")


class NanEmbedder(Hashing):
    def query(self, text: str) -> Vectors:
        return np.full(3, np.nan, dtype=np.float32)


class DownGenerator:
    name, version = "down", "1"

    def generate(self, question: str, passages: Sequence[Passage]) -> Generation:
        raise GenerationError("the endpoint answered 503")


class BrokenGenerator(DownGenerator):
    def generate(self, question: str, passages: Sequence[Passage]) -> Generation:
        raise ZeroDivisionError("a fault of its own")


class SilentGenerator(DownGenerator):
    def generate(self, question: str, passages: Sequence[Passage]) -> Generation:
        return Generation(())


def use(fixture: Settings, **parts: type) -> None:
    changed = {kind: {"BACKEND": f"{__name__}.{part.__name__}", "OPTIONS": {}} for kind, part in parts.items()}
    fixture.KB_BACKENDS = {**fixture.KB_BACKENDS, **changed}


@pytest.mark.parametrize("part", [DownEmbedder, NamelessEmbedder, NanEmbedder])
def test_an_embedder_that_fails_is_unavailable(ana: User, settings: Settings, part: type) -> None:
    published("ops-cd-sp", PICKING)
    use(settings, embedder=part)
    answer = ask(ana, PICKING_Q)
    assert (answer["status"], reason(answer)) == ("unavailable", "component_down")


@pytest.mark.parametrize("part", [DownGenerator, BrokenGenerator])
def test_a_generator_that_fails_is_unavailable(ana: User, settings: Settings, part: type) -> None:
    published("ops-cd-sp", PICKING)
    use(settings, generator=part)
    answer = ask(ana, PICKING_Q)
    assert (answer["status"], reason(answer)) == ("unavailable", "component_down")
    assert "503" not in str(answer)


def test_a_generator_without_claims_is_not_found(ana: User, settings: Settings) -> None:
    published("ops-cd-sp", PICKING)
    use(settings, generator=SilentGenerator)
    assert ask(ana, PICKING_Q)["status"] == "not_found"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("table", "status", "missing"),
    [
        ("documents_documentgroupgrant", "blocked", "permissions_unavailable"),
        ("documents_embedding", "blocked", "permissions_unavailable"),
        ("documents_indexentry", "unavailable", "component_down"),
        ("documents_glossaryentry", "unavailable", "component_down"),
        ("governance_precedencerule", "unavailable", "component_down"),
        ("chat_calibration", "unavailable", "component_down"),
        ("documents_wordvector", "unavailable", "component_down"),
    ],
)
def test_a_table_that_does_not_answer_is_told_from_a_base_without_an_answer(
    table: str, status: str, missing: str
) -> None:
    reader = factories.person("ana")
    published("ops-cd-sp", PICKING)
    assert connection.in_atomic_block is False
    with portal.table_gone(table):
        answer = ask(reader, PICKING_Q)
    assert (answer["status"], reason(answer)) == (status, missing)
    assert ask(reader, PICKING_Q)["status"] == "answered"


@pytest.mark.parametrize("thresholds", [{}, {"version": "old", "weight": 3}, {"version": "new", "other": 1.0}])
def test_a_calibration_for_other_signals_is_not_used(ana: User, thresholds: dict[str, object]) -> None:
    published("ops-cd-sp", PICKING)
    Calibration.objects.create(thresholds=thresholds, questions=9, source="another version")
    answer = ask(ana, PICKING_Q)
    assert answer["status"] == "answered"
    assert recorded(answer).body["versions"]["thresholds"] == abstain.DEFAULT.version

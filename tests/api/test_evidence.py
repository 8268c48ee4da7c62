"""Evidence over HTTP: an auditor opens all of it, a person their own, and for everybody else it is not there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from chat import recorder
from chat.models import EvidenceQuestion, EvidenceRecord
from chat.rules.outcome import Cited, Claim, Outcome, Traced, Versions
from chat.rules.types import Status
from documents.models import Document, Revision
from documents.reader import reader_of
from documents.rules.passage import Passage
from documents.rules.types import Authority, Corpus, Kind, Reason
from governance.actions.access import replace_grants
from tests import factories
from tests.api.clients import client_of, problem
from tests.days import today

pytestmark = pytest.mark.django_db
VERSIONS = Versions("rules", "index", "prompt", "verifier", "thresholds", "embedder", "generator", "reranker", "plain")
PASSAGE = Passage(
    chunk_id=1,
    document="ops-cd-sp",
    title="Manual",
    revision="v3",
    revision_id="7",
    section="4. Prazos",
    anchor="secao-4",
    page=12,
    start=100,
    end=131,
    text="Separação em quatro horas úteis.",
    text_hash="0" * 64,
    heading="Manual",
    kind=Kind.MANUAL,
    corpus=Corpus.OFFICIAL,
    authority=Authority.OFFICIAL,
    area="operacoes",
    owner="Operações",
    valid_from=date(2026, 3, 1),
    valid_until=None,
    sentences=((0, 32),),
    stems=(None,),
    subjects=frozenset(),
    scope_units=frozenset(),
    scope_jurisdictions=frozenset(),
    scope_products=frozenset(),
)
HIDDEN = Traced(2, "folha-secreta", "v1", Corpus.OFFICIAL, Reason.NO_PERMISSION)


def source(code: str = "ops-cd-sp", readers: Sequence[str] = ("group:todos",)) -> Passage:
    """The passage as one of a document that these people read."""
    document = Document.objects.filter(code=code).first()
    if document is None:
        document = factories.document(code, readers=readers, owner=factories.person())
        factories.revision(document, "v3", state="published", start=date(2026, 3, 1))
    return replace(PASSAGE, document=code, revision_id=str(document.revisions.get().pk))


def answered(
    user: User, question: str = "qual o SLA? meu CPF é 529.982.247-25", passage: Passage | None = None
) -> EvidenceRecord:
    passage = passage or source()
    cited = Cited(passage, 0, 32)
    outcome = Outcome(
        Status.ANSWERED,
        question,
        question,
        date(2026, 11, 30),
        "current",
        claims=(Claim(cited.quote, (cited,)),),
        sent=(passage,),
        candidates=(HIDDEN,),
    )
    return recorder.record(outcome, VERSIONS, reader_of(user), ())


@pytest.fixture
def ana() -> User:
    return factories.person("ana")


@pytest.fixture
def auditor() -> User:
    return factories.person("lucas", roles=["auditor"])


def test_a_person_lists_and_opens_their_own(ana: User) -> None:
    own, _other = answered(ana), answered(factories.person())
    client = client_of(ana)
    rows = client.get("/api/evidence/").json()
    assert [row["id"] for row in rows["results"]] == [str(own.id)]
    body = client.get(f"/api/evidence/{own.id}/").json()
    assert body["question"] == "qual o SLA? meu CPF é 529.982.247-25"
    assert body["status"] == "answered"
    assert body["on"] == "2026-11-30"
    assert body["documents"] == ["ops-cd-sp"]
    assert body["url"] == f"/evidencias/{own.id}/"
    assert body["answer"]["claims"][0]["citations"][0]["quote"] == "Separação em quatro horas úteis."
    assert body["answer"]["versions"]["index"] == "index"


def test_what_was_excluded_is_shown_to_auditors_alone(ana: User, auditor: User) -> None:
    own = answered(ana)
    assert "folha-secreta" not in client_of(ana).get(f"/api/evidence/{own.id}/").content.decode()
    body = client_of(auditor).get(f"/api/evidence/{own.id}/").json()
    assert body["record"]["candidates"][0]["document"] == "folha-secreta"
    assert (body["sequence"], body["hash"], body["previous_hash"]) == (own.sequence, own.hash, own.previous_hash)
    assert body["reader_key"] == str(own.reader_key)


def test_an_auditor_sees_everybodys_without_their_personal_data(ana: User, auditor: User) -> None:
    own = answered(ana)
    client = client_of(auditor)
    listing = client.get("/api/evidence/")
    assert [row["id"] for row in listing.json()["results"]] == [str(own.id)]
    for response in (listing, client.get(f"/api/evidence/{own.id}/")):
        assert "529.982.247-25" not in response.content.decode()
        assert "qual o SLA?" in response.content.decode()


def test_a_list_leaves_the_bodies_in_the_table(auditor: User) -> None:
    for _number in range(3):
        answered(auditor)
    with CaptureQueriesContext(connection) as queries:
        listed = client_of(auditor).get("/api/evidence/").json()["results"]
    assert [item["question"] for item in listed] == ["qual o SLA? meu CPF é [CPF]"] * 3
    assert not [query["sql"] for query in queries if '"chat_evidencerecord"."body",' in query["sql"]]


def test_an_erased_question_leaves_its_form_without_personal_data(ana: User) -> None:
    own = answered(ana)
    EvidenceQuestion.objects.all().delete()
    question = client_of(ana).get(f"/api/evidence/{own.id}/").json()["question"]
    assert question.startswith("qual o SLA?")
    assert "529.982.247-25" not in question


@pytest.mark.parametrize("roles", [[], ["approver"], ["incidents"], ["indexer"], ["history"], ["product"]])
def test_somebody_elses_is_not_there(ana: User, roles: list[str]) -> None:
    own = answered(ana)
    client = client_of(factories.person(roles=roles, areas=["operacoes"]))
    hidden = client.get(f"/api/evidence/{own.id}/")
    problem(hidden, 404, "not_found")
    assert client.get("/api/evidence/00000000-0000-0000-0000-000000000000/").content == hidden.content
    assert client.get("/api/evidence/------------------------------------/").content == hidden.content
    assert client.get("/api/evidence/").json()["count"] == 0


def test_the_words_of_a_source_are_for_those_to_whom_it_was_granted(ana: User, auditor: User) -> None:
    """Of what an auditor may not read there is the code and the reason, wherever its words would stand."""
    own = answered(ana, passage=source("folha", readers=["user:ana"]))
    asked, audited = (client_of(user).get(f"/api/evidence/{own.id}/").content.decode() for user in (ana, auditor))
    assert "quatro horas" in asked
    assert "folha" in audited
    assert not [told for told in ("quatro horas", "Manual", "Prazos", "secao-4") if told in audited]
    assert client_of(auditor).get(f"/api/evidence/{own.id}/").json()["withheld"] == ["folha@v3"]


def test_who_may_no_longer_read_a_source_does_not_find_its_words_in_their_record(ana: User) -> None:
    own = answered(ana, passage=source("folha", readers=["user:ana"]))
    replace_grants(Document.objects.get(code="folha"), [])
    assert "quatro horas" not in client_of(ana).get(f"/api/evidence/{own.id}/").content.decode()


@pytest.mark.parametrize("change", [{"scope_units": ["CD-SP"]}, {"owner": None}])
def test_where_and_when_a_source_holds_keeps_no_words_from_an_auditor(
    ana: User, auditor: User, change: dict[str, object]
) -> None:
    own = answered(ana)
    Document.objects.update(**change)
    Revision.objects.update(state="retired", retired_on=timezone.localdate())
    body = client_of(auditor).get(f"/api/evidence/{own.id}/").json()
    assert body["record"]["claims"][0]["text"] == "Separação em quatro horas úteis."
    assert body["withheld"] == []


def test_a_superuser_is_nobody_special(ana: User) -> None:
    own = answered(ana)
    problem(client_of(factories.person(is_superuser=True)).get(f"/api/evidence/{own.id}/"), 404, "not_found")


def test_a_forgotten_person_does_not_come_back_to_their_records(ana: User) -> None:
    own = answered(ana)
    ana.reader_identity.delete()
    ana = User.objects.get(pk=ana.pk)
    problem(client_of(ana).get(f"/api/evidence/{own.id}/"), 404, "not_found")


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("?status=answered", 1),
        ("?status=blocked", 0),
        ("?document=ops-cd-sp", 1),
        ("?document=ops", 0),
        ("?reason=no_permission", 1),
        ("?reason=retired", 0),
        ("?person=ana", 1),
        ("?person=lucas", 0),
        ("?person=00000000-0000-0000-0000-000000000000", 0),
        ("?since={today}&until={today}", 1),
        ("?until=2020-01-01", 0),
    ],
)
def test_the_list_can_be_narrowed(ana: User, query: str, count: int) -> None:
    answered(ana)
    assert client_of(ana).get(f"/api/evidence/{query.format(today=today())}").json()["count"] == count


def test_a_status_that_does_not_exist_is_named(ana: User) -> None:
    body = problem(client_of(ana).get("/api/evidence/?status=maybe"), 422, "invalid")
    assert [error["field"] for error in body["errors"]] == ["status"]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_evidence_is_read_and_nothing_else(ana: User, auditor: User, method: str) -> None:
    own = answered(ana)
    for address in ("/api/evidence/", f"/api/evidence/{own.id}/"):
        problem(getattr(client_of(auditor), method)(address), 405, "method_not_allowed")
    assert EvidenceRecord.objects.count() == 1


def test_the_list_costs_the_same_however_long_it_is(
    ana: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _number in range(5):
        answered(ana)
    client = client_of(ana)
    with django_assert_max_num_queries(6):
        assert client.get("/api/evidence/").json()["count"] == 5

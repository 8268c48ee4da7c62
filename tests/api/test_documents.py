"""The list of documents and one of them: what is seen and what is hidden, from one shared corpus."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from documents.models import Document, Relation
from tests import factories
from tests.api.clients import client_of, problem

pytestmark = pytest.mark.django_db
YESTERYEAR, LONG_AGO = date(2025, 1, 1), date(2024, 1, 1)


@pytest.fixture(autouse=True)
def corpus() -> dict[str, Document]:
    """Three documents open to everybody, one for HR, one for nobody, one without an owner."""
    maria, bruno = factories.person("maria", areas=["rh"]), factories.person("bruno", areas=["operacoes"])
    made = {
        "home-office": factories.document(
            "home-office", title="Trabalho remoto", owner=maria, area_slug="rh", readers=["group:todos"]
        ),
        "ops-cd-sp": factories.document(
            "ops-cd-sp", title="Manual de operação CD-SP", kind="manual", owner=bruno, readers=["group:todos"]
        ),
        "wiki-salas": factories.document(
            "wiki-salas", title="Salas", kind="wiki", authority="unofficial", owner=bruno, readers=["group:todos"]
        ),
        "folha": factories.document(
            "folha", title="Folha", owner=maria, area_slug="rh", classification="restricted", readers=["user:maria"]
        ),
        "ninguem": factories.document("ninguem", title="Sem leitores", owner=bruno),
        "sem-dono": factories.document("sem-dono", title="Sem dono", readers=["group:todos"]),
    }
    factories.revision(made["home-office"], "v1", state="published", start=LONG_AGO, until=YESTERYEAR)
    factories.revision(made["home-office"], "v2", state="published", start=YESTERYEAR)
    factories.revision(made["home-office"], "v3", author=maria)
    for code in ("ops-cd-sp", "wiki-salas", "folha", "ninguem", "sem-dono"):
        factories.revision(made[code], "v1", state="published", start=YESTERYEAR)
    return made


@pytest.fixture
def ana() -> User:
    return factories.person("ana", areas=["operacoes"])


def listed(user: User, query: str = "") -> list[str]:
    response = client_of(user).get(f"/api/documents/{query}")
    assert response.status_code == 200, response.content
    assert response.json()["count"] == len(response.json()["results"])
    return [row["code"] for row in response.json()["results"]]


def opened(user: User, code: str) -> dict[str, Any]:
    response = client_of(user).get(f"/api/documents/{code}/")
    assert response.status_code == 200, response.content
    return response.json()


def test_the_list_holds_what_the_caller_may_read_and_nothing_else(ana: User) -> None:
    assert listed(ana) == ["home-office", "ops-cd-sp", "sem-dono", "wiki-salas"]


def test_owners_also_see_what_nobody_reads() -> None:
    assert listed(User.objects.get(username="bruno")) == [
        "home-office", "ninguem", "ops-cd-sp", "sem-dono", "wiki-salas",
    ]  # fmt: skip
    assert "folha" in listed(User.objects.get(username="maria"))


def test_an_approver_sees_the_documents_of_their_area() -> None:
    assert "folha" in listed(factories.person(areas=["rh"], roles=["approver"]))


@pytest.mark.parametrize("role", ["auditor", "incidents", "indexer", "history", "product", "approver"])
def test_a_role_alone_opens_nothing(role: str, ana: User) -> None:
    ana.groups.add(factories.group(f"role:{role}"))
    ana.groups.remove(factories.area("operacoes").group)
    assert not {"folha", "ninguem"} & set(listed(ana))
    problem(client_of(ana).get("/api/documents/folha/"), 404, "not_found")


def test_a_superuser_sees_no_more_than_anyone(ana: User) -> None:
    admin = factories.person("root", is_superuser=True, is_staff=True)
    assert listed(admin) == listed(ana)
    problem(client_of(admin).get("/api/documents/folha/"), 404, "not_found")


def test_hidden_and_missing_are_the_same_answer(ana: User) -> None:
    hidden = client_of(ana).get("/api/documents/folha/")
    missing = client_of(ana).get("/api/documents/nothing-here/")
    problem(hidden, 404, "not_found")
    assert hidden.content == missing.content


@pytest.mark.parametrize(
    ("query", "codes"),
    [
        ("?area=rh", ["home-office"]),
        ("?kind=manual", ["ops-cd-sp"]),
        ("?authority=unofficial", ["wiki-salas"]),
        ("?search=REMOTO", ["home-office"]),
        ("?search=cd-sp manual", ["ops-cd-sp"]),
        ("?search=folha", []),
        ("?in_force_on=2024-06-01", ["home-office"]),
        ("?in_force_on=2023-06-01", []),
        ("?area=nowhere", []),
        ("?ordering=-code", ["wiki-salas", "sem-dono", "ops-cd-sp", "home-office"]),
        ("?ordering=title", ["ops-cd-sp", "wiki-salas", "sem-dono", "home-office"]),
    ],
)
def test_the_list_can_be_narrowed_and_ordered(ana: User, query: str, codes: list[str]) -> None:
    assert listed(ana, query) == codes


def test_a_date_finds_only_what_the_reader_may_be_quoted_from_it(ana: User, corpus: dict[str, Document]) -> None:
    Document.objects.filter(code="home-office").update(history="role")
    assert listed(ana, "?in_force_on=2024-06-01") == []
    ana.groups.add(factories.group("role:history"))
    assert listed(ana, "?in_force_on=2024-06-01") == ["home-office"]


@pytest.mark.parametrize(("query", "field"), [("?kind=law", "kind"), ("?in_force_on=ontem", "in_force_on")])
def test_a_filter_that_makes_no_sense_is_named(ana: User, query: str, field: str) -> None:
    body = problem(client_of(ana).get(f"/api/documents/{query}"), 422, "invalid")
    assert [error["field"] for error in body["errors"]] == [field]


def test_pages_follow_each_other(ana: User) -> None:
    client = client_of(ana)
    first = client.get("/api/documents/?page_size=3").json()
    second = client.get(first["next"]).json()
    assert (first["count"], first["previous"], second["next"]) == (4, None, None)
    codes = [row["code"] for page in (first, second) for row in page["results"]]
    assert codes == ["home-office", "ops-cd-sp", "sem-dono", "wiki-salas"]
    problem(client.get("/api/documents/?page=9"), 404, "not_found")


def test_a_document_shows_the_revision_in_force_and_the_readable_ones(ana: User) -> None:
    body = opened(ana, "home-office")
    assert body["area"] == {"slug": "rh", "name": "Rh"}
    assert body["owner"] == "maria"
    assert body["scope"] == {"units": [], "jurisdictions": [], "products": []}
    assert body["url"] == "/documentos/home-office/"
    assert [revision["label"] for revision in body["revisions"]] == ["v1", "v2"]
    assert [revision["in_force"] for revision in body["revisions"]] == [False, True]
    assert body["revision"] == body["revisions"][1]
    assert (body["revision"]["valid_from"], body["revision"]["valid_until"]) == ("2025-01-01", None)
    assert body["revisions"][0]["valid_until"] == "2025-01-01"
    assert body["revision"]["url"] == "/documentos/home-office/v2/"


def test_a_draft_is_shown_to_who_works_on_it() -> None:
    body = opened(User.objects.get(username="maria"), "home-office")
    assert [revision["label"] for revision in body["revisions"]] == ["v1", "v2", "v3"]
    assert body["revision"]["label"] == "v2"


def test_a_document_without_owner_has_no_text_to_quote(ana: User) -> None:
    body = opened(ana, "sem-dono")
    assert (body["owner"], body["revision"], body["revisions"]) == (None, None, [])


def test_a_retired_text_is_gone_from_its_document(ana: User, corpus: dict[str, Document]) -> None:
    today = timezone.localdate()
    corpus["ops-cd-sp"].revisions.update(state="retired", retired_on=today)
    assert opened(ana, "ops-cd-sp")["revision"] is None
    corpus["ops-cd-sp"].revisions.update(retired_on=today + timedelta(days=1))
    assert opened(ana, "ops-cd-sp")["revision"]["label"] == "v1"


def test_relations_lead_only_to_documents_the_reader_may_know(ana: User, corpus: dict[str, Document]) -> None:
    for source, target in (("wiki-salas", "home-office"), ("folha", "home-office"), ("home-office", "ninguem")):
        Relation.objects.create(kind="merges", source=corpus[source], target=corpus[target], reason="fusão")
    assert opened(ana, "home-office")["relations"] == [
        {
            "kind": "merges",
            "from": {"code": "wiki-salas", "title": "Salas"},
            "to": {"code": "home-office", "title": "Trabalho remoto"},
            "reason": "fusão",
        }
    ]
    sources = {
        relation["from"]["code"] for relation in opened(User.objects.get(username="maria"), "home-office")["relations"]
    }
    assert sources == {"wiki-salas", "folha"}


def test_the_list_costs_the_same_however_long_it_is(
    ana: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = client_of(ana)
    client.get("/api/documents/")
    costs = []
    for _round in range(2):
        with django_assert_max_num_queries(8) as captured:
            client.get("/api/documents/?page_size=100&in_force_on=2026-01-01&search=a")
        costs.append(len(captured))
        for _number in range(12):
            factories.revision(
                factories.document(readers=["group:todos"], owner=ana), state="published", start=LONG_AGO
            )
    assert costs[0] == costs[1]


def test_a_document_costs_the_same_however_many_revisions_it_has(
    ana: User, corpus: dict[str, Document], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(8):
        day = date(2020, 1, 1) + timedelta(days=number)
        factories.revision(
            corpus["home-office"], f"old-{number}", state="published", start=day, until=day + timedelta(days=1)
        )
    client = client_of(ana)
    client.get("/api/documents/")
    with django_assert_max_num_queries(8):
        assert len(client.get("/api/documents/home-office/").json()["revisions"]) == 10

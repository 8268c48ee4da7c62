"""One revision: its sections, its original, and who may open it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from documents.models import Document, Revision
from documents.rules.notices import About, Notice
from documents.rules.types import Extraction, PageSpan, SectionSpan
from governance.actions.draft import Content, create_revision
from tests import factories
from tests.api.clients import client_of, problem

pytestmark = pytest.mark.django_db
TEXT = "Política\nVale para todos.\n1. Prazos\nQuatro horas úteis.\n"
SECTIONS = (
    SectionSpan("Política", 1, ("Política",), "politica", 0, 9, 26),
    SectionSpan("1. Prazos", 2, ("Política", "1. Prazos"), "secao-1", 26, 36, len(TEXT)),
)
PAGES = (PageSpan(1, 0, 26), PageSpan(2, 26, len(TEXT)))
DATA = b"%PDF-1.7 not really \x00\xff"


@pytest.fixture
def owner() -> User:
    return factories.person("bruno", areas=["operacoes"], first_name="Bruno", last_name="Lima")


@pytest.fixture
def ana() -> User:
    return factories.person("ana")


@pytest.fixture
def draft(owner: User) -> Revision:
    document = factories.document("ops", title="Operação", owner=owner, readers=["group:todos"])
    content = Content(
        "ops.pdf", DATA, "application/pdf", Extraction(TEXT, SECTIONS, PAGES, (Notice(About.EMPTY_PAGES, ("3",)),))
    )
    return create_revision(document.pk, "v1", content, actor=owner, reason="primeira")


@pytest.fixture
def published(draft: Revision) -> Revision:
    approver = factories.person("rita", areas=["operacoes"], roles=["approver"])
    draft.validity = factories.DateRange(date(2025, 1, 1), None, "[)")
    draft.state, draft.approved_by, draft.approved_hash = "published", approver, draft.content_hash
    draft.save()
    return draft


def test_a_revision_comes_with_its_sections(published: Revision, ana: User) -> None:
    body = client_of(ana).get(f"/api/revisions/{published.pk}/").json()
    assert (body["document"], body["label"], body["title"], body["state"]) == ("ops", "v1", "Operação", "published")
    assert (body["author"], body["approved_by"]) == ("Bruno Lima", "rita")
    assert body["sections"] == [
        {
            "ordinal": 0, "level": 1, "heading": "Política", "path": ["Política"], "anchor": "politica", "page": 1,
            "start": 0, "body_start": 9, "end": 26, "text": "Vale para todos.\n",
        },
        {
            "ordinal": 1, "level": 2, "heading": "1. Prazos", "path": ["Política", "1. Prazos"], "anchor": "secao-1",
            "page": 2, "start": 26, "body_start": 36, "end": len(TEXT), "text": "Quatro horas úteis.\n",
        },
    ]  # fmt: skip
    assert body["times"]["extracted"]["certainty"] == "exact"
    assert body["times"]["source"] == {"at": None, "certainty": "unknown"}
    assert body["warnings"] == []
    assert body["actions"] == []


def test_the_people_in_charge_see_warnings_and_what_they_may_do(draft: Revision, owner: User) -> None:
    body = client_of(owner).get(f"/api/revisions/{draft.pk}/").json()
    assert body["warnings"] == ["Páginas sem texto (em branco ou digitalizadas): 3."]
    assert body["actions"] == ["submit"]
    assert (body["valid_from"], body["valid_until"], body["in_force"]) == (None, None, False)


def test_who_may_not_read_it_gets_the_same_answer_as_for_nothing(draft: Revision, ana: User) -> None:
    client = client_of(ana)
    hidden = client.get(f"/api/revisions/{draft.pk}/")
    problem(hidden, 404, "not_found")
    for address in ("0", "99999999999999999999", str(draft.pk + 1)):
        assert client.get(f"/api/revisions/{address}/").content == hidden.content
    hidden_file = client.get(f"/api/revisions/{draft.pk}/original/")
    assert hidden_file.content == client.get("/api/revisions/0/original/").content
    problem(hidden_file, 404, "not_found")


def test_what_an_answer_about_the_past_cites_can_be_opened(published: Revision, ana: User) -> None:
    published.validity = factories.DateRange(date(2024, 1, 1), date(2025, 1, 1), "[)")
    published.save()
    assert client_of(ana).get(f"/api/revisions/{published.pk}/").json()["in_force"] is False
    Document.objects.update(history="role")
    problem(client_of(ana).get(f"/api/revisions/{published.pk}/"), 404, "not_found")


@pytest.mark.parametrize("accept", ["*/*", "application/pdf", "application/json", "text/html"])
def test_the_original_is_downloaded_byte_by_byte(published: Revision, ana: User, accept: str) -> None:
    response = client_of(ana).get(f"/api/revisions/{published.pk}/original/", headers={"Accept": accept})
    assert response.status_code == 200
    assert response.content == DATA
    assert response.headers["Content-Type"] == "application/pdf"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Disposition"].startswith("attachment; filename=")
    assert response.headers["Content-Disposition"].rstrip('"').endswith(".pdf")


def test_a_file_that_is_not_the_approved_one_is_not_served(published: Revision, ana: User) -> None:
    path = Path(published.file.path)
    path.write_bytes(DATA + b"!")
    problem(client_of(ana).get(f"/api/revisions/{published.pk}/original/"), 409, "original_damaged")
    path.unlink()
    problem(client_of(ana).get(f"/api/revisions/{published.pk}/original/"), 409, "original_damaged")


def test_a_revision_without_a_file_has_no_original(ana: User, owner: User) -> None:
    document = factories.document(owner=owner, readers=["group:todos"])
    revision = factories.revision(document, state="published", start=date(2025, 1, 1))
    assert client_of(ana).get(f"/api/revisions/{revision.pk}/").json()["has_original"] is False
    problem(client_of(ana).get(f"/api/revisions/{revision.pk}/original"), 404, "not_found")


def test_a_browser_gets_a_page_and_a_program_gets_json(published: Revision, ana: User) -> None:
    session = Client()
    session.force_login(ana)
    page = session.get(f"/api/revisions/{published.pk}/", headers={"Accept": "text/html"})
    assert page.headers["Content-Type"].startswith("text/html")
    hidden = session.get("/api/revisions/0/", headers={"Accept": "text/html"})
    assert (hidden.status_code, hidden.headers["Content-Type"].split(";")[0]) == (404, "text/html")
    assert session.get(f"/api/revisions/{published.pk}").json()["label"] == "v1"

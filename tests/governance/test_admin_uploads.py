"""From a file to a draft: it is looked at first, and only what was shown becomes a text."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse

from documents.extractors.base import media_type_of
from documents.models import Document, Revision
from governance.actions import uploads
from governance.errors import NotFound
from governance.models import Upload
from tests import factories
from tests.governance.desk import client_of, page, person

pytestmark = pytest.mark.django_db
NEW = "/admin/documents/revision/upload/"
TEXT = "# Férias\n\n## Dias\n\nSão trinta dias.\n"


@pytest.fixture(autouse=True)
def policy() -> Document:
    maria = person("maria", areas=["rh"])
    person("ana", areas=["operacoes"])
    return factories.document("ferias", owner=maria, area_slug="rh")


def file(text: str = TEXT, name: str = "ferias.md") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode(), "text/markdown")


def send(username: str, path: str = NEW, **values: object) -> HttpResponse:
    form = {"document": "ferias", "reason": "new text", "original": file()} | values
    return client_of(username).post(path, form)


def test_a_file_is_shown_and_then_becomes_the_draft_that_was_shown(policy: Document) -> None:
    response = send("maria", valid_from="2027-01-01")
    assert response.status_code == 302
    assert not policy.revisions.exists(), "looking makes nothing"
    shown = page("maria", response.url)  # type: ignore[attr-defined]
    assert "São trinta dias." in shown
    assert "Dias" in shown
    seen = re.findall(r'name="seen" value="(\w+)"', shown)[0]
    assert client_of("ana").get(response.url).status_code == 404, "an upload is its person's own"  # type: ignore[attr-defined]
    assert client_of("maria").post(response.url, {"seen": "0" * 64}).status_code == 200  # type: ignore[attr-defined]
    assert not policy.revisions.exists()
    assert client_of("maria").post(response.url, {"seen": seen}).status_code == 302  # type: ignore[attr-defined]
    revision = policy.revisions.get()
    assert (revision.label, revision.state, revision.content_hash) == ("v1", "draft", seen)
    assert revision.media_type == "text/markdown"
    assert revision.validity.lower.isoformat() == "2027-01-01"
    assert [section.heading for section in revision.sections.all()][-1] == "Dias"
    assert not Upload.objects.exists()
    assert client_of("maria").post(response.url, {"seen": seen}).status_code == 404, "once"  # type: ignore[attr-defined]


def test_a_media_type_is_the_same_on_every_machine() -> None:
    assert media_type_of("Manual.DOCX").endswith("wordprocessingml.document")
    assert (media_type_of("a.pdf"), media_type_of("a.exe")) == ("application/pdf", "application/octet-stream")


def test_a_file_that_is_given_up_leaves_nothing(policy: Document) -> None:
    url = send("maria").url  # type: ignore[attr-defined]
    client_of("maria").post(url, {"drop": "1"})
    assert not Upload.objects.exists()
    assert not policy.revisions.exists()


@pytest.mark.parametrize(
    ("name", "data"),
    [("x.pdf", b"not a pdf"), ("x.exe", b"MZ\x90"), ("x.docx", b"PK\x03\x04broken"), ("x.md", b"")],
)
def test_a_file_that_gives_no_text_is_told_in_words(policy: Document, name: str, data: bytes) -> None:
    response = send("maria", original=SimpleUploadedFile(name, data))
    assert response.status_code == 200
    assert 'class="field-error"' in response.content.decode()
    assert not Upload.objects.exists()


@pytest.mark.parametrize(("language", "words"), [("pt-br", "não preenchidos"), ("en", "nobody filled in")])
def test_a_warning_is_told_in_the_language_of_who_looks(policy: Document, language: str, words: str) -> None:
    maria = client_of("maria")
    maria.cookies["django_language"] = language
    sent = {"document": "ferias", "reason": "new text", "original": file(TEXT + "De ${empresa}.\n")}
    look = maria.post(NEW, sent).headers["location"]
    shown = maria.get(look).content.decode()
    assert words in shown
    maria.post(look, {"seen": re.findall(r'name="seen" value="(\w+)"', shown)[0]})
    revision = policy.revisions.get()
    for path in (f"{revision.pk}/workbench/", f"{revision.pk}/change/"):
        assert f"{words}: ${{empresa}}." in maria.get(f"/admin/documents/revision/{path}").content.decode()


@pytest.mark.parametrize(("language", "words"), [("pt-br", "O formato do arquivo"), ("en", "This format")])
def test_a_refusal_is_told_in_the_language_of_who_sent_it(policy: Document, language: str, words: str) -> None:
    maria = client_of("maria")
    maria.cookies["django_language"] = language
    sent = {"document": "ferias", "reason": "new text", "original": SimpleUploadedFile("x.exe", b"MZ")}
    assert words in maria.post(NEW, sent).content.decode()


def test_a_file_that_is_too_large_is_refused_before_it_is_read(
    policy: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST_BYTES", 10)
    monkeypatch.setattr(uploads, "read", lambda *_args: pytest.fail("it was read"))
    assert send("maria").status_code == 200


@pytest.mark.parametrize(
    "values",
    [
        {"document": "no-such"},
        {"reason": " "},
        {"valid_from": "2027-01-01", "valid_until": "2026-01-01"},
        {"label": "taken"},
    ],
)
def test_what_would_be_refused_later_is_refused_now(policy: Document, values: dict[str, str]) -> None:
    factories.revision(policy, "taken")
    response = send("maria", **values)
    assert response.status_code == 200
    assert not Upload.objects.exists()


def test_a_document_that_one_may_not_draft_for_looks_like_none(policy: Document) -> None:
    hidden, missing = (send("ana", document=code).content.decode() for code in ("ferias", "no-such"))
    error = re.compile(r'class="field-error"[^>]*>([^<]+)<')
    assert error.findall(hidden) == error.findall(missing) != []


def test_the_text_of_a_draft_is_replaced_the_same_way(policy: Document) -> None:
    draft = factories.revision(policy, "v1", author=User.objects.get(username="maria"))
    url = send("maria", f"/admin/documents/revision/{draft.pk}/upload/").url  # type: ignore[attr-defined]
    seen = re.findall(r'name="seen" value="(\w+)"', page("maria", url))[0]
    client_of("maria").post(url, {"seen": seen})
    draft.refresh_from_db()
    assert "trinta dias" in draft.text
    assert policy.revisions.count() == 1


def test_a_text_that_one_may_not_read_is_not_copied_either(policy: Document) -> None:
    Document.objects.filter(pk=policy.pk).update(classification="restricted")
    source = factories.revision(policy, "v1", state="published", start=date(2026, 1, 1))
    colleague = person("colleague", areas=["rh"])
    with pytest.raises(NotFound):
        uploads.copy(source.pk, "v2", actor=colleague, reason="to read it")
    assert client_of("colleague").post(f"/admin/documents/revision/{source.pk}/copy/").status_code == 404
    assert policy.revisions.count() == 1


def test_a_new_revision_begins_with_the_text_of_one_that_is_read(policy: Document) -> None:
    maria = User.objects.get(username="maria")
    plan = uploads.Plan(policy, "v1", uploads.Window(None, None))
    upload = uploads.hold(plan, file(), actor=maria, reason="new")
    source = uploads.confirm(upload.pk, actor=maria, seen=upload.content_hash)
    Revision.objects.filter(pk=source.pk).update(state="in_review")
    path = f"/admin/documents/revision/{source.pk}/copy/"
    assert client_of("ana").post(path).status_code == 404
    assert client_of("maria").get(path).status_code == 405
    assert client_of("maria").post(path).status_code == 302
    copy = policy.revisions.get(label="v2")
    assert (copy.state, copy.text, copy.content_hash) == ("draft", source.text, source.content_hash)
    assert copy.sections.count() == source.sections.count() > 0
    assert copy.file.read() == source.file.read()

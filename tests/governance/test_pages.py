"""The pages that citations lead to: who may open them, how they stand today, and what they say of a document."""

from __future__ import annotations

import hashlib
import re
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from documents.models import Document, Relation, Revision
from governance.actions.access import replace_grants
from tests import factories
from tests.days import today
from tests.governance.pages import START, current, from_markdown, page_of, said, without_token

pytestmark = pytest.mark.django_db
HOSTILE = '<script>alert(1)</script> & "\'"><b>'


@pytest.fixture
def owner() -> User:
    return factories.person("bruno", areas=["operacoes"], first_name="Bruno", last_name="Ávila")


@pytest.fixture
def browser(client: Client) -> Client:
    client.force_login(factories.person("ana"))
    return client


@pytest.fixture
def manual(owner: User) -> Document:
    return factories.document("ops", title="Manual <CD>", kind="manual", owner=owner, readers=["group:todos"])


def retire(of: Document, label: str = "v1", **more: Any) -> Revision:
    return current(of, label, **{"state": "retired", "retired_on": date(2025, 6, 1), **more})


# Who may open them


def test_the_door_is_closed_to_who_is_not_signed_in(client: Client, manual: Document) -> None:
    current(manual)
    for address in ("", "ops/", "ops/v1/", "ops/comparar/", "ops/v1/original/"):
        response = client.get(f"/documentos/{address}")
        assert response.headers["location"] == f"/entrar/?next=/documentos/{address}"


def test_hidden_and_missing_are_the_same(browser: Client, manual: Document, owner: User) -> None:
    _with_file(factories.document("folha", owner=owner), "v1", b"x")
    current(manual)
    factories.revision(manual, "v9", state="draft")
    missing = browser.get("/documentos/nada/")
    assert missing.status_code == 404
    for address in (
        *("folha/", "folha/v1/", "folha/?fragmento=1", "folha/comparar/", "folha/v1/original/"),
        *("nada/v1/", "nada/comparar/", "nada/v1/original/"),
        *("ops/v9/", "ops/v8/", "ops/v9/?fragmento=1", "ops/v9/original/", "ops/v8/original/"),
        *("ops/comparar/?de=v9&para=v1", "ops/comparar/?de=v1&para=v8", "ops/v1/original/"),
    ):
        response = browser.get(f"/documentos/{address}")
        assert response.status_code == 404, address
        assert without_token(response) == without_token(missing), address


def test_being_a_superuser_or_an_auditor_opens_no_text(client: Client, manual: Document) -> None:
    current(manual)
    replace_grants(manual, [])
    for person in (factories.person("admin", is_superuser=True, is_staff=True), factories.person(roles=["auditor"])):
        client.force_login(person)
        assert "ops" not in said(page_of(client, "/documentos/"))
        for address in ("ops/", "ops/v1/", "ops/comparar/", "ops/v1/original/"):
            assert client.get(f"/documentos/{address}").status_code == 404


def test_a_permission_that_ends_closes_the_page_at_once(browser: Client, manual: Document) -> None:
    current(manual)
    page_of(browser, "/documentos/ops/v1/")
    replace_grants(manual, [])
    page_of(browser, "/documentos/ops/v1/", 404)


def test_pages_are_not_kept_by_browsers_and_only_read(browser: Client, manual: Document) -> None:
    current(manual)
    for address in ("", "ops/", "ops/v1/", "ops/comparar/"):
        assert "no-store" in browser.get(f"/documentos/{address}").headers["cache-control"]
        assert browser.post(f"/documentos/{address}").status_code == 405


def test_pages_leave_compressed(browser: Client, manual: Document) -> None:
    current(manual, text="1. Prazos\n" + "O prazo é de quatro horas úteis.\n" * 500)
    response = browser.get("/documentos/ops/", headers={"accept-encoding": "gzip"})
    assert response.headers["content-encoding"] == "gzip"
    assert len(response.content) < 8_000


def test_the_pages_need_no_more_than_the_policy_allows(browser: Client, manual: Document) -> None:
    current(manual, "v1", until=date(2026, 1, 1), text="1. Prazos\nItem: a; Valor: 1\nItem: b; Valor: 2\n")
    current(manual, "v2", start=date(2026, 1, 1))
    for address in ("/documentos/", "/documentos/ops/", "/documentos/ops/comparar/", "/documentos/nada/"):
        response = browser.get(address)
        parts = {part.strip() for part in response.headers["Content-Security-Policy"].split(";")}
        assert {"script-src 'self'", "style-src 'self'"} <= parts
        assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=[\"']", response.content.decode())


# How it stands


def test_a_document_opens_in_force(browser: Client, manual: Document) -> None:
    current(manual, "v1", until=date(2026, 1, 1), text="Antes\nera assim.\n")
    current(manual, "v2", start=date(2026, 1, 1), text="1. Prazo\n<b>duas</b> horas.\n")
    page = page_of(browser, "/documentos/ops/")
    assert '<section id="secao-1">' in page
    assert "&lt;b&gt;duas&lt;/b&gt; horas." in page
    assert "era assim" not in page
    assert 'class="notice' not in page
    assert 'href="/documentos/ops/v2/" aria-current="page"' in page
    assert "version v2" not in said(page)
    assert "versão v2 vigente desde 01/01/2026" in said(page)


def test_a_superseded_version_says_so_and_leads_to_the_one_in_force(browser: Client, manual: Document) -> None:
    current(manual, "v1", until=date(2026, 1, 1))
    current(manual, "v2", start=date(2026, 1, 1))
    page = page_of(browser, "/documentos/ops/v1/")
    assert "Esta versão foi substituída: esteve vigente até 31/12/2025." in said(page)
    assert re.search(r'<a href="/documentos/ops/">\s*Abrir a versão vigente \(v2\)', page)


def test_an_expired_version_says_that_nothing_is_in_force(browser: Client, manual: Document) -> None:
    current(manual, "v1", until=date(2025, 2, 1))
    page = said(page_of(browser, "/documentos/ops/v1/"))
    assert "Esta versão não está mais vigente: valeu até 31/01/2025." in page
    assert "Nenhuma versão que você pode ler está vigente hoje." in page


@pytest.mark.parametrize("state", ["published", "approved"])
def test_a_future_version_says_when_it_begins(browser: Client, manual: Document, owner: User, state: str) -> None:
    current(manual, "v1", until=today(9))
    current(manual, "v2", start=today(9), state=state)
    if state == "approved":  # what may still be taken back is shown to those who work on it
        page_of(browser, "/documentos/ops/v2/", 404)
        browser.force_login(owner)
    page = page_of(browser, "/documentos/ops/v2/")
    day = today(9).strftime("%d/%m/%Y")
    assert f"ainda não está vigente: começa a valer em {day}" in said(page)
    assert "Abrir a versão vigente (v1)" in said(page)


def test_a_retired_version_says_so_to_who_may_still_read_it(browser: Client, manual: Document, owner: User) -> None:
    retire(manual)
    page_of(browser, "/documentos/ops/v1/", 404)
    assert "Nenhuma versão" not in said(page_of(browser, "/documentos/ops/"))
    assert "Não há versão que você possa ler." in said(page_of(browser, "/documentos/ops/"))
    for person in (owner, factories.person(roles=["history"])):
        browser.force_login(person)
        assert "Esta versão foi retirada em 01/06/2025." in said(page_of(browser, "/documentos/ops/v1/"))


@pytest.mark.parametrize(("state", "word"), [("draft", "rascunho"), ("in_review", "em revisão"), ("approved", "aprov")])
def test_what_is_not_published_says_so(browser: Client, manual: Document, owner: User, state: str, word: str) -> None:
    current(manual)
    factories.revision(manual, "v2", state=state)
    browser.force_login(owner)
    page = said(page_of(browser, "/documentos/ops/v2/"))
    assert f"Esta versão não está publicada ({word}" in page
    assert "Abrir a versão vigente (v1)" in page


def test_the_line_of_time_holds_every_version_that_the_reader_may_read(
    browser: Client, manual: Document, owner: User
) -> None:
    current(manual, "v1", until=date(2026, 1, 1))
    current(manual, "v2", start=date(2026, 1, 1))
    factories.revision(manual, "v3", state="draft")
    page = page_of(browser, "/documentos/ops/")
    assert re.findall(r'<a href="/documentos/ops/(v\d)/"(?: aria-current="page")?>v\d</a>', page) == ["v2", "v1"]
    assert '<ol class="editions" reversed>' in page
    assert "01/01/2025 a 31/12/2025" in said(page)
    assert page.count("<svg") == 2
    assert "?de=v1&amp;para=v2" in page
    assert "v3" not in said(page)
    browser.force_login(owner)
    assert re.findall(r'">(v\d)</a>', page_of(browser, "/documentos/ops/")) == ["v3", "v2", "v1"]


# What is known of it


def test_the_record_names_people_source_and_hashes(browser: Client, manual: Document) -> None:
    author = factories.person("caio", first_name="Caio", last_name="Nuñez")
    approver = factories.person("rita", areas=["operacoes"], roles=["approver"], first_name="Rita", last_name="Sá")
    opened = current(
        manual, author=author, approver=approver, pages=[{"number": n, "start": n - 1, "end": n} for n in (1, 2, 3)]
    )
    Document.objects.filter(pk=manual.pk).update(source_uri="manuais/ops.pdf", scope_units=["CD-SP"])
    browser.force_login(factories.person(units=["CD-SP"]))
    page = said(page_of(browser, "/documentos/ops/"))
    for words in (
        *("Responsável Bruno Ávila (Operacoes)", "Autor Caio Nuñez", "Aprovada por Rita Sá, ", "Fonte manuais/ops.pdf"),
        *("Páginas 3", "Vale em CD-SP", opened.content_hash, "interno"),
    ):
        assert words in page, words


@pytest.mark.parametrize(
    ("uri", "linked"),
    [("https://wiki/x", True), ("javascript:alert(1)", False), (" https://x", False), ("data:text/html,x", False)],
)
def test_only_a_web_address_of_the_source_becomes_a_link(
    browser: Client, manual: Document, uri: str, linked: bool
) -> None:
    current(manual)
    Document.objects.filter(pk=manual.pk).update(source_uri=uri)
    page = page_of(browser, "/documentos/ops/")
    assert (f'href="{uri}"' in page) is linked
    assert uri.strip() in said(page)


def test_a_document_without_an_owner_says_so(browser: Client, manual: Document) -> None:
    editor = factories.person(areas=["operacoes"], roles=["approver"])
    current(manual)
    Document.objects.filter(pk=manual.pk).update(owner=None)
    page_of(browser, "/documentos/ops/v1/", 404)
    browser.force_login(editor)
    assert "Responsável nenhum: não é citado a ninguém" in said(page_of(browser, "/documentos/ops/v1/"))


KINDS = [
    ("supersedes", "Substituído por", "Substitui"),
    ("derives_from", "Deu origem a", "Deriva de"),
    ("merges", "Fundido em", "Funde"),
    ("withdraws", "Retirado por", "Retira"),
]


@pytest.mark.parametrize(("kind", "forward", "backward"), KINDS)
def test_a_relation_links_both_of_its_ends(
    browser: Client, manual: Document, owner: User, kind: str, forward: str, backward: str
) -> None:
    new = factories.document("novo", title="Manual novo", owner=owner, readers=["group:todos"])
    current(manual)
    current(new)
    Relation.objects.create(kind=kind, source=manual, target=new, reason="porque <sim>")
    old_page, new_page = (page_of(browser, f"/documentos/{code}/") for code in ("ops", "novo"))
    assert f'{forward} <a href="/documentos/novo/">Manual novo</a>' in old_page
    assert f'{backward} <a href="/documentos/ops/">Manual &lt;CD&gt;</a>' in new_page
    assert "porque &lt;sim&gt;" in old_page


@pytest.mark.parametrize(("kind", "forward", "backward"), KINDS)
def test_a_relation_to_what_the_reader_may_not_read_is_not_mentioned(
    browser: Client, manual: Document, owner: User, kind: str, forward: str, backward: str
) -> None:
    secret = factories.document("folha", title="Folha secreta", owner=owner)
    current(manual)
    Relation.objects.create(kind=kind, source=manual, target=secret, reason="segredo")
    Relation.objects.create(kind=kind, source=secret, target=manual, reason="segredo")
    page = said(page_of(browser, "/documentos/ops/"))
    for words in ("Folha", "folha", "segredo", forward, backward, "Documentos relacionados"):
        assert words not in page
    browser.force_login(owner)
    assert said(page_of(browser, "/documentos/ops/")).count("Folha secreta") == 2


def test_a_retired_document_leads_to_what_stands_in_for_it(browser: Client, manual: Document, owner: User) -> None:
    new = factories.document("novo", title="Manual novo", owner=owner, readers=["group:todos"])
    retire(manual)
    Relation.objects.create(kind="merges", source=manual, target=new, reason="")
    Relation.objects.create(kind="derives_from", source=manual, target=new, reason="")
    head = page_of(browser, "/documentos/ops/").partition("document-page")[0]
    assert 'Fundido em <a href="/documentos/novo/">' in head
    assert "Deu origem" not in head


def test_one_asks_about_the_document_from_its_page(browser: Client, manual: Document) -> None:
    current(manual)
    assert 'href="/?documento=ops"' in page_of(browser, "/documentos/ops/")


def test_hostile_names_are_only_text(browser: Client, owner: User) -> None:
    held = factories.document("x", title=HOSTILE, owner=owner, readers=["group:todos"], source_uri=HOSTILE)
    from_markdown(
        held,
        HOSTILE[:30],
        "# Título\n\n## `<img src=x onerror=alert(1)>`\n\n| `<b>` | B |\n|-|-|\n| `<i>` | 1 |\n| 2 | 3 |\n",
    )
    other = factories.document("y", title="ok", owner=owner, readers=["group:todos"])
    Relation.objects.create(kind="merges", source=held, target=other, reason=HOSTILE)
    for address in ("/documentos/", "/documentos/x/", "/documentos/x/?fragmento=1", f"/documentos/?q={HOSTILE}"):
        page = page_of(browser, address)
        for words in ("<script>alert", "<img src=x", "<b>", "<i>"):
            assert words not in page, (address, words)


def test_a_page_costs_few_queries_however_much_there_is(
    browser: Client, manual: Document, owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(12):
        current(manual, f"v{number}", start=date(2010 + number, 1, 1), until=date(2011 + number, 1, 1))
        other = factories.document(f"d{number}", owner=owner, readers=["group:todos"])
        Relation.objects.create(kind="merges", source=other, target=manual, reason="")
    current(manual, "v99", start=START)
    for address in ("ops/", "ops/v3/", "ops/comparar/", "ops/?fragmento=1"):
        with django_assert_max_num_queries(15):
            page_of(browser, f"/documentos/{address}")


# The original


def test_the_original_leaves_byte_by_byte_under_its_own_name(browser: Client, manual: Document) -> None:
    data = bytes(range(256)) * 4
    opened = _with_file(manual, "v 2/b", data)
    assert "/documentos/ops/v%202/b/original/" in page_of(browser, "/documentos/ops/v 2/b/")
    response = browser.get("/documentos/ops/v 2/b/original/")
    assert response.content == data
    assert response.headers["content-disposition"] == 'attachment; filename="ops-v 2-b.pdf"'
    assert response.headers["x-content-type-options"] == "nosniff"
    assert opened.content_hash in said(page_of(browser, "/documentos/ops/v 2/b/"))


def test_an_original_that_was_tampered_with_is_not_handed_out(browser: Client, manual: Document) -> None:
    opened = _with_file(manual, "v1", b"%PDF abc")
    with opened.file.open("wb") as file:
        file.write(b"%PDF abd")
    page = said(page_of(browser, "/documentos/ops/v1/original/", 409))
    assert "O original não pode ser entregue" in page
    opened.file.storage.delete(str(opened.file.name))
    page_of(browser, "/documentos/ops/v1/original/", 409)


def _with_file(of: Document, label: str, data: bytes) -> Revision:
    digest = hashlib.sha256(data).hexdigest()
    file = ContentFile(data, "other name.pdf")
    return current(
        of, label, content_hash=digest, approved_hash=digest, media_type="application/pdf", file=file, start=START
    )


def test_who_chose_english_reads_english(browser: Client, manual: Document) -> None:
    current(manual)
    browser.post("/idioma/", {"language": "en", "next": "/"})
    assert "in force since" in said(page_of(browser, "/documentos/"))
    assert "Versions v1 in force from 01/01/2025" in said(page_of(browser, "/documentos/ops/"))

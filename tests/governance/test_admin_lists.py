"""Lists for ten thousand documents: a fixed number of queries, and a CSV of the same rows that runs nothing."""

from __future__ import annotations

import csv
import io
import re
from datetime import date
from html import unescape

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import override

from documents.models import Channel, Document, GlossaryEntry, Relation
from governance.actions.tasks import open_task
from governance.admin.export import BOM, cell
from governance.models import CorpusImport, OwnerTask, PrecedenceRule
from tests import factories
from tests.governance.desk import client_of, page, person

pytestmark = pytest.mark.django_db
MOST_QUERIES = 15
JAN = date(2026, 1, 1)


@pytest.fixture(autouse=True)
def people() -> User:
    maria = person("maria", areas=["rh"])
    person("carla", areas=["rh"], roles=["approver"])
    person("ana", groups=["equipe"])
    person("lucas", roles=["auditor"])
    person("admin", is_superuser=True)
    more()
    return maria


def more() -> None:
    """Some of everything."""
    maria = User.objects.get(username="maria")
    first, second = (
        factories.document(owner=maria, area_slug="rh", readers=["group:equipe"], title="=1+1") for _ in range(2)
    )
    for document in (first, second):
        author = maria
        factories.revision(document, state="published", start=JAN, author=author)
        factories.revision(document, author=author)
    open_task(OwnerTask.Kind.CONFLICT, [first, second], actor=maria, reason="they disagree")
    PrecedenceRule.objects.create(
        prevails=first, over=second, owner=maria, kind="mandatory", reason="agreed", validity=(JAN, None)
    )
    Relation.objects.create(kind="supersedes", source=first, target=second, reason="merged")
    number = GlossaryEntry.objects.count()
    GlossaryEntry.objects.create(term=f"T{number}", expansions=["x"], owner=maria, area=first.area, reason="asked")
    Channel.objects.get_or_create(area=factories.area(f"a{number}"), label="Ajuda", url="https://x.example")
    factories.unit(f"U{number}")
    CorpusImport.objects.create(person=maria, name="pasta.zip", content_hash="0")


LISTS = [
    ("documents/document", "maria"), ("documents/document", "ana"), ("documents/document", "lucas"),
    ("documents/revision", "maria"), ("documents/revision", "carla"), ("documents/revision", "admin"),
    ("documents/relation", "maria"), ("documents/glossaryentry", "admin"), ("documents/channel", "admin"),
    ("documents/area", "admin"), ("documents/unit", "admin"), ("governance/precedencerule", "maria"),
    ("governance/ownertask", "maria"), ("governance/auditevent", "lucas"), ("governance/corpusimport", "maria"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "username"), LISTS)
def test_a_list_costs_the_same_however_long_it_is(path: str, username: str) -> None:
    client = client_of(username)
    client.get(f"/admin/{path}/")
    counts = []
    for _round in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/admin/{path}/").status_code == 200
        counts.append(len(queries))
        for _number in range(3):
            more()
    said = "\n".join(query["sql"][:200] for query in queries.captured_queries)
    assert counts[0] == counts[1], said
    assert counts[0] <= MOST_QUERIES, said


@pytest.mark.parametrize(
    ("path", "username"),
    [
        ("documents/document", "maria"), ("documents/revision", "maria"), ("documents/relation", "maria"),
        ("documents/glossaryentry", "admin"), ("documents/channel", "admin"), ("documents/area", "admin"),
        ("documents/unit", "admin"), ("governance/precedencerule", "maria"), ("governance/ownertask", "maria"),
    ],
)  # fmt: skip
def test_a_change_page_costs_the_same_however_much_there_is(path: str, username: str) -> None:
    client = client_of(username)
    shown = client.get(f"/admin/{path}/").context["cl"].queryset
    address = f"/admin/{path}/{shown.order_by('pk').first().pk}/change/"
    client.get(address)
    counts = []
    for _round in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        counts.append(len(queries))
        for _number in range(3):
            more()
    said = "\n".join(query["sql"][:200] for query in queries.captured_queries)
    assert counts[0] == counts[1], said
    assert counts[0] <= MOST_QUERIES, said


def rows(username: str, address: str) -> list[dict[str, str]]:
    response = client_of(username).get(address)
    assert response["Content-Type"].startswith("text/csv")
    text = b"".join(response.streaming_content).decode()  # type: ignore[attr-defined]
    assert text.startswith(BOM)
    return list(csv.DictReader(io.StringIO(text.removeprefix(BOM))))


@pytest.mark.parametrize(("path", "username"), LISTS)
def test_a_list_can_be_taken_along_by_who_sees_it(path: str, username: str) -> None:
    listed = client_of(username).get(f"/admin/{path}/")
    assert "export/" in listed.content.decode()
    assert len(rows(username, f"/admin/{path}/export/")) == listed.context["cl"].queryset.count()


def test_an_export_holds_what_the_filters_leave() -> None:
    assert {row["estado"] for row in rows("maria", "/admin/documents/revision/export/?state__exact=draft")} == {
        "rascunho"
    }
    assert client_of("ana").get("/admin/governance/auditevent/export/").status_code == 403


@pytest.mark.parametrize("username", ["admin", "lucas"])
@pytest.mark.parametrize("suffix", ["", "export/"])
@pytest.mark.parametrize(
    "asked",
    [
        ("documents/revision", "text__startswith=A"), ("documents/revision", "warnings__contains=x"),
        ("documents/revision", "document__owner__password__startswith=p"), ("documents/revision", "text_hash=0"),
        ("documents/revision", "sections__heading__contains=x"), ("documents/document", "revisions__text__contains=x"),
        ("documents/document", "audience_key=0"), ("documents/job", "argument__gt=1"),
        ("chat/evidencerecord", "body__claims__0__text__startswith=A"), ("documents/revision", "state__exact=%00"),
        ("documents/job", "created_at__year=99999999999"), ("documents/job", "kind=%00"),
    ],
)  # fmt: skip
def test_a_list_is_narrowed_by_nothing_but_its_filters(asked: tuple[str, str], suffix: str, username: str) -> None:
    """Who may know of a text without reading it would learn it letter by letter."""
    path, query = asked
    answer = client_of(username).get(f"/admin/{path}/{suffix}?{query}")
    no_list = answer.status_code == 302 and answer["Location"].endswith("/export/change/")  # it has no file of its own
    assert answer.status_code in (400, 403) or no_list


@pytest.mark.parametrize(
    "address",
    [
        "documents/revision/?state__exact=draft", "documents/revision/?ending=30", "documents/document/?owned=me",
        "documents/document/?area__id__exact=1", "documents/propagation/?late=yes",
        "documents/alarm/?closed_at__isempty=1",
        "governance/auditevent/?at__year=2026", "documents/revision/?document__area__id__exact=1",
        "documents/job/?created_at__day=1&created_at__month=1&created_at__year=2026",
        "governance/ownertask/?state__exact=open",
    ],
)  # fmt: skip
def test_every_filter_that_a_list_offers_is_answered(address: str) -> None:
    assert client_of("lucas").get(f"/admin/{address}").status_code == 200


@pytest.mark.parametrize("path", ["documents/document", "documents/revision", "governance/auditevent"])
def test_a_search_of_thousands_of_words_finds_nothing_at_once(path: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        answer = client_of("lucas").get(f"/admin/{path}/", {"q": " ".join(map(str, range(3000)))})
    assert answer.status_code == 200
    assert answer.context["cl"].queryset.count() == 0
    assert not any("LIKE" in query["sql"] for query in queries)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", "\n=1"])
def test_a_spreadsheet_finds_no_formula(text: str) -> None:
    assert cell(text) == f"'{text}"
    assert cell([text])[0] == "'"


def test_the_titles_of_documents_are_text_in_a_spreadsheet() -> None:
    assert {row["título"] for row in rows("maria", "/admin/documents/document/export/")} == {"'=1+1"}


@pytest.mark.parametrize("language", ["pt-br", "en"])
def test_every_list_is_called_by_what_it_lists(language: str) -> None:
    admin = client_of("admin")
    admin.cookies["django_language"] = language
    listed = 0
    for model in site._registry:
        response = admin.get(reverse(f"admin:{model._meta.label_lower.replace('.', '_')}_changelist"))
        if response.status_code == 403:  # not a superuser's
            continue
        with override(language):
            name = str(capfirst(model._meta.verbose_name_plural))
        shown = unescape(response.content.decode())
        assert f"<h1>{name}</h1>" in shown
        assert re.search(rf"<title>\s*{re.escape(name)} ·", shown), "the tab of the browser too"
        listed += 1
    assert listed > 15


@pytest.mark.parametrize("username", ["maria", "lucas", "carla", "admin"])
def test_no_page_of_the_admin_links_to_one_that_is_refused(username: str) -> None:
    """Every link of every page that a person reaches from the home of the admin opens for that person."""
    client = client_of(username)
    lists = set(re.findall(r'href="(/admin/[a-z]+/[a-z]+/)"', client.get("/admin/").content.decode()))
    assert lists
    refused = []
    for address in lists:
        first = re.search(rf'href="({address}[0-9]+/[a-z]+/)', client.get(address).content.decode())
        shown = client.get(first[1]).content.decode() if first else ""
        links = set(re.findall(r'href="(/(?:admin|documentos|evidencias)/[^"#?]*)', shown))
        refused += [(address, link) for link in links if client.get(link).status_code == 403]
    assert not refused


def test_a_name_that_leads_nowhere_is_written_as_it_is() -> None:
    author = person("d'ávila&<b>")
    revision = factories.revision(Document.objects.all()[0], author=author)
    shown = page("maria", f"/admin/documents/revision/{revision.pk}/change/")
    assert '<div class="readonly">d&#x27;ávila&amp;&lt;b&gt;</div>' in shown

"""The first page of the admin: what waits for whom, each line one click from the work, in a fixed number of queries."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from documents import jobs
from documents.models import Document
from documents.reader import reader_of
from governance import actions
from governance.actions.tasks import open_task
from governance.models import CorpusImport, OwnerTask
from governance.worklist import Kind, worklist
from tests import factories
from tests.governance.desk import client_of, page, person

pytestmark = pytest.mark.django_db
MOST_QUERIES = 15


@pytest.fixture(autouse=True)
def people() -> None:
    person("maria", areas=["rh"])
    person("carla", areas=["rh"], roles=["approver"])
    person("bruno", areas=["operacoes"])
    person("rita", areas=["operacoes"], roles=["approver"])
    person("lucas", roles=["auditor"])
    person("paula", roles=["indexer"])


def named(username: str) -> User:
    return User.objects.get(username=username)


def piles(username: str, *, index: bool = False) -> dict[str, list[str]]:
    """Titles by pile. Nothing is committed here, so every move still waits for the index: told only where asked."""
    found = worklist(reader_of(named(username)), timezone.localdate())
    return {str(p.kind): [line.title for line in p.lines] for p in found if index or p.kind is not Kind.INDEX}


@pytest.fixture
def policy() -> Document:
    return factories.document("ferias", owner=named("maria"), area_slug="rh")


def test_each_text_waits_where_its_next_step_is(policy: Document) -> None:
    maria, carla = named("maria"), named("carla")
    draft = factories.revision(policy, "v1", author=maria)
    assert piles("maria") == {"review": ["ferias@v1"]}
    actions.submit(draft.pk, actor=maria, reason="ready")
    assert (piles("maria"), piles("carla")) == ({}, {"approve": ["ferias@v1"]})
    actions.reject(draft.pk, actor=carla, reason="wrong number")
    assert piles("maria") == {"returned": ["ferias@v1"]}
    assert piles("carla") == {"returned": ["ferias@v1"]}, "she answers for the area's texts too"
    actions.submit(draft.pk, actor=maria, reason="corrected")
    actions.approve(draft.pk, actor=carla, reason="right")
    assert piles("maria") == piles("carla") == {"publish": ["ferias@v1"]}
    assert piles("bruno") == piles("rita") == piles("lucas") == {}, "others' work is not theirs"


def test_nobody_is_asked_to_approve_their_own_text(policy: Document) -> None:
    factories.revision(policy, "v1", state="in_review", author=named("carla"))
    assert "approve" not in piles("carla")


@pytest.mark.parametrize(
    ("days", "follower", "told"), [(10, False, True), (30, False, True), (31, False, False), (10, True, False)]
)
def test_a_text_that_leaves_force_soon_with_nothing_to_follow_is_told(
    policy: Document, days: int, follower: bool, told: bool
) -> None:
    today = timezone.localdate()
    end = today + timedelta(days)
    factories.revision(policy, "v1", state="published", start=today - timedelta(90), until=end)
    if follower:
        factories.revision(policy, "v2", state="published", start=end)
    assert ("expiring" in piles("maria")) is told


def test_tasks_imports_and_the_index_have_piles_of_their_own(policy: Document) -> None:
    maria, other = named("maria"), factories.document("manual", owner=named("bruno"))
    for kind, documents in (
        (OwnerTask.Kind.CONFLICT, [policy, other]),
        (OwnerTask.Kind.QUESTION, [policy]),
        (OwnerTask.Kind.FEEDBACK, [policy]),
    ):
        open_task(kind, documents, actor=maria, reason="asked")
    CorpusImport.objects.create(person=maria, name="pasta.zip", content_hash="0", state="broken")
    draft = factories.revision(policy, "v1", author=maria)
    with jobs.gathering():
        jobs.schedule("converge", draft.pk)
    assert piles("maria", index=True) == {
        "review": ["ferias@v1"], "conflict": ["ferias × manual"], "question": ["ferias"], "feedback": ["ferias"],
        "import": ["pasta.zip"], "index": ["ferias@v1"],
    }  # fmt: skip
    assert piles("bruno") == {"conflict": ["ferias × manual"]}
    assert piles("paula", index=True) == {"index": ["ferias@v1"]}, "the indexing team looks after every text"
    assert piles("lucas") == {}, "an auditor sees all tasks elsewhere, and has none of them to do"


def test_a_pile_counts_all_and_lists_the_first(policy: Document) -> None:
    for number in range(8):
        factories.revision(policy, f"v{number}", author=named("maria"))
    pile = worklist(reader_of(named("maria")), timezone.localdate())[0]
    assert (pile.kind, pile.count, len(pile.lines)) == (Kind.REVIEW, 8, 5)


def test_the_day_of_a_line_is_that_of_the_portals_clock(policy: Document) -> None:
    """A question of 23:30 in São Paulo is of that day, though it is the next one in UTC."""
    late = timezone.localtime().replace(hour=23, minute=30) - timedelta(days=2)
    task = open_task(OwnerTask.Kind.QUESTION, [policy], actor=named("maria"), reason="asked")
    OwnerTask.objects.filter(pk=task.pk).update(created_at=late)
    [line] = worklist(reader_of(named("maria")), timezone.localdate())[0].lines
    assert line.day == timezone.localdate() - timedelta(days=2)


def test_every_line_leads_to_the_work(policy: Document) -> None:
    maria = named("maria")
    factories.revision(policy, "v1", author=maria)
    task = open_task(OwnerTask.Kind.QUESTION, [policy], actor=maria, reason="asked")
    CorpusImport.objects.create(person=maria, name="pasta.zip", content_hash="0", state="refused")
    client = client_of("maria")
    shown = client.get("/admin/").content.decode()
    links = set(re.findall(r'href="(/admin/[^"]+\d+/[^"]*)"', shown))
    assert any(link.endswith("/workbench/") for link in links)
    assert any(str(task.pk) in link for link in links if "ownertask" in link)
    assert any("corpusimport" in link for link in links)
    for link in {*links, *re.findall(r'href="(/admin/[^"]*\?[^"]*)"', shown)}:
        assert client.get(link.replace("&amp;", "&")).status_code == 200, link


def test_the_home_of_who_has_nothing_to_do_says_so() -> None:
    assert 'class="empty"' in page("lucas", "/admin/")


@pytest.mark.parametrize("username", ["maria", "carla", "lucas", "paula"])
def test_the_home_costs_the_same_however_much_waits(policy: Document, username: str) -> None:
    client = client_of(username)
    client.get("/admin/")
    counts = []
    for _round in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert client.get("/admin/").status_code == 200
        counts.append(len(queries))
        for number in range(6):
            factories.revision(policy, author=named("maria"))
            other = factories.document(owner=named("maria"), area_slug="rh")
            factories.revision(other, state="in_review", author=named("maria"))
            open_task(OwnerTask.Kind.QUESTION, [other], actor=named("maria"), reason=f"asked {number}")
    assert counts[0] == counts[1]
    assert counts[0] <= MOST_QUERIES, "\n".join(query["sql"][:400] for query in queries.captured_queries)

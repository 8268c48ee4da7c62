"""The page on which people decide about a revision: what it shows to whom, and the moves that it takes."""

from __future__ import annotations

import re
from datetime import date, timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from documents.models import Document, Revision
from documents.rules.lifecycle import Action
from governance.actions.access import replace_grants
from governance.models import AuditEvent, PrecedenceRule
from tests import factories
from tests.governance.desk import client_of, page, person, said

pytestmark = pytest.mark.django_db
JAN = date(2026, 1, 1)
SECRET = "1. Salários\nO diretor ganha muito.\n"


@pytest.fixture(autouse=True)
def corpus() -> Document:
    maria = person("maria", areas=["rh"])
    person("carla", areas=["rh"], roles=["approver"])
    person("ana", areas=["operacoes"])
    person("lucas", roles=["auditor"])
    person("otto", roles=["incidents"])
    person("admin", is_superuser=True)
    payroll = factories.document(
        "folha", owner=maria, area_slug="rh", classification="restricted", subjects=["salario"]
    )
    factories.revision(payroll, "v1", state="published", start=JAN, author=maria, text=SECRET)
    factories.revision(payroll, "v2", author=maria, text=f"{SECRET}O gerente também ganha.\n")
    return payroll


def work(revision: Revision) -> str:
    return f"/admin/documents/revision/{revision.pk}/workbench/"


def take(username: str, revision: Revision, action: str, *, seen: str | None = None, **answer: str):  # type: ignore[no-untyped-def]
    values = {f"{action}-{name}": value for name, value in answer.items()}
    held = revision.content_hash if seen is None else seen
    return client_of(username).post(work(revision), {"action": action, "seen": held, **values})


def test_a_revision_goes_its_way_on_the_page(corpus: Document) -> None:
    draft = corpus.revisions.get(label="v2")
    start = timezone.localdate() + timedelta(30)
    assert take("maria", draft, "submit", reason="ready").status_code == 302
    assert take("carla", draft, "approve", reason="correct").status_code == 302
    response = take("maria", draft, "publish", reason="live", on="")
    assert (response.status_code, "publish-on" in response.content.decode()) == (200, True), "a start is asked for"
    assert take("maria", draft, "publish", reason="live", on=start.isoformat()).status_code == 302
    draft.refresh_from_db()
    assert (draft.state, draft.validity.lower) == ("published", start)
    assert corpus.revisions.get(label="v1").validity.upper == start
    shown = page("maria", work(draft))
    assert all(reason in shown for reason in ("ready", "correct", "live")), "approvals and history"


def test_an_approval_counts_for_what_the_page_showed(corpus: Document) -> None:
    draft = corpus.revisions.get(label="v2")
    take("maria", draft, "submit", reason="ready")
    assert take("carla", draft, "approve", reason="fine", seen="another").status_code == 200
    draft.refresh_from_db()
    assert draft.state == "in_review"


def test_moves_without_a_reason_or_by_those_who_may_not_are_refused(corpus: Document) -> None:
    draft, current = corpus.revisions.get(label="v2"), corpus.revisions.get(label="v1")
    assert take("maria", draft, "submit", reason="  ").status_code == 200
    assert take("lucas", current, "retire", reason="because", on="").status_code == 200
    assert take("ana", current, "retire", reason="because", on="").status_code == 404, "hidden and missing"
    assert client_of("maria").post(work(draft), {"action": "delete"}).status_code == 404
    assert AuditEvent.objects.count() == 0


@pytest.mark.parametrize(
    ("username", "possible"),
    [("maria", {"submit"}), ("carla", set()), ("lucas", set()), ("otto", set()), ("admin", set())],
)
def test_the_possible_moves_have_forms_and_the_others_a_reason(
    corpus: Document, username: str, possible: set[str]
) -> None:
    shown = unescape(page(username, work(corpus.revisions.get(label="v2"))))
    assert set(re.findall(r'name="action" value="(\w+)"', shown)) == possible
    reasons = re.findall(r"<dd>(.+?)</dd>", shown)
    assert len(reasons) == len(Action) - len(possible)
    assert all(len(reason) > 20 for reason in reasons)


def test_text_and_difference_are_for_those_who_may_read_them(corpus: Document) -> None:
    for username, reads in (("maria", True), ("carla", True), ("lucas", False), ("otto", False), ("admin", False)):
        shown = page(username, work(corpus.revisions.get(label="v2")))
        assert ("O diretor ganha muito" in shown) is reads, username
        assert ("<ins>" in shown) is reads, username


def test_the_difference_marks_what_is_new(corpus: Document) -> None:
    shown = page("maria", work(corpus.revisions.get(label="v2")))
    assert "O gerente também ganha." in " ".join(re.findall(r"<ins>(.*?)</ins>", shown, re.DOTALL))


def test_a_rule_is_named_to_those_who_may_know_of_both_of_its_ends(corpus: Document) -> None:
    open_to_all, hidden = (factories.document(code, owner=factories.person()) for code in ("aberta", "sigilosa"))
    factories.revision(open_to_all, "v1", state="published", start=JAN)
    factories.group("todos")
    replace_grants(open_to_all, ["group:todos"])
    for other in (open_to_all, hidden):
        PrecedenceRule.objects.create(
            prevails=other,
            over=corpus,
            owner=other.owner,
            kind="mandatory",
            validity=DateRange(JAN, None),
            reason="law",
        )
    shown = page("maria", work(corpus.revisions.get(label="v2")))
    assert "aberta › folha" in unescape(shown)
    assert "sigilosa" not in shown


def test_checks_tell_what_a_careful_person_would_ask(corpus: Document) -> None:
    rival = factories.document(
        "salarios", owner=User.objects.get(username="maria"), area_slug="rh", subjects=["salario"]
    )
    factories.revision(rival, state="published", start=JAN)
    hidden = factories.document("segredo", owner=person("zeca"), area_slug="diretoria", subjects=["salario"])
    factories.revision(hidden, state="published", start=JAN)
    shown = page("maria", work(corpus.revisions.get(label="v2")))
    assert "salarios" in shown
    assert "segredo" not in shown, "a rival that the person may not know of is not named"
    assert "check-warning" in shown


def test_what_publishing_changes_is_told_for_the_day_that_is_asked(corpus: Document) -> None:
    draft = corpus.revisions.get(label="v2")
    day = timezone.localdate() + timedelta(10)
    shown = page("maria", f"{work(draft)}?de={day.isoformat()}")
    told = shown[shown.index('id="efeito"') : shown.index('id="previa"')]
    assert "v1" in told
    assert f"{day:%d/%m/%Y}" in told
    early = page("maria", f"{work(draft)}?de=2025-06-01")
    assert 'class="error"' in early[early.index('id="efeito"') : early.index('id="previa"')], "v1 begins later"


def test_a_retirement_that_leaves_nothing_in_force_is_told(corpus: Document) -> None:
    current = corpus.revisions.get(label="v1")
    lines = said(take("maria", current, "retire", reason="wrong", on=""))
    assert len(lines) == 2
    assert "folha" in lines[1]
    current.refresh_from_db()
    assert current.state == "retired"


def test_the_page_costs_little_however_long_the_history(corpus: Document) -> None:
    draft = corpus.revisions.get(label="v2")
    client = client_of("maria")
    client.get(work(draft))
    counts = []
    for _round in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(work(draft)).status_code == 200
        counts.append(len(queries))
        for number in range(5):
            take("maria", draft, "submit", reason=f"again {number}")
            take("carla", draft, "reject", reason=f"no {number}")
            factories.revision(corpus)
    assert counts[0] == counts[1]
    assert counts[0] <= 30, [query["sql"][:120] for query in queries.captured_queries]

"""The admin: what each person sees, what is hidden from them, and moves that go through the actions."""

from __future__ import annotations

import re
from datetime import date
from html import unescape

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from django.http import HttpResponse
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from documents.models import Area, Document, GlossaryEntry, Job, Relation, Revision
from governance.actions.access import readers_of
from governance.actions.tasks import open_task
from governance.models import AuditEvent, OwnerTask, PrecedenceRule
from tests import factories
from tests.governance.desk import client_of, page, person, said

pytestmark = pytest.mark.django_db
JAN = date(2026, 1, 1)
LIST = "/admin/documents/revision/"
SECRET = "1. Salários\nO diretor ganha muito.\n"


@pytest.fixture(autouse=True)
def corpus() -> Document:
    """A published and a draft revision of a payroll document, one of another area, and people around them."""
    people = {
        "maria": {"areas": ["rh"]},
        "carla": {"areas": ["rh"], "roles": ["approver"]},
        "ana": {"areas": ["operacoes"]},
        "rita": {"areas": ["operacoes"], "roles": ["approver"]},
        "lucas": {"roles": ["auditor"]},
        "otto": {"roles": ["incidents"]},
        "paula": {"roles": ["indexer"]},
        "marina": {"roles": ["product"]},
        "admin": {"is_superuser": True},
    }
    users = {name: person(name, **values) for name, values in people.items()}
    payroll = factories.document("folha", owner=users["maria"], area_slug="rh", classification="restricted")
    factories.revision(payroll, "v1", state="published", start=JAN, author=users["maria"], text=SECRET)
    factories.revision(payroll, "v2", author=users["maria"], text=f"{SECRET}Mais.\n")
    factories.revision(
        factories.document("manual", owner=users["ana"], readers=["group:todos"]), state="published", start=JAN
    )
    return payroll


def act(username: str, action: str, rows: list[Revision], **answer: str) -> HttpResponse:
    """Choose the action in the list, and confirm with what the page that comes back asks and hides."""
    client = client_of(username)
    chosen = {"action": action, "_selected_action": [row.pk for row in rows]}
    asked = client.post(LIST, chosen).content.decode()
    hidden = dict(re.findall(r'name="(seen_\d+)" value="([^"]*)"', asked))
    return client.post(LIST, chosen | hidden | {"confirmed": "yes", **answer})


@pytest.mark.parametrize(
    ("username", "documents", "revisions"),
    [
        ("maria", {"folha", "manual"}, {"folha@v1", "folha@v2", "manual@v1"}),
        ("carla", {"folha", "manual"}, {"folha@v1", "folha@v2", "manual@v1"}),
        ("ana", {"manual"}, {"manual@v1"}),
        ("rita", {"manual"}, {"manual@v1"}),
        ("marina", {"manual"}, {"manual@v1"}),
        ("lucas", {"folha", "manual"}, {"folha@v1", "folha@v2", "manual@v1"}),
        ("otto", {"folha", "manual"}, {"folha@v1", "folha@v2", "manual@v1"}),
        ("admin", {"folha", "manual"}, {"folha@v1", "folha@v2", "manual@v1"}),
    ],
)
def test_lists_hold_what_one_is_in_charge_of_or_may_read(
    username: str, documents: set[str], revisions: set[str]
) -> None:
    client = client_of(username)
    shown = client.get("/admin/documents/document/").context["cl"].queryset
    assert {row.code for row in shown} == documents
    shown = client.get(LIST).context["cl"].queryset
    assert {str(row) for row in shown} == revisions
    for row in Revision.objects.all():
        response = client.get(f"{LIST}{row.pk}/change/")
        assert response.status_code == (200 if str(row) in revisions else 302), row


@pytest.mark.parametrize(
    ("username", "reads"),
    [("maria", True), ("carla", True), ("lucas", False), ("otto", False), ("admin", False)],
)
def test_metadata_is_not_text(username: str, reads: bool) -> None:
    """An auditor, the incident team and a superuser see that a restricted text is there, and not what it says."""
    for revision in Revision.objects.filter(document__code="folha"):
        shown = page(username, f"{LIST}{revision.pk}/change/")
        assert ("O diretor ganha muito" in shown) is reads
        assert revision.content_hash in shown


def test_state_dates_and_text_have_no_field(corpus: Document) -> None:
    for revision in corpus.revisions.all():
        shown = page("maria", f"{LIST}{revision.pk}/change/")
        names = set(re.findall(r'name="(\w+)"', shown))
        assert not names & {"state", "validity", "validity_0", "retired_on", "text", "approved_by", "content_hash"}
        assert "original" not in names


def test_a_move_asks_for_a_reason_on_a_page_without_inline_script_or_style(corpus: Document) -> None:
    draft = corpus.revisions.get(label="v2")
    response = client_of("maria").post(LIST, {"action": "submit", "_selected_action": [draft.pk]})
    shown = response.content.decode()
    assert "script-src &#x27;self&#x27;" in shown or "script-src 'self'" in response.headers["Content-Security-Policy"]
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", shown))
    assert not re.search(r"<style|style=|\son\w+=|javascript:", shown)
    draft.refresh_from_db()
    assert draft.state == "draft", "nothing moves before the reason"
    assert act("maria", "submit", [draft], reason="  ").status_code == 200
    draft.refresh_from_db()
    assert draft.state == "draft"


def test_a_revision_goes_its_way_in_the_admin(corpus: Document) -> None:
    draft = corpus.revisions.get(label="v2")
    act("maria", "submit", [draft], reason="ready")
    act("carla", "approve", [draft], reason="correct")
    response = act("carla", "publish", [draft], reason="live", on="2026-06-01")
    assert response.status_code == 302
    assert [line.split(":")[0] for line in said(response)] == ["folha@v2"]
    draft.refresh_from_db()
    assert (draft.state, draft.validity.lower) == ("published", date(2026, 6, 1))
    assert set(AuditEvent.objects.values_list("reason", flat=True)) == {"ready", "correct", "live"}


def test_each_row_has_its_own_outcome(corpus: Document) -> None:
    rows = list(corpus.revisions.order_by("label"))
    lines = said(act("maria", "submit", rows, reason="ready"))
    assert len(lines) == 2
    assert lines[0].startswith("folha@v1") != lines[1].startswith("folha@v1")
    rows[1].refresh_from_db()
    assert rows[1].state == "in_review", "the other row's refusal does not hold it back"


def test_an_approval_counts_for_what_the_page_showed(corpus: Document) -> None:
    draft = corpus.revisions.get(label="v2")
    act("maria", "submit", [draft], reason="ready")
    response = client_of("carla").post(
        LIST,
        {"action": "approve", "_selected_action": [draft.pk], "confirmed": "yes", "reason": "fine",
         f"seen_{draft.pk}": "another hash"},
    )  # fmt: skip
    assert len(said(response)) == 1
    draft.refresh_from_db()
    assert draft.state == "in_review"


def test_moves_are_offered_to_those_who_may_ever_take_them() -> None:
    offered = {
        name: set(re.findall(r'<option value="(\w+)"', page(name, LIST))) for name in ("maria", "carla", "admin")
    }
    assert {"approve", "reject"} <= offered["carla"]
    assert not {"approve", "reject", "delete_selected"} & (offered["maria"] | offered["admin"])


@pytest.mark.parametrize("username", ["lucas", "admin", "paula", "ana"])
def test_those_who_only_see_change_nothing(corpus: Document, username: str) -> None:
    row = corpus.revisions.get(label="v1")
    response = act(username, "retire", [row], reason="because I can")
    row.refresh_from_db()
    assert (row.state, AuditEvent.objects.count()) == ("published", 0)
    assert response.status_code in (200, 302)
    client = client_of(username)
    assert client.post(f"{LIST}{row.pk}/change/", {"label": "x"}).status_code in (302, 403)
    assert client.post(f"{LIST}{row.pk}/delete/", {"post": "yes"}).status_code in (302, 403)
    assert client.post(f"/admin/documents/document/{corpus.pk}/change/", {"title": "x"}).status_code in (302, 403)
    corpus.refresh_from_db()
    assert corpus.title == "Document folha"


def test_the_incident_team_withdraws_what_it_may_not_read(corpus: Document) -> None:
    row = corpus.revisions.get(label="v1")
    act("otto", "retire", [row], reason="it leaked")
    row.refresh_from_db()
    assert row.state == "retired"


def document_form(**changes: str) -> dict[str, str]:
    values = {
        "title": "Folha", "kind": "policy", "area": str(Area.objects.get(slug="rh").pk),
        "owner": "maria", "authority": "official", "classification": "restricted",
        "history": "readers", "risk": "normal", "source_kind": "folder", "readers": "", "reason": "because",
    }  # fmt: skip
    return values | changes


def test_a_document_changes_through_the_actions(corpus: Document) -> None:
    path = f"/admin/documents/document/{corpus.pk}/change/"
    shown = page("maria", path)
    assert 'name="code"' not in shown
    assert 'name="readers"' not in shown, "readers have a page of their own"
    form = document_form(scope_units="CD-SP,POA", title="Folha nova")
    assert client_of("maria").post(path, form).status_code == 302
    corpus.refresh_from_db()
    assert (corpus.title, corpus.scope_units) == ("Folha nova", ["CD-SP", "POA"])
    assert {e.verb for e in AuditEvent.objects.all()} == {"document.changed"}
    assert client_of("maria").post(path, document_form(reason="")).status_code == 200
    assert AuditEvent.objects.count() == 1


@pytest.mark.parametrize("adding", [False, True])
def test_a_refusal_is_told_above_the_form_as_it_was_filled_in(corpus: Document, adding: bool) -> None:
    path = "/admin/documents/document/add/" if adding else f"/admin/documents/document/{corpus.pk}/change/"
    there = str(Area.objects.get(slug="operacoes").pk)
    form = document_form(area=there, title="Folha de outra área", reason="muda de dono", owner="")
    response = client_of("carla").post(path, form | ({"code": "nova"} if adding else {}))
    shown = response.content.decode()
    assert (response.status_code, said(response)) == (200, [])
    assert 'class="errorlist nonfield' in shown
    assert 'value="Folha de outra área"' in shown
    assert "muda de dono</textarea>" in shown
    assert f'<option value="{there}" selected>' in shown
    corpus.refresh_from_db()
    assert (corpus.owner.username, AuditEvent.objects.count()) == ("maria", 0), "one transaction"  # type: ignore[union-attr]
    assert not Document.objects.filter(code="nova").exists()


def test_a_document_is_made_with_its_readers() -> None:
    form = document_form(code="nova", readers="user:nobody")
    response = client_of("maria").post("/admin/documents/document/add/", form)
    assert (response.status_code, "user:nobody" in response.content.decode()) == (200, True)
    form = document_form(code="nova", readers="user:ana\r\narea:rh")
    assert client_of("maria").post("/admin/documents/document/add/", form).status_code == 302
    assert readers_of(Document.objects.get(code="nova")) == ["area:rh", "user:ana"]


def test_the_trail_is_for_auditors_and_names_people_until_they_are_forgotten(corpus: Document) -> None:
    act("maria", "submit", [corpus.revisions.get(label="v2")], reason="ready")
    path = "/admin/governance/auditevent/"
    assert "maria" in page("lucas", path)
    event = AuditEvent.objects.get()
    assert "ready" in page("lucas", f"{path}{event.pk}/change/")
    for username in ("maria", "carla", "paula"):
        assert client_of(username).get(path).status_code == 403
    User.objects.get(username="maria").reader_identity.delete()
    assert "maria" not in re.sub(r"<header.*?</header>", "", page("lucas", path), flags=re.DOTALL)
    assert client_of("lucas").post(f"{path}{event.pk}/delete/", {"post": "yes"}).status_code == 403


def test_precedence_is_set_by_those_in_charge(corpus: Document) -> None:
    path = "/admin/governance/precedencerule/"
    factories.unit("POA")
    form = {
        "prevails": "folha", "over": "manual", "kind": "mandatory", "valid_from": "2026-01-01",
        "except_units": "POA", "owner": "maria", "reason": "agreed",
    }  # fmt: skip
    assert client_of("maria").post(f"{path}add/", form).status_code == 302
    rule = PrecedenceRule.objects.get()
    assert (rule.except_units, AuditEvent.objects.get().verb) == (["POA"], "precedence.created")
    ended = form | {"valid_until": "2027-01-01", "reason": "end"}
    assert client_of("maria").post(f"{path}{rule.pk}/change/", ended).status_code == 302
    rule.refresh_from_db()
    assert rule.validity.upper == date(2027, 1, 1)
    assert client_of("marina").get(f"{path}{rule.pk}/change/").status_code == 302, "she does not know of one of the two"
    assert "<select" not in page("lucas", f"{path}{rule.pk}/change/"), "an auditor looks"
    assert client_of("lucas").post(f"{path}{rule.pk}/change/", form).status_code == 403


@pytest.mark.parametrize(("model", "name"), [(Relation, "source"), (PrecedenceRule, "prevails")])
def test_the_form_of_one_person_never_takes_what_another_may_name(model: type[Model], name: str) -> None:
    forms = {}
    for username in ("maria", "ana"):
        request = RequestFactory().get("/")
        request.user = User.objects.get(username=username)
        forms[username] = admin.site.get_model_admin(model).get_form(request)
    offered = {username: set(form().fields[name].queryset) for username, form in forms.items()}
    folha, manual = Document.objects.get(code="folha"), Document.objects.get(code="manual")
    assert offered == {"maria": {folha, manual}, "ana": {manual}}


def test_relations_are_declared_from_what_one_is_in_charge_of(corpus: Document) -> None:
    path = "/admin/documents/relation/"
    form = {"kind": "supersedes", "source": "folha", "target": "manual", "reason": "merged"}
    assert client_of("lucas").post(f"{path}add/", form).status_code == 403
    assert client_of("ana").post(f"{path}add/", form).status_code == 200, "she does not know of one of the two"
    strange = {"source": "manual", "target": "manual"}
    assert not Relation.objects.exists()
    assert client_of("maria").post(f"{path}add/", form | strange).status_code == 200, "refused in words"
    assert not Relation.objects.exists()
    assert client_of("maria").post(f"{path}add/", form).status_code == 302
    relation = Relation.objects.get()
    assert relation.source == corpus
    chosen = {"action": "remove", "_selected_action": [relation.pk], "confirmed": "yes", "reason": "it was not so"}
    client_of("ana").post(path, chosen)
    assert Relation.objects.exists()
    client_of("maria").post(path, chosen)
    assert not Relation.objects.exists()
    assert {e.verb for e in AuditEvent.objects.all()} == {"relation.created", "relation.removed"}


def test_tasks_are_closed_with_a_reason(corpus: Document) -> None:
    pair = [corpus, Document.objects.get(code="manual")]
    task = open_task(OwnerTask.Kind.CONFLICT, pair, actor=User.objects.get(username="ana"), reason="they disagree")
    path, chosen = "/admin/governance/ownertask/", {"action": "close", "_selected_action": [task.pk]}
    assert client_of("marina").get(path).context["cl"].queryset.count() == 0
    maria = client_of("maria")
    assert "reason" in maria.post(path, chosen).content.decode()
    maria.post(path, chosen | {"confirmed": "yes", "reason": "settled"})
    task.refresh_from_db()
    assert task.state == "done"


def test_a_task_leads_to_the_record_that_gave_rise_to_it(corpus: Document) -> None:
    record = "7f7bbd02-58be-4fe4-9404-29fa89a5ce86"
    asker = User.objects.get(username="ana")
    task = open_task(OwnerTask.Kind.FEEDBACK, [corpus], actor=asker, reason="wrong source", evidence=record)
    page = client_of("lucas").get(f"/admin/governance/ownertask/{task.pk}/change/").content.decode()
    assert f'href="/evidencias/{record}/"' in page


@pytest.mark.parametrize(
    ("path", "see", "add"),
    [
        (
            "documents/glossaryentry",
            {"maria", "carla", "marina", "lucas", "admin"},
            {"maria", "carla", "marina", "admin"},
        ),
        ("documents/channel", {"maria", "carla", "marina", "lucas", "admin"}, {"maria", "carla", "marina", "admin"}),
        ("documents/area", {"lucas", "admin"}, {"admin"}),
        ("documents/unit", {"lucas", "admin"}, {"admin"}),
        ("documents/job", {"paula", "lucas", "admin"}, set()),
        ("documents/indexversion", {"paula", "lucas", "admin"}, set()),
    ],
)
def test_what_surrounds_the_documents_goes_by_role(path: str, see: set[str], add: set[str]) -> None:
    Job.objects.create(kind="converge")
    for username in ("maria", "carla", "lucas", "otto", "paula", "marina", "admin"):
        client = client_of(username)
        assert (client.get(f"/admin/{path}/").status_code == 200) == (username in see), username
        assert (client.get(f"/admin/{path}/add/").status_code == 200) == (username in add), username


def test_the_owner_of_an_entry_keeps_it() -> None:
    maria = User.objects.get(username="maria")
    mine = GlossaryEntry.objects.create(term="VR", expansions=["vale-refeição"], owner=maria, reason="asked")
    other = GlossaryEntry.objects.create(term="SLA", expansions=["prazo"], owner=None, reason="asked")
    form = {"term": "VR", "expansions": "vale-refeição,ticket", "owner": "maria", "reason": "asked again"}
    client = client_of("maria")
    assert client.post(f"/admin/documents/glossaryentry/{mine.pk}/change/", form).status_code == 302
    assert client.post(f"/admin/documents/glossaryentry/{other.pk}/change/", form).status_code == 403
    mine.refresh_from_db()
    assert (mine.expansions, mine.version) == (["vale-refeição", "ticket"], 2)


def test_every_page_of_the_admin_answers_for_every_kind_of_person(corpus: Document) -> None:
    for username in ("maria", "carla", "lucas", "paula", "admin"):
        index = page(username, "/admin/")
        for path in set(re.findall(r'href="(/admin/[a-z]+/[a-z]+/)"', index)):
            assert "Traceback" not in unescape(page(username, path))


def test_a_list_costs_the_same_however_long_it_is(corpus: Document) -> None:
    maria = client_of("maria")
    maria.get(LIST)
    counts = []
    for _round in range(2):
        with CaptureQueriesContext(connection) as queries:
            maria.get(LIST)
        counts.append(len(queries))
        for _number in range(5):
            factories.revision(corpus)
    assert counts[0] == counts[1]


def test_nobody_gets_in_without_being_staff() -> None:
    factories.person("visitor")
    assert client_of("visitor").get(LIST).status_code == 302

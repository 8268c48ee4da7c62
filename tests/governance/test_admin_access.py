"""Who may read a document: the page agrees with the rule for everybody, and changes go through the actions."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from documents.access import facts_of
from documents.models import Document
from documents.reader import reader_of, readers_of
from documents.rules.eligibility import decide
from documents.rules.types import State, Window
from governance.actions import access
from governance.models import AuditEvent
from governance.readership import SUGGESTED, people, readers_called
from tests import factories
from tests.governance.desk import client_of, page, person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def everybody() -> None:
    person("maria", areas=["rh"])
    person("carla", areas=["rh"], roles=["approver"])
    person("lucas", roles=["auditor"])
    person("ana", groups=["equipe"], areas=["operacoes"], units=["CD-SP"])
    factories.unit("POA", "BR-RS")
    person("joao", groups=["equipe"], units=["POA"], first_name="João", last_name="Souza")
    person("gone", groups=["equipe"], is_active=False)


def document(**values: object) -> Document:
    return factories.document("ferias", owner=User.objects.get(username="maria"), area_slug="rh", **values)  # type: ignore[arg-type]


def address(of: Document) -> str:
    return f"/admin/documents/document/{of.pk}/access/"


CASES = [
    {"readers": ["group:equipe"]},
    {"readers": ["group:todos"]},
    {"readers": ["area:rh", "unit:POA"]},
    {"readers": ["area:rh", "unit:POA"], "classification": "restricted"},
    {"readers": ["group:equipe"], "scope_units": ["CD-SP"]},
    {"readers": ["group:equipe"], "scope_jurisdictions": ["BR-RS"]},
    {"readers": ["user:ana"], "classification": "restricted"},
    {"readers": []},
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_list_is_what_the_rule_says_of_each_person(case: dict[str, object]) -> None:
    """The page builds readers in bulk and shows the person's half of the rule: both must be the ones that answer."""
    held = document(**case)
    today = timezone.localdate()
    facts = replace(facts_of(held), state=State.PUBLISHED, validity=Window(None, None))
    users = User.objects.filter(is_active=True)
    reads = {user.username for user in users if decide(reader_of(user), facts, today, today).allowed}
    assert {one.username for one in people(held, "", today)} == reads
    assert {one.username: one.reads for one in people(held, "a", today)} == {
        user.username: user.username in reads for user in users.filter(username__icontains="a")
    }
    assert all(one.ways for one in people(held, "", today)), "everybody on the list is told why"


def test_readers_in_bulk_are_the_readers_one_by_one() -> None:
    users = User.objects.all()
    bulk = readers_of(users)
    assert {user.pk: replace(reader_of(user), key="") for user in users} == bulk


def test_grants_are_given_and_taken_back_with_a_reason() -> None:
    held = document(readers=["group:equipe"])
    maria = client_of("maria")
    give = {"grant": "1", "give-reader": "area:operacoes", "give-reason": "they need it"}
    assert maria.post(address(held), give).status_code == 302
    assert access.readers_of(held) == ["area:operacoes", "group:equipe"]
    take = {"revoke": "1", "take-readers": ["group:equipe"], "take-reason": "not any more"}
    assert maria.post(address(held), take).status_code == 302
    assert access.readers_of(held) == ["area:operacoes"]
    assert list(AuditEvent.objects.order_by("position").values_list("reason", flat=True)) == [
        "they need it", "not any more",
    ]  # fmt: skip
    for wrong in (give | {"give-reader": "user:nobody"}, give | {"give-reason": ""}, take | {"take-readers": []}):
        assert maria.post(address(held), wrong).status_code == 200
    assert AuditEvent.objects.count() == 2


def test_the_page_is_for_those_in_charge_and_auditors() -> None:
    held = document(readers=["group:equipe"])
    for username, status in (("maria", 200), ("carla", 200), ("lucas", 200), ("ana", 404), ("joao", 404)):
        assert client_of(username).get(address(held)).status_code == status, username
    give = {"grant": "1", "give-reader": "area:operacoes", "give-reason": "I want it"}
    client_of("lucas").post(address(held), give)
    assert access.readers_of(held) == ["group:equipe"], "an auditor looks"
    assert "give-reader" not in page("lucas", address(held))


def test_a_person_who_does_not_read_it_is_told_why() -> None:
    held = document(readers=["group:equipe"], scope_units=["CD-SP"])
    row = re.search(r'<tr><td class="person">João.*?</tr>', page("maria", f"{address(held)}?q=souza"), re.DOTALL)
    assert row is not None
    assert "badge-error" in row.group()


@pytest.mark.parametrize(
    ("typed", "readers", "said"),
    [
        ("equipe", ["group:equipe"], ""),
        ("Operacoes", ["area:operacoes"], ""),
        ("poa", ["unit:POA"], ""),
        ("joão souza", ["user:joao"], ""),
        ("ana", ["user:ana"], ""),
        ("rh", [], "“rh” pode ser group:rh, area:rh"),
        ("ninguém", [], "se chama “ninguém”"),
        ("auditor", [], "se chama “auditor”"),
        ("group:nada", [], "group:nada"),
    ],
)
def test_a_name_alone_will_do_where_it_means_one_reader(typed: str, readers: list[str], said: str) -> None:
    factories.group("rh")
    held = document(readers=[])
    give = {"grant": "1", "give-reader": typed, "give-reason": "they need it"}
    response = client_of("maria").post(address(held), give)
    assert access.readers_of(held) == readers
    assert said in unescape(response.content.decode())


def test_a_name_is_looked_for_among_everybody_who_has_it() -> None:
    """More people than a list of suggestions holds come before the one that is meant, or are called the same."""
    person("zeca")
    for number in range(2 * SUGGESTED):
        person(f"a-zeca-{number:02}", first_name="Zé", last_name="Silva")
    assert readers_called("Zeca") == ["user:zeca"]
    assert len(readers_called("zé silva")) == 2 * SUGGESTED


def test_a_grant_that_opens_nothing_is_marked() -> None:
    shown = page("maria", address(document(readers=["area:rh", "group:equipe"], classification="restricted")))
    rows = re.findall(r"<li><label>.*?</li>", shown, re.DOTALL)
    assert ["badge-warning" in row for row in rows] == [False, True], "groups first"


def test_suggestions_put_groups_first_and_are_not_for_everybody() -> None:
    document()
    person("visitor")
    assert client_of("visitor").get("/admin/documents/document/suggest/readers/?q=equi").status_code == 404
    found = client_of("maria").get("/admin/documents/document/suggest/readers/?q=a").json()["results"]
    kinds = [one["value"].split(":")[0] == "user" for one in found]
    assert kinds == sorted(kinds)
    assert any(one["value"] == "user:ana" for one in found)
    assert not any("role:" in one["value"] for one in found)


def crowd(held: Document) -> None:
    """Thirty groups, and forty people by their names."""
    names = [f"turma-{number:02d}" for number in range(30)]
    people = [person(f"aluno-{number:02d}", first_name="Íris", last_name=f"Conceição {number}") for number in range(40)]
    readers = [f"group:{factories.group(name).name}" for name in names] + [f"user:{one.username}" for one in people]
    access.grant(held.pk, readers, actor=User.objects.get(username="maria"), reason="many")


def test_many_grants_stand_on_pages_and_are_found_by_their_names() -> None:
    held = document(readers=["group:equipe"])
    crowd(held)

    def rows(query: str = "") -> list[str]:
        return re.findall(r'name="take-readers" value="([^"]+)"', page("maria", address(held) + query))

    assert len(rows()) == 25
    assert set(rows()) | set(rows("?gp=2")) | set(rows("?gp=3")) == set(access.readers_of(held))
    assert rows("?g=conceição+37") == ["user:aluno-37"], "a person is found by the name, not by the username alone"
    assert "Íris Conceição 7" in page("maria", f"{address(held)}?g=aluno-07")
    assert rows("?g=turma-1") == [f"group:turma-{number}" for number in range(10, 20)]
    assert "Nenhuma concessão" in page("maria", f"{address(held)}?g=nothing")
    take = {"revoke": "1", "take-readers": ["user:aluno-39"], "take-reason": "left"}
    assert client_of("maria").post(address(held), take).status_code == 302, "whatever page it stands on"
    assert "user:aluno-39" not in access.readers_of(held)


def test_a_grant_to_somebody_who_left_says_so() -> None:
    shown = page("maria", address(document(readers=["user:gone", "user:ana"])))
    rows = re.findall(r"<li><label>.*?</li>", shown, re.DOTALL)
    assert ["inativa" in row for row in rows] == [False, True]


def test_a_person_of_the_list_is_one_click_from_being_seen_as() -> None:
    held = document(readers=["group:equipe"])
    link = re.search(r'href="(/admin/ver-como/\?person=ana[^"]*)"', page("maria", address(held)))
    assert link is not None
    shown = page("maria", unescape(link[1]))
    assert 'value="ana"' in shown
    assert 'value="ferias"' in shown
    assert not AuditEvent.objects.filter(verb="access.seen_as").exists(), (
        "nothing is shown before the look is in the trail"
    )


def test_the_page_costs_the_same_for_many_people() -> None:
    held = document(readers=["group:equipe", "area:rh"])
    maria = client_of("maria")
    maria.get(address(held))
    counts = []
    for _round in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert maria.get(address(held)).status_code == 200
        counts.append(len(queries))
        group = factories.group("equipe")
        made = User.objects.bulk_create(
            [User(username=f"many-{len(counts)}-{n}", first_name=f"Pessoa {n}") for n in range(300)]
        )
        group.user_set.add(*made)
    crowd(held)
    assert counts[0] == counts[1]
    with CaptureQueriesContext(connection) as queries:
        maria.get(address(held))
    assert len(queries) <= 18, [query["sql"][:120] for query in queries.captured_queries]

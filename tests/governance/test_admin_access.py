"""Who may read a document: the page agrees with the rule for everybody, and changes go through the actions."""

from __future__ import annotations

import re
from dataclasses import replace

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
from governance.readership import people
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
    row = re.search(r"<tr><td>João.*?</tr>", page("maria", f"{address(held)}?q=souza"), re.DOTALL)
    assert row is not None
    assert "badge-error" in row.group()


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
    assert counts[0] == counts[1]
    assert counts[0] <= 20, [query["sql"][:120] for query in queries.captured_queries]

"""Readers, owners and data of a document change through the actions, and answers follow in the same transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest
from django.contrib.auth.models import Group, Permission, User
from guardian.shortcuts import assign_perm, remove_perm  # noqa: TID251 (what others may call past the actions)

from documents.access import audiences_of
from documents.corpus import audiences
from documents.errors import DomainError
from documents.models import READ, Document, DocumentGroupGrant, Job, Propagation
from documents.reader import reader_of
from documents.rules.types import Classification, Kind
from governance.actions.access import readers_of, set_owner, set_readers
from governance.actions.document import DocumentData, create_document, data_of, set_data
from governance.models import AuditEvent, Verb
from tests import factories
from tests.governance.desk import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return factories.person("owner")


@pytest.fixture
def document(owner: User) -> Document:
    made = factories.document("manual", owner=owner, readers=["area:operacoes"])
    factories.revision(made, state="published", start=date(2026, 1, 1))
    return made


def reads(user: User) -> bool:
    reader = reader_of(user)
    document = Document.objects.get(code="manual")
    by_grant = Document.objects.readable_by(reader).filter(pk=document.pk).exists()
    assert by_grant == (document.audience_key in audiences(reader))
    return by_grant


def test_readers_are_replaced_whole(document: Document, owner: User) -> None:
    colleague, joao = factories.person(areas=["operacoes"]), factories.person("joao", units=["POA"])
    key = document.audience_key
    assert (reads(colleague), reads(joao)) == (True, False)
    assert set_readers(document.pk, ["user:joao", "unit:POA", "group:todos"], actor=owner, reason="moved") is True
    assert (reads(colleague), reads(joao)) == (True, True), "everybody is of the group todos"
    set_readers(document.pk, ["user:joao"], actor=owner, reason="fewer")
    assert (reads(colleague), reads(joao)) == (False, True)
    document.refresh_from_db()
    assert document.audience_key != key
    assert readers_of(document) == ["user:joao"]


@pytest.mark.parametrize("name", ["pessoas", "area:pessoas", "unit:PESSOAS"])
def test_who_was_granted_finds_under_any_name_that_the_group_gets(document: Document, owner: User, name: str) -> None:
    colleague, admin = factories.person(groups=["rh"]), factories.person(is_superuser=True, is_staff=True)
    set_readers(document.pk, ["group:rh"], actor=owner, reason="theirs")
    assert reads(colleague)
    page = f"/admin/auth/group/{factories.group('rh').pk}/change/"
    assert client_of(admin.username).post(page, {"name": name}).status_code == 302
    assert reads(colleague)
    newcomer = factories.person(groups=["rh"])
    assert not reads(newcomer), "another group took the old name"


def renamed(name: str, other: str) -> None:
    group = Group.objects.get(name=name)
    group.name = other
    group.save()


PAST_THE_ACTIONS: dict[str, Callable[[Document], object]] = {
    "a person is granted": lambda document: assign_perm(READ, User.objects.get(username="bia"), document),
    "a group is granted": lambda document: assign_perm(READ, factories.group("novos"), document),
    "a person's grant is taken": lambda document: remove_perm(READ, User.objects.get(username="ana"), document),
    "a group's grant is taken": lambda document: remove_perm(READ, Group.objects.get(name="rh"), document),
    "a row is written": lambda document: DocumentGroupGrant.objects.create(
        content_object=document, group=factories.group("novos"), permission=Permission.objects.get(codename=READ)
    ),
    "a person is deleted": lambda _document: User.objects.get(username="ana").delete(),
    "some people are deleted": lambda _document: User.objects.filter(username__in=["ana", "bia"]).delete(),
    "the owner is deleted": lambda _document: User.objects.get(username="owner").delete(),
    "a group is deleted": lambda _document: Group.objects.get(name="rh").delete(),
    "a group is renamed": lambda _document: renamed("rh", "gente"),
    "a place is renamed": lambda _document: renamed("area:operacoes", "operacoes"),
}


@pytest.mark.parametrize("what", PAST_THE_ACTIONS)
def test_what_changes_readers_past_the_actions_is_followed(document: Document, owner: User, what: str) -> None:
    people = [factories.person("ana"), factories.person("bia"), factories.person("rui", groups=["rh"])]
    people += [factories.person("eva", groups=["novos"]), factories.person("leo", areas=["operacoes"])]
    set_readers(document.pk, ["group:rh", "user:ana", "area:operacoes"], actor=owner, reason="theirs")
    waiting = Job.objects.count()
    PAST_THE_ACTIONS[what](document)
    document.refresh_from_db()
    assert document.audience_key == audiences_of([document])[document.pk].key
    assert Job.objects.count() > waiting, "the index follows"
    for person in User.objects.filter(pk__in=[one.pk for one in people]):
        reads(person)


def test_an_action_converges_once(document: Document, owner: User) -> None:
    set_readers(document.pk, ["group:todos"], actor=owner, reason="all")
    assert Propagation.objects.filter(action="readers").count() == 1


def test_empty_means_nobody_but_the_owner(document: Document, owner: User) -> None:
    set_readers(document.pk, [], actor=owner, reason="closed")
    assert (reads(factories.person(areas=["operacoes"])), reads(owner)) == (False, True)


def test_the_same_readers_again_change_nothing(document: Document, owner: User) -> None:
    assert set_readers(document.pk, ["area:operacoes", "area:operacoes"], actor=owner, reason="again") is False
    assert not AuditEvent.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    "reader", ["user:nobody", "area:none", "unit:none", "group:none", "todos", "group:area:operacoes", "role:auditor",
               "group:role:auditor", ""]
)  # fmt: skip
def test_an_unknown_reader_is_named_and_nothing_changes(document: Document, owner: User, reader: str) -> None:
    factories.person(roles=["auditor"])
    with pytest.raises(DomainError) as caught:
        set_readers(document.pk, ["user:owner", reader], actor=owner, reason="more")
    assert caught.value.code == "unknown_readers"
    assert reader in caught.value.message
    assert readers_of(document) == ["area:operacoes"]


def test_the_trail_names_readers_by_key(document: Document, owner: User) -> None:
    ana = factories.person("ana")
    set_readers(document.pk, ["user:ana", "area:operacoes"], actor=owner, reason="more")
    event = AuditEvent.objects.get(verb=Verb.READERS_CHANGED)
    assert event.before == {"readers": ["area:operacoes"]}
    assert event.after == {"readers": ["area:operacoes", f"user:{reader_of(ana).key}"]}


def test_an_owner_answers_for_the_text_and_without_one_it_is_not_quoted(document: Document, owner: User) -> None:
    heir = factories.person("heir")
    assert set_owner(document.pk, heir, actor=owner, reason="she left") is True
    assert (reads(heir), reads(owner)) == (True, False)
    assert set_owner(document.pk, None, actor=heir, reason="he left too") is True
    colleague = reader_of(factories.person(areas=["operacoes"]))
    today = date(2026, 11, 30)
    reasons = document.revisions.with_reason(colleague, today, today).values_list("reason", flat=True)
    assert list(reasons) == ["no_owner"]


@pytest.mark.parametrize("kind", ["stranger", "colleague", "approver elsewhere", "auditor", "indexer", "superuser"])
def test_only_those_in_charge_change_access_and_data(document: Document, kind: str) -> None:
    person = {
        "stranger": factories.person,
        "colleague": lambda: factories.person(areas=["operacoes"]),
        "approver elsewhere": lambda: factories.person(areas=["rh"], roles=["approver"]),
        "auditor": lambda: factories.person(roles=["auditor"]),
        "indexer": lambda: factories.person(roles=["indexer"]),
        "superuser": lambda: factories.person(is_superuser=True),
    }[kind]()
    data = replace(data_of(document), title="Mine")
    for act in (
        lambda: set_readers(document.pk, ["group:todos"], actor=person, reason="why not"),
        lambda: set_owner(document.pk, person, actor=person, reason="mine"),
        lambda: set_data(document.pk, data, actor=person, reason="mine"),
    ):
        with pytest.raises(DomainError) as caught:
            act()
        assert caught.value.code == "forbidden"


def test_an_approver_of_the_area_names_an_owner_where_there_is_none(document: Document) -> None:
    Document.objects.update(owner=None)
    approver = factories.person(areas=["operacoes"], roles=["approver"])
    assert set_owner(document.pk, approver, actor=approver, reason="somebody has to") is True


def test_data_changes_are_told_field_by_field(document: Document, owner: User) -> None:
    colleague = factories.person(areas=["operacoes"])
    data = replace(data_of(document), classification=Classification.RESTRICTED, subjects=["sla-picking"])
    assert set_data(document.pk, data, actor=owner, reason="salaries") is True
    event = AuditEvent.objects.get(verb=Verb.DOCUMENT_CHANGED)
    assert event.before == {"classification": "internal", "subjects": []}
    assert event.after == {"classification": "restricted", "subjects": ["sla-picking"]}
    assert not reads(colleague), "an area is too wide for a restricted text"
    assert list(Job.objects.values_list("argument", flat=True)) == [document.revisions.get().pk]
    assert set_data(document.pk, data, actor=owner, reason="again") is False


def test_a_document_goes_to_an_area_that_one_is_in_charge_of(document: Document) -> None:
    approver = factories.person(areas=["operacoes"], roles=["approver"])
    data = replace(data_of(document), area=factories.area("rh"))
    with pytest.raises(DomainError) as caught:
        set_data(document.pk, data, actor=approver, reason="not ours")
    assert caught.value.code == "forbidden"
    approver.groups.add(factories.area("rh").group)
    assert set_data(document.pk, data, actor=approver, reason="ours too") is True


@pytest.mark.parametrize(
    ("kind", "may"),
    [("colleague", True), ("indexer", True), ("approver", True), ("stranger", False), ("superuser", False)],
)
def test_who_opens_a_document(kind: str, may: bool) -> None:
    person = {
        "colleague": lambda: factories.person(areas=["operacoes"]),
        "indexer": lambda: factories.person(roles=["indexer"]),
        "approver": lambda: factories.person(areas=["operacoes"], roles=["approver"]),
        "stranger": factories.person,
        "superuser": lambda: factories.person(is_superuser=True),
    }[kind]()
    data = DocumentData("Title", Kind.POLICY, factories.area())
    owner = factories.person()
    try:
        document = create_document("new", data, owner=owner, readers=["group:todos"], actor=person, reason="new")
    except DomainError as error:
        outcome = error.code
    else:
        outcome = "done"
        assert (document.owner, readers_of(document), len(document.audience_key)) == (owner, ["group:todos"], 64)
    assert outcome == ("done" if may else "forbidden")


def test_a_code_is_taken_once_and_values_are_checked(owner: User) -> None:
    data = DocumentData("Title", Kind.POLICY, factories.area())
    create_document("new", data, owner=owner, readers=[], actor=owner, reason="new")
    untitled = replace(data, title="")
    for code, values, expected in [("new", data, "conflict"), ("a code", data, "invalid"), ("b", untitled, "invalid")]:
        with pytest.raises(DomainError) as caught:
            create_document(code, values, owner=owner, readers=[], actor=owner, reason="new")
        assert caught.value.code == expected

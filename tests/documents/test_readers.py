"""Who may read: deny by default, from one shared set of documents, what is seen and what is hidden."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from documents.corpus import audiences
from documents.models import EVERYONE, Document, ReaderIdentity, Revision, Unit
from documents.reader import reader_of, with_prefixes
from documents.rules.types import Role
from tests import factories

pytestmark = pytest.mark.django_db
TODAY = date(2026, 11, 30)
GRANTS = {
    "ungranted": [],
    "to-ana": ["user:ana"],
    "to-team": ["group:equipe"],
    "to-area": ["area:operacoes"],
    "to-unit": ["unit:CD-SP"],
    "to-strangers": ["group:diretoria", "area:rh", "unit:POA", "user:joao"],
}


@pytest.fixture
def owner() -> User:
    return factories.person("owner")


@pytest.fixture(autouse=True)
def corpus(owner: User) -> dict[str, Document]:
    for name in ("equipe", "diretoria"):
        factories.group(name)
    factories.area("rh")
    factories.area("operacoes")
    factories.unit("CD-SP", "BR-SP")
    factories.unit("POA", "BR-RS")
    factories.person("ana", groups=["equipe"], areas=["operacoes"], units=["CD-SP"])
    factories.person("joao")
    documents = {code: factories.document(code, owner=owner, readers=readers) for code, readers in GRANTS.items()}
    for document in documents.values():
        factories.revision(document, state="published", start=date(2026, 1, 1))
    return documents


def read_by(user: User) -> set[str]:
    """Codes that the person may be quoted; the two lists must never disagree."""
    reader = reader_of(user)
    documents = set(Document.objects.readable_by(reader).values_list("code", flat=True))
    eligible = set(Revision.objects.eligible_for(reader, TODAY, TODAY).values_list("document__code", flat=True))
    assert documents == eligible
    return documents


def test_grants_open_what_they_name_and_nothing_else() -> None:
    assert read_by(User.objects.get(username="ana")) == {"to-ana", "to-team", "to-area", "to-unit"}
    assert read_by(User.objects.get(username="joao")) == {"to-strangers"}


def test_without_a_grant_nobody_but_the_owner_reads(owner: User) -> None:
    assert read_by(owner) == set(GRANTS)
    assert read_by(factories.person()) == set()


def test_a_superuser_reads_no_more_than_anyone() -> None:
    assert read_by(factories.person(is_superuser=True, is_staff=True)) == set()


@pytest.mark.parametrize("role", list(Role))
def test_no_role_opens_a_text(role: Role) -> None:
    assert read_by(factories.person(roles=[role])) == set()


def test_a_deactivated_person_reads_nothing_not_even_their_own(owner: User) -> None:
    User.objects.update(is_active=False)
    assert read_by(User.objects.get(username="owner")) == set()
    assert read_by(User.objects.get(username="ana")) == set()


def test_restricted_text_asks_for_a_person_or_a_named_group() -> None:
    Document.objects.update(classification="restricted")
    assert read_by(User.objects.get(username="ana")) == {"to-ana", "to-team"}


def test_scope_and_jurisdiction_narrow_a_grant_and_the_owner_is_not_narrowed(owner: User) -> None:
    ana = User.objects.get(username="ana")
    Document.objects.filter(code="to-ana").update(scope_units=["POA"])
    Document.objects.filter(code="to-team").update(scope_jurisdictions=["BR-RS"])
    Document.objects.filter(code="to-area").update(scope_jurisdictions=["BR"])
    assert read_by(ana) == {"to-area", "to-unit"}
    assert read_by(owner) == set(GRANTS)


def test_everyone_is_a_group_that_nobody_has_to_join_and_the_deactivated_are_not_of_it() -> None:
    factories.revision(factories.document("to-all", readers=[f"group:{EVERYONE}"]), state="published", start=TODAY)
    Document.objects.filter(code="to-all").update(owner=User.objects.get(username="joao"))
    assert read_by(factories.person()) == {"to-all"}
    assert read_by(factories.person(is_active=False)) == set()


def test_leaving_a_group_takes_effect_at_once() -> None:
    ana = User.objects.get(username="ana")
    ana.groups.remove(factories.group("equipe"))
    assert read_by(ana) == {"to-ana", "to-area", "to-unit"}


def test_a_person_belongs_to_the_jurisdictions_of_their_units() -> None:
    reader = reader_of(User.objects.get(username="ana"))
    assert (reader.units, reader.areas) == ({"CD-SP"}, {"operacoes"})
    assert (reader.jurisdictions, reader.named_groups) == ({"BR", "BR-SP"}, {"equipe", EVERYONE})
    assert with_prefixes("BR-SP-CAPITAL") == ["BR", "BR-SP", "BR-SP-CAPITAL"]


def test_a_group_that_only_looks_like_a_unit_gives_no_jurisdiction() -> None:
    user = factories.person()
    user.groups.add(factories.group("unit:NOWHERE"))
    assert not Unit.objects.filter(slug="NOWHERE").exists()
    assert reader_of(user).jurisdictions == frozenset()


def test_the_key_of_a_person_stays_and_can_be_forgotten() -> None:
    ana = User.objects.get(username="ana")
    key = reader_of(ana).key
    assert reader_of(ana).key == key
    ReaderIdentity.objects.filter(user=ana).delete()
    assert reader_of(ana).key != key


def test_a_list_costs_the_same_however_many_documents_there_are(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    ana = User.objects.get(username="ana")
    reader_of(ana)
    with django_assert_num_queries(3):
        reader = reader_of(ana)
    for _round in range(2):
        with django_assert_num_queries(1):
            list(Document.objects.readable_by(reader))
        with django_assert_num_queries(1):
            list(Revision.objects.eligible_for(reader, TODAY, TODAY))
        with django_assert_num_queries(1):
            audiences(reader)
        for _number in range(5):
            factories.document(readers=["user:ana"])


def test_nobody_reads_without_asking_the_database(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    reader = reader_of(factories.person(is_active=False))
    with django_assert_num_queries(0):
        assert not Document.objects.readable_by(reader)
        assert not audiences(reader)
        assert not Revision.objects.eligible_for(reader, TODAY, TODAY)

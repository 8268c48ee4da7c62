"""Inside `asked_once` a person is asked for once; outside of it every time, and nothing is remembered too long."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.db import transaction
from pytest_django import DjangoAssertNumQueries

from documents.models import ReaderIdentity
from documents.reader import asked_once, key_of, reader_of
from tests import factories

pytestmark = pytest.mark.django_db


def test_a_person_is_asked_for_once(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    person = factories.person("ana")
    before = reader_of(person)

    with asked_once():
        assert reader_of(person) == before
        with django_assert_num_queries(0):
            assert reader_of(person) == before
            assert key_of(person.pk) == before.key


def test_outside_a_change_counts_at_once() -> None:
    person = factories.person("ana")
    with asked_once():
        reader_of(person)

    person.groups.add(Group.objects.create(name="area:rh"))

    assert reader_of(person).areas == {"rh"}
    with asked_once():
        assert reader_of(person).areas == {"rh"}


def test_a_key_that_was_rolled_back_is_not_remembered() -> None:
    person = factories.person("ana")
    ReaderIdentity.objects.filter(user=person).delete()

    with asked_once():
        with transaction.atomic():
            lost = reader_of(person).key
            transaction.set_rollback(True)
        kept = key_of(person.pk)

    assert kept == str(ReaderIdentity.objects.get(user=person).key) != lost

"""Many people in one process share caches, vocabularies and an open index, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connections

from chat import chain
from chat.models import EvidenceRecord
from documents.search.converge import converge
from governance.models import OwnerTask
from tests import factories
from tests.chat import portal
from tests.chat.portal import PICKING, PICKING_Q, ask, published, quotes
from tests.chat.test_services_statuses import RIVALS, RIVALS_Q

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*work: Callable[[], Any]) -> list[Any]:
    """The results, in order; a failure in a thread fails the test."""
    results: list[Any] = [None] * len(work)
    gate = threading.Barrier(len(work))

    def one(number: int) -> None:
        try:
            gate.wait(20)
            results[number] = work[number]()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_people_who_ask_the_same_at_once_get_their_own_answers() -> None:
    cache.clear()
    people: list[User] = []
    for number in range(4):
        published(f"doc-{number}", PICKING.replace("quatro", f"{number + 11}"), readers=[f"group:{number}"])
        people.append(factories.person(f"pessoa-{number}", groups=[str(number)]))

    def several(person: User) -> list[Any]:
        return [ask(person, PICKING_Q) for _ in range(4)]

    for number, answers in enumerate(at_once(*(lambda p=p: several(p) for p in people))):
        for answer in answers:
            assert portal.sources(answer) == {f"doc-{number}"}
            assert f"{number + 11} horas" in quotes(answer)[0]
    keys = EvidenceRecord.objects.values_list("reader_key", flat=True).distinct()
    assert (EvidenceRecord.objects.count(), len(set(keys))) == (16, 4)
    assert not list(chain.verify())


def test_a_first_question_asked_twice_at_once_makes_one_key() -> None:
    published("ops-cd-sp", PICKING)
    person = factories.person("ana")
    answers = at_once(*[lambda: ask(person, PICKING_Q)] * 3)
    assert [answer["status"] for answer in answers] == ["answered"] * 3
    assert len(set(EvidenceRecord.objects.values_list("reader_key", flat=True))) == 1


def test_a_conflict_met_at_once_is_one_task() -> None:
    owner = factories.person()
    for code, text in zip("ab", RIVALS, strict=True):
        published(code, text, owner=owner, subjects=["paletes"])
    people = [factories.person() for _ in range(4)]
    answers = at_once(*(lambda p=p: ask(p, RIVALS_Q) for p in people))
    assert [answer["status"] for answer in answers] == ["conflict"] * 4
    assert OwnerTask.objects.count() == 1
    assert not list(chain.verify())


def test_questions_are_answered_while_the_index_is_written() -> None:
    published("ops-cd-sp", PICKING)
    reader, owner = factories.person("ana"), factories.person("dono")

    def write() -> str:
        for number in range(6):
            other = factories.document(f"outro-{number}", owner=owner, readers=["group:todos"])
            revision = factories.revision(
                other, "v1", state="published", start=portal.START, text=f"1. Tema {number}\nTexto {number}.\n"
            )
            converge([revision.pk])
        return "written"

    written, *told = at_once(write, *[lambda: [ask(reader, PICKING_Q) for _ in range(5)]] * 2)
    assert written == "written"
    for answer in [answer for answers in told for answer in answers]:
        assert portal.sources(answer) == {"ops-cd-sp"}

"""Both systems answer the same question as the same person, and what they may not know shows."""

from __future__ import annotations

import json
from datetime import date

import pytest
from django.contrib.auth.models import User

from chat.models import EvidenceRecord
from chat.rules.types import Status
from documents.reader import reader_of
from evaluation.rules.cases import Case, read
from evaluation.rules.judging import Judged, judge
from evaluation.systems.choice import NAMES, system
from evaluation.systems.pasted_prompt import most_asked
from tests.evaluation import world

TODAY = date(2026, 11, 30)
pytestmark = pytest.mark.django_db


def cases() -> list[Case]:
    return read(json.dumps(line) for line in world.FOUR)


def judged(name: str) -> dict[str, Judged]:
    found = cases()
    chosen = system(name, found, TODAY, pasted=10)
    return {c.id: judge(c, chosen.answer(c, reader_of(User.objects.get(username=c.person)))) for c in found}


def test_the_portal_answers_each_person_from_what_that_person_may_read():
    world.build()

    answers = judged("final")

    assert answers["picking"].ok
    assert "4 horas úteis" in answers["picking"].given.text
    assert answers["picking"].rank == 1
    assert answers["loan"].ok
    hidden = answers["loan-hidden"].given
    assert "35%" not in hidden.text
    assert all(place.document != "folha" for place in (*hidden.places, *hidden.ranked))
    assert answers["date"].given.status is Status.NEEDS_DATE
    assert all(answer.given.unsupported == 0 for answer in answers.values())


def test_the_portal_is_evaluated_without_leaving_evidence():
    world.build()

    judged("final")

    assert EvidenceRecord.objects.count() == 0


def test_tokens_are_counted_for_answers_and_not_for_refusals():
    world.build()
    assert judged("final")["picking"].given.sent_tokens > 10

    world.use(world.NOTHING)
    refused = judged("final")["picking"]
    assert (refused.verdict, refused.given.sent_tokens) == ("wrong_refusal", 0)


def test_the_pasted_prompt_tells_anyone_anything():
    world.build()

    answers = judged("pasted_prompt")

    assert answers["picking"].ok
    assert "35%" in answers["loan-hidden"].given.text
    assert answers["loan-hidden"].verdict == "invention", "no text that ana may be answered from says so"
    assert answers["date"].given.status is Status.ANSWERED
    assert len({answer.given.sent_tokens > 20 for answer in answers.values()}) == 1, "every question pays for all"


def test_what_is_asked_of_most_is_pasted_first():
    found = cases()

    assert most_asked(found, ["a", "b", "folha", "ops-cd-sp"], 3) == ["folha", "ops-cd-sp", "a"]


def test_a_system_goes_by_its_name():
    world.build()

    assert [system(name, [], TODAY, 1).name for name in NAMES] == list(NAMES)
    with pytest.raises(KeyError):
        system("best", [], TODAY, 1)

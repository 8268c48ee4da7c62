"""The demo's questions: well formed, about the demo's documents, and mixed so that the last third is a fair test."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest
import yaml

import evaluation
from chat.rules.types import Status
from documents.rules.normalise import normalise
from evaluation.loading import load
from evaluation.rules import gates
from evaluation.rules.cases import Case
from evaluation.rules.metrics import report

FOLDER = Path(evaluation.__file__).parent
SOURCES = FOLDER / "demo" / "sources"


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return load(FOLDER / "sets" / "demo.jsonl")


def plain(text: str) -> str:
    return normalise(text.replace("*", "")).casefold()


def test_it_is_large_and_a_third_has_no_answer(cases: list[Case]):
    refused = sum(case.status is Status.NOT_FOUND for case in cases)

    assert len(cases) >= 150
    assert refused >= len(cases) / 3 - 1


def test_the_last_third_is_held_back(cases: list[Case]):
    held = ["held" in case.tags for case in cases]
    first = held.index(True)

    assert all(held[first:])
    assert sum(held) >= len(cases) // 3


def test_every_status_that_a_question_can_bring_about_is_asked_for(cases: list[Case]):
    statuses = {case.status for case in cases}

    assert statuses == set(Status) - {Status.UNAVAILABLE}


def test_each_third_holds_every_kind(cases: list[Case]):
    size = len(cases) // 3
    thirds = [cases[:size], cases[size : 2 * size], cases[2 * size :]]
    counts = Counter(tag for case in cases for tag in case.tags if tag != "held")
    missing = [
        (tag, number)
        for tag, count in counts.items()
        if count >= 3
        for number, third in enumerate(thirds, 1)
        if not any(tag in case.tags for case in third)
    ]

    assert missing == []


def test_there_are_past_dates_chains_and_pairs_of_people(cases: list[Case]):
    pairs = defaultdict(set)
    for case in cases:
        pairs[(case.question.casefold(), case.history, case.on)].add((case.person, case.status))
    differ = [people for people in pairs.values() if len({status for _person, status in people}) > 1]

    assert sum(case.on is not None for case in cases) >= 10
    assert sum(bool(case.history) for case in cases) >= 10
    assert len(differ) >= 3, "the same question, answered to one person and refused to another"


def test_a_tag_says_what_the_expected_status_says(cases: list[Case]):
    wrong = [case.id for case in cases if ("answerable" in case.tags) is not case.answerable]

    assert wrong == []
    assert all(("answerable" in case.tags) != ("unanswerable" in case.tags) for case in cases)


def test_every_person_is_one_of_the_demo(cases: list[Case]):
    base = yaml.safe_load((FOLDER / "demo" / "base.yaml").read_text(encoding="utf-8"))
    people = {person["username"] for person in base["people"]}

    assert {case.person for case in cases} <= people


def test_expected_sections_and_facts_stand_in_the_sources(cases: list[Case]):
    texts = {folder.name: plain("\n".join(p.read_text() for p in folder.glob("*.md"))) for folder in SOURCES.iterdir()}
    lost: list[tuple[str, object]] = []
    for case in cases:
        lost += [
            (case.id, source)
            for source in case.sources
            if plain(source.section or "") not in texts.get(source.document, "")
        ]
        found = "\n".join(texts.get(source.document, "") for source in case.sources)
        lost += [(case.id, fact) for fact in case.facts if plain(fact) not in found]

    assert lost == []


def test_the_demos_gates_can_be_read_and_ask_for_what_is_measured():
    wanted = gates.read(yaml.safe_load((FOLDER / "sets" / "demo-gates.yaml").read_text(encoding="utf-8")))
    nothing = report("final", [])

    assert {gate.metric for gate in wanted} <= gates.figures(nothing).keys()

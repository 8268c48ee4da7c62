"""The measuring itself, on a part of a public corpus and without a model; the full run is `tests.quality.run`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chat.rules import abstain
from documents.embedders.hashing import Embedder
from tests.quality import corpora, run
from tests.quality.bench import Bench
from tests.quality.corpora import Case

PART = 60


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    folder = corpora.data_folder()
    if folder is None:
        pytest.skip("needs the public corpora: set KB_SHARED_DATA")
    with Bench(corpora.passages(folder, "faquad")[:PART], Embedder()) as made:
        yield made


@pytest.fixture(scope="module")
def cases(bench: Bench) -> list[Case]:
    folder = corpora.data_folder()
    assert folder is not None
    here = {passage.document for passage in bench.passages.values()}
    return [case for case in corpora.cases(folder, "faquad") if case.gold and case.gold <= here]


def test_words_alone_rank_most_questions_right(bench: Bench, cases: list[Case]) -> None:
    places, _found, _ms = run.ranks(bench, cases)
    assert sum(place == 1 for place in places) / len(places) > 0.8
    assert sum(place is not None and place <= 5 for place in places) / len(places) > 0.95


def test_most_answers_stand_in_what_is_quoted(bench: Bench, cases: list[Case]) -> None:
    report = run.quotes(bench, cases[:60])
    assert float(report.split(" / ")[2].split(" ")[0]) > 0.8


def test_refusals_are_fitted_on_one_half_and_told_on_the_other(bench: Bench, cases: list[Case]) -> None:
    folder = corpora.data_folder()
    assert folder is not None
    elsewhere = [case for case in corpora.cases(folder, "faquad") if case not in cases][-80:]
    right = run.samples(run.ranks(bench, cases[:120])[1], answerable=True)
    wrong = run.samples(run.ranks(bench, elsewhere)[1], answerable=False)
    thresholds = abstain.fit([*right, *wrong], "part").thresholds
    refused = [abstain.decide(sample.signals, thresholds) is not abstain.Verdict.ANSWER for sample in wrong]
    kept = [abstain.decide(sample.signals, thresholds) is abstain.Verdict.ANSWER for sample in right]
    assert sum(refused) / len(refused) > 0.6
    assert sum(kept) / len(kept) > 0.88


def test_no_planted_text_changes_a_claim(bench: Bench, cases: list[Case]) -> None:
    folder = corpora.data_folder()
    assert folder is not None
    report = run.injections(bench, cases, corpora.injections(folder)[::8])
    assert ": 0 changed a claim" in report
    assert "; 0 malicious ones quoted" in report

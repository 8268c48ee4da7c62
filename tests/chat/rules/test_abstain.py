"""When an answer is given, when something to read is offered, and when neither."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise

import numpy as np
import pytest

from chat.rules.abstain import (
    DEFAULT,
    Sample,
    Signals,
    Thresholds,
    Verdict,
    asked_about,
    decide,
    fit,
    score,
    unknown,
)
from chat.rules.coverage import units

PLAIN = Thresholds("test", -5.0, 10.0, 0.0, strict=0.3, lenient=0.6)


def made(answerable: int, refusable: int, apart: float, seed: int = 1) -> list[Sample]:
    """Samples whose two kinds lie `apart` standard deviations from each other, in both signals."""
    random = np.random.default_rng(seed)
    rows = []
    for count, answer in ((answerable, True), (refusable, False)):
        for a, b in random.normal(0, 1, (count, 2)):
            shift = apart / 2 if answer else -apart / 2
            rows.append(Sample(Signals(0.6 + 0.1 * (a + shift), 0.05 + 0.02 * (b + shift)), answer))
    return rows


@pytest.mark.parametrize(
    ("coverage", "verdict"),
    [(0.0, Verdict.REFUSE), (0.35, Verdict.REFUSE), (0.5, Verdict.RELATED), (0.6, Verdict.ANSWER), (1, Verdict.ANSWER)],
)
def test_two_thresholds_make_three_verdicts(coverage: float, verdict: Verdict) -> None:
    assert decide(Signals(coverage, 0.0), PLAIN) is verdict


def test_without_a_candidate_there_is_nothing_to_say() -> None:
    assert decide(None, DEFAULT) is Verdict.REFUSE


def test_a_name_that_stands_nowhere_forbids_an_answer_but_offers_what_is_near() -> None:
    assert decide(Signals(1.0, 0.1, ("cdmanaus",)), PLAIN) is Verdict.RELATED
    assert decide(Signals(0.1, 0.0, ("cdmanaus",)), PLAIN) is Verdict.REFUSE


@pytest.mark.parametrize(
    ("question", "known", "missing"),
    [
        ("qual o prazo do CD-Manaus?", {"praz"}, ("cdmanaus",)),
        ("qual o prazo do CD-SP?", {"cdsp"}, ()),
        ("o que diz a POL-2021-0999?", {"pol"}, ("pol20210999",)),
        ("o que diz a lei 13.709?", set(), ("13709",)),
        ("posso trabalhar 3 dias em casa?", set(), ()),
        ("qual o limite em Recife?", set(), ("recif",)),
        ("prazo de entrega noturna", set(), ()),
        ("QUAL O PRAZO EM RECIFE", set(), ()),
        ("Qual o Prazo de Reembolso de Viagem", set(), ()),
    ],
)
def test_names_codes_and_long_numbers_must_stand_somewhere(question: str, known: set[str], missing: tuple[str]) -> None:
    asked = units(question, dict.fromkeys(known, 3), 100)
    assert unknown(asked, known) == missing
    assert set(missing) <= set(asked_about(asked))


def test_an_acronym_that_the_glossary_explains_is_known_by_its_expansion() -> None:
    asked = units("qual o SLA?", {}, 100, {"sla": ["prazo de atendimento"]})
    assert unknown(asked, {"praz", "atend"}) == ()
    assert unknown(asked, {"praz"}) == ("sla",)
    assert {"sla", "praz", "atend"} == set(asked_about(asked))


def test_the_score_rises_with_both_signals_and_stays_between_0_and_1() -> None:
    low, middle, high = (score(Signals(c, n), DEFAULT) for c, n in ((0.2, 0.0), (0.6, 0.04), (1.0, 0.09)))
    assert 0 <= low < middle < high <= 1


def test_a_fit_separates_what_can_be_separated() -> None:
    fitted = fit(made(200, 80, apart=6), "v1")
    fresh = made(200, 80, apart=6, seed=2)
    right = [decide(sample.signals, fitted.thresholds) is Verdict.ANSWER for sample in fresh]
    assert np.mean([given == sample.answerable for given, sample in zip(right, fresh, strict=True)]) > 0.97


def test_signals_that_say_nothing_do_not_refuse_more_than_allowed() -> None:
    samples = made(300, 100, apart=0)
    thresholds = fit(samples, "v1", most_wrong_refusals=0.1).thresholds
    refused = [decide(s.signals, thresholds) is not Verdict.ANSWER for s in samples if s.answerable]
    assert np.mean(refused) <= 0.1


def test_a_fit_judges_each_question_by_weights_fitted_without_it() -> None:
    """What it says of itself comes again: with few samples and no signal, half of the kind that it refuses is luck."""
    promised, kept = [], []
    for seed in range(20):
        fitted = fit(made(40, 20, apart=1.5, seed=seed), "v1")
        point = min(fitted.curve, key=lambda one: abs(one.threshold - fitted.thresholds.lenient))
        fresh = [s for s in made(400, 10, apart=1.5, seed=1000 + seed) if s.answerable]
        promised.append(point.wrong_refusal)
        kept.append(np.mean([decide(s.signals, fitted.thresholds) is not Verdict.ANSWER for s in fresh]))
    assert np.mean(kept) <= np.mean(promised) + 0.02
    assert np.mean(kept) <= 0.10


def test_the_share_of_wrong_refusals_that_is_allowed_buys_right_ones() -> None:
    samples = made(300, 150, apart=1.5)
    refused = []
    for allowed in (0.02, 0.05, 0.1, 0.2):
        thresholds = fit(samples, "v1", most_wrong_refusals=allowed).thresholds
        given = [(s.answerable, decide(s.signals, thresholds) is not Verdict.ANSWER) for s in samples]
        assert np.mean([no for answerable, no in given if answerable]) <= allowed + 0.02
        refused.append(np.mean([no for answerable, no in given if not answerable]))
    assert refused == sorted(refused)
    assert refused[0] < refused[-1]


def test_the_number_of_questions_of_a_kind_moves_no_threshold() -> None:
    few, many = made(100, 40, apart=2), made(100, 40, apart=2)
    many += [sample for sample in few if not sample.answerable] * 3
    lenient = [fit(samples, "v1").curve for samples in (few, many)]
    leads = [max(p.right_refusal - p.wrong_refusal for p in curve if p.wrong_refusal <= 0.1) for curve in lenient]
    assert leads[0] == pytest.approx(leads[1], abs=0.06)


def test_a_fit_can_be_repeated() -> None:
    samples = made(80, 40, apart=2)
    assert fit(samples, "v1") == fit(samples, "v1")


def test_strict_never_lies_above_lenient_and_loses_almost_no_answerable_question() -> None:
    for apart in (0.5, 1, 2, 4):
        samples = made(200, 100, apart)
        thresholds = fit(samples, "v1").thresholds
        assert 0 <= thresholds.strict <= thresholds.lenient <= 1
        lost = [decide(s.signals, thresholds) is Verdict.REFUSE for s in samples if s.answerable]
        assert np.mean(lost) <= 0.01


def test_the_curve_shows_what_each_threshold_would_do() -> None:
    curve = fit(made(100, 50, apart=2), "v1").curve
    assert [point.threshold for point in curve] == sorted(point.threshold for point in curve)
    assert (curve[0].right_refusal, curve[0].wrong_refusal, curve[0].precision) == (0.0, 0.0, 1.0)
    for earlier, later in pairwise(curve):
        assert later.right_refusal >= earlier.right_refusal
        assert later.wrong_refusal >= earlier.wrong_refusal


def test_questions_refused_by_a_name_count_as_refused_in_the_fit() -> None:
    samples = [*made(50, 0, 3), *(Sample(Signals(0.9, 0.1, ("cdmanaus",)), answerable=False) for _ in range(20))]
    thresholds = fit(samples, "v1").thresholds
    assert all(decide(s.signals, thresholds) is not Verdict.ANSWER for s in samples if not s.answerable)


@pytest.mark.parametrize(("answerable", "refusable"), [(5, 50), (50, 5), (0, 0)])
def test_too_few_questions_of_a_kind_are_refused(answerable: int, refusable: int) -> None:
    with pytest.raises(ValueError, match="at least 10"):
        fit(made(answerable, refusable, 2), "v1")


def test_thresholds_survive_storage() -> None:
    fitted = fit(made(60, 30, 2), "v7").thresholds
    assert Thresholds(**asdict(fitted)) == fitted
    assert fitted.version == "v7"

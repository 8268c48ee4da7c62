"""The JSON that other programs read."""

from __future__ import annotations

import json

from evaluation.rules import shape
from evaluation.rules.compare import paired
from evaluation.rules.metrics import by_tag, report
from tests.evaluation.rules.made import judged

KEYS = {
    "system", "n", "answerable", "right_source", "wrong_source", "invention", "wrong_refusal", "unanswerable",
    "right_refusal", "other", "recall", "mrr", "tokens", "cost_per_question", "by_tag", "intervals", "cases",
}  # fmt: skip


def test_the_evaluation_has_its_keys_and_is_json():
    answers = [judged(), judged("not_found", "answered")]
    value = json.loads(json.dumps(shape.evaluation(report("final", answers), by_tag("final", answers), answers)))

    assert value.keys() >= KEYS
    assert (value["n"], value["right_source"], value["false_answer"]) == (2, 1, 1)
    assert value["recall"].keys() == {"1", "3", "5", "10"}
    assert value["rates"].keys() == value["intervals"].keys()
    assert [case["ok"] for case in value["cases"]] == [True, False]
    assert value["cases"][1]["why"]
    assert value["cases"][0].keys() >= {"id", "status", "ok", "why"}


def test_a_comparison_names_both_shares_and_their_difference():
    (line, *_others) = json.loads(json.dumps(shape.comparison(paired([j := judged()], [j]))))

    assert line["name"] == "right"
    assert (line["a"], line["b"], line["difference"], line["p"]) == (1.0, 1.0, 0.0, 1.0)

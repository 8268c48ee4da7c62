"""`evaluate` and `calibrate` as programs call them: one JSON value, and three exit statuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from chat.models import Calibration, EvidenceRecord
from evaluation.rules.metrics import CUTS
from tests.evaluation import world

pytestmark = pytest.mark.django_db
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run() -> Run:
    def call(*arguments: object) -> tuple[int, str, str]:
        """Exit status, standard output, standard error."""
        out, err = StringIO(), StringIO()
        try:
            call_command(*(str(argument) for argument in arguments), stdout=out, stderr=err)
        except SystemExit as end:
            return int(end.code or 0), out.getvalue(), err.getvalue()
        except CommandError as error:
            return error.returncode, out.getvalue(), f"{err.getvalue()}{error}"
        return 0, out.getvalue(), err.getvalue()

    return call


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    world.build()
    return world.written(tmp_path / "set.jsonl", world.FOUR)


def gate(folder: Path, text: str) -> Path:
    path = folder / "gates.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_evaluation_is_one_json_value(run: Run, questions: Path):
    status, out, err = run("evaluate", questions, "--json")

    value = json.loads(out)
    assert status == 0
    assert (value["system"], value["n"], value["answerable"], value["unanswerable"]) == ("final", 4, 2, 2)
    assert (value["right_source"], value["invention"]) == (2, 0)
    assert value["recall"].keys() == {str(cut) for cut in CUTS}
    assert value["recall"]["1"] == 1.0
    assert value["by_tag"]["rosa"]["n"] == 1
    assert [case["id"] for case in value["cases"]] == ["picking", "loan-hidden", "loan", "date"]
    assert "final 4/4" in err
    assert EvidenceRecord.objects.count() == 0


def test_people_read_a_table_with_what_went_wrong(run: Run, questions: Path):
    world.use(world.NOTHING)

    status, out, _err = run("evaluate", questions)

    assert status == 0
    assert "final: 4 questions, 2 answerable, 2 not" in out
    assert "wrong_refusal     2   1.000" in out
    assert "refused although the base has the answer" in out


def test_two_systems_are_compared_over_the_same_questions(run: Run, questions: Path):
    _status, out, _err = run("evaluate", questions, "--compare", "--json")

    value = json.loads(out)
    assert value["compare"]["system"] == "pasted_prompt"
    paired = {line["name"]: line for line in value["compare"]["paired"]}
    assert paired["right_source"]["n"] == 2
    assert paired["invention"]["b"] > paired["invention"]["a"] == 0.0
    assert "difference [95 %]" in run("evaluate", questions, "--compare")[1]


def test_the_other_system_is_evaluated_by_its_name(run: Run, questions: Path):
    assert json.loads(run("evaluate", questions, "--system", "pasted_prompt", "--json")[1])["system"] == "pasted_prompt"


def test_gates_that_hold_let_the_evaluation_pass(run: Run, questions: Path, tmp_path: Path):
    path = gate(tmp_path, "right_source: {min: 0.9}\ninvention: {max: 0}\nana/n: {min: 3}\n")

    assert run("evaluate", questions, "--gate", path)[0] == 0


def test_each_gate_that_fails_is_named(run: Run, questions: Path, tmp_path: Path):
    world.use(world.NOTHING)
    path = gate(tmp_path, '{"wrong_refusal": {"max": 0.5}, "right_answer": {"min": 0.1}, "invention": {"max": 0}}')

    status, out, err = run("evaluate", questions, "--gate", path, "--json")

    assert status == 1
    assert json.loads(out)["n"] == 4
    assert [line for line in err.splitlines() if line.startswith("gate:")] == [
        "gate: wrong_refusal is 1, above 0.5",
        "gate: right_answer is 0, below 0.1",
    ]


@pytest.mark.parametrize("text", ["nonsense: {min: 1}", "[1, 2]", "mrr: {min: [}", "nowhere/mrr: {min: 0}"])
def test_gates_that_can_not_be_read_are_bad_input(run: Run, questions: Path, tmp_path: Path, text: str):
    status, _out, err = run("evaluate", questions, "--gate", gate(tmp_path, text))

    assert status == 2
    assert "gates.yaml" in err


def test_a_set_that_can_not_be_run_is_bad_input(run: Run, questions: Path, tmp_path: Path):
    stranger = world.question("x", "estranha", "?", "not_found")

    for command in ("evaluate", "calibrate"):
        status, out, err = run(command, world.written(tmp_path / "bad.jsonl", [*world.FOUR, stranger]))
        assert (status, out) == (2, "")
        assert "line 5: there is no active person 'estranha'" in err
        assert run(command, tmp_path / "none.jsonl")[0] == 2


def test_a_question_that_the_portal_does_not_take_is_named_by_its_line(run: Run, questions: Path, tmp_path: Path):
    endless = world.question("x", "ana", "prazo " * 1000, "not_found")

    status, _out, err = run("evaluate", world.written(tmp_path / "long.jsonl", [*world.FOUR, endless]))

    assert status == 2
    assert "line 5: " in err


def many() -> list[dict[str, object]]:
    """Twenty-four questions, half of them on nothing that the base has; the last two are held back."""
    lines = [world.question(f"in-{n}", "ana", f"{world.SEPARATION} {n}", "answered", "ops-cd-sp") for n in range(12)]
    lines += [world.question(f"out-{n}", "ana", f"qual a cor do telhado número {n}?", "not_found") for n in range(12)]
    return [line | {"tags": ["held"]} if n % 12 == 11 else line for n, line in enumerate(lines)]


def test_thresholds_are_fitted_stored_as_a_new_version_and_used(run: Run, questions: Path, tmp_path: Path):
    world.use(world.NOTHING)
    before = Calibration.objects.count()
    path = world.written(tmp_path / "many.jsonl", many())

    status, out, _err = run("calibrate", path, "--json")

    value = json.loads(out)
    row = Calibration.objects.order_by("-pk")[0]
    assert status == 0
    assert Calibration.objects.count() == before + 1
    assert (value["calibration"], value["thresholds"]) == (row.pk, row.thresholds)
    assert (row.questions, row.source) == (22, "many.jsonl")
    assert len(row.curve) == len(value["curve"]) > 100
    assert json.loads(run("evaluate", path, "--json")[1])["wrong_refusal"] == 0, "the new thresholds decide"


def test_held_questions_are_left_out_unless_asked_for(run: Run, questions: Path, tmp_path: Path):
    path = world.written(tmp_path / "many.jsonl", many())

    assert json.loads(run("calibrate", path, "--all", "--json")[1])["questions"] == 24
    assert json.loads(run("calibrate", path, "--json")[1])["questions"] == 22


def test_the_curve_is_drawn(run: Run, questions: Path, tmp_path: Path):
    _status, out, _err = run("calibrate", world.written(tmp_path / "many.jsonl", many()))

    assert "●" in out
    assert "lenient" in out
    assert "in use from now on" in out


def test_too_few_questions_teach_nothing(run: Run, questions: Path):
    before = Calibration.objects.count()

    status, _out, err = run("calibrate", questions)

    assert status == 2
    assert "at least 10" in err
    assert Calibration.objects.count() == before

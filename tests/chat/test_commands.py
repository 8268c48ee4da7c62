"""The commands that people and programs outside rely on: exit status, one JSON value, and what `--` options do."""

from __future__ import annotations

import hashlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import pgtrigger
import pytest
import rfc8785
from django.contrib.auth.models import User
from django.core.management import execute_from_command_line
from django.db import connection
from pytest_django import Settings

from chat.auditing.exports import exported
from chat.models import EvidenceQuestion, EvidenceRecord
from chat.rules import evidence
from tests import factories
from tests.chat import portal
from tests.chat.portal import PICKING, PICKING_Q, ask, published

pytestmark = pytest.mark.django_db
MISSING = "00000000-0000-0000-0000-000000000000"


@pytest.fixture(autouse=True)
def corpus() -> None:
    published("ops-cd-sp", PICKING)


@pytest.fixture
def ana() -> User:
    return factories.person("ana")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`manage.py …` in this process: exit status, standard output, standard error."""

    def command(*arguments: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        # The connection is the test's: a command closes its own at the end.
        monkeypatch.setattr("django.core.management.base.connections.close_all", lambda: None)
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        try:
            execute_from_command_line(["manage.py", *arguments])
        except SystemExit as stop:
            return int(stop.code or 0), out.getvalue(), err.getvalue()
        finally:
            monkeypatch.undo()
        return 0, out.getvalue(), err.getvalue()

    return command


# ask


def test_ask_prints_one_json_value_and_nothing_else(run: Any, ana: User) -> None:
    status, out, err = run("ask", PICKING_Q, "--as", "ana", "--json")
    assert (status, json.loads(out)["status"], err) == (0, "answered", "")
    assert "ç" in out, "people read it too"


@pytest.mark.parametrize(
    ("question", "status"),
    [("xyzzy?", "not_found"), ("qual era o prazo de separação antigamente?", "needs_date")],
)
def test_every_status_of_an_answer_is_exit_status_0(run: Any, ana: User, question: str, status: str) -> None:
    code, out, _err = run("ask", question, "--as", "ana", "--json")
    assert (code, json.loads(out)["status"]) == (0, status)


def test_ask_for_people_shows_claim_source_and_evidence(run: Any, ana: User) -> None:
    status, out, err = run("ask", PICKING_Q, "--as", "ana")
    assert status == 0
    assert "• O prazo de separação" in out
    assert "/documentos/ops-cd-sp/v1/" in out
    assert str(EvidenceRecord.objects.get().id) in out
    assert "searching" in err


def test_ask_on_a_day(run: Any, ana: User) -> None:
    _status, out, _err = run("ask", PICKING_Q, "--as", "ana", "--on", "2024-12-31", "--json")
    answer = json.loads(out)
    assert (answer["status"], answer["on"], answer["temporal"]) == ("not_found", "2024-12-31", "past")


def test_ask_within_a_conversation(run: Any, ana: User, tmp_path: Path) -> None:
    history = tmp_path / "history.json"
    turns = [{"role": "user", "text": "qual o prazo de separação de pedidos do CD-RJ?"}]
    history.write_text(json.dumps(turns), encoding="utf-8")
    _status, out, _err = run("ask", "e do CD-SP?", "--as", "ana", "--history", str(history), "--json")
    assert json.loads(out)["standalone_question"] == PICKING_Q


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--as", "ninguem"], "ninguem"),
        (["--as", "ana", "--on", "ontem"], "ontem"),
        (["--as", "ana", "--on", "2026-02-30"], "2026-02-30"),
        (["--as", "ana", "--history", "/nowhere/history.json"], "/nowhere/history.json"),
        (["--as", "ana", "--trace"], "forbidden"),
        ([], "--as"),
    ],
)
def test_ask_refuses_with_exit_status_2_and_one_line(run: Any, ana: User, arguments: list[str], says: str) -> None:
    status, out, err = run("ask", PICKING_Q, *arguments, "--json")
    assert status == 2
    if arguments:  # without --as the command line is not read as far as --json
        assert json.loads(out)["error"]["detail"] in err
    assert says in err.strip().splitlines()[-1]
    assert "Traceback" not in err
    assert not EvidenceRecord.objects.exists()


@pytest.mark.parametrize("text", ["", "{", "{}", "[1]", '[{"role": "system", "text": "x"}]', '[{"role": "user"}]'])
def test_a_history_that_is_none_is_refused(run: Any, ana: User, tmp_path: Path, text: str) -> None:
    history = tmp_path / "history.json"
    history.write_text(text)
    status, out, err = run("ask", PICKING_Q, "--as", "ana", "--history", str(history))
    assert (status, out) == (2, "")
    assert str(history) in err


def test_somebody_who_was_deactivated_looks_like_somebody_who_never_was(run: Any, ana: User) -> None:
    factories.person("gone", is_active=False)
    lines = [run("ask", PICKING_Q, "--as", name)[2].replace(name, "…") for name in ("gone", "never")]
    assert lines[0] == lines[1]


def test_only_an_auditor_sees_the_trace(run: Any) -> None:
    factories.person("lucas", roles=["auditor"])
    published("cofre", "1. Prazo\nO prazo de separação de pedidos do cofre é secreto.\n", readers=[])
    status, out, _err = run("ask", PICKING_Q, "--as", "lucas", "--trace", "--json")
    trace = json.loads(out)["trace"]
    assert status == 0
    assert {"document": "cofre", "revision": "v1", "reason": "no_permission"} in trace["excluded"]
    assert "secreto" not in out
    assert "trace" not in json.loads(run("ask", PICKING_Q, "--as", "lucas", "--json")[1])


# verify, export, replay


def test_verify_says_that_the_chain_holds_and_where_it_breaks(run: Any, ana: User) -> None:
    ask(ana, PICKING_Q)
    status, out, err = run("verify_evidence", "--json")
    root = json.loads(out)["root"]
    assert (status, json.loads(out), err) == (0, {"ok": True, "records": 1, "root": root, "breaks": []}, "")
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        EvidenceRecord.objects.update(status="blocked")
    status, out, _err = run("verify_evidence", "--json")
    told = json.loads(out)
    assert (status, told["ok"], told["breaks"][0]["sequence"]) == (1, False, 1)
    assert run("verify_evidence")[0] == 1


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_the_chain_can_be_checked_from_the_export_alone(run: Any, ana: User) -> None:
    for question in (PICKING_Q, "xyzzy?", f"{PICKING_Q} {1e-7} ção 🔥"):
        ask(ana, question)
    status, out, err = run("export_evidence", "--since", "2020-01-01")
    assert (status, err) == (0, "")
    previous = evidence.GENESIS
    for line in lines(out):
        assert line["previous_hash"] == previous
        hashed = {
            "sequence": line["sequence"],
            "id": line["id"],
            "recorded_at": line["recorded_at"],
            "reader_key": line["reader_key"],
            "body": line["body"],
            "previous": line["previous_hash"],
        }
        previous = hashlib.sha256(rfc8785.dumps(hashed)).hexdigest()
        assert line["hash"] == previous
        assert (line["status"], line["on"]) == (line["body"]["status"], line["body"]["on"])
    assert len(lines(out)) == 3


def test_an_export_holds_nothing_that_can_be_erased(run: Any, ana: User) -> None:
    ask(ana, f"meu CPF é 529.982.247-25: {PICKING_Q}")
    _status, out, _err = run("export_evidence", "--since", "2020-01-01")
    assert EvidenceQuestion.objects.get().question not in out
    assert "529.982.247-25" not in out
    assert "ana" not in {part for line in lines(out) for part in line}


@pytest.mark.parametrize("form", ["jsonl", "prov"])
def test_an_export_begins_on_a_day(run: Any, ana: User, form: str) -> None:
    ask(ana, PICKING_Q)
    assert len(lines(run("export_evidence", "--since", "2020-01-01", "--format", form)[1])) == 1
    assert run("export_evidence", "--since", "2999-01-01", "--format", form) == (0, "", "")
    assert run("export_evidence", "--since", "amanhã")[0] == 2


def test_replay_tells_then_and_now(run: Any, ana: User) -> None:
    answer = ask(ana, PICKING_Q)
    status, out, err = run("replay", answer["evidence"], "--json")
    told = json.loads(out)
    assert (status, told["differs"], told["eligible_now"], err) == (0, False, ["ops-cd-sp@v1"], "")
    portal.calibrate(2.0, 3.0)
    assert json.loads(run("replay", answer["evidence"], "--json")[1])["differs"] is True
    told = run("replay", answer["evidence"])[1]
    assert "Perguntada de novo hoje, o resultado é “não encontrada” e não mais “respondida”." in told
    assert "Outra versão de “limiares de recusa”" in told


@pytest.mark.parametrize("name", [MISSING, "nada", "' OR 1=1"])
def test_replay_of_a_record_that_is_not_there_is_refused(run: Any, name: str) -> None:
    status, out, err = run("replay", name, "--json")
    assert status == 2
    assert json.loads(out)["error"]["detail"] in err
    assert "Traceback" not in err


def test_an_exported_line_is_what_the_hash_covers(ana: User) -> None:
    ask(ana, PICKING_Q)
    record = EvidenceRecord.objects.get()
    line = exported(record)
    assert set(line) == {
        "sequence", "id", "recorded_at", "status", "on", "reader_key", "body", "previous_hash", "hash",
    }  # fmt: skip
    assert line["hash"] == record.hash


# Certificates


def certified(run: Any, answer: Any, folder: Path) -> Path:
    status, out, err = run("export_evidence", "--certificate", answer["evidence"])
    assert (status, err) == (0, "")
    path = folder / "certificado.json"
    path.write_text(out, encoding="utf-8")
    return path


def test_a_certificate_is_checked_without_a_database(run: Any, ana: User, tmp_path: Path) -> None:
    path = certified(run, [ask(ana, "xyzzy?"), ask(ana, PICKING_Q), ask(ana, "plugh?")][1], tmp_path)
    root = json.loads(run("verify_evidence", "--json")[1])["root"]
    with connection.execute_wrapper(no_database):
        status, out, err = run("verify_evidence", "--certificate", str(path), "--json")
        told = json.loads(out)
        assert (status, err, told["ok"]) == (0, "", True)
        assert set(told["checks"].values()) == {True, None}
        assert told["checks"]["seal"] is True
        status, out, _err = run("verify_evidence", "--certificate", str(path), "--root", root)
        assert status == 0
        assert "✓ a raiz é a que foi anotada em outro lugar" in out
        assert "O certificado confere." in out
        assert run("verify_evidence", "--certificate", str(path), "--root", f"3:{'0' * 64}")[0] == 1


def no_database(*arguments: Any) -> Any:
    raise AssertionError("a certificate is checked without a database")


def test_a_certificate_that_was_changed_does_not_hold(run: Any, ana: User, tmp_path: Path) -> None:
    path = certified(run, ask(ana, PICKING_Q), tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace("quatro", "cinco"), encoding="utf-8")
    status, out, err = run("verify_evidence", "--certificate", str(path))
    assert (status, err) == (1, "")
    for told in ("✗ o registro não é o do hash", "✗ um trecho não é o texto que foi enviado", "✗ o selo não confere"):
        assert told in out
    assert "O certificado NÃO confere." in out


def test_a_certificate_of_another_portal_asks_for_its_root(
    run: Any, ana: User, tmp_path: Path, settings: Settings
) -> None:
    path = certified(run, ask(ana, PICKING_Q), tmp_path)
    root = json.loads(run("verify_evidence", "--json")[1])["root"]
    settings.SECRET_KEY = "de outro portal"
    status, out, _err = run("verify_evidence", "--certificate", str(path))
    assert status == 1
    assert "--root" in out
    assert run("verify_evidence", "--certificate", str(path), "--root", root)[0] == 0


@pytest.mark.parametrize("text", [None, "", "{", "[]", "{}", '{"format": "certificate-0"}', "\udcff"])
def test_what_is_no_certificate_is_refused(run: Any, tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "certificado.json"
    if text is not None:
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    status, out, err = run("verify_evidence", "--certificate", str(path))
    assert (status, out) == (2, "")
    assert len(err.strip().splitlines()) == 1
    assert str(path) in err


def test_a_root_alone_is_refused(run: Any) -> None:
    assert run("verify_evidence", "--root", "1:00")[0] == 2


def test_an_export_asks_from_which_day_on(run: Any) -> None:
    status, out, err = run("export_evidence")
    assert (status, out) == (2, "")
    assert "--since" in err


def test_an_export_for_spreadsheets_has_one_row_a_record(run: Any, ana: User) -> None:
    ask(ana, PICKING_Q), ask(ana, "xyzzy?")
    _status, out, _err = run("export_evidence", "--since", "2020-01-01", "--format", "csv")
    assert len(out.splitlines()) == 3


@pytest.mark.parametrize("name", [MISSING, "nada"])
def test_a_certificate_of_a_record_that_is_not_there_is_refused(run: Any, name: str) -> None:
    status, out, err = run("export_evidence", "--certificate", name)
    assert (status, out) == (2, "")
    assert name in err


def test_the_chain_is_told_to_people_in_their_language(run: Any, ana: User) -> None:
    ask(ana, PICKING_Q)
    out = run("verify_evidence")[1]
    assert "1 registro: a cadeia está íntegra" in out
    assert "raiz 1:" in out
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        EvidenceRecord.objects.update(status="blocked")
    out = run("verify_evidence")[1]
    assert "foi alterado depois de escrito" in out
    assert "1 registro: 1 quebra" in out

"""What every command of the portal promises a program: one JSON value on standard output, also for a refusal."""

from __future__ import annotations

import errno
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from documents.cli import PortalCommand
from tests import factories

pytestmark = pytest.mark.django_db

REFUSALS = [
    (["ask", "Qual o prazo?", "--as", "ninguem"], "bad_input"),
    (["ask", "", "--as", "ana"], "bad_question"),
    (["ask", "Qual o prazo?", "--as", "ana", "--on", "ontem"], "bad_input"),
    (["govern", "publish", "nao-existe", "--as", "ana", "--reason", "r"], "not_found"),
    (["replay", "00000000-0000-0000-0000-000000000000"], None),
    (["import_corpus", "/nao/existe"], "bad_input"),
    (["evaluate", "/nao/existe.jsonl"], None),
    (["calibrate", "/nao/existe.jsonl"], None),
]


@pytest.mark.parametrize(("arguments", "code"), REFUSALS, ids=lambda value: value[0] if isinstance(value, list) else "")
def test_a_refusal_is_one_json_value_too(arguments: list[str], code: str | None) -> None:
    factories.person("ana")
    out = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command(*arguments, "--json", stdout=out, stderr=StringIO())
    error = json.loads(out.getvalue())["error"]
    assert refused.value.returncode == 2
    assert error["detail"] in str(refused.value)
    assert code in (None, error["code"])


@pytest.mark.parametrize(("arguments", "code"), REFUSALS[:1])
def test_a_person_reads_only_the_line(arguments: list[str], code: str) -> None:
    out = StringIO()
    with pytest.raises(CommandError):
        call_command(*arguments, stdout=out, stderr=StringIO())
    assert out.getvalue() == ""


def test_the_problems_of_a_manifest_stay_the_one_value(tmp_path: Path) -> None:
    (tmp_path / "corpus.yaml").write_text("unknown: 1\n")
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("import_corpus", str(tmp_path), "--json", stdout=out, stderr=StringIO())
    assert json.loads(out.getvalue())["problems"][0]["line"] == 1


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_a_refusal_that_says_what_to_do(number: int) -> None:
    out = StringIO()
    with pytest.raises(CommandError, match="make room") as refused:
        call_command(Failing(OSError(number, "no room")), "--json", stdout=out, stderr=StringIO())
    assert refused.value.returncode == 2
    assert json.loads(out.getvalue())["error"]["code"] == "no_room"


def test_another_failure_of_the_system_is_not_taken_for_a_full_disk() -> None:
    with pytest.raises(PermissionError):
        call_command(Failing(PermissionError(errno.EACCES, "not yours")), stdout=StringIO(), stderr=StringIO())


class Failing(PortalCommand):
    """A command that meets this error."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def run(self, **options: object) -> int:
        raise self._error

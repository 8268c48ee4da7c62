"""A folder of policies goes in, questions come back as quotes, and the evidence tells the whole way."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command

from governance.models import OwnerTask

pytestmark = pytest.mark.django_db(transaction=True)

MANIFEST = """\
people:
  - {username: ana.ops, name: Ana, units: [CD-SP], areas: [operacoes]}
  - {username: joao.poa, name: João, units: [POA]}
  - {username: bruno.ops, name: Bruno, areas: [operacoes]}
  - {username: rita.ops, name: Rita, areas: [operacoes], roles: [approver]}
  - {username: lucas.auditor, name: Lucas, roles: [auditor]}
areas: [{slug: operacoes, name: Operações}]
units:
  - {slug: CD-SP, name: CD São Paulo, jurisdiction: BR-SP}
  - {slug: POA, name: Porto Alegre, jurisdiction: BR-RS}
glossary:
  - {term: SLA, expansions: ["prazo"], area: operacoes, owner: bruno.ops, reason: sigla da casa}
documents:
  - code: ops-cd-sp
    title: Manual de operação CD-SP
    kind: manual
    area: operacoes
    owner: bruno.ops
    authority: official
    classification: internal
    readers: ["unit:CD-SP"]
    scope: {units: [CD-SP]}
    revisions:
      - {label: v2, file: v2.md, state: published, approver: rita.ops, valid_from: 2024-05-01, valid_until: 2026-03-01}
      - {label: v3, file: v3.md, state: published, approver: rita.ops, valid_from: 2026-03-01}
  - code: paletes-a
    title: Devolução de paletes
    kind: policy
    area: operacoes
    owner: bruno.ops
    authority: official
    classification: internal
    readers: ["group:todos"]
    subjects: [paletes]
    revisions:
      - {label: v1, file: paletes-a.md, state: published, approver: rita.ops, valid_from: 2025-01-01}
  - code: paletes-b
    title: Devolução de vasilhames
    kind: policy
    area: operacoes
    owner: bruno.ops
    authority: official
    classification: internal
    readers: ["group:todos"]
    subjects: [paletes]
    revisions:
      - {label: v1, file: paletes-b.md, state: published, approver: rita.ops, valid_from: 2025-01-01}
"""
MANUAL = "# Manual de operação CD-SP\n\n## 4. Prazos\n\nO prazo de separação de pedidos é de {} horas úteis.\n"
PALLETS = "# Devolução\n\n## 1. Prazo\n\nO prazo de devolução de paletes vazios ao fornecedor é de {} dias corridos.\n"
FILES = {
    "corpus.yaml": MANIFEST,
    "v2.md": MANUAL.format("seis"),
    "v3.md": MANUAL.format("quatro"),
    "paletes-a.md": PALLETS.format(15),
    "paletes-b.md": PALLETS.format(30),
}
QUESTION = "qual o SLA de separação de pedidos no CD-SP?"
PALLETS_Q = "qual o prazo de devolução de paletes vazios ao fornecedor?"

Run = Callable[..., Any]


@pytest.fixture
def run() -> Run:
    def command(*arguments: str) -> Any:
        out = StringIO()
        call_command(*arguments, stdout=out, stderr=StringIO())
        return json.loads(out.getvalue()) if "--json" in arguments else out.getvalue()

    return command


@pytest.fixture
def folder(tmp_path: Path, run: Run) -> Path:
    cache.clear()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    report = run("import_corpus", str(tmp_path), "--json")
    assert (report["created"], report["failed"]) == (4, [])
    return tmp_path


def ask(run: Run, question: str, user: str, *more: str) -> Any:
    return run("ask", question, "--as", user, *more, "--json")


def quote(answer: Any) -> str:
    assert answer["status"] == "answered", answer
    return str(answer["claims"][0]["citations"][0]["quote"])


def test_from_a_folder_to_answers_and_their_evidence(folder: Path, run: Run) -> None:
    answer = ask(run, QUESTION, "ana.ops")
    assert quote(answer) == "O prazo de separação de pedidos é de quatro horas úteis."
    cited = answer["claims"][0]["citations"][0]
    assert (cited["document"], cited["revision"], cited["section"]) == ("ops-cd-sp", "v3", "4. Prazos")
    assert (cited["owner"], cited["valid_from"], cited["authority"]) == ("Operações", "2026-03-01", "official")
    assert "seis horas" in quote(ask(run, QUESTION, "ana.ops", "--on", "2025-06-01"))
    hidden = ask(run, QUESTION, "joao.poa")
    assert hidden["status"] == "not_found"
    assert "quatro horas" not in str(hidden)

    conflict = ask(run, PALLETS_Q, "joao.poa")
    assert conflict["status"] == "conflict"
    assert {source["document"] for source in conflict["conflict"]["sources"]} == {"paletes-a", "paletes-b"}
    assert OwnerTask.objects.get().owner.username == "bruno.ops"  # type: ignore[union-attr]

    trace = ask(run, QUESTION, "lucas.auditor", "--trace")["trace"]
    assert {"document": "ops-cd-sp", "revision": "v3", "reason": "no_permission"} in trace["excluded"]
    verified = run("verify_evidence", "--json")
    assert (verified["ok"], verified["records"], verified["breaks"]) == (True, 5, [])
    assert len(run("export_evidence", "--since", "2020-01-01", "--format", "prov").splitlines()) == 5


def test_a_retirement_is_in_the_next_answer_and_in_the_replay(folder: Path, run: Run) -> None:
    answer = ask(run, QUESTION, "ana.ops")
    run("govern", "retire", "ops-cd-sp@v3", "--as", "rita.ops", "--reason", "processo novo")
    gone = ask(run, QUESTION, "ana.ops")
    assert gone["status"] == "not_found"
    assert "quatro horas" not in str(gone)
    told = run("replay", answer["evidence"], "--json")
    assert (told["status_then"], told["status_now"], told["differs"]) == ("answered", "not_found", True)
    assert told["reasons"] == ["ops-cd-sp@v3: eligible → retired"]
    run("govern", "restore", "ops-cd-sp@v3", "--as", "rita.ops", "--reason", "engano")
    assert "quatro horas" in quote(ask(run, QUESTION, "ana.ops"))
    assert run("replay", answer["evidence"], "--json")["differs"] is False


def test_a_changed_file_answers_from_today_and_the_past_stays(folder: Path, run: Run) -> None:
    before = ask(run, QUESTION, "ana.ops")
    (folder / "v3.md").write_text(MANUAL.format("três"), encoding="utf-8")
    assert run("import_corpus", str(folder), "--json")["created"] == 1
    assert "três horas" in quote(ask(run, QUESTION, "ana.ops"))
    assert "quatro horas" in quote(ask(run, QUESTION, "ana.ops", "--on", "2026-04-01"))
    told = run("replay", before["evidence"], "--json")
    assert told["differs"] is True
    assert "ops-cd-sp@v3: eligible → superseded" in told["reasons"]


def test_a_rebuilt_index_answers_the_same(folder: Path, run: Run) -> None:
    before = ask(run, QUESTION, "ana.ops")
    run("reindex")
    run("check_index", "--json")
    after = ask(run, QUESTION, "ana.ops")
    assert quote(after) == quote(before)
    told = run("replay", before["evidence"], "--json")
    assert (told["differs"], list(told["versions"])) == (False, ["index"])

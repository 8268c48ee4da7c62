"""Corpus folders for tests: written, changed and imported through the command."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import yaml
from django.core.management import CommandError, call_command

from documents.models import Document, IndexEntry, Revision
from governance.models import AuditEvent

TEXT = (
    "# Prazos\n\nO prazo de separação é de {hours} horas úteis.\n\n# Exceções\n\nPedidos urgentes têm regra própria.\n"
)
BASE: dict[str, Any] = {
    "people": [
        {"username": "ana", "name": "Ana Souza", "groups": ["operacoes"], "units": ["CD-SP"], "areas": ["operacoes"]},
        {"username": "rita", "areas": ["operacoes", "rh"], "roles": ["approver"]},
        {"username": "bruno", "name": "Bruno", "areas": ["operacoes", "rh"]},
    ],
    "areas": [{"slug": "operacoes", "name": "Operações"}, {"slug": "rh", "name": "Pessoas"}],
    "units": [{"slug": "CD-SP", "name": "CD São Paulo", "jurisdiction": "BR-SP"}],
    "glossary": [{"term": "SLA", "expansions": ["prazo"], "owner": "ana", "reason": "de uso comum"}],
    "channels": [{"label": "Atendimento", "url": "https://ajuda.example/"}],
    "documents": [
        {
            "code": "manual",
            "title": "Manual de operação",
            "kind": "manual",
            "area": "operacoes",
            "owner": "bruno",
            "readers": ["group:todos"],
            "revisions": [
                {"label": "v1", "file": "manual-v1.md", "state": "published", "approver": "rita",
                 "valid_from": date(2024, 1, 1)},
                {"label": "v2", "file": "manual-v2.md", "state": "published", "approver": "rita",
                 "valid_from": date(2025, 1, 1)},
                {"label": "v3", "file": "manual-v3.md", "state": "draft"},
            ],
        },
        {
            "code": "folha",
            "title": "Folha de pagamento",
            "kind": "policy",
            "area": "rh",
            "owner": "bruno",
            "readers": ["area:rh", "user:ana"],
            "classification": "confidential",
            "revisions": [
                {"label": "1.0", "file": "folha.md", "state": "published", "approver": "rita",
                 "valid_from": date(2025, 6, 1)},
            ],
        },
    ],
    "relations": [{"kind": "derives_from", "from": ["manual"], "to": "folha", "reason": "teste"}],
    "precedence": [
        {"prevails": "manual", "over": "folha", "owner": "bruno", "reason": "teste", "valid_from": date(2025, 6, 1)}
    ],
}  # fmt: skip


@dataclass
class Result:
    status: int
    report: dict[str, Any]
    stderr: str

    @property
    def counts(self) -> tuple[int, int, int, int]:
        report = self.report
        return report["created"], report["unchanged"], report["updated"], len(report["failed"])

    @property
    def failed(self) -> dict[str, str]:
        return {f"{one['code']}@{one['revision']}": one["reason"] for one in self.report["failed"]}


@dataclass
class Folder:
    """`manifest` is written as YAML at each import; texts are files beside it."""

    path: Path
    manifest: dict[str, Any] = field(default_factory=lambda: copy.deepcopy(BASE))

    def __post_init__(self) -> None:
        for name, hours in (("manual-v1", "seis"), ("manual-v2", "quatro"), ("manual-v3", "duas"), ("folha", "dez")):
            self.text(f"{name}.md", hours)

    def text(self, name: str, hours: str) -> None:
        (self.path / name).write_text(TEXT.format(hours=hours), encoding="utf-8")

    def document(self, code: str = "manual") -> dict[str, Any]:
        return next(one for one in self.manifest["documents"] if one["code"] == code)

    def revision(self, label: str, code: str = "manual") -> dict[str, Any]:
        return next(one for one in self.document(code)["revisions"] if one["label"] == label)

    def write(self) -> None:
        (self.path / "corpus.yaml").write_text(yaml.safe_dump(self.manifest, allow_unicode=True), encoding="utf-8")

    def run(self) -> Result:
        self.write()
        return run(self.path)


def run(path: Path, *arguments: str) -> Result:
    out, errors = StringIO(), StringIO()
    status = 0
    try:
        call_command("import_corpus", str(path), "--json", *arguments, stdout=out, stderr=errors)
    except SystemExit as left:
        status = int(left.code or 0)
    except CommandError as error:
        status = error.returncode
        errors.write(str(error))
    return Result(status, json.loads(out.getvalue()) if out.getvalue() else {}, errors.getvalue())


def states(code: str = "manual") -> dict[str, str]:
    rows = Revision.objects.filter(document__code=code).order_by("pk")
    return dict(rows.values_list("label", "state"))


def in_force(code: str, on: date) -> list[str]:
    rows = Revision.objects.in_force(on).filter(document__code=code)
    return list(rows.values_list("label", flat=True))


def everything() -> dict[str, object]:
    """All that an import may write, so that "nothing changed" can be said of it."""
    return {
        "documents": list(Document.objects.order_by("pk").values()),
        "revisions": list(Revision.objects.order_by("pk").values()),
        "audit": AuditEvent.objects.count(),
        "entries": list(IndexEntry.objects.order_by("pk").values_list("pk", "audience", "valid_from", "valid_until")),
    }

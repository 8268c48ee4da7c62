"""Folders of policies of which every sentence is known: a question about an item has one right answer on any day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

HEAD = """\
people:
  - {username: dona, name: Dona, areas: [operacoes]}
  - {username: fiscal, name: Fiscal, areas: [operacoes], roles: [approver]}
  - {username: leitor, name: Leitor}
areas: [{slug: operacoes, name: Operações}]
documents:
"""
DOCUMENT = """\
  - code: {code}
    title: Norma do item {name}
    kind: policy
    area: operacoes
    owner: dona
    authority: official
    classification: internal
    readers: ["group:todos"]
    revisions:
      - {{label: v1, file: {code}-v1.md, state: published, approver: fiscal, valid_from: 2025-01-01}}
"""
SUCCESSOR = "      - {{label: v2, file: {code}-v2.md, state: approved, approver: fiscal, valid_from: {start}}}\n"
TEXT = """\
# Norma do item {name}

## 1. Limite

O limite de estoque do item {name} é de {limit} unidades por filial.

## 2. Conferência

A conferência do item {name} é feita pelo encarregado do turno antes da saída da carga.
"""
SECTION = """
## {number}. Depósito {number}

O limite de estoque do item {name} no depósito {number} é de {limit} unidades por dia.
"""


@dataclass(frozen=True)
class Item:
    """One document: `limits` are what its v1 and its v2 say."""

    code: str
    limits: tuple[int, int]

    @property
    def name(self) -> str:
        return self.code.upper()

    @property
    def question(self) -> str:
        return f"qual o limite de estoque do item {self.name}?"


def items(prefix: str, count: int) -> list[Item]:
    return [Item(f"{prefix}-{number:04}", (1000 + number, 5000 + number)) for number in range(count)]


def write(
    folder: Path, wanted: list[Item], *, successors: bool = False, first_day: date | None = None, sections: int = 0
) -> Path:
    """A manifest of `wanted`, each in force; with `successors` each also has an approved v2.

    The v2 is for the days from `first_day`, by default a week ago. It has so many `sections` more, each of which is a
    passage.
    """
    folder.mkdir(parents=True)
    start = (first_day or date.today() - timedelta(days=7)).isoformat()
    entries = []
    for item in wanted:
        entries.append(DOCUMENT.format(code=item.code, name=item.name))
        for label, limit in zip(("v1", "v2"), item.limits, strict=True):
            text = TEXT.format(name=item.name, limit=limit)
            if label == "v2":
                text += "".join(
                    SECTION.format(number=number, name=item.name, limit=limit) for number in range(3, 3 + sections)
                )
            (folder / f"{item.code}-{label}.md").write_text(text)
        if successors:
            entries.append(SUCCESSOR.format(code=item.code, start=start))
    (folder / "corpus.yaml").write_text(HEAD + "".join(entries))
    return folder

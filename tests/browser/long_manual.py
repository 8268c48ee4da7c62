"""A folder to import with one manual of forty pages in two versions: numbered parts, tables, lists, long titles."""

from __future__ import annotations

import random
import sys
from pathlib import Path

CODE = "manual-de-quarenta-paginas"
TITLE = "Manual integrado de operação, segurança, qualidade e atendimento dos centros de distribuição e das filiais"
QUOTE = "O responsável pela parte 28 responde em até 7 dias úteis."
WORDS = (
    "operação pedido separação conferência transporte motorista doca prazo cliente nota fiscal gerente turno registro "
    "carga veículo unidade segurança procedimento aprovação sistema relatório inspeção equipe material saída entrada"
).split()


def write(folder: Path, *, brief: bool = False) -> Path:
    """`folder` with the manifest and both files; always the same bytes. `brief`: as many parts, less in each."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "v1.md").write_text(_text(1, brief=brief), encoding="utf-8")
    (folder / "v2.md").write_text(_text(2, brief=brief), encoding="utf-8")
    decided = "state: published, approver: rita.ops"
    (folder / "corpus.yaml").write_text(
        f"""documents:
  - code: {CODE}
    title: "{TITLE}"
    kind: manual
    area: operacoes
    owner: bruno.ops
    readers: ["group:todos"]
    source: {{kind: folder, uri: "manuais/quarenta-paginas.md"}}
    revisions:
      - {{label: v1, file: v1.md, {decided}, valid_from: 2024-01-01, valid_until: 2026-01-01}}
      - {{label: v2, file: v2.md, {decided}, valid_from: 2026-01-01}}
""",
        encoding="utf-8",
    )
    return folder


def _text(version: int, *, brief: bool) -> str:
    """Some 250 words a page, and a quarter of that when brief: each sentence is embedded with its heading."""
    count, length, rows, points = (1, 30, 2, 1) if brief else (2, 80, 4, 4)
    chance = random.Random(40)
    paragraphs = [f"{_words(chance, length)}.\n" for _paragraph in range(12)]
    stages = [f"{_words(chance, 3)} | {_words(chance, 2)}" for _row in range(rows)]
    items = [f"- {_words(chance, 8)};" for _item in range(12)]
    parts = [f"# {TITLE}\n"]
    for number in range(1, 41):
        parts.append(f"## {number}. {_words(chance, 4)} de {_words(chance, 3)}\n")
        parts.append(f"O responsável pela parte {number} responde em até {number % 7 + 7} dias úteis.\n")
        parts += chance.sample(paragraphs, count)
        parts.append("| Etapa | Responsável | Prazo | Onde |\n|-|-|-|-|")
        limit = 4 if version == 2 and number % 5 == 0 else 2
        parts += [f"| {stage} | {row + limit} horas | Doca {row} |" for row, stage in enumerate(stages)]
        parts.append(f"\n### {number}.1 {_words(chance, 5)}\n")
        parts += chance.sample(items, points)
        parts.append("")
    return "\n".join(parts)


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(WORDS, k=count)).capitalize()


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))

"""How fast a folder of documents goes in: once with every text new to the model, once with every vector known."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import yaml
from numpy.random import Generator

from documents.models import Chunk
from evaluation.bench import company, words
from evaluation.bench.documents import PER_REVISION, Passages, World, headings, passages_of
from evaluation.bench.fill import Progress
from governance.importing.corpus import import_corpus

DOCUMENTS = 8
OWNER, APPROVER = "bench.dona", "bench.aprova"


@dataclass(frozen=True, slots=True)
class Imports:
    """`passages_per_second` with the model at work, `documents_per_second` with every vector in the cache."""

    documents: int
    passages: int
    passages_per_second: float
    documents_per_second: float


def measure(world: World, random: Generator, say: Progress, documents: int = DOCUMENTS) -> Imports:
    """Import generated Markdown through the portal's own door, twice under two sets of codes."""
    texts = [
        passages_of(world, words.subject(world.vocabulary, random), PER_REVISION, random) for _ in range(documents)
    ]
    before = Chunk.objects.count()
    cold = _import("novo", texts, say)
    passages = Chunk.objects.count() - before
    warm = _import("conhecido", texts, say)
    return Imports(documents, passages, passages / cold, documents / warm)


def _import(prefix: str, texts: Sequence[Passages], say: Progress) -> float:
    """Seconds."""
    with tempfile.TemporaryDirectory(prefix="kbportal-bench-") as name:
        folder = Path(name)
        _write(folder, prefix, texts)
        began = perf_counter()
        report = import_corpus(folder, say)
        spent = perf_counter() - began
    if report.failed:
        raise RuntimeError(f"the import failed: {report.failed[0].reason}")
    return spent


def _write(folder: Path, prefix: str, texts: Sequence[Passages]) -> None:
    documents = []
    for number, passages in enumerate(texts, 1):
        file = f"{number}.md"
        parts = [f"## {heading}\n\n{text}\n" for heading, text in zip(headings(passages), passages.texts, strict=True)]
        # Titles are part of what is embedded: equal ones make the second import find every vector.
        (folder / file).write_text(f"# Documento {number}\n\n" + "\n".join(parts), encoding="utf-8")
        revision = {"label": "v1", "file": file, "state": "published", "approver": APPROVER, "valid_from": "2026-01-01"}
        documents.append(
            {
                "code": f"{prefix}-{number}",
                "title": f"Documento {number}",
                "kind": "manual",
                "area": company.AREAS[0],
                "owner": OWNER,
                "readers": [company.EVERYONE],
                "revisions": [revision],
            }
        )
    people = [
        {"username": OWNER, "name": OWNER, "areas": [company.AREAS[0]]},
        {"username": APPROVER, "name": APPROVER, "areas": [company.AREAS[0]], "roles": ["approver"]},
    ]
    areas = [{"slug": company.AREAS[0], "name": company.AREAS[0].title()}]
    manifest = {"people": people, "areas": areas, "documents": documents}
    (folder / "corpus.yaml").write_text(yaml.safe_dump(manifest, allow_unicode=True), encoding="utf-8")

"""How fast a folder of documents goes in: with the model at work, and as a bulk load without it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import yaml
from django.conf import settings
from django.test.utils import override_settings
from numpy.random import Generator

from documents.models import Chunk
from evaluation.bench import company, words
from evaluation.bench.documents import PER_REVISION, Passages, World, headings, passages_of
from evaluation.bench.fill import Progress
from evaluation.bench.machine import children_cpu, cpu, own_memory
from governance.importing.corpus import import_corpus

EMBEDDED = 8
OWNER, APPROVER = "bench.dona", "bench.aprova"
STILL = {"BACKEND": "evaluation.bench.still.Embedder"}


@dataclass(frozen=True, slots=True)
class Bulk:
    """A load without a model. `cpu_ms` is the processor time of one document: of this process, of those that read its
    files, and of the database's.

    `memory_mb` is what the importing process holds after a fifth of the time, after a half, at the end, and at most.
    """

    documents: int
    passages: int
    per_second: float
    cpu_ms: float
    memory_mb: tuple[float, ...]


def bulk(world: World, random: Generator, say: Progress, documents: int) -> Bulk:
    """Import generated Markdown through the portal's own door, into a database where nothing else is."""
    held: list[tuple[float, float]] = []
    texts = _texts(world, random, documents)

    def watched(line: str) -> None:
        """Every line of progress is a moment to look at the memory."""
        held.append((perf_counter(), own_memory()))
        say(line)

    with (
        override_settings(KB_BACKENDS=settings.KB_BACKENDS | {"embedder": STILL}),
        _folder("muitos", texts, "published") as folder,
    ):
        texts.clear()  # from here on the folder has them
        began, used = perf_counter(), cpu() + children_cpu()
        _import(folder, watched)
        spent, used = perf_counter() - began, cpu() + children_cpu() - used
    held.append((began + spent, own_memory()))
    seen = [next(mb for moment, mb in held if moment >= began + spent * part) for part in (0.2, 0.5, 1)]
    most = max(mb for _moment, mb in held)
    return Bulk(documents, Chunk.objects.count(), documents / spent, used * 1000 / documents, (*seen, most))


def embedded(world: World, random: Generator, say: Progress, documents: int) -> float:
    """Passages a second with the model at work, every text new to it."""
    began = perf_counter()
    imported("novo", _texts(world, random, min(EMBEDDED, documents)), say)
    return Chunk.objects.count() / (perf_counter() - began)


def _texts(world: World, random: Generator, count: int) -> list[Passages]:
    return [passages_of(world, words.subject(world.vocabulary, random), PER_REVISION, random) for _ in range(count)]


def imported(prefix: str, texts: Sequence[Passages], say: Progress, state: str = "published") -> list[str]:
    """The codes of the documents that the texts became."""
    with _folder(prefix, texts, state) as folder:
        _import(folder, say)
    return [_code(prefix, number) for number in range(1, len(texts) + 1)]


def _import(folder: Path, say: Progress) -> None:
    report = import_corpus(folder, say)
    if report.failed:
        raise RuntimeError(f"the import failed: {report.failed[0].reason}")


@contextmanager
def _folder(prefix: str, texts: Sequence[Passages], state: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="kbportal-bench-") as name:
        _write(Path(name), prefix, texts, state)
        yield Path(name)


def _code(prefix: str, number: int) -> str:
    return f"{prefix}-{number}"


def _write(folder: Path, prefix: str, texts: Sequence[Passages], state: str) -> None:
    documents = []
    for number, passages in enumerate(texts, 1):
        file = f"{number}.md"
        parts = [f"## {heading}\n\n{text}\n" for heading, text in zip(headings(passages), passages.texts, strict=True)]
        (folder / file).write_text(f"# Documento {number}\n\n" + "\n".join(parts), encoding="utf-8")
        revision = {"label": "v1", "file": file, "state": state, "approver": APPROVER, "valid_from": "2026-01-01"}
        documents.append(
            {
                "code": _code(prefix, number),
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

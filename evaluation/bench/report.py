"""The benchmark's figures as lines of text."""

from __future__ import annotations

from evaluation.bench.measures import Times
from evaluation.bench.run import Result


def lines(result: Result) -> list[str]:
    where, corpus, answers = result.machine, result.corpus, result.answers
    found, imports, readers = result.retrieval, result.imports, result.readers
    versions = ", ".join(f"{name} {version}" for name, version in where.versions.items())
    statuses = ", ".join(f"{count} {status}" for status, count in answers.statuses.items())
    held = ", ".join(f"{name} {mb:.0f}" for name, mb in result.memory.items())
    return [
        f"{where.processor}, {where.cores} cores, {where.memory_mb} MB, load {where.load} at the start",
        f"{where.system}; {versions}",
        f"{corpus.passages} passages, {corpus.documents} documents, {corpus.words} words, engine {corpus.engine},"
        f" {corpus.embedder}; index built in {corpus.index_seconds:.0f} s",
        "",
        f"{'milliseconds':44} {'n':>5} {'p50':>8} {'p95':>8} {'most':>8} {'cpu':>8}",
        _line("retrieval, with filter and re-check", found.whole),
        _line("  the same, vector of the question known", found.known_vector),
        _line("  vector of the question alone", found.embedding),
        _line("question to recorded answer or refusal", answers.every),
        _line("  those that were answered", answers.answered),
        f"answers: {statuses}",
        f"a reader's list of {readers.documents} documents, {readers.grants} grants: {readers.list_ms:.1f} ms,"
        f" audience keys {readers.keys_ms:.1f} ms",
        f"import: {imports.documents_per_second:.1f} documents/s without embedding,"
        f" {imports.passages_per_second:.2f} passages/s with",
        f"memory, MB: {held}",
    ]


def _line(name: str, value: Times | None) -> str:
    if value is None:
        return f"{name:44} {'–':>5}"
    cpu = "" if value.cpu is None else f"{value.cpu:8.1f}"
    return f"{name:44} {value.n:5} {value.p50:8.1f} {value.p95:8.1f} {value.most:8.1f} {cpu}".rstrip()

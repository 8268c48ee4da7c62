"""The benchmark's figures as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluation.bench.measures import Times
from evaluation.bench.run import Alone, Result


def lines(results: Sequence[Result], alone: Sequence[Alone]) -> list[str]:
    return [line for result in results for line in _of(result)] + list(_growth(results)) + list(_alone(alone))


def _of(result: Result) -> Iterator[str]:
    where, corpus = result.machine, result.corpus
    versions = ", ".join(f"{name} {version}" for name, version in where.versions.items())
    built = f"index built in {corpus.index_seconds:.0f} s" if corpus.index_seconds else "index kept"
    yield f"{where.processor}, {where.cores} cores, {where.memory_mb} MB, load {where.load} at the start"
    yield f"{where.system}; {versions}"
    yield f"{corpus.passages} passages, {corpus.documents} documents, {corpus.words} words"
    yield f"engine {corpus.engine}, {corpus.embedder}; {built}"
    yield ""
    yield f"{'milliseconds':44} {'n':>5} {'p50':>8} {'p95':>8} {'most':>8} {'cpu':>8}"
    if result.retrieval is not None:
        yield _line("retrieval, with filter and re-check", result.retrieval.whole)
        yield _line("  the same, vector of the question known", result.retrieval.known_vector)
        yield _line("  vector of the question alone", result.retrieval.embedding)
    if result.answers is not None:
        yield _line("question to recorded answer or refusal", result.answers.every)
        yield _line("  those that were answered", result.answers.answered)
    if result.crowd is not None:
        yield _line(f"{result.crowd.people} people, each a question every 10 s", result.crowd.answers)
    if result.publication is not None:
        yield _line("publish to the first answer that quotes it", result.publication)
    if result.answers is not None:
        yield "answers: " + ", ".join(f"{count} {status}" for status, count in result.answers.statuses.items())
    if result.crowd is not None:
        yield f"errors among {result.crowd.people} people: {result.crowd.errors}; web {result.crowd.memory_mb:.0f} MB"
    for found in result.neighbours or ():
        yield f"neighbours, {found.eligible:.1%} eligible: recall@10 {found.recall:.3f}"
    yield "memory, MB: " + ", ".join(f"{name} {mb:.0f}" for name, mb in result.memory.items())
    yield ""


def _growth(results: Sequence[Result]) -> Iterator[str]:
    """How much longer the largest takes than the smallest."""
    if len(results) < 2:
        return
    small, large = results[0], results[-1]
    pairs = []
    if small.retrieval is not None and large.retrieval is not None:
        pairs.append(("retrieval", small.retrieval.whole, large.retrieval.whole))
        pairs.append(("retrieval, vector known", small.retrieval.known_vector, large.retrieval.known_vector))
    if small.answers is not None and large.answers is not None:
        pairs.append(("answer", small.answers.every, large.answers.every))
    yield f"growth from {small.corpus.passages} to {large.corpus.passages} passages"
    for name, one, other in pairs:
        cpu = "" if one.cpu is None or other.cpu is None else f", cpu x {other.cpu / one.cpu:.2f}"
        yield f"{name:44} p50 x {other.p50 / one.p50:.2f}, p95 x {other.p95 / one.p95:.2f}{cpu}"
    yield ""


def _alone(alone: Sequence[Alone]) -> Iterator[str]:
    for found in alone:
        if found.readers is not None:
            yield (
                f"a reader's list of {found.readers.documents} documents, {found.readers.grants} grants:"
                f" {found.readers.list_ms:.1f} ms, audience keys {found.readers.keys_ms:.1f} ms"
            )
        if found.bulk is not None:
            yield (
                f"import of {found.bulk.documents} documents without embedding: {found.bulk.per_second:.1f}"
                f" documents/s, cpu {found.bulk.cpu_ms:.1f} ms each"
            )
            held = ", ".join(f"{mb:.0f}" for mb in found.bulk.memory_mb)
            yield f"  memory after a fifth of the time, a half, at the end, at most: {held} MB"
        if found.embedding is not None:
            yield f"import with embedding: {found.embedding:.2f} passages/s"


def _line(name: str, value: Times | None) -> str:
    if value is None:
        return f"{name:44} {'–':>5}"
    cpu = "" if value.cpu is None else f"{value.cpu:8.1f}"
    return f"{name:44} {value.n:5} {value.p50:8.1f} {value.p95:8.1f} {value.most:8.1f} {cpu}".rstrip()

"""The embedded engine: BM25 in a folder, vectors in PostgreSQL, the same entries and the same filter in both."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from django.conf import settings
from django.db import Error, transaction

from documents.models import IndexEntry
from documents.models.vector import as_sent
from documents.search import binary, graphs, lexical_schema, pgvector
from documents.search.base import (
    NEVER,
    EngineUnavailable,
    Entry,
    Filter,
    FilterFields,
    Held,
    Lists,
    Query,
    vector_fingerprint,
)
from documents.search.lexical import LexicalIndex

_pool = ThreadPoolExecutor(4, thread_name_prefix="lexical")

FILTER_FIELDS = (
    "revision_id", "audience", "valid_from", "valid_until", "standing", "owned", "corpus", "area",
)  # fmt: skip
ENTRY = {"version_id": "int8", "chunk_id": "int8", "vector": "bytea"} | dict(
    zip(FILTER_FIELDS, ("int8", "text", "int4", "int4", "text", "bool", "text", "text"), strict=True)
)
"""The columns of a row of `IndexEntry`, as they are sent."""


class Engine:
    """Holds each index version as rows of `IndexEntry` and as a folder below `path`.

    The folder is written first: should the process die between the two, the rows still differ from the truth, and
    the next convergence writes both again.
    """

    name = "postgres"
    layout = f"lexical-{lexical_schema.VERSION}"

    def __init__(self, path: str | Path | None = None) -> None:
        self._path = Path(path) if path is not None else None
        self._indexes: dict[int, LexicalIndex] = {}

    def create(self, version: int, dimensions: int) -> None:
        self._lexical(version).create()

    def put(self, version: int, entries: Sequence[Entry], revisions: Iterable[int]) -> None:
        revisions = list(revisions)
        with self._lexical(version).writer() as writer:
            for revision in revisions:
                writer.delete_revision(revision)
            writer.put(entries)
        with _answering(), transaction.atomic():
            IndexEntry.objects.filter(version_id=version, revision_id__in=revisions).delete()
            binary.copy("documents_indexentry", ENTRY, (_row(version, entry) for entry in entries))

    def refilter(self, version: int, entries: Sequence[Entry]) -> None:
        with self._lexical(version).writer() as writer:
            writer.put(entries)
        chunks: dict[FilterFields, list[int]] = {}
        for entry in entries:
            chunks.setdefault(entry.filter_fields, []).append(entry.chunk_id)
        with _answering(), transaction.atomic():
            for fields, ids in chunks.items():
                IndexEntry.objects.filter(version_id=version, chunk_id__in=ids).update(**_columns(fields))

    def finish(self, version: int) -> None:
        with _answering():
            graphs.finish(version)

    def activate(self, version: int) -> None:
        """Nobody looks for an embedded index by name."""

    def search(self, version: int, query: Query, filters: Sequence[Filter], limit: int) -> list[Lists]:
        asked = [f for f in filters if f.audiences or f.inverted]
        lexical = self._lexical(version)
        if query.vector is None or not asked:
            return [Lists(lexical.search(query.text, f, limit), ()) for f in filters]
        # While the database looks for vectors, this process looks for words.
        words = _pool.submit(lambda: [lexical.search(query.text, f, limit) for f in filters])
        try:
            with _answering():
                found = pgvector.nearest(version, query.vector, asked, limit)
        finally:
            words.exception()  # nothing of a search goes on after it
        vectors = dict(zip(asked, found, strict=True))
        return [Lists(hits, vectors.get(f, ())) for f, hits in zip(filters, words.result(), strict=True)]

    def lexical_scores(self, version: int, text: str, chunk_ids: Sequence[int]) -> dict[int, float]:
        return self._lexical(version).scores(text, chunk_ids)

    def document_frequency(self, version: int, terms: Sequence[str]) -> dict[str, int]:
        return self._lexical(version).document_frequency(terms)

    def known(self, version: int, terms: Sequence[str], filters: Sequence[Filter]) -> frozenset[str]:
        return self._lexical(version).known(terms, filters)

    def size(self, version: int) -> int:
        return self._lexical(version).total

    def held(
        self, version: int, revisions: Sequence[int] | None = None, *, every_copy: bool = False
    ) -> dict[int, Held]:
        rows = IndexEntry.objects.filter(version_id=version)
        if revisions is not None:
            rows = rows.filter(revision_id__in=revisions)
        in_words = self._lexical(version).held(revisions)
        held: dict[int, Held] = {}
        with _answering():
            for chunk, vector, *columns in rows.values_list("chunk_id", "vector", *FILTER_FIELDS).iterator():
                fields = cast("FilterFields", tuple(columns))
                same = in_words.pop(chunk, None) == (fields[0], lexical_schema.filter_hash(fields))
                held[chunk] = Held(fields, vector_fingerprint(vector), () if same else ("words",))
        for chunk, (revision, _hash) in in_words.items():
            held[chunk] = Held((revision, "", *NEVER, "", False, "", ""), "", ("vectors",))
        return held

    def drop(self, version: int) -> None:
        self._indexes.pop(version, None)
        graphs.drop(version)
        IndexEntry.objects.filter(version_id=version).delete()
        shutil.rmtree(self._folder(version), ignore_errors=True)

    def _lexical(self, version: int) -> LexicalIndex:
        return self._indexes.setdefault(version, LexicalIndex(self._folder(version)))

    def _folder(self, version: int) -> Path:
        return (self._path or Path(settings.KB_INDEX_PATH)) / str(version)


def _row(version: int, entry: Entry) -> tuple[object, ...]:
    return version, entry.chunk_id, as_sent(entry.vector), *entry.filter_fields


def _columns(fields: FilterFields) -> dict[str, object]:
    return dict(zip(FILTER_FIELDS, fields, strict=True))


@contextmanager
def _answering() -> Iterator[None]:
    try:
        yield
    except Error as error:
        raise EngineUnavailable(f"the database did not answer: {error}") from error

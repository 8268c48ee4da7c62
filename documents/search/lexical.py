"""The lexical half of the embedded engine: BM25 over our own terms, filtered before it ranks. No framework.

Text is analysed by `documents.rules.terms` and handed to tantivy as finished terms, so that index, question and
coverage agree on every word. One writer at a time; readers see each commit.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import tantivy
from tantivy import Occur, Query

from documents.rules import terms
from documents.search import lexical_schema as schema
from documents.search.base import EngineUnavailable, Entry, Filter, Hit, IndexOutdated

_HEAP = 48_000_000
# Ties are put in the order of chunk ids; this many more are read so that a tie at the cut is seen whole.
_TIES = 32


class IndexUnavailable(EngineUnavailable):
    """The index is missing or damaged: rebuild it."""


class WriterBusy(EngineUnavailable):
    """Someone else is writing to this index."""


class Writer:
    """Changes that become visible together, when the block that opened it ends without an error."""

    def __init__(self, writer: tantivy.IndexWriter, path: Path) -> None:
        self._writer, self._path = writer, path

    def put(self, entries: Sequence[Entry]) -> None:
        """Add or replace, by chunk id."""
        self.delete([entry.chunk_id for entry in entries])
        for entry in entries:
            document = schema.document(entry)
            with _clear_errors(self._path):  # a disk may be full long before the commit
                self._writer.add_document(document)

    def delete(self, chunk_ids: Sequence[int]) -> None:
        if chunk_ids:
            self._delete(Query.term_set_query(schema.SCHEMA, "chunk", list(chunk_ids)))

    def delete_revision(self, revision_id: int) -> None:
        self._delete(Query.term_query(schema.SCHEMA, "revision", revision_id))

    def _delete(self, query: Query) -> None:
        with _clear_errors(self._path):
            self._writer.delete_documents_by_query(query)


class LexicalIndex:
    """The index in one folder. The constructor touches nothing; every method raises `IndexUnavailable`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._index: tantivy.Index | None = None
        self._seen: tuple[int, int, int] | None = None

    def create(self) -> None:
        """Make the folder and an empty index in it. Safe to repeat: what is there stays."""
        with _clear_errors(self._path):
            self._path.mkdir(parents=True, exist_ok=True)
            if not tantivy.Index.exists(str(self._path)):
                tantivy.Index(schema.SCHEMA, path=str(self._path))
            stamp = self._path / schema.STAMP_FILE
            if not stamp.exists():
                stamp.write_text(json.dumps(schema.STAMP))

    @contextmanager
    def writer(self) -> Iterator[Writer]:
        """One block, one commit; nothing of it if it fails. Raises `WriterBusy` while another one is open."""
        index = self._opened()
        try:
            inner = index.writer(heap_size=_HEAP, num_threads=1)
        except ValueError as error:
            if "LockBusy" in str(error):
                raise WriterBusy(f"another process is writing to {self._path}") from error
            raise IndexUnavailable(f"cannot write to {self._path}: {error}") from error
        try:
            yield Writer(inner, self._path)
            with _clear_errors(self._path):
                inner.commit()
        except BaseException:
            with _clear_errors(self._path):
                inner.rollback()
            raise
        finally:
            with _clear_errors(self._path):
                inner.wait_merging_threads()

    def search(self, text: str, filter_: Filter, limit: int) -> tuple[Hit, ...]:
        """The best `limit` chunks that pass the filter, best first, ties by chunk id. No audience, no call."""
        if limit < 1 or (not filter_.audiences and not filter_.inverted):
            return ()
        with self._searching() as searcher:
            query = _scored(searcher, text)
            if query is None:
                return ()
            return _hits(searcher, _both(query, schema.allowed(filter_)), limit)

    def scores(self, text: str, chunk_ids: Sequence[int]) -> dict[int, float]:
        """The score of each given chunk that matches at all: for those that only the vectors found."""
        if not chunk_ids:
            return {}
        with self._searching() as searcher:
            query = _scored(searcher, text)
            if query is None:
                return {}
            only = Query.term_set_query(schema.SCHEMA, "chunk", list(chunk_ids))
            return {hit.chunk_id: hit.score for hit in _hits(searcher, _both(query, only), len(chunk_ids))}

    def document_frequency(self, stems: Sequence[str]) -> dict[str, int]:
        """In how many chunks each stem or code stands, heading included."""
        with self._searching() as searcher:
            return {stem: _frequency(searcher, stem) for stem in stems}

    def known(self, stems: Sequence[str], filters: Sequence[Filter]) -> frozenset[str]:
        """Which stems or codes stand somewhere in what passes any of the filters."""
        asked = [filter_ for filter_ in filters if filter_.audiences or filter_.inverted]
        with self._searching() as searcher:
            return frozenset(
                stem
                for stem in stems
                if _frequency(searcher, stem)
                and any(
                    searcher.search(_both(_either(stem), schema.allowed(filter_)), limit=1, count=False).hits
                    for filter_ in asked
                )
            )

    def held(self, revisions: Sequence[int] | None = None) -> dict[int, tuple[int, int]]:
        """What is in the index, of everything or of some revisions: chunk → (revision, `schema.filter_hash`)."""
        if revisions is not None and not revisions:
            return {}
        with self._searching() as searcher:
            query = Query.all_query()
            if revisions is not None:
                query = Query.term_set_query(schema.SCHEMA, "revision", list(revisions))
            addresses = [address for _score, address in searcher.search(query, limit=max(1, searcher.num_docs)).hits]
            columns = [searcher.fast_field_values(name, addresses) for name in ("chunk", "revision", "filter")]
            return {int(c or 0): (int(r or 0), int(f or 0)) for c, r, f in zip(*columns, strict=True)}

    @property
    def total(self) -> int:
        """How many chunks the index holds."""
        with self._searching() as searcher:
            return searcher.num_docs

    @contextmanager
    def _searching(self) -> Iterator[tantivy.Searcher]:
        index = self._opened()
        with _clear_errors(self._path):
            yield index.searcher()

    def _opened(self) -> tantivy.Index:
        """The index as last committed: a look at one file's date tells whether there is anything new."""
        with self._lock, _clear_errors(self._path):
            status = (self._path / "meta.json").stat()
            seen = (status.st_mtime_ns, status.st_size, status.st_ino)
            if self._index is None:
                stamp = json.loads((self._path / schema.STAMP_FILE).read_text())
                if stamp != schema.STAMP:
                    raise IndexOutdated(
                        f"the index in {self._path} was made by another version: run `manage.py reindex`"
                    )
                self._index = tantivy.Index.open(str(self._path))
                self._index.config_reader("manual")
                self._index.reload()
            elif seen != self._seen:
                self._index.reload()
            self._seen = seen
            return self._index


def _scored(searcher: tantivy.Searcher, text: str) -> Query | None:
    """What ranks: stems in the text and again in the heading, exact words, codes. None without a content term."""
    analysed = terms.analyse_question(text)
    clauses: list[tuple[Occur, Query]] = []
    for field, boost, values in (
        ("stems", schema.STEMS, analysed.stems),
        ("heading", schema.HEADING, analysed.stems),
        ("words", schema.WORDS, analysed.folded),
        ("codes", schema.CODES, (*analysed.codes, *terms.code_candidates(text))),
    ):
        for value in dict.fromkeys(values):
            if searcher.doc_freq(field, value):
                term = Query.term_query(schema.SCHEMA, field, value, "freq")
                clauses.append((Occur.Should, Query.boost_query(term, boost)))
    return Query.boolean_query(clauses) if clauses else None


def _either(stem: str) -> Query:
    fields = ("stems", "codes")
    return Query.boolean_query([(Occur.Should, Query.term_query(schema.SCHEMA, f, stem, "basic")) for f in fields])


def _both(ranking: Query, condition: Query) -> Query:
    return Query.boolean_query([(Occur.Must, ranking), (Occur.Must, Query.const_score_query(condition, 0.0))])


def _frequency(searcher: tantivy.Searcher, stem: str) -> int:
    return max(searcher.doc_freq("stems", stem), searcher.doc_freq("codes", stem))


def _hits(searcher: tantivy.Searcher, query: Query, limit: int) -> tuple[Hit, ...]:
    found = searcher.search(query, limit=limit + _TIES, count=False).hits
    ids = searcher.fast_field_values("chunk", [address for _score, address in found])
    hits = [Hit(int(chunk or 0), float(score)) for (score, _address), chunk in zip(found, ids, strict=True)]
    return tuple(sorted(hits, key=lambda hit: (-round(hit.score, 5), hit.chunk_id))[:limit])


@contextmanager
def _clear_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except EngineUnavailable:
        raise
    except FileNotFoundError as error:
        raise IndexUnavailable(f"there is no index in {path}") from error
    except (OSError, ValueError, RuntimeError) as error:
        raise IndexUnavailable(f"the index in {path} cannot be read: {error}") from error
    except BaseException as error:
        # A panic of the engine on damaged data derives from BaseException; anything else there is not ours.
        if type(error).__name__ != "PanicException":
            raise
        raise IndexUnavailable(f"the index in {path} is damaged: {error}") from error

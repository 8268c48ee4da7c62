"""One rule, several forms: `decide` in Python, its twin in SQL, and what an index filters on. All must agree.

A form is a function that gives the revisions which a reader may be quoted; `FORMS` holds them all, and each is held
against the Python rule over the whole matrix, which is built once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest
from django.db import connection

from documents import corpus
from documents.checked import STATEMENT, Row
from documents.models import Chunk, Document, IndexEntry, IndexVersion, Revision
from documents.rules.eligibility import decide
from documents.rules.types import Corpus, Decision, Reader, Reason
from documents.search.base import Entry, Filter
from documents.search.entries import NO_VECTOR
from documents.search.lexical import LexicalIndex
from documents.search.pgvector import where
from tests.documents import matrix
from tests.documents.matrix import DAYS, TODAY, Matrix

Allows = Callable[[Reader, date, date], set[int]]
REASONS_OF_THE_RULE = {
    Reason.ELIGIBLE, Reason.NO_PERMISSION, Reason.NOT_YET_IN_FORCE, Reason.EXPIRED, Reason.SUPERSEDED,
    Reason.RETIRED, Reason.DRAFT, Reason.NO_OWNER, Reason.OUT_OF_SCOPE, Reason.OTHER_JURISDICTION,
}  # fmt: skip
DIMENSIONS = (
    "owner_id", "user_grants", "group_grants", "area_grants", "unit_grants", "scope_units", "scope_jurisdictions",
    "classification", "history",
)  # fmt: skip
REASONS_OF_THE_PERSON = {Reason.NO_PERMISSION, Reason.OUT_OF_SCOPE, Reason.OTHER_JURISDICTION}


def listed(reader: Reader, on: date, today: date) -> set[int]:
    return set(Revision.objects.eligible_for(reader, on, today).values_list("pk", flat=True))


def filtered(reader: Reader, on: date, today: date) -> set[int]:
    """What the embedded engine ranks, given what a search tells it of the reader."""
    version = IndexVersion.objects.get(state="active")
    audiences = corpus.audiences(reader)
    sql, params = where(version.pk, Filter(audiences, on, today, reader.reads_history, Corpus.OFFICIAL))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT revision_id FROM documents_indexentry WHERE {sql}", params)
        return {row[0] for row in cursor.fetchall()}


FORMS: Mapping[str, Allows] = {"the SQL list": listed, "the engine's filter of vectors": filtered}


def worded(folder: Path) -> Allows:
    """The engine's other half: an index of words whose every entry answers the same question."""
    index = LexicalIndex(folder)
    index.create()
    rows = list(IndexEntry.objects.all())
    with index.writer() as writer:
        writer.put([_entry(row) for row in rows])
    revisions = {row.chunk_id: row.revision_id for row in rows}

    def allows(reader: Reader, on: date, today: date) -> set[int]:
        audiences = corpus.audiences(reader)
        asked = Filter(audiences, on, today, reader.reads_history, Corpus.OFFICIAL)
        return {revisions[hit.chunk_id] for hit in index.search("prazo", asked, len(rows))}

    return allows


def _entry(row: IndexEntry) -> Entry:
    filtered_on = (row.revision_id, row.audience, row.valid_from, row.valid_until, row.standing, row.owned)
    return Entry(row.chunk_id, *filtered_on, Corpus(row.corpus), row.area, "", "prazo", NO_VECTOR)


def checked(reader: Reader, on: date, chunks: list[int]) -> dict[int, str]:
    """What the check of every candidate says of each revision."""
    rows = [Row(*values) for values in STATEMENT.rows(reader, on, TODAY, chunks)]
    return {row.revision_id: row.reason for row in rows}


def decisions(cells: Matrix, reader: Reader, on: date) -> dict[int, Decision]:
    return {cell.revision_id: decide(reader, cell.facts, on, TODAY) for cell in cells.cells}


@pytest.mark.django_db
def test_every_form_of_the_rule_agrees_over_the_whole_matrix(tmp_path: Path) -> None:
    cells = matrix.build()
    matrix.index(IndexVersion.objects.create(engine="postgres", dimensions=2, state="active"))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # of thousands of rows that came at once the planner knows nothing
    chunks = list(Chunk.objects.values_list("pk", flat=True))
    forms = {**FORMS, "the engine's filter of words": worded(tmp_path)}
    assert len(cells.cells) > 6_000
    assert all(len(timelines) == 6 for timelines in met(cells).values()), "each value meets every timeline"
    seen: Counter[Reason] = Counter()
    for reader in cells.readers:
        for on in DAYS:
            expected = decisions(cells, reader, on)
            seen.update(decision.reason for decision in expected.values())
            in_sql = dict(Revision.objects.with_reason(reader, on, TODAY).values_list("pk", "reason"))
            assert in_sql == {pk: str(decision.reason) for pk, decision in expected.items()}, (reader, on)
            assert checked(reader, on, chunks) == in_sql, (reader, on)
            allowed = {pk for pk, decision in expected.items() if decision.allowed}
            for name, allows in forms.items():
                assert allows(reader, on, TODAY) == allowed, (name, reader, on)
        check_audience_keys(cells, reader)
    assert set(seen) == REASONS_OF_THE_RULE
    assert min(seen.values()) > 50, seen
    for cell in cells.cells[::97]:
        assert matrix.stored_facts(cell) == cell.facts


def met(cells: Matrix) -> dict[tuple[str, object], set[int]]:
    """For each value of each dimension of access, the timelines that it meets."""
    timelines: dict[int, list[object]] = {}
    for cell in cells.cells:
        facts = cell.facts
        timelines.setdefault(cell.document_id, []).append((facts.state, facts.validity, facts.retired_on))
    found: dict[tuple[str, object], set[int]] = {}
    for cell in cells.cells:
        for name in DIMENSIONS:
            key = (name, getattr(cell.facts, name))
            found.setdefault(key, set()).add(hash(tuple(timelines[cell.document_id])))
    return found


def check_audience_keys(cells: Matrix, reader: Reader) -> None:
    """What the engine is told to filter on lets through exactly the documents that the person may read."""
    by_key = Document.objects.filter(audience_key__in=corpus.audiences(reader))
    by_rule = {
        cell.document_id
        for cell in cells.cells
        if decide(reader, cell.facts, TODAY, TODAY).reason not in REASONS_OF_THE_PERSON
    }
    assert set(by_key.values_list("pk", flat=True)) == by_rule, reader

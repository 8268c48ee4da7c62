"""The demo's questions asked of both engines over the same corpus: what may be ranked is the same to the passage."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from chat.rules.fusion import fuse
from documents import corpus
from documents.models import Revision
from documents.rules.types import Corpus
from documents.search import active
from documents.search.base import Engine, Filter, Lists, Query
from documents.search.elasticsearch import Engine as Elasticsearch
from documents.search.entries import entries_of
from evaluation.loading import load, readers
from governance.importing.corpus import import_corpus
from tests.documents.search.nodes import elasticsearch_url, namespace  # noqa: F401

QUESTIONS = Path("evaluation/sets/demo.jsonl")
TODAY = date(2026, 11, 30)
EVERYTHING = 4000
TOP = 10


@pytest.mark.slow
@pytest.mark.django_db
def test_both_engines_rank_from_the_same_set_and_mostly_the_same_passages_first(
    elasticsearch_url: str,  # noqa: F811
    demo_folder: Path,
    record_property: pytest.RecordProperty,
) -> None:
    import_corpus(demo_folder, lambda said: None, password="x")
    version, embedded = corpus.index_version(), active.engine()
    entries = entries_of(list(Revision.objects.select_related("document__area")), version)
    assert len(entries) == embedded.size(version.pk) > 1000
    cases = load(QUESTIONS)
    assert len(cases) == 200
    people, overlaps = readers(cases), []
    eligible: dict[tuple[str, date], int] = {}
    with namespace(elasticsearch_url) as prefix:
        other = Elasticsearch([elasticsearch_url], prefix=prefix)
        other.create(version.pk, version.dimensions)
        other.put(version.pk, entries, {entry.revision_id for entry in entries})
        for case in cases:
            reader, on = people[case.person], case.on or TODAY
            allowed = corpus.audiences(reader)
            asked = [Filter(allowed, on, TODAY, reader.reads_history, one) for one in Corpus]
            query = Query(case.question, active.embedder().query(case.question))
            if (case.person, on) not in eligible:
                ours, theirs = (found_at_all(engine, version.pk, query, asked) for engine in (embedded, other))
                assert ours == theirs, (case.person, on)
                eligible[case.person, on] = len(ours)
            first, second = (top(engine.search(version.pk, query, asked, 50)) for engine in (embedded, other))
            if first:
                overlaps.append(len(first & second) / len(first))
    record_property("readers and days", len(eligible))
    record_property("overlap of the top 10", f"{np.mean(overlaps):.3f}")
    print(f"{len(cases)} questions, {len(eligible)} readers and days with {sum(eligible.values())} eligible passages,")
    print(f"the same on both engines; overlap of the top {TOP}: {np.mean(overlaps):.3f}")
    assert max(eligible.values()) > 500
    assert np.mean(overlaps) > 0.8


def found_at_all(engine: Engine, version: int, query: Query, asked: list[Filter]) -> set[int]:
    """Every passage that the filter lets through: the vector half finds them all, near or not."""
    lists = engine.search(version, Query("", query.vector), asked, EVERYTHING)
    return {hit.chunk_id for one in lists for hit in one.vector}


def top(lists: list[Lists]) -> set[int]:
    """The best of each corpus after fusion."""
    return {
        item.id
        for one in lists
        for item in fuse([[h.chunk_id for h in one.lexical], [h.chunk_id for h in one.vector]])[:TOP]
    }

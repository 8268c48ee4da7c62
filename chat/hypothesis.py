"""A publication that has not happened, read from the tables: the facts, passages and vectors that it would bring."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
from django.db.models import QuerySet

from chat.whatif import Hypothesis, Text
from documents import corpus
from documents.access import facts_of
from documents.models import Chunk, Embedding, IndexVersion, Revision
from documents.rules.text_terms import text_terms
from documents.rules.types import CORPUS_OF_KIND, Kind, State, Window
from documents.search.converge import converge
from governance.workbench import succession_of


def hypothesis_of(revision: Revision, start: date) -> Hypothesis:
    """The revision as if it were published from `start`; its passages are cut and embedded first if need be."""
    converge([revision.pk])
    version = corpus.index_version()
    document = revision.document
    until = revision.validity.upper if revision.validity else None
    window = Window(start, until if until is None or until > start else None)
    closes = succession_of(revision, start).closes
    ids, vectors = _vectors(revision.pk, version)
    facts = replace(facts_of(document, revision), state=State.PUBLISHED, validity=window, retired_on=None)
    return Hypothesis(
        start=start,
        until=window.until,
        published=Text(str(revision.pk), facts, ids),
        closed=_closed(closes.id, start, version) if closes is not None else None,
        vectors=vectors,
        stems=_stems(ids),
        audience=document.audience_key,
        shelf=CORPUS_OF_KIND[Kind(document.kind)],
        area=document.area.slug,
    )


def _closed(revision_id: int, start: date, version: IndexVersion) -> Text:
    revision = Revision.objects.select_related("document__area").get(pk=revision_id)
    facts = facts_of(revision.document, revision, successor_on=start)
    window = Window(facts.validity.start, start)
    ids = tuple(_embedded(revision_id, version).values_list("chunk_id", flat=True))
    return Text(str(revision_id), replace(facts, validity=window), ids)


def _vectors(revision_id: int, version: IndexVersion) -> tuple[tuple[int, ...], np.ndarray]:
    pairs = list(_embedded(revision_id, version).values_list("chunk_id", "vector"))
    ids = tuple(chunk for chunk, _vector in pairs)
    vectors = [np.asarray(vector, dtype=np.float32) for _chunk, vector in pairs]
    return ids, np.stack(vectors) if vectors else np.empty((0, version.dimensions), dtype=np.float32)


def _embedded(revision_id: int, version: IndexVersion) -> QuerySet[Embedding]:
    """The vectors of a revision's chunks under the model that answers, in the order of the chunks."""
    found = Embedding.objects.filter(chunk__revision_id=revision_id, fingerprint=version.fingerprint)
    return found.order_by("chunk_id")


def _stems(chunk_ids: tuple[int, ...]) -> frozenset[str]:
    found: set[str] = set()
    for heading, text in Chunk.objects.filter(pk__in=chunk_ids).values_list("heading", "text"):
        found |= text_terms(heading).stems | text_terms(text).stems
    return frozenset(found)

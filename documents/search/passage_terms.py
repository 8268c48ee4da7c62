"""The terms that are kept beside a passage, and those of passages that were cut before today's analysis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from documents.batches import in_parts
from documents.models import Chunk
from documents.rules.text_terms import VERSION, packed, terms_of

BATCH = 200


def terms_kept(heading: str, text: str, start: int, sentences: Iterable[Sequence[int]]) -> list[str]:
    """As `Chunk.terms` has them; `sentences` are spans of the revision, in which the text begins at `start`."""
    return packed(terms_of(heading, text, [(first - start, last - start) for first, last in sentences]))


def ensure_terms(revision_ids: Sequence[int]) -> None:
    """Give the chunks of these revisions the terms of today's analysis: those that were cut before it have others."""
    stale = Chunk.objects.filter(revision_id__in=revision_ids).exclude(terms__0=VERSION)
    for part in in_parts(stale.only("heading", "text", "start", "sentences"), BATCH):
        for chunk in part:
            chunk.terms = terms_kept(chunk.heading, chunk.text, chunk.start, chunk.sentences)
        Chunk.objects.bulk_update(part, ["terms"])

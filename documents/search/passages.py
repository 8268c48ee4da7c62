"""A revision's chunks: cut once by the policy of its kind, and cut again when the policy or the headings change."""

from __future__ import annotations

from bisect import bisect_right

from django.db import transaction

from documents.embedders.base import Embedder
from documents.models import Chunk, Document, Revision, Section
from documents.rules import chunking
from documents.rules.normalise import text_hash
from documents.rules.types import ChunkSpan, Kind, SectionSpan


def policy_of(document: Document) -> str:
    return f"{document.kind}:{chunking.POLICY_VERSION}"


def heading_of(document: Document, path: list[str]) -> str:
    """What is searched with each passage and never quoted: whose text it is, and where in it.

    The units of a local document are named unless its title names them already: a terse section says neither.
    """
    title = document.title
    local = [unit for unit in document.scope_units if unit.casefold() not in title.casefold()]
    named = f"{title} ({', '.join(local)})" if local else title
    return " > ".join([named, *(part for part in path if part and part != title)])


def ensure_chunks(revision: Revision, embedder: Embedder) -> list[Chunk]:
    """The revision's chunks under today's policy, made anew where they are missing or were cut by another one."""
    document = revision.document
    sections = list(revision.sections.order_by("ordinal"))
    headings = [heading_of(document, section.path) for section in sections]
    chunks = list(revision.chunks.order_by("ordinal"))
    place = {section.pk: number for number, section in enumerate(sections)}
    current = all(
        chunk.policy == policy_of(document) and chunk.heading == headings[place[chunk.section_id]] for chunk in chunks
    )
    if chunks and current:
        return chunks
    with transaction.atomic():
        revision.chunks.all().delete()
        return Chunk.objects.bulk_create(_cut(revision, sections, headings, embedder))


def _cut(revision: Revision, sections: list[Section], headings: list[str], embedder: Embedder) -> list[Chunk]:
    text = revision.text
    spans = [
        SectionSpan(s.heading, s.level, tuple(s.path), s.anchor, s.start, s.body_start, s.end) for s in sections
    ]
    tokens = [embedder.count(heading) for heading in headings]
    cuts = chunking.chunk(
        text,
        spans,
        Kind(revision.document.kind),
        heading_tokens=lambda span: tokens[spans.index(span)],
        count=embedder.count,
    )
    starts = [page["start"] for page in revision.pages]
    return [_row(revision, sections, headings, starts, cut) for cut in cuts]


def _row(
    revision: Revision, sections: list[Section], headings: list[str], starts: list[int], cut: ChunkSpan
) -> Chunk:
    text = revision.text[cut.start : cut.end]
    page = revision.pages[bisect_right(starts, cut.start) - 1]["number"] if starts else None
    return Chunk(
        revision=revision,
        section=sections[cut.section],
        ordinal=cut.ordinal,
        start=cut.start,
        end=cut.end,
        page=page,
        text=text,
        text_hash=text_hash(text),
        heading=headings[cut.section],
        sentences=[list(span) for span in cut.sentences],
        stems=[list(span) if span else None for span in cut.stems],
        policy=policy_of(revision.document),
    )

"""A revision's chunks: cut once by the policy of its kind, and cut again when the policy or the headings change."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from django.db import connection, transaction

from documents.batches import in_parts
from documents.embedders.base import Embedder
from documents.models import Chunk, Document, Revision, Section
from documents.rules import chunking
from documents.rules.normalise import text_hash
from documents.rules.types import ChunkSpan, Kind, SectionSpan

CUT_LOCK = 0x6B62_0003
"""With a revision's id: two processes may want to cut the same one."""
BATCH = 200


def policy_of(document: Document) -> str:
    return f"{document.kind}:{chunking.POLICY_VERSION}"


def heading_of(document: Document, path: Sequence[str]) -> str:
    """What is searched with each passage and never quoted: whose text it is, and where in it.

    The units of a local document are named unless its title names them already: a terse section says neither.
    """
    title = document.title
    local = [unit for unit in document.scope_units if unit.casefold() not in title.casefold()]
    named = f"{title} ({', '.join(local)})" if local else title
    return " > ".join([named, *(part for part in path if part and part != title)])


def ensure_chunks(revision_ids: Iterable[int], embedder: Embedder) -> None:
    """Cut the revisions whose chunks are missing, or were cut by another policy or under other headings."""
    for part in in_parts(revision_ids, BATCH):
        for revision_id in uncut(part):
            _cut_again(revision_id, embedder)


def uncut(revision_ids: Sequence[int]) -> list[int]:
    """Those of the revisions that hold text and whose chunks are not what today's policy and headings ask for."""
    with_text = Revision.objects.filter(pk__in=revision_ids, text__regex=r"\S")
    documents = {
        row.pk: row.document
        for row in with_text.select_related("document").only(
            "document__title", "document__kind", "document__scope_units"
        )
    }
    seen, stale = set(), set()
    rows = Chunk.objects.filter(revision_id__in=documents).order_by()
    for revision_id, path, heading, policy in rows.values_list(
        "revision_id", "section__path", "heading", "policy"
    ).distinct():
        document = documents[revision_id]
        seen.add(revision_id)
        if policy != policy_of(document) or heading != heading_of(document, path):
            stale.add(revision_id)
    return sorted(stale | {pk for pk in documents.keys() - seen if _has_a_body(pk)})


def _has_a_body(revision_id: int) -> bool:
    """Whether there is anything to cut: headings alone give no passage."""
    text = Revision.objects.values_list("text", flat=True).get(pk=revision_id)
    spans = Section.objects.filter(revision=revision_id).values_list("body_start", "end")
    return any(text[start:end].strip() for start, end in spans)


@transaction.atomic
def _cut_again(revision_id: int, embedder: Embedder) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [CUT_LOCK, revision_id % 2**31])
    if not uncut([revision_id]):
        return  # another process was faster
    revision = Revision.objects.select_related("document").get(pk=revision_id)
    chunks = _cut(revision, list(revision.sections.order_by("ordinal")), embedder)
    revision.chunks.all().delete()
    Chunk.objects.bulk_create(chunks)


def _cut(revision: Revision, sections: list[Section], embedder: Embedder) -> list[Chunk]:
    headings = [heading_of(revision.document, section.path) for section in sections]
    spans = [SectionSpan(s.heading, s.level, tuple(s.path), s.anchor, s.start, s.body_start, s.end) for s in sections]
    tokens = dict(zip(spans, map(embedder.count, headings), strict=True))
    cuts = chunking.chunk(
        revision.text, spans, Kind(revision.document.kind), heading_tokens=tokens.__getitem__, count=embedder.count
    )
    starts = [page["start"] for page in revision.pages]
    return [_row(revision, sections, headings, starts, cut) for cut in cuts]


def _row(revision: Revision, sections: list[Section], headings: list[str], starts: list[int], cut: ChunkSpan) -> Chunk:
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

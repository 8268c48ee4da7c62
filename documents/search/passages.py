"""A revision's chunks: cut once by the policy of its kind, and cut again when the policy or the headings change.

Each version of the cutting has chunks of its own, so that a new one is made beside the one that answers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Substr

from documents.batches import in_parts
from documents.embedders.base import Embedder
from documents.models import Chunk, Document, Revision, Section
from documents.rules import chunking
from documents.rules.headings import heading
from documents.rules.normalise import text_hash
from documents.rules.types import ChunkSpan, Kind

BATCH = 200


def policy_of(document: Document) -> str:
    return f"{document.kind}:{chunking.POLICY_VERSION}"


def version_of(policy: str) -> str:
    """`manual:1` → `1`."""
    return policy.partition(":")[2]


def of_version(version: str) -> Q:
    """The chunks that this version of the cutting made."""
    return Q(policy__endswith=f":{version}")


def held_cut(revision_ids: Sequence[int], chunker: str) -> dict[int, list[int]]:
    """Of each revision the chunks that an index of this version of the cutting holds: its own, else today's."""
    cuts: dict[tuple[int, str], list[int]] = {}
    rows = Chunk.objects.filter(revision_id__in=revision_ids).order_by("pk")
    for revision, policy, chunk in rows.values_list("revision_id", "policy", "pk"):
        cuts.setdefault((revision, version_of(policy)), []).append(chunk)
    today = chunking.POLICY_VERSION
    own = {revision: cuts.get((revision, chunker)) or cuts.get((revision, today)) for revision in revision_ids}
    return {revision: chunks for revision, chunks in own.items() if chunks}


def heading_of(document: Document, path: Sequence[str]) -> str:
    """What is embedded with each passage and never quoted: whose text it is, and where in it."""
    return heading(document.title, path)


@dataclass(frozen=True, slots=True)
class Cut:
    """The chunks of one revision before they are rows. `made_of` tells whether the revision is still the same."""

    made_of: tuple[object, ...]
    chunks: list[Chunk]


def plan(revision_ids: Sequence[int], embedder: Embedder) -> dict[int, Cut]:
    """The cut of each revision whose chunks are missing, or were cut by another policy or under other headings."""
    return {pk: _cut(pk, embedder) for pk in uncut(revision_ids)}


def ensure_chunks(revision_ids: Iterable[int], embedder: Embedder, planned: dict[int, Cut] | None = None) -> None:
    """Make the chunks of these revisions what today's cutting asks for. The caller holds the writer's lock."""
    for part in in_parts(revision_ids, BATCH):
        for revision_id in uncut(part):
            cut = (planned or {}).get(revision_id)
            if cut is None or cut.made_of != _made_now_of(revision_id):
                cut = _cut(revision_id, embedder)
            Chunk.objects.filter(of_version(chunking.POLICY_VERSION), revision_id=revision_id).delete()
            Chunk.objects.bulk_create(cut.chunks)


def uncut(revision_ids: Sequence[int]) -> list[int]:
    """Those of the revisions that hold text and whose chunks are not what today's policy and headings ask for.

    So too where a chunk is not, to the letter, the text of its revision at its span: in doubt all of it is cut again.
    """
    with_text = Revision.objects.filter(pk__in=revision_ids, text__regex=r"\S")
    documents = {
        row.pk: row.document for row in with_text.select_related("document").only("document__title", "document__kind")
    }
    seen, stale = set(), set()
    rows = Chunk.objects.filter(of_version(chunking.POLICY_VERSION), revision_id__in=documents).order_by()
    for revision_id, path, own_heading, policy in rows.values_list(
        "revision_id", "section__path", "heading", "policy"
    ).distinct():
        document = documents[revision_id]
        seen.add(revision_id)
        if policy != policy_of(document) or own_heading != heading_of(document, path):
            stale.add(revision_id)
    stale.update(_unlinked(rows).values_list("revision_id", flat=True))
    return sorted(stale | {pk for pk in documents.keys() - seen if _has_a_body(pk)})


def _unlinked(rows: QuerySet[Chunk]) -> QuerySet[Chunk]:
    """Of chunks those that are not the text of their revision at their span."""
    there = Substr("revision__text", F("start") + Value(1), F("end") - F("start"))
    return rows.exclude(text=there)


def _has_a_body(revision_id: int) -> bool:
    """Whether there is anything to cut: headings alone give no passage."""
    text = Revision.objects.values_list("text", flat=True).get(pk=revision_id)
    spans = Section.objects.filter(revision=revision_id).values_list("body_start", "end")
    return any(text[start:end].strip() for start, end in spans)


def _made_now_of(revision_id: int) -> tuple[object, ...]:
    row = Revision.objects.select_related("document").only("text_hash", "document__title", "document__kind")
    revision = row.get(pk=revision_id)
    return _made_of(
        revision, Section.objects.filter(revision=revision_id).order_by("ordinal").values_list("pk", flat=True)
    )


def _made_of(revision: Revision, sections: Iterable[int]) -> tuple[object, ...]:
    return revision.text_hash, revision.document.title, revision.document.kind, tuple(sections)


def _cut(revision_id: int, embedder: Embedder) -> Cut:
    revision = Revision.objects.select_related("document").get(pk=revision_id)
    sections = list(revision.sections.order_by("ordinal"))
    headings = [heading_of(revision.document, section.path) for section in sections]
    spans = [section.span for section in sections]
    tokens = dict(zip(spans, map(embedder.count, headings), strict=True))
    cuts = chunking.chunk(
        revision.text, spans, Kind(revision.document.kind), heading_tokens=tokens.__getitem__, count=embedder.count
    )
    starts = [page["start"] for page in revision.pages]
    made_of = _made_of(revision, (section.pk for section in sections))
    return Cut(made_of, [_row(revision, sections, headings, starts, cut) for cut in cuts])


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

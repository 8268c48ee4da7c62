"""A revision's chunks: cut once by the policy of its kind, and cut again when the policy or the headings change.

Each version of the cutting has chunks of its own, so that a new one is made beside the one that answers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
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
from documents.search.passage_terms import terms_kept

BATCH = 200
TEXTS = 20
"""Whole texts that are in memory at a time, beside their chunks."""


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
    """The cut of each revision whose chunks are missing, or were cut by another policy or under other headings.

    Where headings are all that a text has, the cut is empty.
    """
    return _cuts(_doubtful(revision_ids).either, embedder)


def ensure_chunks(revision_ids: Iterable[int], embedder: Embedder, planned: dict[int, Cut] | None = None) -> None:
    """Make the chunks of these revisions what today's cutting asks for. The caller holds the writer's lock."""
    for part in in_parts(revision_ids, BATCH):
        todo = _doubtful(part).either
        now = _made_now_of(todo)
        cuts = {pk: cut for pk, cut in (planned or {}).items() if pk in now and cut.made_of == now[pk]}
        cuts |= _cuts([pk for pk in todo if pk not in cuts], embedder)
        Chunk.objects.filter(of_version(chunking.POLICY_VERSION), revision_id__in=todo).delete()
        Chunk.objects.bulk_create([chunk for pk in todo if pk in cuts for chunk in cuts[pk].chunks], batch_size=1000)


def uncut(revision_ids: Sequence[int]) -> list[int]:
    """Those of the revisions that hold text and whose chunks are not what today's policy and headings ask for.

    So too where a chunk is not, to the letter, the text of its revision at its span: in doubt all of it is cut again.
    """
    doubtful = _doubtful(revision_ids)
    return sorted(doubtful.stale | _with_a_body(doubtful.missing))


@dataclass(frozen=True, slots=True)
class _Doubtful:
    """Revisions with text: those whose chunks are not what they should be, and those that have none."""

    stale: set[int]
    missing: set[int]

    @property
    def either(self) -> list[int]:
        return sorted(self.stale | self.missing)


def _doubtful(revision_ids: Sequence[int]) -> _Doubtful:
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
    if seen:
        stale.update(_unlinked(rows).values_list("revision_id", flat=True))
    return _Doubtful(stale, documents.keys() - seen)


def _unlinked(rows: QuerySet[Chunk]) -> QuerySet[Chunk]:
    """Of chunks those that are not the text of their revision at their span."""
    there = Substr("revision__text", F("start") + Value(1), F("end") - F("start"))
    return rows.exclude(text=there)


def _with_a_body(revision_ids: Collection[int]) -> set[int]:
    """Those with anything to cut: headings alone give no passage."""
    found: set[int] = set()
    for part in in_parts(revision_ids, TEXTS):
        texts = dict(Revision.objects.filter(pk__in=part).values_list("pk", "text"))
        spans = Section.objects.filter(revision__in=part).values_list("revision_id", "body_start", "end")
        found.update(pk for pk, start, end in spans if texts[pk][start:end].strip())
    return found


def _made_now_of(revision_ids: Sequence[int]) -> dict[int, tuple[object, ...]]:
    sections: dict[int, list[int]] = {}
    rows = Section.objects.filter(revision__in=revision_ids).order_by("revision", "ordinal")
    for revision_id, section in rows.values_list("revision_id", "pk"):
        sections.setdefault(revision_id, []).append(section)
    revisions = Revision.objects.filter(pk__in=revision_ids).order_by()
    revisions = revisions.select_related("document").only("text_hash", "document__title", "document__kind")
    return {row.pk: _made_of(row, sections.get(row.pk, ())) for row in revisions}


def _made_of(revision: Revision, sections: Iterable[int]) -> tuple[object, ...]:
    return revision.text_hash, revision.document.title, revision.document.kind, tuple(sections)


def _cuts(revision_ids: Sequence[int], embedder: Embedder) -> dict[int, Cut]:
    """The cut of each of these revisions; one that is gone is missing."""
    cuts: dict[int, Cut] = {}
    for part in in_parts(revision_ids, TEXTS):
        sections: dict[int, list[Section]] = {}
        for section in Section.objects.filter(revision__in=part).order_by("revision", "ordinal"):
            sections.setdefault(section.revision_id, []).append(section)
        for revision in Revision.objects.filter(pk__in=part).order_by("pk").select_related("document"):
            cuts[revision.pk] = _cut(revision, sections.get(revision.pk, []), embedder)
    return cuts


def _cut(revision: Revision, sections: list[Section], embedder: Embedder) -> Cut:
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
        terms=terms_kept(headings[cut.section], text, cut.start, cut.sentences),
        policy=policy_of(revision.document),
    )

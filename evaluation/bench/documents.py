"""Made-up documents straight into the tables: revisions with their text, sections, passages and vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from django.contrib.auth.models import Group, Permission, User
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils import timezone
from numpy.random import Generator

from documents.access import refresh_audience
from documents.embedders.base import Vectors
from documents.models import READ, Area, Chunk, Document, DocumentGroupGrant, Revision, Section
from documents.models.vector import as_sent
from documents.rules.normalise import text_hash
from documents.rules.text_terms import packed, terms_of
from documents.rules.types import Authority, Kind, Window
from documents.search import active, binary
from documents.search.passages import heading_of, policy_of
from documents.search.vectors import CONFIGURATION, EMBEDDING
from evaluation.bench import company, vectors, words

PER_REVISION = 10
SENTENCES = (3, 9)
AUTHORITY = {Kind.WIKI: Authority.UNOFFICIAL, Kind.MINUTES: Authority.ONE_OFF}
CODE = "doc-"


@dataclass(frozen=True, slots=True)
class World:
    """What generated text is made of: words, and the centres (n, dimensions) around which passages lie."""

    vocabulary: words.Vocabulary
    centres: Vectors


@dataclass(frozen=True, slots=True)
class Staff:
    """Who stands behind every document."""

    owner: User
    approver: User


@dataclass(frozen=True, slots=True)
class Passages:
    """One revision's text: `texts` of its sections, and `spans` of the sentences in each, relative to it."""

    texts: tuple[str, ...]
    spans: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A revision to be: of which document, with which passages, near which vector."""

    document: int
    label: str
    window: Window
    passages: Passages
    centre: Vectors


def write_documents(plans: Sequence[company.Plan], most: int, world: World, staff: Staff, random: Generator) -> int:
    """The documents with at most `most` passages in all, embedded and not yet indexed. Returns how many passages."""
    subjects = [words.subject(world.vocabulary, random) for _ in plans]
    documents = _documents(plans, [_title(world, about) for about in subjects], staff)
    spread = vectors.spread_of(world.centres)
    texts: list[Text] = []
    for place, (plan, about) in enumerate(zip(plans, subjects, strict=True)):
        centre = world.centres[random.integers(len(world.centres))]
        for number, window in enumerate(plan.windows, 1):
            count = min(PER_REVISION, most)
            if count > 0:
                near = vectors.around(centre, 1, random, spread)[0]
                texts.append(Text(place, f"v{number}", window, passages_of(world, about, count, random), near))
            most -= count
    revisions = Revision.objects.bulk_create([_revision(documents[text.document], text, staff) for text in texts])
    sections = [_sections(revision, text.passages) for revision, text in zip(revisions, texts, strict=True)]
    Section.objects.bulk_create([row for rows in sections for row in rows])
    cut = [list(_chunks(*each)) for each in zip(revisions, sections, [text.passages for text in texts], strict=True)]
    Chunk.objects.bulk_create([row for rows in cut for row in rows])
    _copy_embeddings(cut, [text.centre for text in texts], spread, random)
    return sum(map(len, cut))


def _title(world: World, about: words.Subject) -> str:
    return " ".join(world.vocabulary.words[row] for row in about.rows[:4]).capitalize()


def _documents(plans: Sequence[company.Plan], titles: Sequence[str], staff: Staff) -> list[Document]:
    areas = {area.slug: area for area in Area.objects.all()}
    documents = Document.objects.bulk_create(
        Document(
            code=f"{CODE}{plan.number}",
            title=title,
            kind=plan.kind,
            area=areas[plan.area],
            owner=staff.owner,
            authority=AUTHORITY.get(plan.kind, Authority.OFFICIAL),
            scope_units=list(plan.units),
        )
        for plan, title in zip(plans, titles, strict=True)
    )
    groups = {f"group:{group.name}": group for group in Group.objects.all()}
    groups |= {group.name: group for group in groups.values()}
    permission = Permission.objects.get(content_type__app_label="documents", codename=READ)
    DocumentGroupGrant.objects.bulk_create(
        DocumentGroupGrant(permission=permission, group=groups[name], content_object=document)
        for plan, document in zip(plans, documents, strict=True)
        for name in plan.readers
    )
    refresh_audience(documents)
    return documents


def passages_of(world: World, about: words.Subject, count: int, random: Generator) -> Passages:
    texts, spans = [], []
    for _ in range(count):
        sentences = words.sentences(world.vocabulary, about, int(random.integers(*SENTENCES)), random)
        texts.append(" ".join(sentences))
        ends = np.cumsum([len(sentence) + 1 for sentence in sentences])
        spans.append(tuple((int(end) - len(s) - 1, int(end) - 1) for s, end in zip(sentences, ends, strict=True)))
    return Passages(tuple(texts), tuple(spans))


def headings(passages: Passages) -> list[str]:
    return [f"{number}. {' '.join(text.split()[:3])}" for number, text in enumerate(passages.texts, 1)]


def text_of(passages: Passages) -> str:
    """Each section as its heading line and its text line."""
    pairs = zip(headings(passages), passages.texts, strict=True)
    return "".join(f"{heading}\n{text}\n" for heading, text in pairs)


def _revision(document: Document, made: Text, staff: Staff) -> Revision:
    text = text_of(made.passages)
    content_hash = hashlib.sha256(text.encode()).hexdigest()
    return Revision(
        document=document,
        label=made.label,
        state=Revision.State.PUBLISHED,
        validity=DateRange(made.window.start, made.window.until, "[)"),
        text=text,
        text_hash=text_hash(text),
        content_hash=content_hash,
        approved_by=staff.approver,
        approved_hash=content_hash,
        approved_at=timezone.now(),
    )


def _sections(revision: Revision, passages: Passages) -> list[Section]:
    start, rows = 0, []
    for ordinal, (heading, text) in enumerate(zip(headings(passages), passages.texts, strict=True)):
        body_start = start + len(heading) + 1
        end = body_start + len(text) + 1
        rows.append(
            Section(
                revision=revision,
                ordinal=ordinal,
                level=1,
                heading=heading,
                path=[heading],
                anchor=f"secao-{ordinal + 1}",
                start=start,
                body_start=body_start,
                end=end,
            )
        )
        start = end
    return rows


def _chunks(revision: Revision, sections: Sequence[Section], passages: Passages) -> Iterator[Chunk]:
    for section, text, spans in zip(sections, passages.texts, passages.spans, strict=True):
        start, heading = section.body_start, heading_of(revision.document, section.path)
        yield Chunk(
            revision=revision,
            section=section,
            ordinal=section.ordinal,
            start=start,
            end=start + len(text),
            text=text,
            text_hash=text_hash(text),
            heading=heading,
            sentences=[[start + first, start + last] for first, last in spans],
            stems=[None for _ in spans],
            terms=packed(terms_of(heading, text, spans)),
            policy=policy_of(revision.document),
        )


def _copy_embeddings(
    cut: Sequence[Sequence[Chunk]], centres: Sequence[Vectors], spread: Vectors, random: Generator
) -> None:
    """Past the models and in binary: as text, the vectors alone would take most of the filling."""
    fingerprint, now = active.embedder().fingerprint, timezone.now()

    def rows() -> Iterator[tuple[object, ...]]:
        for chunks, centre in zip(cut, centres, strict=True):
            for chunk, vector in zip(chunks, vectors.around(centre, len(chunks), random, spread), strict=True):
                sentences = vectors.around(vector, len(chunk.sentences), random, spread).astype(np.float16).tobytes()
                yield chunk.pk, fingerprint, CONFIGURATION, chunk.text_hash, as_sent(vector), sentences, now

    binary.copy("documents_embedding", EMBEDDING, rows())

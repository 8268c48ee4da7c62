"""One made-up document straight into the tables: revisions with their text, sections, passages and vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from django.contrib.auth.models import User
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils import timezone
from numpy.random import Generator

from documents.access import refresh_audience
from documents.embedders.base import Vectors
from documents.models import Area, Chunk, Document, Embedding, Revision, Section
from documents.rules.normalise import text_hash
from documents.rules.types import Authority, Kind, Window
from documents.search import active
from documents.search.passages import heading_of, policy_of
from documents.search.vectors import CONFIGURATION
from evaluation.bench import company, vectors, words
from governance.actions.access import replace_grants

PER_REVISION = 10
SENTENCES = (3, 9)
AUTHORITY = {Kind.WIKI: Authority.UNOFFICIAL, Kind.MINUTES: Authority.ONE_OFF}


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


def write_document(plan: company.Plan, most: int, world: World, staff: Staff, random: Generator) -> int:
    """The document with at most `most` passages, embedded and not yet indexed. Returns how many it has."""
    about = words.subject(world.vocabulary, random)
    title = " ".join(world.vocabulary.words[row] for row in about.rows[:4]).capitalize()
    document = Document.objects.create(
        code=f"doc-{plan.number}",
        title=title,
        kind=plan.kind,
        area=Area.objects.get(slug=plan.area),
        owner=staff.owner,
        authority=AUTHORITY.get(plan.kind, Authority.OFFICIAL),
        scope_units=list(plan.units),
    )
    replace_grants(document, plan.readers)
    refresh_audience([document])
    centre = world.centres[random.integers(len(world.centres))]
    done = 0
    for number, window in enumerate(plan.windows, 1):
        count = min(PER_REVISION, most - done)
        if count < 1:
            break
        passages = passages_of(world, about, count, random)
        revision = _revision(document, f"v{number}", window, passages, staff)
        chunks = Chunk.objects.bulk_create(_chunks(revision, _sections(revision, passages), passages))
        Embedding.objects.bulk_create(_embeddings(chunks, vectors.around(centre, 1, random)[0], random))
        done += count
    return done


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


def _revision(document: Document, label: str, window: Window, passages: Passages, staff: Staff) -> Revision:
    text = text_of(passages)
    content_hash = hashlib.sha256(text.encode()).hexdigest()
    return Revision.objects.create(
        document=document,
        label=label,
        state=Revision.State.PUBLISHED,
        validity=DateRange(window.start, window.until, "[)"),
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
    return Section.objects.bulk_create(rows)


def _chunks(revision: Revision, sections: Sequence[Section], passages: Passages) -> Iterator[Chunk]:
    for section, text, spans in zip(sections, passages.texts, passages.spans, strict=True):
        start = section.body_start
        yield Chunk(
            revision=revision,
            section=section,
            ordinal=section.ordinal,
            start=start,
            end=start + len(text),
            text=text,
            text_hash=text_hash(text),
            heading=heading_of(revision.document, section.path),
            sentences=[[start + first, start + last] for first, last in spans],
            stems=[None for _ in spans],
            policy=policy_of(revision.document),
        )


def _embeddings(chunks: Sequence[Chunk], centre: Vectors, random: Generator) -> Iterator[Embedding]:
    fingerprint = active.embedder().fingerprint
    own = vectors.around(centre, len(chunks), random)
    for chunk, vector in zip(chunks, own, strict=True):
        yield Embedding(
            chunk=chunk,
            fingerprint=fingerprint,
            configuration=CONFIGURATION,
            input_hash=chunk.text_hash,
            vector=vector,
            sentence_vectors=vectors.around(vector, len(chunk.sentences), random).astype(np.float16).tobytes(),
        )

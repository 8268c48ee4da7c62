"""A made-up company in the tables and in the index, as large as is asked for. What is there already is kept."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from django.contrib.auth.models import Group, User
from django.db import connection, transaction
from numpy.random import Generator

from documents.models import AREA_PREFIX, UNIT_PREFIX, Area, Chunk, Document, IndexVersion, Unit, WordVector
from documents.search import active
from documents.search.rebuild import reindex
from documents.search.words import vocabulary
from evaluation.bench import company, vectors
from evaluation.bench.documents import CODE, Staff

BATCH = 100
WORD_SPREAD = 0.85

Progress = Callable[[str], None]
Maker = Callable[[int, int, int], int]
"""Writes the documents from number n on, so many, with at most so many passages; returns how many passages."""


def people(random: Generator) -> tuple[list[User], Staff]:
    """Areas, units, readers, and who stands behind the documents."""
    for area in company.AREAS:
        Area.objects.get_or_create(slug=area, defaults={"name": area.title()})
    for unit, jurisdiction in company.UNITS.items():
        Unit.objects.get_or_create(slug=unit, defaults={"name": unit, "jurisdiction": jurisdiction})
    for reader in (reader for readers in company.AUDIENCES for reader in readers):
        Group.objects.get_or_create(name=reader.removeprefix("group:"))
    made = []
    for person in company.people(random):
        user = _person(person.name)
        named = [f"{AREA_PREFIX}{person.area}", f"{UNIT_PREFIX}{person.unit}", *person.groups]
        user.groups.add(*[Group.objects.get_or_create(name=name)[0] for name in named])
        made.append(user)
    return made, Staff(owner=_person("responde"), approver=_person("aprova"))


def _person(name: str) -> User:
    return User.objects.get_or_create(username=name)[0]


def fill(chunks: int, make: Maker, say: Progress) -> int:
    """Documents until there are `chunks` passages, embedded and not yet indexed. Returns how many documents.

    Batches are whole or absent, so what an interruption left is gone on with.
    """
    own = Document.objects.filter(code__startswith=CODE)
    documents = own.count()
    done = Chunk.objects.filter(revision__document__in=own).count()
    while done < chunks:
        with transaction.atomic():
            done += make(documents + 1, BATCH, chunks - done)
        documents += BATCH
        if documents % (10 * BATCH) == 0 or done >= chunks:
            say(f"passages {done}/{chunks}")
    return documents


def fill_words(words: tuple[str, ...], random: Generator) -> int:
    """A vector for each of the words that texts are made of, as the worker would have made them. Returns how many."""
    embedder = active.embedder()
    rows = WordVector.objects.filter(fingerprint=embedder.fingerprint)
    if not rows.exists():
        found = sorted(vocabulary([Chunk(heading="", text=" ".join(words))]))
        axis = random.standard_normal(embedder.dimensions)
        made = vectors.around((axis / np.linalg.norm(axis)).astype(np.float32), len(found), random, cosine=WORD_SPREAD)
        WordVector.objects.bulk_create(
            (
                WordVector(fingerprint=embedder.fingerprint, word=word, vector=row.astype(np.float16).tobytes())
                for word, row in zip(found, made, strict=True)
            ),
            batch_size=2000,
        )
    return rows.count()


def index(chunks: int, say: Progress) -> IndexVersion:
    """Everything into a first index, by the portal's own rebuild; one that holds as much and fits is kept."""
    version = active.version()
    if version is None or version.entries < chunks or not active.fits(version):
        say("building the index")
        version = reindex(lambda done, total: say(f"indexing revisions {done}/{total}"))
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
    return version

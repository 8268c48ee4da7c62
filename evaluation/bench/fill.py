"""A made-up company in the tables and in the index, as large as is asked for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from django.contrib.auth.models import Group, User
from django.db import connection, transaction
from numpy.random import Generator

from documents.models import AREA_PREFIX, UNIT_PREFIX, Area, Chunk, Unit, WordVector
from documents.search import active
from documents.search.rebuild import reindex
from documents.search.words import vocabulary
from evaluation.bench import company, vectors
from evaluation.bench.documents import Staff

BATCH = 20
WORD_SPREAD = 0.85

Progress = Callable[[str], None]
Maker = Callable[[int, int], int]
"""Writes document number n with at most so many passages, and returns how many it has."""


def people(random: Generator) -> tuple[list[User], Staff]:
    """Areas, units, readers, and who stands behind the documents."""
    for area in company.AREAS:
        Area.objects.create(slug=area, name=area.title())
    for unit, jurisdiction in company.UNITS.items():
        Unit.objects.create(slug=unit, name=unit, jurisdiction=jurisdiction)
    users, made = User.objects, []
    for person in company.people(random):
        user = users.create_user(person.name)
        named = [f"{AREA_PREFIX}{person.area}", f"{UNIT_PREFIX}{person.unit}", *person.groups]
        user.groups.add(*[Group.objects.get_or_create(name=name)[0] for name in named])
        made.append(user)
    return made, Staff(owner=users.create_user("responde"), approver=users.create_user("aprova"))


def fill(chunks: int, make: Maker, say: Progress) -> int:
    """Documents until there are `chunks` passages, embedded and not yet indexed. Returns how many documents."""
    done = documents = 0
    while done < chunks:
        with transaction.atomic():
            for _ in range(BATCH):
                documents += 1
                done += make(documents, chunks - done)
                if done >= chunks:
                    break
        if documents % (10 * BATCH) == 0 or done >= chunks:
            say(f"passages {done}/{chunks}")
    return documents


def fill_words(random: Generator) -> int:
    """A vector for every word that stands somewhere, as the worker would have made them. Returns how many."""
    embedder = active.embedder()
    words = sorted(vocabulary(Chunk.objects.only("heading", "text").iterator(2000)))
    axis = random.standard_normal(embedder.dimensions)
    rows = vectors.around((axis / np.linalg.norm(axis)).astype(np.float32), len(words), random, WORD_SPREAD)
    WordVector.objects.bulk_create(
        (
            WordVector(fingerprint=embedder.fingerprint, word=word, vector=row.astype(np.float16).tobytes())
            for word, row in zip(words, rows, strict=True)
        ),
        batch_size=2000,
    )
    return len(words)


def index(say: Progress) -> int:
    """Everything into a first index, by the portal's own rebuild. Returns how many passages it holds."""
    say("building the index")
    version = reindex(lambda done, total: say(f"embedding {done}/{total}"))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return version.entries

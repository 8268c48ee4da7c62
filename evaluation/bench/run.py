"""The benchmark from an empty database, or from one that was kept, to its figures."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import count
from pathlib import Path
from time import perf_counter

import numpy as np
from django.contrib.auth.models import User
from numpy.random import Generator

from documents.search import active
from evaluation import bench_readers
from evaluation.bench import company, crowd, fill, imports, neighbours, processes, publication, questions, words
from evaluation.bench.crowd import Crowd
from evaluation.bench.database import Place
from evaluation.bench.documents import World, write_documents
from evaluation.bench.fill import Progress
from evaluation.bench.imports import Bulk
from evaluation.bench.machine import Machine, machine, memory
from evaluation.bench.measures import Times
from evaluation.bench.neighbours import Recall
from evaluation.bench.questions import Answers, Retrieval
from evaluation.bench_readers import ReadersBench
from kbportal import collector

SEED = 7
ON_PASSAGES = ("retrieval", "answers", "neighbours", "crowd", "publication")
"""What is measured on the made-up company, in this order."""
ALONE = ("readers", "import", "embedding")
"""What is measured in a database where nothing else is, one for each."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything. `centres` are the real sentences that are embedded, around which made-up passages lie."""

    chunks: int
    words: int = 40_000
    centres: int = 120
    questions: int = 220
    imported: int = 500
    listed: int = bench_readers.DOCUMENTS
    grants: int = bench_readers.GRANTS


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was searched. `index_seconds` is what the portal's own rebuild took, without embedding; 0 for one kept."""

    passages: int
    documents: int
    words: int
    engine: str
    embedder: str
    index_seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """Figures of one size; None where they were not asked for. Times in milliseconds, memory in MB.

    `memory` is of the running portal, of each of its processes, and of this benchmark's own, which holds model and
    caches as the web process does.
    """

    machine: Machine
    corpus: Corpus
    retrieval: Retrieval | None
    answers: Answers | None
    neighbours: list[Recall] | None
    crowd: Crowd | None
    publication: Times | None
    memory: dict[str, float]


@dataclass(frozen=True, slots=True)
class Alone:
    """`embedding` is passages a second, imported with the model at work."""

    readers: ReadersBench | None = None
    bulk: Bulk | None = None
    embedding: float | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """What the benchmark is made of: `texts` give the words, `asked` are questions in people's words.

    `parts` are those of `ON_PASSAGES` and `ALONE` that are wanted.
    """

    size: Size
    texts: list[str]
    asked: list[str]
    today: date
    supervisor: Path
    parts: Collection[str] = ON_PASSAGES + ALONE


def run(given: Given, place: Place, say: Progress) -> Result:
    """Fill the database of the current connection up to the size that is asked for, and measure."""
    random, where = np.random.default_rng(SEED), machine()
    world = _world(given, random, say)
    people, corpus = _filled(given, world, random, say)
    say("asking")
    collector.settle()  # as the web process does
    own = _written(given, people, random)
    wanted = given.parts
    return Result(
        machine=where,
        corpus=corpus,
        retrieval=questions.retrieval(given.asked, people, given.today) if "retrieval" in wanted else None,
        answers=questions.answers(next(own), people) if "answers" in wanted else None,
        neighbours=neighbours.measure(given.asked, given.today) if "neighbours" in wanted else None,
        crowd=crowd.measure(people, _one_by_one(own), place) if "crowd" in wanted else None,
        publication=publication.measure(world, random, say) if "publication" in wanted else None,
        memory=memory({**processes.of_instance(given.supervisor), "this benchmark": os.getpid()}),
    )


def alone(part: str, given: Given, say: Progress) -> Alone:
    """Measure one of `ALONE` in the database of the current connection, which must be empty."""
    size, random = given.size, np.random.default_rng(SEED)
    say(f"measuring {part}")
    match part:
        case "readers":
            return Alone(readers=bench_readers.measure(documents=size.listed, grants=size.grants))
        case "import":
            return Alone(bulk=imports.bulk(_world(given, random, say), random, say, size.imported))
        case _:
            return Alone(embedding=imports.embedded(_world(given, random, say), random, say, size.imported))


def _filled(given: Given, world: World, random: Generator, say: Progress) -> tuple[list[User], Corpus]:
    people, staff = fill.people(random)

    def make(first: int, many: int, most: int) -> int:
        own = np.random.default_rng([SEED, first])  # the same documents whether or not the filling was interrupted
        plans = [company.plan(number, given.today, own) for number in range(first, first + many)]
        return write_documents(plans, most, world, staff, own)

    documents = fill.fill(given.size.chunks, make, say)
    vocabulary = fill.fill_words(world.vocabulary.words, random)
    began, kept = perf_counter(), active.version()
    version = fill.index(given.size.chunks, say)
    return people, Corpus(
        passages=version.entries,
        documents=documents,
        words=vocabulary,
        engine=active.engine().name,
        embedder=active.embedder().fingerprint,
        index_seconds=0.0 if version == kept else perf_counter() - began,
    )


def _written(given: Given, people: list[User], random: Generator) -> Iterator[list[str]]:
    """Lists of questions of which none was asked before."""
    for _round in count():
        yield questions.written(given.size.questions, people, given.today, random)


def _one_by_one(lists: Iterator[list[str]]) -> Iterator[str]:
    for some in lists:
        yield from some


def _world(given: Given, random: Generator, say: Progress) -> World:
    sentences = [line.strip() for text in given.texts for line in text.splitlines() if len(line.split()) > 8]
    chosen = random.choice(len(sentences), size=min(given.size.centres, len(sentences)), replace=False)
    say(f"embedding {len(chosen)} sentences as centres")
    centres = active.embedder().passages([sentences[row][:400] for row in chosen])
    return World(words.vocabulary(given.texts, given.size.words, random), centres)

"""The benchmark from an empty database to its figures."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.random import Generator

from documents.search import active
from evaluation import bench_readers
from evaluation.bench import company, fill, imports, processes, questions, words
from evaluation.bench.documents import World, write_document
from evaluation.bench.fill import Progress
from evaluation.bench.imports import Imports
from evaluation.bench.machine import Machine, machine, memory
from evaluation.bench.questions import Answers, Retrieval
from evaluation.bench_readers import ReadersBench

SEED = 7


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything. `centres` are the real sentences that are embedded, around which made-up passages lie."""

    chunks: int
    words: int = 40_000
    centres: int = 120
    questions: int = 220
    imported: int = 8
    listed: int = bench_readers.DOCUMENTS
    grants: int = bench_readers.GRANTS


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was searched. `index_seconds` is what the portal's own rebuild took, without embedding."""

    passages: int
    documents: int
    words: int
    engine: str
    embedder: str
    index_seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """Times in milliseconds, memory in MB: `memory` of the running portal's processes and of this benchmark's own."""

    machine: Machine
    corpus: Corpus
    retrieval: Retrieval
    answers: Answers
    imports: Imports
    readers: ReadersBench
    memory: dict[str, float]


@dataclass(frozen=True, slots=True)
class Given:
    """What the benchmark is made of: `texts` give the words, `asked` are questions in people's words."""

    size: Size
    texts: list[str]
    asked: list[str]
    today: date
    supervisor: Path


def run(given: Given, say: Progress) -> Result:
    """Fill the database of the current connection, which must be empty, and measure."""
    size, random, where = given.size, np.random.default_rng(SEED), machine()
    say("measuring a reader's list")
    readers = bench_readers.measure(documents=size.listed, grants=size.grants)
    world = _world(given, random, say)
    people, staff = fill.people(random)

    def make(number: int, most: int) -> int:
        return write_document(company.plan(number, given.today, random), most, world, staff, random)

    documents = fill.fill(size.chunks, make, say)
    vocabulary = fill.fill_words(random)
    began = perf_counter()
    passages = fill.index(say)
    corpus = Corpus(
        passages=passages,
        documents=documents,
        words=vocabulary,
        engine=active.engine().name,
        embedder=active.embedder().fingerprint,
        index_seconds=perf_counter() - began,
    )
    say("asking")
    found = questions.retrieval(given.asked, people, given.today)
    own = questions.written(size.questions, people, given.today, random)
    answered = questions.answers(own, people)
    held = memory({**processes.of_instance(given.supervisor), "this benchmark": os.getpid()})
    return Result(where, corpus, found, answered, imports.measure(world, random, say, size.imported), readers, held)


def _world(given: Given, random: Generator, say: Progress) -> World:
    sentences = [line.strip() for text in given.texts for line in text.splitlines() if len(line.split()) > 8]
    chosen = random.choice(len(sentences), size=min(given.size.centres, len(sentences)), replace=False)
    say(f"embedding {len(chosen)} sentences as centres")
    centres = active.embedder().passages([sentences[row][:400] for row in chosen])
    return World(words.vocabulary(given.texts, given.size.words, random), centres)

"""Questions against the made-up company, timed step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import cycle
from time import perf_counter
from uuid import uuid4

from django.contrib.auth.models import User
from numpy.random import Generator

from chat import assembly, services
from chat.cache import begin, queries
from chat.candidates import Asked, recheck, search
from chat.parts import Parts
from chat.rules.types import Status
from documents.embedders.base import Embedder
from documents.models import Chunk, Revision
from documents.reader import reader_of
from documents.rules.terms import analyse
from documents.rules.types import Reader
from documents.search import active
from evaluation.bench.machine import cpu
from evaluation.bench.measures import Times, timed, times

WARM_UP = 20
SUBJECTS_ASKED = 4


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Audience keys, rewriting, both searches in each corpus, and the check against the tables.

    `whole` has the question's vector made by the model, `known_vector` found in the cache; `embedding` is the vector
    alone.
    """

    whole: Times
    known_vector: Times
    embedding: Times


@dataclass(frozen=True, slots=True)
class Answers:
    """A question through the portal's door, its evidence recorded before the answer.

    `every` holds all of them, `answered` those that came to an answer; `statuses` counts them.
    """

    every: Times
    answered: Times | None
    statuses: dict[str, int]


def retrieval(questions: Sequence[str], people: Sequence[User], today: date) -> Retrieval:
    """Each question as one of the people in turn."""
    embedder, parts = active.embedder(), assembly.parts()
    asked = _in_turn(questions, [reader_of(user) for user in people])
    work = _searching(parts, Unmet(embedder), today)
    whole = timed(asked, work, WARM_UP, cpu)
    known = timed(asked, work, WARM_UP, cpu)
    return Retrieval(whole, known, timed(questions, embedder.query, WARM_UP, cpu))


class Unmet:
    """The same model under a name that no cache has met, so that each question is embedded the first time."""

    def __init__(self, embedder: Embedder) -> None:
        self.query, self.passages, self.count = embedder.query, embedder.passages, embedder.count
        self.dimensions, self.max_tokens = embedder.dimensions, embedder.max_tokens
        self.in_process = getattr(embedder, "in_process", False)
        self.fingerprint = f"{embedder.fingerprint} {uuid4()}"


def written(count: int, people: Sequence[User], today: date, random: Generator) -> list[str]:
    """Questions that the base answers: each in words of one sentence that the person whose turn it is may read."""
    readers, questions = [reader_of(user) for user in people], []
    readable = [_readable(reader, today) for reader in readers]
    for number in range(count):
        ids = readable[number % len(readers)]
        chunk = Chunk.objects.get(pk=ids[random.integers(len(ids))])
        start, end = chunk.sentences[random.integers(len(chunk.sentences))]
        tokens = analyse(chunk.text[start - chunk.start : end - chunk.start]).tokens
        words = [token.surface for token in tokens if not token.number]
        asked = sorted(random.choice(len(words), size=min(SUBJECTS_ASKED, len(words)), replace=False))
        questions.append(f"qual é o prazo de {' '.join(words[place] for place in asked)}?")
    return questions


def answers(questions: Sequence[str], people: Sequence[User]) -> Answers:
    """Each question as one of the people in turn, through the function that the pages and the API ask."""
    spent: list[tuple[str, float]] = []

    def work(asked: tuple[str, User]) -> None:
        question, user = asked
        began = perf_counter()
        answer = services.answer_of(services.ask(user, question))
        spent.append((str(answer["status"]), (perf_counter() - began) * 1000))

    every = timed(list(zip(questions, cycle(people), strict=False)), work, WARM_UP, cpu)
    counted = spent[WARM_UP:]
    answered = [ms for status, ms in counted if status == Status.ANSWERED]
    return Answers(every, times(answered) if answered else None, dict(Counter(status for status, _ms in counted)))


def _searching(parts: Parts, embedder: Embedder, today: date) -> Callable[[tuple[str, Reader]], object]:
    """What `chat.services.ask` and the pipeline do of a question up to the check of its candidates."""

    def work(asked: tuple[str, Reader]) -> object:
        question, reader = asked
        begun = begin(embedder, question)
        by = Asked(reader, parts.corpus.audiences(reader), today, today)
        searches = parts.rewriter.rewrite(question, parts.corpus.glossary())
        vectors = queries(embedder, [wanted.text for wanted in searches], begun)
        return recheck(search(searches, vectors, by, parts), by, parts)

    return work


def _in_turn(questions: Sequence[str], readers: Sequence[Reader]) -> list[tuple[str, Reader]]:
    return list(zip(questions, cycle(readers), strict=False))


def _readable(reader: Reader, today: date) -> list[int]:
    revisions = Revision.objects.eligible_for(reader, today, today).values("pk")
    return list(Chunk.objects.filter(revision__in=revisions).order_by("pk").values_list("pk", flat=True))

"""From the publication of a text to the first answer that quotes it."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, sleep
from typing import cast

from django.contrib.auth.models import User
from numpy.random import Generator

from chat import services
from chat.rules.answer import Json
from documents.models import Revision
from evaluation.bench import words
from evaluation.bench.documents import World, passages_of
from evaluation.bench.imports import OWNER, imported
from evaluation.bench.measures import Times, times
from governance.actions import publish

TIMES = 20
PASSAGES = 2
PATIENCE = 60.0
REASON = "Medição"


def measure(world: World, random: Generator, say: Callable[[str], None]) -> Times:
    """Milliseconds from the call of `publish` on an approved text until somebody who asks gets a quote of it.

    The index follows in the process that publishes, as with `KB_JOBS=inline`: what a queue adds is not in it.
    """
    about = [words.subject(world.vocabulary, random) for _ in range(TIMES)]
    texts = [passages_of(world, one, PASSAGES, random) for one in about]
    codes = imported(f"publicado-{random.integers(10**9)}", texts, say, state="approved")
    owner = User.objects.get(username=OWNER)
    spent = []
    for code, text in zip(codes, texts, strict=True):
        revision = Revision.objects.get(document__code=code)
        question = f"qual é o prazo de {' '.join(text.texts[0].split()[:8])}?"
        services.answer_of(services.ask(owner, question))  # the vector of the question is known then
        began = perf_counter()
        publish(revision.pk, actor=owner, reason=REASON)
        while not _quoted(owner, question, code):
            if perf_counter() - began > PATIENCE:
                raise RuntimeError(f"{code} was published and nobody gets an answer from it")
            sleep(0.05)
        spent.append((perf_counter() - began) * 1000)
    return times(spent)


def _quoted(user: User, question: str, code: str) -> bool:
    claims = [event.data for event in services.ask(user, question) if event.name == "claim"]
    return any(citation["document"] == code for one in claims for citation in cast("list[Json]", one["citations"]))

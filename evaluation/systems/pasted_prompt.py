"""The bot that this portal replaces: policies pasted into one prompt, for everybody, on every question.

It knows no person, no date and no conversation, checks nothing and never refuses of its own accord. It answers with
the same generator as the portal, so that the difference is what the portal does around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from time import perf_counter

from chat.generators.base import Generator
from chat.rules.types import DraftClaim, Generation, Status, Usage
from documents import corpus
from documents.models import Chunk, Revision
from documents.rules.passage import Passage
from documents.rules.types import Reader
from evaluation.rules.cases import Case
from evaluation.rules.judging import Given
from evaluation.systems.places import Quoted, place, unsupported

DOCUMENTS = 40
NOBODY = Reader(key="", user_id=0, active=False)


def most_asked(cases: Sequence[Case], documents: Sequence[str], count: int) -> list[str]:
    """The `count` documents that the cases ask of most, then others by code: the best choice that could be pasted."""
    asked = Counter(source.document for case in cases for source in case.sources)
    return sorted(documents, key=lambda code: (-asked[code], code))[:count]


class PastedPrompt:
    """`count` counts tokens, `documents` are the codes pasted, `today` is the day on which the questions are asked."""

    name = "pasted_prompt"

    def __init__(
        self, generator: Generator, count: Callable[[str], int], documents: Sequence[str], today: date
    ) -> None:
        self._generator = generator
        self._count = count
        self._documents = documents
        self._today = today

    def answer(self, case: Case, reader: Reader) -> Given:
        began = perf_counter()
        generation = self._generator.generate(case.question, self._passages)
        spent = (perf_counter() - began) * 1000
        cited = [(claim, self._cited(claim)) for claim in generation.claims]
        quotes = [_quoted(claim, passage) for claim, passage in cited]
        return Given(
            status=Status.ANSWERED if generation.claims else Status.NOT_FOUND,
            places=tuple(place(passage) for _claim, passage in cited if passage),
            text="\n".join(part for claim in generation.claims for part in (claim.text, claim.quote)),
            unsupported=unsupported(quotes, reader, case.on or self._today, self._today),
            ranked=(),
            usage=self._usage(case.question, generation),
            ms=spent,
        )

    def _cited(self, claim: DraftClaim) -> Passage | None:
        inside = 1 <= claim.passage <= len(self._passages)
        return self._passages[claim.passage - 1] if inside else None

    def _usage(self, question: str, generation: Generation) -> Usage:
        """What the generator was charged; one that reads for nothing is counted as a model would be."""
        if generation.usage.prompt_tokens:
            return generation.usage
        said = sum(self._count(claim.text) for claim in generation.claims)
        prompt = self._pasted_tokens + self._count(question)
        return replace(generation.usage, prompt_tokens=prompt, completion_tokens=said)

    @cached_property
    def _passages(self) -> list[Passage]:
        """The newest text of each document that was ever published, whole, for whoever asks."""
        newest = (
            Revision.objects.filter(document__code__in=self._documents, state__in=["published", "retired"])
            .order_by("document__code", "-pk")
            .distinct("document__code")
        )
        chunks = Chunk.objects.filter(revision__in=newest).order_by("revision__document__code", "ordinal")
        ids = list(chunks.values_list("pk", flat=True))
        # The decision about each passage comes with it and is not looked at: that is the point.
        loaded = corpus.load(corpus.index_version(), ids, NOBODY, self._today, self._today)
        return [item.passage for item in loaded]

    @cached_property
    def _pasted_tokens(self) -> int:
        return sum(self._count(passage.text) for passage in self._passages)


def _quoted(claim: DraftClaim, passage: Passage | None) -> list[Quoted]:
    start = passage.text.find(claim.quote) if passage else -1
    if passage is None or start < 0:
        return []
    start += passage.start
    return [Quoted(int(passage.revision_id), start, start + len(claim.quote), claim.quote)]

"""The bot that this portal replaces: policies pasted into one prompt, for everybody, on every question.

It knows no person, no date and no conversation, checks nothing and never refuses of its own accord. It answers with
the same generator as the portal, so that the difference is what the portal does around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from functools import cached_property
from time import perf_counter

from chat.generators.evidence import Evidence, UsesEvidence
from chat.parts import Parts
from chat.retrieval import asked_of, candidates_of
from chat.rules.types import DraftClaim, Generation, Status
from documents import corpus
from documents.models import Chunk, Revision
from documents.rules.lifecycle import ONCE_PUBLISHED
from documents.rules.passage import Loaded, Passage
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

    def __init__(self, parts: Parts, count: Callable[[str], int], documents: Sequence[str], today: date) -> None:
        self._parts = parts
        self._count = count
        self._documents = documents
        self._today = today

    def answer(self, case: Case, reader: Reader) -> Given:
        began = perf_counter()
        generation, passages = self._generate(case.question)
        spent = (perf_counter() - began) * 1000
        cited = [(claim, _cited(claim, passages)) for claim in generation.claims]
        quotes = [_quoted(claim, passage) for claim, passage in cited]
        return Given(
            status=Status.ANSWERED if generation.claims else Status.NOT_FOUND,
            places=tuple(place(passage) for _claim, passage in cited if passage),
            text="\n".join(part for claim in generation.claims for part in (claim.text, claim.quote)),
            unsupported=unsupported(quotes, reader, case.on or self._today, self._today),
            ranked=(),
            usage=generation.usage,
            sent_tokens=self._pasted_tokens + self._count(case.question),
            ms=spent,
        )

    def _generate(self, question: str) -> tuple[Generation, list[Passage]]:
        """A model gets everything as it was pasted. The generator without one reads only the first passages that it
        is given, so it is handed the same ones best first."""
        pasted = [item.passage for item in self._pasted]
        generator = self._parts.generator
        if not isinstance(generator, UsesEvidence):
            return generator.generate(question, pasted), pasted
        asked = asked_of(question, self._parts.embed([question])[0].result(), self._parts)
        candidates = candidates_of(self._pasted, asked, self._parts)
        passages = [scored.candidate.passage for scored in self._parts.reranker.rank(asked, candidates)]
        vectors = {item.passage.chunk_id: item.sentence_vectors for item in self._pasted}
        return generator.informed(Evidence(asked, vectors)).generate(question, passages), passages

    @cached_property
    def _pasted(self) -> list[Loaded]:
        """The newest text of each document that was ever published, whole, for whoever asks."""
        newest = (
            Revision.objects.filter(document__code__in=self._documents, state__in=ONCE_PUBLISHED)
            .order_by("document__code", "-pk")
            .distinct("document__code")
        )
        chunks = Chunk.objects.filter(revision__in=list(newest)).order_by("revision__document__code", "ordinal")
        # The decision about each passage comes with it and is not looked at: that is the point.
        ids = list(chunks.values_list("pk", flat=True))
        return corpus.load(corpus.index_version(), ids, NOBODY, self._today, self._today)

    @cached_property
    def _pasted_tokens(self) -> int:
        return sum(self._count(item.passage.text) for item in self._pasted)


def _cited(claim: DraftClaim, passages: Sequence[Passage]) -> Passage | None:
    return passages[claim.passage - 1] if 1 <= claim.passage <= len(passages) else None


def _quoted(claim: DraftClaim, passage: Passage | None) -> list[Quoted]:
    start = passage.text.find(claim.quote) if passage else -1
    if passage is None or start < 0:
        return []
    start += passage.start
    return [Quoted(int(passage.revision_id), start, start + len(claim.quote), claim.quote)]

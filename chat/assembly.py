"""The parts of the pipeline, put together from the settings and the tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from typing import cast

from chat.cache import DjangoAnswerCache, cached_query
from chat.generators.base import Generator
from chat.models import Calibration
from chat.parts import Parts
from chat.rerankers.base import Reranker
from chat.rerankers.words import Vocabulary
from chat.rewriters.base import Rewriter
from chat.rules import abstain, citations, prompt
from chat.rules.outcome import Versions
from chat.rules.types import GlossaryTerm
from documents import corpus
from documents.models import IndexVersion
from documents.rules.eligibility import RULES_VERSION
from documents.rules.passage import Loaded, Passage
from documents.rules.types import Reader
from documents.search import active
from documents.search.base import Engine, Filter, Lists, Query
from documents.search.words import StoredWords
from governance.models import PrecedenceRule
from governance.rules import precedence
from kbportal.backends import get_backend


@dataclass(frozen=True, slots=True)
class TheIndex:
    """The active version of the index behind `chat.parts.Index`."""

    engine: Engine
    version: int

    @property
    def size(self) -> int:
        return self.engine.size(self.version)

    def search(self, queries: Sequence[Query], filters: Sequence[Filter], limit: int) -> list[Lists]:
        return self.engine.search(self.version, queries, filters, limit)

    def lexical_scores(self, text: str, chunk_ids: Sequence[int]) -> dict[int, float]:
        return self.engine.lexical_scores(self.version, text, chunk_ids)

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        return self.engine.document_frequency(self.version, terms)

    def known(self, terms: Sequence[str], filters: Sequence[Filter]) -> frozenset[str]:
        return self.engine.known(self.version, terms, filters)


@dataclass(frozen=True, slots=True)
class TheCorpus:
    """The tables behind `chat.parts.Corpus`."""

    version: IndexVersion

    def audiences(self, reader: Reader) -> frozenset[str]:
        return corpus.audiences(reader)

    def load(self, chunk_ids: Sequence[int], reader: Reader, on: date, today: date) -> list[Loaded]:
        return corpus.load(self.version, chunk_ids, reader, on, today)

    def still_linked(self, passages: Sequence[Passage]) -> bool:
        return corpus.still_linked(passages)

    def glossary(self) -> list[GlossaryTerm]:
        return [GlossaryTerm(term.term, term.expansions, term.area) for term in corpus.glossary()]

    def prevails(self, reader: Reader, on: date) -> Callable[[str, str], tuple[str, bool] | None]:
        rules = PrecedenceRule.objects.facts()

        def decide(a: str, b: str) -> tuple[str, bool] | None:
            ruling = precedence.decide(rules, a, b, reader, on)
            strict = precedence.PrecedenceKind.MANDATORY
            return None if ruling is None else (ruling.prevails, ruling.kind is strict)

        return decide


def parts() -> Parts:
    """Everything that one question needs. Raises `EngineUnavailable` when there is no index that fits the settings."""
    version = corpus.index_version()
    embedder = active.embedder()
    return Parts(
        corpus=TheCorpus(version),
        index=TheIndex(active.engine(), version.pk),
        embed=lambda text: cached_query(embedder, text),
        words=_vocabulary(embedder.fingerprint),
        rewriter=_rewriter(),
        reranker=_reranker(),
        generator=_generator(),
        cache=DjangoAnswerCache(),
        thresholds=thresholds(),
        versions=versions(),
    )


def versions() -> Versions:
    """What answers now. Works without an index too, so that "unavailable" can be recorded."""
    index = active.version()
    return Versions(
        rules=f"{RULES_VERSION} {precedence.PRECEDENCE_VERSION}",
        index=f"{index}" if index else "",
        prompt=prompt.PROMPT_VERSION,
        verifier=citations.VERIFIER_VERSION,
        thresholds=thresholds().version,
        embedder=active.embedder().fingerprint,
        generator=f"{_generator().name}-{_generator().version}",
        reranker=_reranker().fingerprint,
        rewriter=f"{_rewriter().name}-{_rewriter().version}",
    )


def versions_of(value: Versions) -> dict[str, str]:
    return asdict(value)


def thresholds() -> abstain.Thresholds:
    """The newest calibration, else the cautious default."""
    row = Calibration.objects.order_by("-pk").first()
    return abstain.Thresholds(**row.thresholds) if row else abstain.DEFAULT


@cache
def _vocabulary(fingerprint: str) -> Vocabulary:
    return Vocabulary(StoredWords(active.embedder()))


def _generator() -> Generator:
    return cast("Generator", get_backend("generator"))


def _rewriter() -> Rewriter:
    return cast("Rewriter", get_backend("rewriter"))


def _reranker() -> Reranker:
    return cast("Reranker", get_backend("reranker"))

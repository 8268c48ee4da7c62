"""The parts of the pipeline, put together from the settings and the tables."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import cast

from django.db import Error

from chat import cache
from chat.cache import Begun, DjangoAnswerCache, queries
from chat.dictionary import spelled
from chat.generators.base import Generator
from chat.models import Calibration
from chat.parts import CorpusUnavailable, Parts, PermissionsUnavailable
from chat.rerankers.base import Reranker
from chat.rerankers.words import Vocabulary
from chat.rewriters.base import Rewriter
from chat.rules import abstain, citations, prompt
from chat.rules.outcome import Versions
from chat.rules.types import GlossaryTerm
from documents import corpus
from documents.embedders.base import EmbedderUnavailable
from documents.models import IndexVersion
from documents.rules.eligibility import RULES_VERSION
from documents.rules.passage import Loaded, Passage
from documents.rules.types import Reader
from documents.search import active
from documents.search.base import Engine, EngineUnavailable, Filter, Lists, Query
from documents.search.words import StoredWords
from governance.models import PrecedenceRule
from governance.rules import precedence
from governance.rules.precedence import PrecedenceFact
from kbportal.backends import get_backend

logger = logging.getLogger(__name__)

UNAVAILABLE = (CorpusUnavailable, EmbedderUnavailable, EngineUnavailable)
"""What `parts` raises while a part that it needs does not answer."""

SETTLED = 2000
"""Passages from which on an index has the words whose mean the ranking measures from."""


@dataclass(frozen=True, slots=True)
class TheIndex:
    """The active version of the index behind `chat.parts.Index`."""

    engine: Engine
    version: int

    @property
    def size(self) -> int:
        return self.engine.size(self.version)

    def search(self, query: Query, filters: Sequence[Filter], limit: int) -> list[Lists]:
        return self.engine.search(self.version, query, filters, limit)

    def lexical_scores(self, text: str, chunk_ids: Sequence[int]) -> dict[int, float]:
        return self.engine.lexical_scores(self.version, text, chunk_ids)

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        return self.engine.document_frequency(self.version, terms)

    def known(self, terms: Sequence[str], filters: Sequence[Filter]) -> frozenset[str]:
        return self.engine.known(self.version, terms, filters)


@dataclass(frozen=True, slots=True)
class TheCorpus:
    """The tables behind `chat.parts.Corpus`. Glossary and rules are read once, so that one question sees one state."""

    version: IndexVersion
    terms: Sequence[GlossaryTerm]
    rules: Sequence[PrecedenceFact]

    def audiences(self, reader: Reader) -> frozenset[str]:
        with _or(PermissionsUnavailable):
            return corpus.audiences(reader)

    def load(self, chunk_ids: Sequence[int], reader: Reader, on: date, today: date) -> list[Loaded]:
        with _or(PermissionsUnavailable):
            return corpus.load(self.version, chunk_ids, reader, on, today)

    def still_linked(self, passages: Sequence[Passage]) -> bool:
        with _or(CorpusUnavailable):
            return not passages or corpus.still_linked(passages)

    def glossary(self) -> Sequence[GlossaryTerm]:
        return self.terms

    def prevails(self, reader: Reader, on: date) -> Callable[[str, str], tuple[str, bool] | None]:
        governed = {code for rule in self.rules for code in (rule.prevails, rule.over)}

        def decide(a: str, b: str) -> tuple[str, bool] | None:
            if not {a, b} <= governed:
                return None
            ruling = precedence.decide(self.rules, a, b, reader, on)
            strict = precedence.PrecedenceKind.MANDATORY
            return None if ruling is None else (ruling.prevails, ruling.kind is strict)

        return decide


def begin(question: str) -> Begun | None:
    """Start on what takes longest of a question and needs nothing of its reader."""
    return cache.begin(active.embedder(), question)


def parts(begun: Begun | None = None) -> Parts:
    """Everything that one question needs. `begun` is what `begin` gave for it.

    Raises `EngineUnavailable` when there is no index that fits the settings, `CorpusUnavailable` when the tables do
    not answer.
    """
    with _or(CorpusUnavailable):
        version = corpus.index_version()
        embedder = active.embedder_of(version)
        terms = corpus.glossary()
        rules = PrecedenceRule.objects.facts()
        fitted = thresholds()
    return Parts(
        corpus=TheCorpus(version, terms, rules),
        index=TheIndex(active.engine(), version.pk),
        spell=lambda question: _spelled(question, embedder.fingerprint),
        embed=lambda texts: queries(embedder, texts, begun),
        words=_vocabulary(embedder.fingerprint, version.pk, min(version.entries, SETTLED)),
        rewriter=_rewriter(),
        reranker=_reranker(),
        generator=_generator(),
        cache=DjangoAnswerCache(),
        thresholds=fitted,
        versions=_versions(str(version), fitted.version, embedder.fingerprint),
    )


def _spelled(question: str, fingerprint: str) -> str:
    with _or(CorpusUnavailable):
        return spelled(question, fingerprint)


def versions_down() -> Versions:
    """What can be told of the parts when they could not be put together, so that "unavailable" can be recorded."""
    try:
        fingerprint = active.embedder().fingerprint
    except EmbedderUnavailable:
        fingerprint = ""
    return _versions("", "", fingerprint)


def _versions(index: str, fitted: str, fingerprint: str) -> Versions:
    return Versions(
        rules=f"{RULES_VERSION} {precedence.PRECEDENCE_VERSION}",
        index=index,
        prompt=prompt.PROMPT_VERSION,
        verifier=citations.VERIFIER_VERSION,
        thresholds=fitted,
        embedder=fingerprint,
        generator=f"{_generator().name}-{_generator().version}",
        reranker=_reranker().fingerprint,
        rewriter=f"{_rewriter().name}-{_rewriter().version}",
    )


def thresholds() -> abstain.Thresholds:
    """The newest calibration, else the cautious default; so too where it was fitted for other signals than today's."""
    row = Calibration.objects.order_by("-pk").first()
    try:
        return abstain.Thresholds(**row.thresholds) if row else abstain.DEFAULT
    except TypeError:
        logger.warning("%s does not fit this version: run `manage.py calibrate` again", row)
        return abstain.DEFAULT


@lru_cache(maxsize=2)
def _vocabulary(fingerprint: str, version: int, entries: int) -> Vocabulary:
    """A vocabulary keeps the mean of its words: while the base is young each growth of the index asks for a new one."""
    return Vocabulary(StoredWords(active.embedder_of(IndexVersion.objects.get(pk=version))))


@contextmanager
def _or(unavailable: type[Exception]) -> Iterator[None]:
    """A database that does not answer, in the words of `chat.parts`."""
    try:
        yield
    except Error as error:
        raise unavailable(f"the database did not answer: {error}") from error


def _generator() -> Generator:
    return cast("Generator", get_backend("generator"))


def _rewriter() -> Rewriter:
    return cast("Rewriter", get_backend("rewriter"))


def _reranker() -> Reranker:
    return cast("Reranker", get_backend("reranker"))

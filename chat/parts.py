"""What the pipeline is made of, as Protocols: it names no engine, no model and no table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from chat.generators.base import Generator
from chat.rerankers.base import Reranker
from chat.rewriters.base import Rewriter
from chat.rules.abstain import Thresholds
from chat.rules.coverage import Words
from chat.rules.outcome import Versions
from chat.rules.types import Generation, GlossaryTerm
from documents.embedders.base import Vectors
from documents.rules.passage import Loaded, Passage
from documents.rules.types import Reader
from documents.search.base import Filter, Lists, Query


class PermissionsUnavailable(Exception):
    """Who may read what can't be told now. Nothing may be quoted then, and nothing may be called missing."""


class CorpusUnavailable(Exception):
    """The corpus did not answer something else. Never to be read as "nothing there"."""


class Index(Protocol):
    """One index version, as the pipeline asks it. Raises `EngineUnavailable`."""

    def search(self, query: Query, filters: Sequence[Filter], limit: int) -> list[Lists]: ...

    def lexical_scores(self, text: str, chunk_ids: Sequence[int]) -> dict[int, float]: ...

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]: ...

    def known(self, terms: Sequence[str], filters: Sequence[Filter]) -> frozenset[str]: ...

    @property
    def size(self) -> int: ...


class Corpus(Protocol):
    """The read side of the documents, for one question.

    `audiences` and `load`, which decide on access, raise `PermissionsUnavailable`; the others `CorpusUnavailable`.
    """

    def audiences(self, reader: Reader) -> frozenset[str]: ...

    def load(self, chunk_ids: Sequence[int], reader: Reader, on: date, today: date) -> list[Loaded]: ...

    def still_linked(self, passages: Sequence[Passage]) -> bool: ...

    def glossary(self) -> Sequence[GlossaryTerm]: ...

    def prevails(self, reader: Reader, on: date) -> Callable[[str, str], tuple[str, bool] | None]: ...


class AnswerCache(Protocol):
    """Generations by the evidence that they were made from. Losing one costs time and nothing else."""

    def get(self, key: str) -> Generation | None: ...

    def set(self, key: str, value: Generation, sent: Sequence[Passage]) -> None: ...


@dataclass(frozen=True, slots=True)
class Parts:
    corpus: Corpus
    index: Index
    spell: Callable[[str], str]
    embed: Callable[[Sequence[str]], list[Future[Vectors]]]
    words: Words
    rewriter: Rewriter
    reranker: Reranker
    generator: Generator
    cache: AnswerCache
    thresholds: Thresholds
    versions: Versions

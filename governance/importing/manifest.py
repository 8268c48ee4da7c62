"""The manifest of a corpus folder as values; docs/import.md describes the form."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from documents.rules.types import Authority, Classification, History, Kind, Risk, State, Window
from governance.rules.precedence import PrecedenceKind

FILE = "corpus.yaml"


class RelationKind(StrEnum):
    SUPERSEDES = "supersedes"
    DERIVES_FROM = "derives_from"
    MERGES = "merges"
    WITHDRAWS = "withdraws"


@dataclass(frozen=True, slots=True)
class Person:
    username: str
    name: str
    groups: tuple[str, ...]
    units: tuple[str, ...]
    areas: tuple[str, ...]
    roles: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Named:
    """An area or a unit; `jurisdiction` is empty for an area."""

    slug: str
    name: str
    jurisdiction: str
    line: int


@dataclass(frozen=True, slots=True)
class Term:
    term: str
    expansions: tuple[str, ...]
    area: str
    owner: str
    reason: str
    line: int


@dataclass(frozen=True, slots=True)
class ChannelEntry:
    area: str
    label: str
    url: str
    line: int


@dataclass(frozen=True, slots=True)
class Rule:
    prevails: str
    over: str
    except_units: tuple[str, ...]
    except_jurisdictions: tuple[str, ...]
    owner: str
    kind: PrecedenceKind
    reason: str
    window: Window
    line: int


@dataclass(frozen=True, slots=True)
class RevisionEntry:
    label: str
    file: str
    state: State
    approver: str
    author: str
    valid_from: date | None
    valid_until: date | None
    line: int

    @property
    def window(self) -> Window:
        return Window(self.valid_from, self.valid_until)


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    code: str
    title: str
    kind: Kind
    area: str
    owner: str
    authority: Authority
    classification: Classification
    readers: tuple[str, ...]
    history: History
    units: tuple[str, ...]
    jurisdictions: tuple[str, ...]
    products: tuple[str, ...]
    subjects: tuple[str, ...]
    risk: Risk
    source_kind: str
    source_uri: str
    revisions: tuple[RevisionEntry, ...]
    line: int

    @property
    def labels(self) -> frozenset[str]:
        return frozenset(revision.label for revision in self.revisions)


@dataclass(frozen=True, slots=True)
class Link:
    kind: RelationKind
    sources: tuple[str, ...]
    target: str
    reason: str
    line: int


@dataclass(slots=True)
class Manifest:
    people: list[Person] = field(default_factory=list)
    areas: list[Named] = field(default_factory=list)
    units: list[Named] = field(default_factory=list)
    glossary: list[Term] = field(default_factory=list)
    channels: list[ChannelEntry] = field(default_factory=list)
    precedence: list[Rule] = field(default_factory=list)
    documents: list[DocumentEntry] = field(default_factory=list)
    relations: list[Link] = field(default_factory=list)

"""The values that the rules of the corpus speak in: frozen, free of any framework."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from documents.rules.notices import Notice


class State(StrEnum):
    """Where a revision stands. "In force" and "superseded" follow from dates and are never stored."""

    DRAFT = "draft"
    IN_REVIEW = "in_review"
    APPROVED = "approved"
    PUBLISHED = "published"
    RETIRED = "retired"


class Kind(StrEnum):
    POLICY = "policy"
    MANUAL = "manual"
    PROCEDURE = "procedure"
    FAQ = "faq"
    WIKI = "wiki"
    MINUTES = "minutes"


class Corpus(StrEnum):
    """Ranked apart, so that the largest does not drown the others."""

    OFFICIAL = "official"
    WIKI = "wiki"
    MINUTES = "minutes"


CORPUS_OF_KIND = {
    Kind.POLICY: Corpus.OFFICIAL,
    Kind.MANUAL: Corpus.OFFICIAL,
    Kind.PROCEDURE: Corpus.OFFICIAL,
    Kind.FAQ: Corpus.OFFICIAL,
    Kind.WIKI: Corpus.WIKI,
    Kind.MINUTES: Corpus.MINUTES,
}


class Authority(StrEnum):
    OFFICIAL = "official"
    UNOFFICIAL = "unofficial"
    ONE_OFF = "one_off"


class Classification(StrEnum):
    PUBLIC = "public"
    INTERNAL = "internal"
    CONFIDENTIAL = "confidential"
    RESTRICTED = "restricted"


class History(StrEnum):
    """Who is answered from a superseded revision when asking about a past date."""

    READERS = "readers"
    ROLE = "role"


class Risk(StrEnum):
    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


class Role(StrEnum):
    APPROVER = "approver"
    AUDITOR = "auditor"
    INDEXER = "indexer"
    INCIDENTS = "incidents"
    PRODUCT = "product"
    HISTORY = "history"


class Reason(StrEnum):
    """Why a candidate was not used. `ELIGIBLE` is the reason of an allowed decision."""

    ELIGIBLE = "eligible"
    NO_PERMISSION = "no_permission"
    NOT_YET_IN_FORCE = "not_yet_in_force"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    DRAFT = "draft"
    NO_OWNER = "no_owner"
    OUT_OF_SCOPE = "out_of_scope"
    OTHER_JURISDICTION = "other_jurisdiction"
    DUPLICATE = "duplicate"
    LOWER_PRECEDENCE = "lower_precedence"
    BELOW_THRESHOLD = "below_threshold"
    BUDGET = "budget"
    INDEX_STALE = "index_stale"


@dataclass(frozen=True, slots=True)
class Decision:
    allowed: bool
    reason: Reason


@dataclass(frozen=True, slots=True)
class Window:
    """Half-open interval of days `[start, until)`; an open end is None."""

    start: date | None
    until: date | None

    def contains(self, on: date) -> bool:
        return (self.start is None or self.start <= on) and (self.until is None or on < self.until)

    @property
    def empty(self) -> bool:
        """No day lies before the first one of the calendar, where an open start begins."""
        return self.until is not None and self.until <= (self.start or date.min)


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks, as keys: the only form in which a person reaches a rule.

    `named_groups` are the person's own groups; `areas` and `units` are slugs; `jurisdictions` holds each
    jurisdiction of the person's units with all of its prefixes (`BR-SP` brings `BR`).
    """

    key: str
    user_id: int
    active: bool
    named_groups: frozenset[str] = frozenset()
    areas: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()
    jurisdictions: frozenset[str] = frozenset()
    roles: frozenset[Role] = frozenset()

    @property
    def reads_history(self) -> bool:
        return Role.HISTORY in self.roles


@dataclass(frozen=True, slots=True)
class Facts:
    """What the eligibility rule needs to know of one revision and its document.

    `user_grants` are user ids; `group_grants`, `area_grants`, `unit_grants` are names. `validity` is the business
    window; `retired_on` ends it early; `successor_on` is the first day of the next published revision, if any.
    """

    state: State
    validity: Window
    owner_id: int | None
    classification: Classification
    user_grants: frozenset[int] = frozenset()
    group_grants: frozenset[str] = frozenset()
    area_grants: frozenset[str] = frozenset()
    unit_grants: frozenset[str] = frozenset()
    scope_units: frozenset[str] = frozenset()
    scope_jurisdictions: frozenset[str] = frozenset()
    history: History = History.READERS
    retired_on: date | None = None
    successor_on: date | None = None


@dataclass(frozen=True, slots=True)
class SectionSpan:
    """A section of a revision's text: `text[start:end]` with its heading line, `text[body_start:end]` without.

    Nested sections are separate, consecutive spans: a parent's span ends where its first child starts.
    `path` holds the headings from the outermost to this one. `anchor` is unique within the revision.
    """

    heading: str
    level: int
    path: tuple[str, ...]
    anchor: str
    start: int
    body_start: int
    end: int


@dataclass(frozen=True, slots=True)
class PageSpan:
    """Page `number` (from 1) holds `text[start:end]`."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Extraction:
    """The readable text of one file. `warnings` are for the policy owner."""

    text: str
    sections: tuple[SectionSpan, ...]
    pages: tuple[PageSpan, ...] = ()
    warnings: tuple[Notice, ...] = ()
    extractor: str = ""


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """One unit of retrieval: `text[start:end]` of the revision, inside section number `section`.

    `sentences` are absolute spans `(start, end)` in the revision's text, in order, that cover every sentence of the
    chunk; a list item is a sentence of its own. `stem` is the span of the lead that a list item completes
    ("São vedados:"), one per sentence, or None.
    """

    section: int
    ordinal: int
    start: int
    end: int
    sentences: tuple[tuple[int, int], ...]
    stems: tuple[tuple[int, int] | None, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """An acronym or a word of the company with what it stands for; `area` narrows the searches that it makes."""

    term: str
    expansions: tuple[str, ...]
    area: str | None = None

"""The manifest of a corpus folder as values. See docs/import.md for the form."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path

from documents.rules.types import Authority, Classification, History, Kind, Risk, Role, State
from governance.importing.schema import Mapping, Reading, read_yaml, twice

FILE = "corpus.yaml"


class RelationKind(StrEnum):
    SUPERSEDES = "supersedes"
    DERIVES_FROM = "derives_from"
    MERGES = "merges"
    WITHDRAWS = "withdraws"


class RuleKind(StrEnum):
    MANDATORY = "mandatory"
    PREFERENTIAL = "preferential"


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
    kind: RuleKind
    reason: str
    valid_from: date | None
    valid_until: date | None
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


def read(folder: Path, reading: Reading) -> Manifest:
    """Every entry of `folder/corpus.yaml` that could be read; what could not is in `reading.problems`."""
    manifest = Manifest()
    top = read_yaml(folder / FILE, reading)
    if top is None:
        return manifest
    manifest.people = [_person(item, reading) for item in top.mappings("people")]
    manifest.areas = [_named(item, "area") for item in top.mappings("areas")]
    manifest.units = [_named(item, "unit") for item in top.mappings("units")]
    manifest.glossary = [_term(item) for item in top.mappings("glossary")]
    manifest.channels = [_channel(item) for item in top.mappings("channels")]
    manifest.precedence = [_rule(item) for item in top.mappings("precedence")]
    manifest.documents = [_document(item, reading) for item in top.mappings("documents")]
    manifest.relations = [_link(item) for item in top.mappings("relations")]
    top.done()
    twice([(p.username, p.line) for p in manifest.people], "person", reading)
    twice([(a.slug, a.line) for a in manifest.areas], "area", reading)
    twice([(u.slug, u.line) for u in manifest.units], "unit", reading)
    twice([(d.code, d.line) for d in manifest.documents], "document", reading)
    for document in manifest.documents:
        twice([(r.label, r.line) for r in document.revisions], f"{document.code}: revision", reading)
    return manifest


def _person(item: Mapping, reading: Reading) -> Person:
    username = item.text("username")
    item.name(f"person {username}")
    roles = item.texts("roles")
    for role in roles:
        if role not in set(Role):
            reading.problem(item.line_of("roles"), f"person {username}: unknown role `{role}`; known: {', '.join(Role)}")
    person = Person(
        username,
        item.text("name", username),
        item.texts("groups"),
        item.texts("units"),
        item.texts("areas"),
        roles,
        item.line,
    )
    item.done()
    return person


def _named(item: Mapping, what: str) -> Named:
    slug = item.text("slug")
    item.name(f"{what} {slug}")
    jurisdiction = item.text("jurisdiction") if what == "unit" else ""
    named = Named(slug, item.text("name", slug), jurisdiction, item.line)
    item.done()
    return named


def _term(item: Mapping) -> Term:
    term = item.text("term")
    item.name(f"glossary {term}")
    entry = Term(
        term, item.texts("expansions"), item.text("area", ""), item.text("owner"), item.text("reason"), item.line
    )
    item.done()
    return entry


def _channel(item: Mapping) -> ChannelEntry:
    entry = ChannelEntry(item.text("area", ""), item.text("label"), item.text("url"), item.line)
    item.done()
    return entry


def _rule(item: Mapping) -> Rule:
    prevails, over = item.text("prevails"), item.text("over")
    item.name(f"precedence of {prevails} over {over}")
    exceptions = item.mapping("except")
    units = exceptions.texts("units") if exceptions else ()
    jurisdictions = exceptions.texts("jurisdictions") if exceptions else ()
    if exceptions:
        exceptions.done()
    rule = Rule(
        prevails,
        over,
        units,
        jurisdictions,
        item.text("owner"),
        item.choice("kind", RuleKind, RuleKind.MANDATORY),
        item.text("reason"),
        item.day("valid_from"),
        item.day("valid_until"),
        item.line,
    )
    item.done()
    return rule


def _document(item: Mapping, reading: Reading) -> DocumentEntry:
    code = item.text("code")
    item.name(f"document {code}")
    scope = item.mapping("scope")
    source = item.mapping("source")
    entry = DocumentEntry(
        code=code,
        title=item.text("title"),
        kind=item.choice("kind", Kind),
        area=item.text("area"),
        owner=item.text("owner", ""),
        authority=item.choice("authority", Authority, Authority.OFFICIAL),
        classification=item.choice("classification", Classification, Classification.INTERNAL),
        readers=item.texts("readers"),
        history=item.choice("history", History, History.READERS),
        units=scope.texts("units") if scope else (),
        jurisdictions=scope.texts("jurisdictions") if scope else (),
        products=scope.texts("products") if scope else (),
        subjects=item.texts("subjects"),
        risk=item.choice("risk", Risk, Risk.NORMAL),
        source_kind=source.text("kind", "folder") if source else "folder",
        source_uri=source.text("uri", "") if source else "",
        revisions=tuple(_revision(part, code, reading) for part in item.mappings("revisions")),
        line=item.line,
    )
    for part in (scope, source, item):
        if part is not None:
            part.done()
    return entry


def _revision(item: Mapping, code: str, reading: Reading) -> RevisionEntry:
    label = item.text("label")
    item.name(f"{code}@{label}")
    entry = RevisionEntry(
        label=label,
        file=item.text("file"),
        state=item.choice("state", State, State.DRAFT),
        approver=item.text("approver", ""),
        author=item.text("author", ""),
        valid_from=item.day("valid_from"),
        valid_until=item.day("valid_until"),
        line=item.line,
    )
    item.done()
    return entry


def _link(item: Mapping) -> Link:
    link = Link(
        item.choice("kind", RelationKind), item.texts("from"), item.text("to"), item.text("reason"), item.line
    )
    item.done()
    return link

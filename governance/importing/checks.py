"""What a manifest's entries must hold about each other and about the portal, told before anything is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group

from documents.models import EVERYONE, Area, Document, Unit
from documents.rules.types import Role, State
from governance.importing.manifest import DocumentEntry, Manifest, RevisionEntry
from governance.importing.schema import Reading
from governance.permissions import is_approver_of

CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
READER = re.compile(r"(group|user|area|unit):(.+)")
DECIDED = (State.APPROVED, State.PUBLISHED, State.RETIRED)


@dataclass(frozen=True, slots=True)
class Known:
    """Every name that the manifest or the portal knows."""

    people: frozenset[str]
    areas: frozenset[str]
    units: frozenset[str]
    groups: frozenset[str]
    documents: frozenset[str]

    @classmethod
    def of(cls, manifest: Manifest) -> Known:
        users = get_user_model().objects.values_list("username", flat=True)
        groups = set(Group.objects.values_list("name", flat=True))
        return cls(
            people=frozenset(users) | {p.username for p in manifest.people},
            areas=frozenset(Area.objects.values_list("slug", flat=True)) | {a.slug for a in manifest.areas},
            units=frozenset(Unit.objects.values_list("slug", flat=True)) | {u.slug for u in manifest.units},
            groups=frozenset(groups) | {g for p in manifest.people for g in p.groups} | {EVERYONE},
            documents=frozenset(Document.objects.values_list("code", flat=True)) | {d.code for d in manifest.documents},
        )


def check(manifest: Manifest, reading: Reading) -> None:
    """Add every problem to `reading`."""
    known = Known.of(manifest)
    for place in (*manifest.areas, *manifest.units):
        if not SLUG.fullmatch(place.slug):
            reading.problem(place.line, f"`{place.slug}` is not a slug: use letters, digits and hyphens")
    for person in manifest.people:
        _names(person.areas, known.areas, "area", person.line, f"person {person.username}", reading)
        _names(person.units, known.units, "unit", person.line, f"person {person.username}", reading)
    for term in manifest.glossary:
        where = f"glossary {term.term}"
        _names([term.area] if term.area else [], known.areas, "area", term.line, where, reading)
        _names([term.owner], known.people, "person", term.line, where, reading)
        if not term.expansions:
            reading.problem(term.line, f"{where}: `expansions` is empty")
    for channel in manifest.channels:
        _names([channel.area] if channel.area else [], known.areas, "area", channel.line, "channel", reading)
    for rule in manifest.precedence:
        where = f"precedence of {rule.prevails} over {rule.over}"
        _names([rule.prevails, rule.over], known.documents, "document", rule.line, where, reading)
        _names([rule.owner], known.people, "person", rule.line, where, reading)
        _names(rule.except_units, known.units, "unit", rule.line, where, reading)
        if rule.prevails == rule.over:
            reading.problem(rule.line, f"{where}: a document can't prevail over itself")
    for link in manifest.relations:
        names = [*link.sources, link.target]
        _names(names, known.documents, "document", link.line, f"relation {link.kind}", reading)
        if link.target in link.sources:
            reading.problem(link.line, f"relation {link.kind}: a document can't relate to itself")
    for document in manifest.documents:
        _document(document, manifest, known, reading)


def _document(document: DocumentEntry, manifest: Manifest, known: Known, reading: Reading) -> None:
    where = f"document {document.code}"
    if not CODE.fullmatch(document.code):
        reading.problem(document.line, f"{where}: a code has letters, digits, dots, hyphens, at most 80")
    _names([document.area], known.areas, "area", document.line, where, reading)
    _names([document.owner] if document.owner else [], known.people, "person", document.line, where, reading)
    _names(document.units, known.units, "unit", document.line, where, reading)
    for reader in document.readers:
        match = READER.fullmatch(reader)
        if not match:
            message = f"{where}: reader `{reader}` must be group:…, user:…, area:… or unit:…"
            reading.problem(document.line, message)
            continue
        kind, name = match.groups()
        sets = {"group": known.groups, "user": known.people, "area": known.areas, "unit": known.units}
        _names([name], sets[kind], kind, document.line, where, reading)
    for revision in document.revisions:
        _revision(document, revision, manifest, known, reading)
    _windows(document, reading)


def _revision(
    document: DocumentEntry, revision: RevisionEntry, manifest: Manifest, known: Known, reading: Reading
) -> None:
    where = f"{document.code}@{revision.label}"
    start, until = revision.valid_from, revision.valid_until
    if start and until and until <= start:
        reading.problem(revision.line, f"{where}: valid_until {until} must come after valid_from {start}")
    if revision.state in (State.PUBLISHED, State.RETIRED) and start is None:
        reading.problem(revision.line, f"{where}: a {revision.state} revision needs valid_from")
    named = [name for name in (revision.approver, revision.author) if name]
    _names(named, known.people, "person", revision.line, where, reading)
    if revision.state not in DECIDED:
        return
    if not revision.approver:
        reading.problem(revision.line, f"{where}: a {revision.state} revision needs an approver")
    elif revision.approver == (revision.author or document.owner):
        reading.problem(revision.line, f"{where}: {revision.approver} can't approve their own text")
    elif revision.approver in known.people and not _approves(revision.approver, document.area, manifest):
        message = f"{where}: {revision.approver} needs the role approver and the area {document.area} to approve it"
        reading.problem(revision.line, message)


def _approves(username: str, area: str, manifest: Manifest) -> bool:
    person = next((p for p in manifest.people if p.username == username), None)
    if person is not None and Role.APPROVER in person.roles and area in person.areas:
        return True
    user = get_user_model().objects.filter(username=username).first()
    return user is not None and is_approver_of(user, area)


def _windows(document: DocumentEntry, reading: Reading) -> None:
    """Published windows in order: an open end is closed by the next one, a closed one must not reach into it."""
    published = [r for r in document.revisions if r.state in (State.PUBLISHED, State.RETIRED) and r.valid_from]
    for earlier, later in pairwise(published):
        assert earlier.valid_from and later.valid_from
        where = f"{document.code}@{later.label}"
        if later.valid_from <= earlier.valid_from:
            message = f"{where}: starts on {later.valid_from}, not after {earlier.label} ({earlier.valid_from})"
            reading.problem(later.line, f"{message}; revisions are listed oldest first")
        elif earlier.valid_until and later.valid_from < earlier.valid_until:
            message = f"{where}: starts on {later.valid_from}, before {earlier.label} ends ({earlier.valid_until})"
            reading.problem(later.line, message)


def _names(
    names: Iterable[str], known: frozenset[str], what: str, line: int, where: str, reading: Reading
) -> None:
    for name in names:
        if name not in known:
            reading.problem(line, f"{where}: the {what} `{name}` is unknown")

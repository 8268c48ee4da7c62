"""What one document of a manifest and its revisions must hold."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from documents.rules.lifecycle import ONCE_PUBLISHED
from documents.rules.types import State
from governance.importing.manifest import DocumentEntry, RevisionEntry
from governance.importing.names import RESERVED, Names, Place
from governance.importing.originals import leaves
from governance.importing.schema import Reading

CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
READER = re.compile(r"(group|user|area|unit):(.+)", re.DOTALL)
DECIDED = (State.APPROVED, *ONCE_PUBLISHED)


def check(document: DocumentEntry, folder: Path, known: Names, reading: Reading) -> None:
    place = Place(f"document {document.code}", document.line, reading)
    if document.code and not CODE.fullmatch(document.code):
        place.problem("a code has letters, digits, dots and hyphens")
    place.unknown("area", [document.area], known.areas)
    place.unknown("person", [document.owner], known.people)
    place.unknown("unit", document.units, known.units)
    for reader in document.readers:
        _reader(reader, place, known)
    for revision in document.revisions:
        own = _place(document, revision, reading)
        _dates(revision, own)
        _people(document, revision, known, own)
        if revision.file and leaves(folder, revision.file):
            own.problem(f"`{revision.file}` is outside of the corpus folder")
    _windows(document, reading)
    _review(document, reading)


def _place(document: DocumentEntry, revision: RevisionEntry, reading: Reading) -> Place:
    return Place(f"{document.code}@{revision.label}", revision.line, reading)


def _reader(reader: str, place: Place, known: Names) -> None:
    match = READER.fullmatch(reader)
    kind, name = match.groups() if match else ("", "")
    if not match or (kind == "group" and name.startswith(RESERVED)):
        place.problem(f"reader `{reader}` must be group:…, user:…, area:… or unit:…")
        return
    sets = {"group": known.groups, "user": known.people, "area": known.areas, "unit": known.units}
    place.unknown(kind, [name], sets[kind])


def _dates(revision: RevisionEntry, place: Place) -> None:
    start, until = revision.valid_from, revision.valid_until
    if start and until and until <= start:
        place.problem(f"valid_until {until} must come after valid_from {start}")
    if revision.state in ONCE_PUBLISHED and start is None:
        place.problem(f"a {revision.state} revision needs valid_from")
    elif until and start is None:
        place.problem("valid_until needs valid_from")


def _people(document: DocumentEntry, revision: RevisionEntry, known: Names, place: Place) -> None:
    area, author = document.area, revision.author or document.owner
    place.unknown("person", [revision.approver, revision.author], known.people)
    if revision.author in known.people - {document.owner} and not known.drafts(revision.author, area):
        place.problem(f"{revision.author} must belong to the area {area} to write it")
    if revision.state not in DECIDED:
        return
    if not revision.approver:
        place.problem(f"a {revision.state} revision needs an approver")
    elif revision.approver == author:
        place.problem(f"{author} can't approve their own text")
    elif revision.approver in known.people and not known.approves(revision.approver, area):
        place.problem(f"{revision.approver} needs the role approver and the area {area} to approve it")


def _windows(document: DocumentEntry, reading: Reading) -> None:
    """Oldest first: an open end is closed by the next one, a closed one must not reach into it."""
    in_force = [(r, r.valid_from) for r in document.revisions if r.state in ONCE_PUBLISHED and r.valid_from]
    for (earlier, before), (later, start) in pairwise(in_force):
        place = _place(document, later, reading)
        if start <= before:
            place.problem(f"starts on {start}, not after {earlier.label} ({before}); revisions are listed oldest first")
        elif earlier.valid_until and start < earlier.valid_until:
            place.problem(f"starts on {start}, before {earlier.label} ends ({earlier.valid_until})")


def _review(document: DocumentEntry, reading: Reading) -> None:
    """One text is in review at a time, and what comes after it can only be a draft."""
    waiting = next((r for r in document.revisions if r.state is State.IN_REVIEW), None)
    if waiting is None:
        return
    for later in document.revisions[document.revisions.index(waiting) + 1 :]:
        if later.state is not State.DRAFT:
            _place(document, later, reading).problem(f"{waiting.label} before it is still in review")

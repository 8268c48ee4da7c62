"""What one document of a manifest and its revisions must hold."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from django.utils.translation import gettext as _

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
    place = Place(_("document %(name)s") % {"name": document.code}, document.line, reading)
    if document.code and not CODE.fullmatch(document.code):
        place.problem(_("a code has letters, digits, dots and hyphens"))
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
            own.problem(_("`%(file)s` is outside of the corpus folder") % {"file": revision.file})
    _windows(document, reading)
    _review(document, reading)


def _place(document: DocumentEntry, revision: RevisionEntry, reading: Reading) -> Place:
    return Place(f"{document.code}@{revision.label}", revision.line, reading)


def _reader(reader: str, place: Place, known: Names) -> None:
    match = READER.fullmatch(reader)
    kind, name = match.groups() if match else ("", "")
    if not match or (kind == "group" and name.startswith(RESERVED)):
        place.problem(_("reader `%(reader)s` must be group:…, user:…, area:… or unit:…") % {"reader": reader})
        return
    sets = {"group": known.groups, "user": known.people, "area": known.areas, "unit": known.units}
    place.unknown(kind, [name], sets[kind])


def _dates(revision: RevisionEntry, place: Place) -> None:
    start, until = revision.valid_from, revision.valid_until
    if start and until and until <= start:
        told = {"until": until, "start": start}
        place.problem(_("valid_until %(until)s must come after valid_from %(start)s") % told)
    if revision.state in ONCE_PUBLISHED and start is None:
        place.problem(_("a %(state)s revision needs valid_from") % {"state": revision.state})
    elif until and start is None:
        place.problem(_("valid_until needs valid_from"))


def _people(document: DocumentEntry, revision: RevisionEntry, known: Names, place: Place) -> None:
    area, author = document.area, revision.author or document.owner
    place.unknown("person", [revision.approver, revision.author], known.people)
    if revision.author in known.people - {document.owner} and not known.drafts(revision.author, area):
        told = {"person": revision.author, "area": area}
        place.problem(_("%(person)s must belong to the area %(area)s to write it") % told)
    if revision.state not in DECIDED:
        return
    if not revision.approver:
        place.problem(_("a %(state)s revision needs an approver") % {"state": revision.state})
    elif revision.approver == author:
        place.problem(_("%(person)s can't approve their own text") % {"person": author})
    elif revision.approver in known.people and not known.approves(revision.approver, area):
        told = {"person": revision.approver, "area": area}
        place.problem(_("%(person)s needs the role approver and the area %(area)s to approve it") % told)


def _windows(document: DocumentEntry, reading: Reading) -> None:
    """Oldest first: an open end is closed by the next one, a closed one must not reach into it."""
    in_force = [(r, r.valid_from) for r in document.revisions if r.state in ONCE_PUBLISHED and r.valid_from]
    for (earlier, before), (later, start) in pairwise(in_force):
        place = _place(document, later, reading)
        if start <= before:
            told = {"start": start, "earlier": earlier.label, "before": before}
            place.problem(
                _("starts on %(start)s, not after %(earlier)s (%(before)s); revisions are listed oldest first") % told
            )
        elif earlier.valid_until and start < earlier.valid_until:
            told = {"start": start, "earlier": earlier.label, "end": earlier.valid_until}
            place.problem(_("starts on %(start)s, before %(earlier)s ends (%(end)s)") % told)


def _review(document: DocumentEntry, reading: Reading) -> None:
    """One text is in review at a time, and what comes after it can only be a draft."""
    waiting = next((r for r in document.revisions if r.state is State.IN_REVIEW), None)
    if waiting is None:
        return
    for later in document.revisions[document.revisions.index(waiting) + 1 :]:
        if later.state is not State.DRAFT:
            told = {"label": waiting.label}
            _place(document, later, reading).problem(_("%(label)s before it is still in review") % told)

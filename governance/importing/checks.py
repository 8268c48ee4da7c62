"""What the entries of a manifest must hold about each other and about the portal, told before anything is written."""

from __future__ import annotations

import re
from pathlib import Path

from django.utils.translation import gettext as _

from documents.rules.types import State
from governance.actions.places import SLUG
from governance.importing import document_checks
from governance.importing.manifest import Link, Manifest, Person, Rule
from governance.importing.names import IMPORTER, RESERVED, Names, Place
from governance.importing.schema import Reading

USERNAME = re.compile(r"[\w.@+-]+")


def check(manifest: Manifest, folder: Path, reading: Reading) -> None:
    """Add every problem to `reading`; none of those of a manifest that is too long to be one."""
    if reading.overflowed:
        return
    known = Names.known(manifest)
    for named in (*manifest.areas, *manifest.units):
        if named.slug and not SLUG.fullmatch(named.slug):
            told = {"slug": named.slug}
            reading.problem(named.line, _("`%(slug)s` is not a slug: use letters, digits and hyphens") % told)
    for person in manifest.people:
        _person(person, known, reading)
    _words(manifest, known, reading)
    for rule in manifest.precedence:
        _rule(rule, known, reading)
    for link in manifest.relations:
        _link(link, known, reading)
    for document in manifest.documents:
        document_checks.check(document, folder, known, reading)


def documents_alone(manifest: Manifest, reading: Reading) -> None:
    """What a folder may hold whose sender stands in for nobody else: documents, as drafts or for review.

    People and their roles, places, words and rules are an administrator's to bring; decisions are the approvers'.
    """
    for what, entries in (
        ("people", manifest.people),
        ("areas", manifest.areas),
        ("units", manifest.units),
        ("glossary", manifest.glossary),
        ("channels", manifest.channels),
        ("precedence", manifest.precedence),
        ("relations", manifest.relations),
    ):
        for entry in entries[:1]:
            reading.problem(entry.line, f"{what}: " + _("only an administrator may bring these in a folder"))
    for document in manifest.documents:
        for revision in document.revisions:
            place = Place(f"{document.code}@{revision.label}", revision.line, reading)
            if revision.state not in (State.DRAFT, State.IN_REVIEW):
                told = {"state": revision.state}
                place.problem(_("`state: %(state)s` is for people to decide here: use draft or in_review") % told)
            if revision.author:
                place.problem(_("`author` is who sends the folder: leave it out"))


def _person(person: Person, known: Names, reading: Reading) -> None:
    place = Place(_("person %(name)s") % {"name": person.username}, person.line, reading)
    if person.username and not USERNAME.fullmatch(person.username):
        place.problem(_("a username has letters, digits and @ . + - _"))
    if person.username == IMPORTER:
        place.problem(_("this name is the import's own"))
    place.unknown("area", person.areas, known.areas)
    place.unknown("unit", person.units, known.units)
    for group in person.groups:
        if group.startswith(RESERVED):
            place.problem(_("`%(group)s` belongs under areas, units or roles") % {"group": group})


def _words(manifest: Manifest, known: Names, reading: Reading) -> None:
    for term in manifest.glossary:
        place = Place(_("glossary %(name)s") % {"name": term.term}, term.line, reading)
        place.unknown("area", [term.area], known.areas)
        place.unknown("person", [term.owner], known.people)
        if not term.expansions:
            place.problem(_("`%(key)s` is empty") % {"key": "expansions"})
    for channel in manifest.channels:
        Place(_("channel"), channel.line, reading).unknown("area", [channel.area], known.areas)


def _rule(rule: Rule, known: Names, reading: Reading) -> None:
    what = _("precedence of %(prevails)s over %(over)s") % {"prevails": rule.prevails, "over": rule.over}
    place = Place(what, rule.line, reading)
    place.unknown("document", [rule.prevails, rule.over], known.documents)
    place.unknown("person", [rule.owner], known.people)
    place.unknown("unit", rule.except_units, known.units)
    if rule.prevails == rule.over:
        place.problem(_("a document can't prevail over itself"))
    if rule.window.start is None:
        place.problem(_("needs valid_from"))
    if rule.window.empty:
        place.problem(_("valid_until must come after valid_from"))


def _link(link: Link, known: Names, reading: Reading) -> None:
    place = Place(_("relation %(name)s") % {"name": link.kind}, link.line, reading)
    place.unknown("document", [*link.sources, link.target], known.documents)
    if not link.sources:
        place.problem(_("`%(key)s` is empty") % {"key": "from"})
    if link.target in link.sources:
        place.problem(_("a document can't relate to itself"))

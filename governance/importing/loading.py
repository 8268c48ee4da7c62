"""From `corpus.yaml` to the values of a manifest, entry by entry."""

from __future__ import annotations

from pathlib import Path

from django.utils.translation import gettext as _

from documents.rules.types import Authority, Classification, History, Kind, Risk, Role, State, Window
from governance.importing.manifest import (
    FILE,
    ChannelEntry,
    DocumentEntry,
    Link,
    Manifest,
    Named,
    Person,
    RelationKind,
    RevisionEntry,
    Rule,
    Term,
)
from governance.importing.schema import Mapping, Reading
from governance.importing.yaml_file import read_yaml, twice
from governance.rules.precedence import PrecedenceKind

# What the columns of the tables hold.
SLUG, CODE, NAME, ADDRESS = 60, 80, 120, 500
GROUP = 140
USERNAME = 150
LABEL = 34
"""Six less than fit: a file that changes makes `v3-2` of `v3`."""
REASON = 2000


def read(folder: Path, reading: Reading) -> Manifest:
    """Every entry of `folder/corpus.yaml` that could be read; what could not is in `reading.problems`."""
    manifest = Manifest()
    top = read_yaml(folder / FILE, reading)
    if top is None:
        return manifest
    manifest.people = [_person(item) for item in top.mappings("people")]
    manifest.areas = [_area(item) for item in top.mappings("areas")]
    manifest.units = [_unit(item) for item in top.mappings("units")]
    manifest.glossary = [_term(item) for item in top.mappings("glossary")]
    manifest.channels = [_channel(item) for item in top.mappings("channels")]
    manifest.precedence = [_rule(item) for item in top.mappings("precedence")]
    manifest.documents = [_document(item) for item in top.mappings("documents")]
    manifest.relations = [_link(item) for item in top.mappings("relations")]
    top.done()
    _once(manifest, reading)
    return manifest


def _once(manifest: Manifest, reading: Reading) -> None:
    twice([(p.username, p.line) for p in manifest.people], _("person"), reading)
    twice([(a.slug, a.line) for a in manifest.areas], _("area"), reading)
    twice([(u.slug, u.line) for u in manifest.units], _("unit"), reading)
    everywhere = _("every area")
    twice([((t.term.upper(), t.area or everywhere), t.line) for t in manifest.glossary], _("term"), reading)
    twice([(c.area or everywhere, c.line) for c in manifest.channels], _("channel of"), reading)
    rules = [((r.prevails, r.over, r.window.start), r.line) for r in manifest.precedence]
    twice(rules, _("precedence"), reading)
    links = [((link.kind, code, link.target), link.line) for link in manifest.relations for code in link.sources]
    twice(links, _("relation"), reading)
    twice([(d.code, d.line) for d in manifest.documents], _("document"), reading)
    for document in manifest.documents:
        twice([(r.label, r.line) for r in document.revisions], f"{document.code}: {_('revision')}", reading)


def _person(item: Mapping) -> Person:
    username = item.text("username", most=USERNAME)
    item.name(_("person %(name)s") % {"name": username})
    roles = item.texts("roles")
    for role in roles:
        if role not in set(Role):
            told = {"role": role, "known": ", ".join(Role)}
            item.problem("roles", _("unknown role `%(role)s`; known: %(known)s") % told)
    person = Person(
        username=username,
        name=item.text("name", username, most=USERNAME),
        groups=item.texts("groups", most=GROUP),
        units=item.texts("units", most=SLUG),
        areas=item.texts("areas", most=SLUG),
        roles=roles,
        line=item.line,
    )
    item.done()
    return person


def _area(item: Mapping) -> Named:
    slug = item.text("slug", most=SLUG)
    item.name(_("area %(name)s") % {"name": slug})
    area = Named(slug, item.text("name", slug, most=NAME), "", item.line)
    item.done()
    return area


def _unit(item: Mapping) -> Named:
    slug = item.text("slug", most=SLUG)
    item.name(_("unit %(name)s") % {"name": slug})
    unit = Named(slug, item.text("name", slug, most=NAME), item.text("jurisdiction", most=20), item.line)
    item.done()
    return unit


def _term(item: Mapping) -> Term:
    term = item.text("term", most=SLUG)
    item.name(_("glossary %(name)s") % {"name": term})
    entry = Term(
        term=term,
        expansions=item.texts("expansions", most=200),
        area=item.text("area", ""),
        owner=item.text("owner"),
        reason=item.text("reason", most=REASON),
        line=item.line,
    )
    item.done()
    return entry


def _channel(item: Mapping) -> ChannelEntry:
    entry = ChannelEntry(
        item.text("area", ""), item.text("label", most=NAME), item.text("url", most=ADDRESS), item.line
    )
    item.done()
    return entry


def _rule(item: Mapping) -> Rule:
    prevails, over = item.text("prevails"), item.text("over")
    item.name(_("precedence of %(prevails)s over %(over)s") % {"prevails": prevails, "over": over})
    exceptions = item.mapping("except")
    rule = Rule(
        prevails=prevails,
        over=over,
        except_units=exceptions.texts("units") if exceptions else (),
        except_jurisdictions=exceptions.texts("jurisdictions", most=SLUG) if exceptions else (),
        owner=item.text("owner"),
        kind=item.choice("kind", PrecedenceKind, PrecedenceKind.MANDATORY),
        reason=item.text("reason", most=REASON),
        window=Window(item.day("valid_from"), item.day("valid_until")),
        line=item.line,
    )
    if exceptions:
        exceptions.done()
    item.done()
    return rule


def _document(item: Mapping) -> DocumentEntry:
    code = item.text("code", most=CODE)
    item.name(_("document %(name)s") % {"name": code})
    scope, source = item.mapping("scope"), item.mapping("source")
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
        units=scope.texts("units", most=SLUG) if scope else (),
        jurisdictions=scope.texts("jurisdictions", most=SLUG) if scope else (),
        products=scope.texts("products", most=SLUG) if scope else (),
        subjects=item.texts("subjects", most=SLUG),
        risk=item.choice("risk", Risk, Risk.NORMAL),
        source_kind=source.text("kind", "folder", most=20) if source else "folder",
        source_uri=source.text("uri", "", most=ADDRESS) if source else "",
        revisions=tuple(_revision(part, code) for part in item.mappings("revisions")),
        line=item.line,
    )
    for part in (scope, source, item):
        if part is not None:
            part.done()
    return entry


def _revision(item: Mapping, code: str) -> RevisionEntry:
    label = item.text("label", most=LABEL)
    item.name(f"{code}@{label}")
    entry = RevisionEntry(
        label=label,
        file=item.text("file", most=1000),
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
        kind=item.choice("kind", RelationKind),
        sources=item.texts("from"),
        target=item.text("to"),
        reason=item.text("reason", most=REASON),
        line=item.line,
    )
    item.done()
    return link

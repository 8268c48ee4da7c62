"""People, documents and revisions for tests: plain functions, straight to the tables, in any state asked for."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Sequence
from datetime import date

from django.contrib.auth.models import Group, User
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils import timezone

from documents.access import refresh_audience
from documents.models import Area, Document, Revision, Unit
from documents.rules.normalise import text_hash
from documents.rules.types import Extraction, SectionSpan
from governance.actions.access import replace_grants
from governance.actions.draft import Content, write_sections

_numbers = itertools.count(1)
TEXT = "1. Prazos\nO prazo de separação é de quatro horas úteis para pedidos até as 14h.\n"
DECIDED = ("approved", "published", "retired")


def group(name: str) -> Group:
    return Group.objects.get_or_create(name=name)[0]


def area(slug: str = "operacoes") -> Area:
    return Area.objects.get_or_create(slug=slug, defaults={"name": slug.title()})[0]


def unit(slug: str = "CD-SP", jurisdiction: str = "BR-SP") -> Unit:
    return Unit.objects.get_or_create(slug=slug, defaults={"name": slug, "jurisdiction": jurisdiction})[0]


def person(
    username: str = "",
    *,
    groups: Iterable[str] = (),
    areas: Iterable[str] = (),
    units: Iterable[str] = (),
    roles: Iterable[str] = (),
    **attributes: object,
) -> User:
    """A user in these groups; areas and units are made where they are missing (a unit in BR-SP)."""
    user = User.objects.create_user(username or f"person-{next(_numbers)}", **attributes)
    joined = [group(name) for name in groups]
    joined += [area(slug).group for slug in areas]
    joined += [unit(slug).group for slug in units]
    joined += [group(f"role:{role}") for role in roles]
    user.groups.add(*joined)
    return user


def document(
    code: str = "",
    *,
    owner: User | None = None,
    readers: Sequence[str] = (),
    area_slug: str = "operacoes",
    **attributes: object,
) -> Document:
    """A document with its grants and its audience key. `readers` as in `governance.actions.access.set_readers`."""
    code = code or f"doc-{next(_numbers)}"
    values: dict[str, object] = {"title": f"Document {code}", "kind": "policy", "area": area(area_slug)}
    made = Document.objects.create(code=code, owner=owner, **(values | attributes))
    replace_grants(made, readers)
    refresh_audience([made])
    return made


def revision(
    of: Document,
    label: str = "",
    *,
    state: str = "draft",
    start: date | None = None,
    until: date | None = None,
    retired_on: date | None = None,
    author: User | None = None,
    approver: User | None = None,
    text: str = TEXT,
    sections: Sequence[SectionSpan] | None = None,
    **attributes: object,
) -> Revision:
    """A revision with one section, or with these. A decided state without `approver` gets one of its own."""
    content_hash = hashlib.sha256(f"{of.code} {label} {text}".encode()).hexdigest()
    values: dict[str, object] = {
        "label": label or f"v{of.revisions.count() + 1}",
        "state": state,
        "validity": DateRange(start, until, "[)") if start or until else None,
        "retired_on": retired_on,
        "author": author,
        "text": text,
        "text_hash": text_hash(text),
        "content_hash": content_hash,
        "media_type": "text/markdown",
    }
    if state in DECIDED:
        values |= {
            "approved_by": approver or person(areas=[of.area.slug], roles=["approver"]),
            "approved_hash": content_hash,
            "approved_at": timezone.now(),
        }
    made = Revision.objects.create(document=of, **(values | attributes))
    write_sections(made, extraction(text).sections if sections is None else sections)
    return made


def extraction(text: str = TEXT) -> Extraction:
    """`text` as one section whose heading is its first line."""
    heading, newline, _body = text.partition("\n")
    body_start = len(heading) + len(newline)
    section = SectionSpan(heading, 1, (heading,), "secao-1", 0, body_start, len(text))
    return Extraction(text, (section,), extractor="tests")


def content(text: str = TEXT) -> Content:
    return Content("texto.md", text.encode(), "text/markdown", extraction(text))

"""What documents are to one another: relations, and which of two prevails."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from documents.errors import DomainError
from documents.models import Document, Relation
from governance.actions import precedence
from governance.importing.manifest import Link, Manifest, Rule
from governance.importing.moves import People
from governance.importing.report import Failed
from governance.models import PrecedenceRule


def write(manifest: Manifest, people: People) -> Iterator[Failed]:
    """Make and change relations and rules; yields what did not go in. What the manifest no longer names stays."""
    codes = {code for link in manifest.relations for code in (*link.sources, link.target)}
    codes |= {code for rule in manifest.precedence for code in (rule.prevails, rule.over)}
    rows = {row.code: row for row in Document.objects.filter(code__in=codes).select_related("area", "owner")}
    for link in manifest.relations:
        yield from _relate(link, rows)
    for rule in manifest.precedence:
        yield from _prevail(rule, rows, people)


def _relate(link: Link, rows: dict[str, Document]) -> Iterator[Failed]:
    for source in link.sources:
        missing = [code for code in (source, link.target) if code not in rows]
        if missing:
            yield Failed(source, "", f"{link.kind} {link.target}: {_absent(missing)}")
            continue
        found = Relation.objects.filter(kind=link.kind, source=rows[source], target=rows[link.target])
        if not found.exists():
            Relation.objects.create(kind=link.kind, source=rows[source], target=rows[link.target], reason=link.reason)
        else:
            found.exclude(reason=link.reason).update(reason=link.reason)


def _prevail(rule: Rule, rows: dict[str, Document], people: People) -> Iterator[Failed]:
    what = _("precedence over %(code)s") % {"code": rule.over}
    missing = [code for code in (rule.prevails, rule.over) if code not in rows]
    if missing:
        yield Failed(rule.prevails, "", f"{what}: {_absent(missing)}")
        return
    owner = people.by_name[rule.owner]
    data = precedence.RuleData(
        prevails=rows[rule.prevails],
        over=rows[rule.over],
        owner=owner,
        kind=rule.kind,
        validity=rule.window,
        except_units=rule.except_units,
        except_jurisdictions=rule.except_jurisdictions,
    )
    pair = PrecedenceRule.objects.filter(prevails=data.prevails, over=data.over)
    held = pair.filter(validity__startswith=rule.window.start).select_related("prevails", "over", "owner").first()
    try:
        if held is None:
            precedence.create_rule(data, actor=owner, reason=rule.reason)
        elif precedence.data_of(held) != data or held.reason != rule.reason:
            precedence.change_rule(held.pk, data, actor=owner, reason=rule.reason)
    except DomainError as error:
        yield Failed(rule.prevails, "", f"{what}: {error}")


def _absent(codes: list[str]) -> str:
    return _("%(codes)s did not go in.") % {"codes": ", ".join(codes)}

"""Areas, units and the relations between documents: what others refer to, so it is made and renamed, never removed."""

from __future__ import annotations

import re

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.utils.translation import gettext as _

from documents.models import Area, Document, Relation, Unit
from documents.reader import reader_of
from governance import audit
from governance.actions._transition import entry, required
from governance.errors import Conflict, Forbidden, Invalid
from governance.models import Verb
from governance.permissions import may
from governance.rules.moves import Duty

SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
JURISDICTION = re.compile(r"[A-Z]{2}(-[A-Z0-9]{1,3})?")


def set_area(area_id: int | None, slug: str, name: str, *, actor: AbstractBaseUser, reason: str) -> Area:
    """Make an area, or give one another name; its slug stays. Raises `Forbidden`, `Conflict`, `Invalid`."""
    reason = required(reason)
    with transaction.atomic():
        _check(actor)
        area = Area(slug=slug.strip()) if area_id is None else entry(Area.objects.all(), area_id)
        _set(area, name, {"name": area.name}, actor=actor, reason=reason)
    return area


def set_unit(
    unit_id: int | None, slug: str, name: str, jurisdiction: str, *, actor: AbstractBaseUser, reason: str
) -> Unit:
    """Make a unit, or give one another name or jurisdiction. The jurisdiction decides who is in scope, from commit on.

    Raises `Forbidden`, `Conflict`, `Invalid`.
    """
    reason = required(reason)
    with transaction.atomic():
        _check(actor)
        unit = Unit(slug=slug.strip()) if unit_id is None else entry(Unit.objects.all(), unit_id)
        before = {"name": unit.name, "jurisdiction": unit.jurisdiction}
        unit.jurisdiction = jurisdiction.strip().upper()
        if not JURISDICTION.fullmatch(unit.jurisdiction):
            raise Invalid(_("A jurisdiction is a country or a state, such as BR or BR-SP."))
        _set(unit, name, before, actor=actor, reason=reason)
    return unit


def relate(
    kind: Relation.Kind, source: Document, target: Document, *, actor: AbstractBaseUser, reason: str
) -> Relation:
    """Declare what one document is to another. Raises `Forbidden`, `Conflict`, `Invalid`."""
    reason = required(reason)
    if source == target:
        raise Invalid(_("A document cannot relate to itself."))
    with transaction.atomic():
        _check_ends(actor, source, target)
        if Relation.objects.filter(kind=kind, source=source, target=target).exists():
            raise Conflict(_("This was declared already."))
        if Relation.objects.filter(kind=kind, source=target, target=source).exists():
            raise Conflict(_("The opposite was declared: take that back first."))
        relation = Relation.objects.create(kind=kind, source=source, target=target, reason=reason)
        audit.record(
            Verb.RELATION_CREATED,
            actor=actor,
            target=f"relation:{relation.pk}",
            before={},
            after=_facts(relation),
            reason=reason,
        )
    return relation


def unrelate(relation_id: int, *, actor: AbstractBaseUser, reason: str) -> None:
    """Take a relation back. Raises `NotFound`, `Forbidden`."""
    reason = required(reason)
    with transaction.atomic():
        relation = entry(Relation.objects.select_related("source__area", "target__area"), relation_id)
        _check_ends(actor, relation.source, relation.target)
        audit.record(
            Verb.RELATION_REMOVED,
            actor=actor,
            target=f"relation:{relation.pk}",
            before=_facts(relation),
            after={},
            reason=reason,
        )
        relation.delete()


def _set(place: Area | Unit, name: str, before: dict[str, str], *, actor: AbstractBaseUser, reason: str) -> None:
    known = place.pk is not None
    place.name = name.strip()
    if not place.name:
        raise Invalid(_("Write a name."))
    if not known:
        if not SLUG.fullmatch(place.slug):
            raise Invalid(_("A slug has letters, digits and hyphens."))
        if type(place)._default_manager.filter(slug__iexact=place.slug).exists():
            raise Conflict(_("There is one with the slug %(slug)s already.") % {"slug": place.slug})
    after = {field: str(getattr(place, field)) for field in before}
    if known and before == after:
        return
    place.save()
    audit.record(
        Verb.PLACE_CHANGED if known else Verb.PLACE_CREATED,
        actor=actor,
        target=f"{place.group_prefix}{place.slug}",
        before=dict(before) if known else {},
        after=dict(after),
        reason=reason,
    )


def _check(actor: AbstractBaseUser) -> None:
    """Who belongs where and what is in scope hangs on them: an administrator's, like people and their groups."""
    if not (actor.is_active and getattr(actor, "is_superuser", False)):
        raise Forbidden(_("Only an administrator may change areas and units."))


def _check_ends(actor: AbstractBaseUser, source: Document, target: Document) -> None:
    person = reader_of(actor)
    if not any(may(person, end, Duty.MANAGE) for end in (source, target)):
        raise Forbidden(_("Only the owner or an area approver of one of the two documents may declare this."))


def _facts(relation: Relation) -> dict[str, audit.Value]:
    return {"kind": str(relation.kind), "from": relation.source.code, "to": relation.target.code}

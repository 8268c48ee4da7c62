"""A document's own data, owner and readers, brought to what the manifest says of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.translation import gettext as _

from documents.models import Area, Document
from governance.actions import access, document
from governance.importing.manifest import DocumentEntry
from governance.importing.moves import REASON, People

if TYPE_CHECKING:
    from django.db.models import Field


def bring_up(
    entry: DocumentEntry, row: Document | None, area: Area, people: People, *, publishes: bool
) -> tuple[Document, bool]:
    """The document, made or changed through the actions, and whether one that was there has changed.

    A text without an owner can't be published. Where that is to be, the import is the owner until `give_up`.
    """
    data, owner = _data(entry, area), people.named(entry.owner) if entry.owner else None
    if row is None:
        return create([(entry, area)], people)[0], False
    changed = False
    if owner is not None and row.owner_id != owner.pk:
        changed = _set_owner(entry, row, owner, people)
    elif owner is None and row.owner_id is None and publishes:
        _set_owner(entry, row, people.importer, people)
    if document.data_of(row) != data:
        changed |= document.set_data(row.pk, data, actor=_in_charge(entry, row, people), reason=REASON)
    if access.readers_of(row) != sorted(set(entry.readers)):
        changed |= access.set_readers(row.pk, entry.readers, actor=_in_charge(entry, row, people), reason=REASON)
    return row, changed


def changes(entry: DocumentEntry, row: Document, area: Area | None) -> list[str]:
    """What of a document that is there would be made another, by the names that people know. Writes nothing.

    `area` is None where the manifest brings it along.
    """
    held, wanted = document.data_of(row), _data(entry, area or row.area)
    names = [name for name in document.FIELDS if getattr(held, name) != getattr(wanted, name)]
    found = [_called(name) for name in names]
    if area is None:
        found.append(_called("area"))
    if entry.owner != (row.owner.get_username() if row.owner is not None else ""):
        found.append(_called("owner"))
    if access.readers_of(row) != sorted(set(entry.readers)):
        found.append(_("readers"))
    return found


def _called(name: str) -> str:
    field = cast("Field[object, object]", Document._meta.get_field(name))
    return str(field.verbose_name)


def create(entries: Sequence[tuple[DocumentEntry, Area]], people: People) -> list[Document]:
    """Documents that are new, each in its area. Without an owner it is the import's until `give_up`."""
    new = [
        document.NewDocument(
            entry.code, _data(entry, area), people.named(entry.owner) or people.importer, entry.readers
        )
        for entry, area in entries
    ]
    return document.create_documents(new, actor=people.importer, reason=REASON)


def give_up(entry: DocumentEntry, row: Document, people: People) -> bool:
    """Leave the document without an owner where the manifest names none; whether a person lost it by that."""
    if entry.owner or row.owner_id is None:
        return False
    lost = row.owner_id != people.importer.pk
    _set_owner(entry, row, None, people)
    return lost


def _set_owner(entry: DocumentEntry, row: Document, owner: AbstractBaseUser | None, people: People) -> bool:
    reason = REASON if owner is not None else f"{REASON}: sem responsável"
    changed = access.set_owner(row.pk, owner, actor=_in_charge(entry, row, people), reason=reason)
    row.refresh_from_db(fields=["owner"])
    return changed


def _in_charge(entry: DocumentEntry, row: Document, people: People) -> AbstractBaseUser:
    return people.in_charge_of(row, [revision.approver for revision in entry.revisions])


def _data(entry: DocumentEntry, area: Area) -> document.DocumentData:
    return document.DocumentData(
        title=entry.title,
        kind=entry.kind,
        area=area,
        authority=entry.authority,
        classification=entry.classification,
        history=entry.history,
        scope_units=entry.units,
        scope_jurisdictions=entry.jurisdictions,
        scope_products=entry.products,
        subjects=entry.subjects,
        risk=entry.risk,
        source_kind=entry.source_kind,
        source_uri=entry.source_uri,
    )

"""A document's identity and data: created once, changed by those in charge, never by a bare save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import cast

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from documents.models import Area, Document, Propagation
from documents.reader import reader_of
from documents.rules.types import Authority, Classification, History, Kind, Risk
from governance import audit
from governance.actions._converge import converge_documents
from governance.actions._rows import lock
from governance.actions._transition import required
from governance.actions.access import give_grants
from governance.errors import Conflict, Invalid
from governance.models import Verb
from governance.permissions import check, subject_of
from governance.rules.moves import Duty


@dataclass(frozen=True, slots=True)
class DocumentData:
    """Everything of a document but its code, owner, readers and revisions. Empty scopes mean everywhere."""

    title: str
    kind: Kind
    area: Area
    authority: Authority = Authority.OFFICIAL
    classification: Classification = Classification.INTERNAL
    history: History = History.READERS
    scope_units: Sequence[str] = ()
    scope_jurisdictions: Sequence[str] = ()
    scope_products: Sequence[str] = ()
    subjects: Sequence[str] = ()
    risk: Risk = Risk.NORMAL
    source_kind: str = "folder"
    source_uri: str = ""


FIELDS = tuple(field.name for field in fields(DocumentData))


def data_of(document: Document) -> DocumentData:
    return DocumentData(
        title=document.title,
        kind=Kind(document.kind),
        area=document.area,
        authority=Authority(document.authority),
        classification=Classification(document.classification),
        history=History(document.history),
        scope_units=tuple(document.scope_units),
        scope_jurisdictions=tuple(document.scope_jurisdictions),
        scope_products=tuple(document.scope_products),
        subjects=tuple(document.subjects),
        risk=Risk(document.risk),
        source_kind=document.source_kind,
        source_uri=document.source_uri,
    )


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document to be, as `create_document` takes it."""

    code: str
    data: DocumentData
    owner: AbstractBaseUser | None
    readers: Sequence[str]


def create_document(
    code: str,
    data: DocumentData,
    *,
    owner: AbstractBaseUser | None,
    readers: Sequence[str],
    actor: AbstractBaseUser,
    reason: str,
) -> Document:
    """A document without a revision. `readers` as in `access.set_readers`; empty means nobody but the owner.

    Open to people of the area, its approvers, the indexing team, and whoever becomes the owner. Raises `Conflict`
    when the code is taken, `Invalid` when a value does not fit, `UnknownReaders`.
    """
    return create_documents([NewDocument(code, data, owner, readers)], actor=actor, reason=reason)[0]


def create_documents(new: Sequence[NewDocument], *, actor: AbstractBaseUser, reason: str) -> list[Document]:
    """The same for several, in this order: all of them, or none."""
    reason, person = required(reason), reader_of(actor)
    rows = [Document(code=one.code, owner=cast("User | None", one.owner), **_values(one.data)) for one in new]
    for row in rows:
        check(person, subject_of(row), Duty.DRAFT)
    with transaction.atomic(), audit.together():
        codes = [row.code for row in rows]
        taken = Document.objects.filter(code__in=codes).values_list("code", flat=True).first()
        if taken is not None:
            raise Conflict(_("There is already a document with the code %(code)s.") % {"code": taken})
        for row in rows:
            _valid(row)
        Document.objects.bulk_create(rows)
        readers = give_grants({row: one.readers for row, one in zip(rows, new, strict=True)})
        for row, names in zip(rows, readers, strict=True):
            after = {**_facts(row), "owner": audit.key_of(row.owner_id), "readers": names}
            audit.record(Verb.DOCUMENT_CREATED, actor=actor, target=row.code, before={}, after=after, reason=reason)
        converge_documents(rows, Propagation.Action.DATA)
    return rows


def set_data(document_id: int, data: DocumentData, *, actor: AbstractBaseUser, reason: str) -> bool:
    """Replace the document's data; whether anything changed. To move it to another area one manages both."""
    reason = required(reason)
    with transaction.atomic():
        document = lock(document_id)
        person = reader_of(actor)
        check(person, subject_of(document), Duty.MANAGE)
        before = _facts(document)
        for name, value in _values(data).items():
            setattr(document, name, value)
        after = _facts(document)
        changed = [name for name in after if before[name] != after[name]]
        if not changed:
            return False
        if "area" in changed:
            check(person, subject_of(document), Duty.MANAGE)
        _valid(document)
        document.save()
        audit.record(
            Verb.DOCUMENT_CHANGED,
            actor=actor,
            target=audit.document_target(document),
            before={name: before[name] for name in changed},
            after={name: after[name] for name in changed},
            reason=reason,
        )
        converge_documents([document], Propagation.Action.DATA)
    return True


def _values(data: DocumentData) -> dict[str, object]:
    values = {name: getattr(data, name) for name in FIELDS}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _valid(document: Document) -> None:
    """Nothing when every value fits. Area and owner are rows in hand, whose keys the table itself holds to be right."""
    try:
        document.full_clean(exclude=["area", "owner"], validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        raise Invalid(" ".join(f"{name}: {' '.join(words)}" for name, words in error.message_dict.items())) from error


def _facts(document: Document) -> dict[str, audit.Value]:
    facts: dict[str, audit.Value] = {}
    for name in FIELDS:
        value = getattr(document, name)
        facts[name] = value.slug if isinstance(value, Area) else list(value) if isinstance(value, list) else str(value)
    return facts

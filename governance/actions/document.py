"""A document's identity and data: created once, changed by those in charge, never by a bare save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from documents.models import Area, Document, Propagation
from documents.reader import reader_of
from documents.rules.types import Authority, Classification, History, Kind, Risk
from governance import audit
from governance.actions._converge import converge_document
from governance.actions._transition import lock, required
from governance.actions.access import replace_grants
from governance.errors import Conflict, Invalid
from governance.models import Verb
from governance.permissions import check, subject_of
from governance.rules.moves import Duty, Subject


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
    reason = required(reason)
    owner_id = owner.pk if owner is not None else None
    check(reader_of(actor), Subject(owner_id=owner_id, author_id=None, area=data.area.slug), Duty.DRAFT)
    with transaction.atomic():
        if Document.objects.filter(code=code).exists():
            raise Conflict(_("There is already a document with the code %(code)s.") % {"code": code})
        document = Document(code=code, owner_id=owner_id, **_values(data))
        _save(document)
        names = replace_grants(document, readers)
        after = {**_facts(document), "owner": audit.key_of(owner_id), "readers": names}
        audit.record(Verb.DOCUMENT_CREATED, actor=actor, target=code, before={}, after=after, reason=reason)
        converge_document(document, Propagation.Action.DATA)
    return document


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
        _save(document)
        audit.record(
            Verb.DOCUMENT_CHANGED,
            actor=actor,
            target=audit.document_target(document),
            before={name: before[name] for name in changed},
            after={name: after[name] for name in changed},
            reason=reason,
        )
        converge_document(document, Propagation.Action.DATA)
    return True


def _values(data: DocumentData) -> dict[str, object]:
    values = {name: getattr(data, name) for name in FIELDS}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _save(document: Document) -> None:
    try:
        document.full_clean(validate_unique=False)
    except ValidationError as error:
        raise Invalid(" ".join(f"{name}: {' '.join(words)}" for name, words in error.message_dict.items())) from error
    document.save()


def _facts(document: Document) -> dict[str, audit.Value]:
    facts: dict[str, audit.Value] = {}
    for name in FIELDS:
        value = getattr(document, name)
        facts[name] = value.slug if isinstance(value, Area) else list(value) if isinstance(value, list) else str(value)
    return facts

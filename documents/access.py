"""From rows to the facts of the rules, and the audience key that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from documents.models import (
    AREA_PREFIX,
    READ,
    UNIT_PREFIX,
    Audience,
    Document,
    DocumentGroupGrant,
    DocumentUserGrant,
    Revision,
)
from documents.rules.audience import WIDE, slugs
from documents.rules.types import Classification, Facts, History, State, Window


def facts_of(document: Document, revision: Revision | None = None, successor_on: date | None = None) -> Facts:
    """The facts that `eligibility.decide` needs; without a revision only the person's half means something."""
    facts = _facts(document, _granted([document.pk]).get(document.pk, Grants()))
    if revision is None:
        return facts
    validity = revision.validity
    return replace(
        facts,
        state=State(revision.state),
        validity=Window(validity.lower, validity.upper) if validity else Window(None, None),
        retired_on=revision.retired_on,
        successor_on=successor_on,
    )


def audiences_of(documents: Sequence[Document]) -> dict[int, Audience]:
    """The audience of each document by its id, as its row should be, in two queries for them all."""
    grants = _granted([document.pk for document in documents])
    return {row.pk: Audience.of(_facts(row, grants.get(row.pk, Grants()))) for row in documents}


def unkept(audiences: Iterable[Audience]) -> list[Audience]:
    """Those that have no row, or one that says something else."""
    wanted = {audience.key: audience for audience in audiences}
    held = Audience.objects.in_bulk(list(wanted))
    return [wanted[key] for key in sorted(wanted) if key not in held or held[key].said != wanted[key].said]


def keep_audiences(audiences: Iterable[Audience]) -> None:
    """Have a row for each: without one, nobody finds what its documents say."""
    columns = [field.name for field in Audience._meta.fields if not field.primary_key]
    rows = unkept(audiences)
    Audience.objects.bulk_create(rows, update_conflicts=True, unique_fields=["key"], update_fields=columns)


def refresh_audience(documents: Sequence[Document]) -> list[Document]:
    """Store the audience key of each document; returns those whose key changed, whose index entries now lag."""
    audiences = audiences_of(documents)
    keep_audiences(audiences.values())
    changed = [document for document in documents if document.audience_key != audiences[document.pk].key]
    alike: dict[str, list[int]] = {}
    for document in changed:
        document.audience_key = audiences[document.pk].key
        alike.setdefault(document.audience_key, []).append(document.pk)
    for key, ids in alike.items():
        Document.objects.filter(pk__in=ids).update(audience_key=key)
    return changed


@dataclass(slots=True)
class Grants:
    """Who was granted the reading of one document: ids of people, names of groups."""

    users: set[int] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)


def _granted(document_ids: Sequence[int]) -> dict[int, Grants]:
    of = {"content_object_id__in": document_ids, "permission__codename": READ}
    grants: dict[int, Grants] = {}
    for document, user in DocumentUserGrant.objects.filter(**of).values_list("content_object_id", "user_id"):
        grants.setdefault(document, Grants()).users.add(user)
    for document, group in DocumentGroupGrant.objects.filter(**of).values_list("content_object_id", "group__name"):
        grants.setdefault(document, Grants()).groups.add(group)
    return grants


def _facts(document: Document, grants: Grants) -> Facts:
    return Facts(
        state=State.DRAFT,
        validity=Window(None, None),
        owner_id=document.owner_id,
        classification=Classification(document.classification),
        user_grants=frozenset(grants.users),
        group_grants=frozenset(g for g in grants.groups if not g.startswith(WIDE)),
        area_grants=slugs(grants.groups, AREA_PREFIX),
        unit_grants=slugs(grants.groups, UNIT_PREFIX),
        scope_units=frozenset(document.scope_units),
        scope_jurisdictions=frozenset(document.scope_jurisdictions),
        history=History(document.history),
    )

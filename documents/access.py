"""From rows to the facts of the rules, and the audience key that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from documents.models import (
    AREA_PREFIX,
    READ,
    UNIT_PREFIX,
    Document,
    DocumentGroupGrant,
    DocumentUserGrant,
    Revision,
)
from documents.rules.audience import WIDE, audience_key, slugs
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


def audiences_of(documents: Sequence[Document]) -> dict[int, str]:
    """The audience key of each document by its id, in two queries for them all."""
    grants = _granted([document.pk for document in documents])
    return {row.pk: audience_key(_facts(row, grants.get(row.pk, Grants()))) for row in documents}


def refresh_audience(documents: Sequence[Document]) -> list[Document]:
    """Store the audience key of each document; returns those whose key changed, whose index entries now lag."""
    keys = audiences_of(documents)
    changed = [document for document in documents if document.audience_key != keys[document.pk]]
    alike: dict[str, list[int]] = {}
    for document in changed:
        document.audience_key = keys[document.pk]
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

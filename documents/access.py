"""From rows to the facts of the rules, and the audience key that follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from documents.models import AREA_PREFIX, UNIT_PREFIX, Document, Revision
from documents.rules.audience import audience_key
from documents.rules.types import Classification, Facts, History, State, Window


def facts_of(document: Document, revision: Revision | None = None, successor_on: date | None = None) -> Facts:
    """The facts that `eligibility.decide` needs; without a revision only the person's half means something."""
    groups = {
        grant.group.name
        for grant in document.group_grants.select_related("group", "permission")
        if grant.permission.codename == "read_document"
    }
    users = document.user_grants.filter(permission__codename="read_document").values_list("user_id", flat=True)
    validity = revision.validity if revision is not None else None
    return Facts(
        state=State(revision.state) if revision is not None else State.DRAFT,
        validity=Window(validity.lower, validity.upper) if validity else Window(None, None),
        owner_id=document.owner_id,
        classification=Classification(document.classification),
        user_grants=frozenset(users),
        group_grants=frozenset(g for g in groups if not g.startswith((AREA_PREFIX, UNIT_PREFIX))),
        area_grants=_slugs(groups, AREA_PREFIX),
        unit_grants=_slugs(groups, UNIT_PREFIX),
        scope_units=frozenset(document.scope_units),
        scope_jurisdictions=frozenset(document.scope_jurisdictions),
        history=History(document.history),
        retired_on=revision.retired_on if revision is not None else None,
        successor_on=successor_on,
    )


def audience_of(document: Document) -> str:
    return audience_key(facts_of(document))


def refresh_audience(documents: Iterable[Document]) -> list[Document]:
    """Store the audience key of each document; returns those whose key changed, whose index entries now lag."""
    changed = []
    for document in documents:
        key = audience_of(document)
        if key != document.audience_key:
            document.audience_key = key
            document.save(update_fields=["audience_key"])
            changed.append(document)
    return changed


def _slugs(groups: set[str], prefix: str) -> frozenset[str]:
    return frozenset(name.removeprefix(prefix) for name in groups if name.startswith(prefix))

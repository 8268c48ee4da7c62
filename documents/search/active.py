"""Which engine, embedder and index version are in use. The parts come from the settings; the version from the table."""

from __future__ import annotations

from typing import cast

from django.db import transaction
from django.utils import timezone

from documents.embedders.base import Embedder
from documents.models import IndexVersion
from documents.rules import chunking, eligibility, terms
from documents.rules.normalise import NORMALISATION_VERSION
from documents.search.base import Engine
from documents.search.vectors import CONFIGURATION
from kbportal.backends import get_backend


def engine() -> Engine:
    return cast("Engine", get_backend("engine"))


def embedder() -> Embedder:
    return cast("Embedder", get_backend("embedder"))


def version() -> IndexVersion | None:
    """The version that answers questions, or None before the first index."""
    return IndexVersion.objects.filter(state=IndexVersion.State.ACTIVE).first()


def configuration() -> str:
    """Everything but the model that decides what an index holds; a change asks for `reindex`."""
    return (
        f"{eligibility.RULES_VERSION} chunks-{chunking.POLICY_VERSION} terms-{terms.VERSION}"
        f" normal-{NORMALISATION_VERSION} {CONFIGURATION}"
    )


def fits(row: IndexVersion) -> bool:
    """Whether the version was made by the model and the rules of today."""
    return row.fingerprint == embedder().fingerprint and row.configuration == configuration()


def make(engine: Engine, embedder: Embedder) -> IndexVersion:
    """A new, empty version in state building, in the table and in the engine."""
    row = IndexVersion.objects.create(
        engine=engine.name,
        fingerprint=embedder.fingerprint,
        dimensions=embedder.dimensions,
        configuration=configuration(),
    )
    engine.create(row.pk, row.dimensions)
    return row


def first(engine: Engine, embedder: Embedder) -> IndexVersion:
    """The first index of a new portal is empty, so it is active at once."""
    row = make(engine, embedder)
    switch(row)
    return row


@transaction.atomic
def switch(row: IndexVersion) -> None:
    """Questions are answered from `row` from the commit on; the one before it is kept for a rollback."""
    versions = IndexVersion.objects.select_for_update()
    versions.filter(state=IndexVersion.State.PREVIOUS).exclude(pk=row.pk).update(state=IndexVersion.State.DROPPED)
    versions.filter(state=IndexVersion.State.ACTIVE).exclude(pk=row.pk).update(state=IndexVersion.State.PREVIOUS)
    row.state, row.published_at = IndexVersion.State.ACTIVE, timezone.now()
    row.save(update_fields=["state", "published_at"])

"""Which engine, embedder and index version are in use. The parts come from the settings; the version from the table.

A version says itself which model made it, so a change of the settings decides what the next one is built with, and
the one in use goes on answering until that one is published.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import cast

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from documents import clock
from documents.embedders.base import Embedder
from documents.models import IndexVersion
from documents.models.index import identity
from documents.rules import chunking, eligibility, terms
from documents.rules.normalise import NORMALISATION_VERSION
from documents.search.base import Engine, EngineUnavailable
from documents.search.vectors import CONFIGURATION
from kbportal.backends import get_backend

SECRET = frozenset({"api_key"})
"""Options that stay out of the table: they are read from the settings again."""
OWN_EMBEDDERS = "documents.embedders."


def engine() -> Engine:
    return cast("Engine", get_backend("engine"))


def embedder() -> Embedder:
    """The model of the settings: what the next index is built with."""
    return cast("Embedder", get_backend("embedder"))


def embedder_of(row: IndexVersion) -> Embedder:
    """The model that made the version, for its questions and for what it takes in.

    Raises `EngineUnavailable` where that model can't be had here any more.
    """
    own = embedder()
    if own.fingerprint == row.fingerprint:
        return own
    path = str(row.embedder.get("backend", ""))
    named = {str(part["BACKEND"]) for part in settings.KB_BACKENDS.values()}
    if path.startswith(OWN_EMBEDDERS) or path in named:
        made = _made(path, json.dumps(row.embedder.get("options", {}), sort_keys=True))
        if made.fingerprint == row.fingerprint:
            return made
    raise EngineUnavailable(
        f"the index was made by another model, {row.fingerprint}, which is not here any more: run `manage.py reindex`"
    )


@lru_cache(maxsize=4)
def _made(path: str, options: str) -> Embedder:
    own = settings.KB_BACKENDS["embedder"]
    secrets = {name: value for name, value in own.get("OPTIONS", {}).items() if name in SECRET}
    known = json.loads(options)
    return cast("Embedder", import_string(path)(**known, **(secrets if own["BACKEND"] == path else {})))


def version() -> IndexVersion | None:
    """The version in use, which every change goes into, or None before the first index."""
    return IndexVersion.objects.filter(state=IndexVersion.State.ACTIVE).first()


def answering() -> IndexVersion | None:
    """The version that this process can answer from: the one in use, else the one before it.

    While a new release is rolled out, processes of the old one answer from the previous version: it was made under
    their rules. What changed since, the check against the tables withholds. Raises `EngineUnavailable` when there are
    versions and none of them can be read under the rules of this process.
    """
    published = (IndexVersion.State.ACTIVE, IndexVersion.State.PREVIOUS)
    rows = sorted(IndexVersion.objects.filter(state__in=published), key=lambda row: (row.state, -row.pk))
    for row in rows:
        if row.engine == engine().name and row.rules == rules():
            return row
    if rows:
        raise EngineUnavailable("the index was made by other rules or for another engine: run `manage.py reindex`")
    return None


def rules() -> str:
    """What a process must share with an index to read it."""
    return f"{eligibility.RULES_VERSION} terms-{terms.VERSION} normal-{NORMALISATION_VERSION} {engine().layout}"


def configuration() -> str:
    """Everything but engine and model that decides what an index holds; a change asks for `reindex`."""
    return f"{rules()} chunks-{chunking.POLICY_VERSION} {CONFIGURATION}"


def fits(row: IndexVersion) -> bool:
    """Whether the version was made by the engine, the model and the rules of today."""
    return row.configuration_hash == identity(engine().name, embedder().fingerprint, configuration())


def make(engine: Engine, embedder: Embedder) -> IndexVersion:
    """A new, empty version in state building, in the table and in the engine."""
    spec = settings.KB_BACKENDS["embedder"]
    row = IndexVersion.objects.create(
        engine=engine.name,
        fingerprint=embedder.fingerprint,
        dimensions=embedder.dimensions,
        embedder={
            "backend": spec["BACKEND"],
            "options": {name: value for name, value in spec.get("OPTIONS", {}).items() if name not in SECRET},
        },
        chunker=chunking.POLICY_VERSION,
        rules=rules(),
        configuration=configuration(),
        configuration_hash=identity(engine.name, embedder.fingerprint, configuration()),
    )
    engine.create(row.pk, row.dimensions)
    return row


def first(engine: Engine, embedder: Embedder) -> IndexVersion:
    """The first index of a new portal is empty, so it is active at once."""
    row = make(engine, embedder)
    switch(row)
    engine.activate(row.pk)
    return row


@transaction.atomic
def switch(row: IndexVersion) -> None:
    """Questions are answered from `row` from the commit on; the one that was in use is kept for a rollback."""
    versions = IndexVersion.objects.select_for_update()
    versions.filter(state=IndexVersion.State.PREVIOUS).exclude(pk=row.pk).update(state=IndexVersion.State.DROPPED)
    versions.filter(state=IndexVersion.State.ACTIVE).exclude(pk=row.pk).update(state=IndexVersion.State.PREVIOUS)
    row.state, row.published_at = IndexVersion.State.ACTIVE, clock.now()
    row.save(update_fields=["state", "published_at"])

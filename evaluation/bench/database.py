"""A database of the benchmark's own, beside the portal's on the same server."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.test.utils import override_settings

from documents.models import IndexVersion
from documents.search import active
from evaluation.bench import vectors

PREFIX = "kb_bench_"


@dataclass(frozen=True, slots=True)
class Place:
    """Where the benchmark works: a database and a folder."""

    database: str
    folder: Path


@contextmanager
def own_database(engine: str | None = None, keep: str | None = None, *, last: bool = False) -> Iterator[Place]:
    """Inside, every query, file, index, cache and job is the benchmark's own.

    `engine` is a value of KB_ENGINE, without it the one of the settings. The portal's data is neither read nor
    written. What was made is removed however the block ends, unless `keep` names it and this is not its `last` use:
    then the next block of that name finds it again, if passages are still made, cut and indexed as they were.
    """
    if keep and not last and _stamp(keep).exists() and _stamp(keep).read_text() != _made_by():
        forget(keep, engine)
    own, old = keep or str(os.getpid()), connection.settings_dict["NAME"]
    name, stays = f"{PREFIX}{own}", bool(keep) and not last
    folder = _kept(keep) if keep else Path(tempfile.mkdtemp(prefix="kbportal-bench-"))
    folder.mkdir(parents=True, exist_ok=True)
    if keep:
        _stamp(keep).write_text(_made_by())
    connection.settings_dict["TEST"]["NAME"] = name
    settled = override_settings(
        KB_BACKENDS={**settings.KB_BACKENDS, "engine": _part(engine, own)},
        KB_INDEX_PATH=folder / "index",
        MEDIA_ROOT=folder / "files",
        KB_JOBS="inline",
        CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name}},
    )
    try:
        with settled:
            connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False, keepdb=bool(keep))
            try:
                yield Place(name, folder)
            finally:
                if not stays:
                    for version in IndexVersion.objects.values_list("pk", flat=True):
                        active.engine().drop(version)
                connection.creation.destroy_test_db(old, verbosity=0, keepdb=stays)
    finally:
        if not stays:
            shutil.rmtree(folder, ignore_errors=True)


def forget(keep: str, engine: str | None = None) -> None:
    """Remove what `own_database` kept under this name. Safe to repeat."""
    with own_database(engine, keep, last=True):
        pass


def _kept(keep: str) -> Path:
    return Path(settings.INSTANCE.var) / "bench" / f"{PREFIX}{keep}"


def _stamp(keep: str) -> Path:
    return _kept(keep) / "made_by"


def _made_by() -> str:
    return f"{active.configuration()} {vectors.VERSION}"


def _part(engine: str | None, own: str) -> dict[str, object]:
    """The engine, with names of its own where it keeps its indices outside of the database and the folder.

    One that is not configured is taken with its defaults.
    """
    chosen = settings.KB_BACKENDS["engine"]
    path = chosen["BACKEND"] if engine is None else f"documents.search.{engine}.Engine"
    options = dict(chosen.get("OPTIONS", {})) if path == chosen["BACKEND"] else {}
    if ".elasticsearch." in path:
        options["prefix"] = f"{options.get('prefix', 'kbportal')}-bench-{own.replace('_', '-')}"
    return {"BACKEND": path, "OPTIONS": options}

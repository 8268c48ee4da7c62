"""A database of the benchmark's own, beside the portal's on the same server, gone at the end."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.test.utils import override_settings

from documents.models import IndexVersion
from documents.search import active

PREFIX = "kb_bench_"


@contextmanager
def own_database(engine: str | None = None) -> Iterator[str]:
    """Inside, every query, file, index, cache and job is the benchmark's own; yields the database's name.

    `engine` is a module of `documents.search`; without it the one of the settings. The portal's data is neither read
    nor written, and what was made is removed however the block ends.
    """
    name, old = f"{PREFIX}{os.getpid()}", connection.settings_dict["NAME"]
    folder = Path(tempfile.mkdtemp(prefix="kbportal-bench-"))
    connection.settings_dict["TEST"]["NAME"] = name
    own = override_settings(
        KB_BACKENDS={**settings.KB_BACKENDS, "engine": _part(engine)},
        KB_INDEX_PATH=folder / "index",
        MEDIA_ROOT=folder / "files",
        KB_JOBS="inline",
        CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name}},
    )
    try:
        with own:
            connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
            try:
                yield name
            finally:
                for version in IndexVersion.objects.values_list("pk", flat=True):
                    active.engine().drop(version)
                connection.creation.destroy_test_db(old, verbosity=0)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _part(engine: str | None) -> dict[str, object]:
    """The engine, with names of its own where it keeps its indices outside of the database and the folder."""
    chosen = settings.KB_BACKENDS["engine"]
    path = chosen["BACKEND"] if engine is None else f"documents.search.{engine}.Engine"
    options = dict(chosen.get("OPTIONS", {})) if path == chosen["BACKEND"] else {}
    if path.startswith("documents.search.elasticsearch."):
        options["prefix"] = f"{options.get('prefix', 'kbportal')}-bench-{os.getpid()}"
    return {"BACKEND": path, "OPTIONS": options}

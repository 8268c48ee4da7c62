"""What one process of a run makes and the others use."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def of_the_run(factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole run of the suite, by however many processes."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@contextmanager
def locked(path: Path, how: int = fcntl.LOCK_EX) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, how)
        yield

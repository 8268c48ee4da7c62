"""What only the tests of governance need."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from documents import jobs
from documents.errors import DomainError

Together = Callable[..., list[str]]


@pytest.fixture
def together() -> Together:
    """Run functions at the same moment, each in a thread and connection of its own: `done` or the code, in order."""

    def run(*acts: Callable[[], object]) -> list[str]:
        barrier = Barrier(len(acts))

        def one(act: Callable[[], object]) -> str:
            try:
                with jobs.gathering():  # what follows the move is not what is raced here
                    barrier.wait(10)
                    act()
            except DomainError as error:
                return error.code
            finally:
                connection.close()
            return "done"

        with ThreadPoolExecutor(len(acts)) as pool:
            return list(pool.map(one, acts))

    return run

"""Work that harms its worker, for the tests of a real one."""

from __future__ import annotations

import os
import signal

from documents.working import HANDLERS, Work


def die(_argument: int | None) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def devour(_argument: int | None) -> None:
    bytearray(3_000_000_000)


def work(_argument: int | None) -> None:
    """Done."""


HANDLERS.update(
    {name: Work(f"{__name__}.{handler}") for name, handler in (("die", "die"), ("devour", "devour"), ("work", "work"))}
)

"""A fault in the middle of work, while people ask: what must hold during it and after it."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError

from tests.faults.conftest import World
from tests.faults.prober import Prober, Truth
from tests.faults.work import MOVED, SIGNS, Work, asked
from tests.instance import eventually

PATIENCE = 300
BUSY = {"threads": 8, "rate": 20.0}


def strike(world: World, work: Work, folder: Path, fault: Callable[[], None], *, by_itself: bool = False) -> Prober:
    """Do the work, let `fault` happen in the middle of it and pass, and hold everything against the truth.

    `by_itself` waits for the round of the clock that offers interrupted work again.
    """
    truth, failed = Truth(), []
    items = [*world.still, *world.next(MOVED)]

    def run() -> None:
        try:
            work(world, truth, folder)
        except (AssertionError, HTTPError, OSError, subprocess.SubprocessError) as error:
            failed.append(error)

    table, grown = SIGNS[work]
    rows = _rows(world, table) + grown
    rate = BUSY if work is asked else {}
    with Prober(world.portal.url, world.tokens["leitor"], items, truth, **rate) as prober:
        thread = threading.Thread(target=run)
        thread.start()
        eventually(lambda: failed or _rows(world, table) >= rows, PATIENCE)
        assert thread.is_alive() or failed, "the work was over before the fault"
        fault()
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the work does not end"
        eventually(world.portal.ready, 120)
        eventually(lambda: prober.seen["answered"] > 0)
    assert not failed, failed
    assert world.holds(prober.evidence, by_itself=by_itself) == []
    assert prober.faults == []
    for item in items[-MOVED - 1 :]:
        assert prober.probe(item) != "down"
    assert prober.faults == []
    return prober


def _rows(world: World, table: str) -> int:
    [(count,)] = world.ask(f"SELECT count(*) FROM {table}")
    return int(count)

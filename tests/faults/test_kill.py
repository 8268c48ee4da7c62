"""`kill -9` of each process in the middle of each kind of work: nothing is lost, nothing wrong is said."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tests.faults import corpus
from tests.faults.conftest import World
from tests.faults.corpus import Item
from tests.faults.prober import Prober, Truth, call, until_done
from tests.instance import Portal

VICTIMS = ("worker", "bulk", "valkey", "postgres", "web")
MOVED = 4
"""Revisions that one scenario moves."""
Work = Callable[[World, Truth, Path], None]


def imported(world: World, truth: Truth, folder: Path) -> None:
    """200 documents, which a person whose command was cut off imports again."""
    made = corpus.write(folder / "import", corpus.items(folder.name.replace("_", "-")[:40].lower(), 200))
    repeated(world.portal, "import_corpus", str(made))


def published(world: World, truth: Truth, folder: Path) -> None:
    for item in [world.moving.pop() for _ in range(MOVED)]:
        _publish(world, truth, item)


def retired(world: World, truth: Truth, folder: Path) -> None:
    for item in [world.moving.pop() for _ in range(MOVED)]:
        _publish(world, truth, item)
        _move(world, item, "v2", "retire")
        truth.gone[item.code, "v2"] = time.monotonic()


def reindexed(world: World, truth: Truth, folder: Path) -> None:
    repeated(world.portal, "reindex")


def asked(world: World, truth: Truth, folder: Path) -> None:
    time.sleep(6)


def repeated(portal: Portal, *command: str) -> None:
    """A command, again until it ends well: its person sees that it failed."""
    said = ""
    for _ in range(5):
        done = portal.command(*command)
        if done.returncode == 0:
            return
        said = done.stdout + done.stderr
        time.sleep(1)
    raise AssertionError(said)


def _publish(world: World, truth: Truth, item: Item) -> None:
    truth.moved.add(item.code)
    truth.born[item.code, "v2"] = time.monotonic()
    _move(world, item, "v2", "publish")
    truth.gone[item.code, "v1"] = time.monotonic()


def _move(world: World, item: Item, label: str, action: str) -> None:
    """The move over HTTP as its owner; one that was made before the answer got lost is refused the second time."""
    state = {"publish": "published", "retire": "retired"}[action]

    def act() -> None:
        found = call(world.portal.url, world.tokens["dona"], f"/api/documents/{item.code}/")
        revision = next(one for one in found["revisions"] if one["label"] == label)
        if revision["state"] != state:
            path = f"/api/revisions/{revision['id']}/{action}/"
            call(world.portal.url, world.tokens["dona"], path, {"reason": "teste de falha"})

    until_done(act)


@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("work", [imported, published, retired, reindexed, asked])
def test_nothing_is_lost_and_nothing_wrong_is_said(world: World, tmp_path: Path, victim: str, work: Work) -> None:
    if victim not in world.portal.pids():
        pytest.skip(f"this set-up has no process {victim}")
    truth = Truth()
    items = [*world.still, *world.moving[-MOVED:]]
    fast = {"threads": 8, "rate": 20.0} if work is asked else {}
    failed: list[BaseException] = []

    def run() -> None:
        try:
            work(world, truth, tmp_path)
        except (AssertionError, HTTPError, OSError, subprocess.SubprocessError) as error:
            failed.append(error)

    with Prober(world.portal.url, world.tokens["leitor"], items, truth, **fast) as prober:
        thread = threading.Thread(target=run)
        thread.start()
        time.sleep(2)
        world.portal.kill(victim)
        thread.join(240)
        assert not thread.is_alive()
        assert not world.holds()
    assert not failed, failed
    assert not prober.faults
    assert prober.seen["answered"], prober.seen
    for item in [*items[-MOVED:], world.still[0]]:
        prober.probe(item)
    assert not prober.faults
    assert prober.seen["answered"] > 1

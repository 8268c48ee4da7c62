"""The kinds of work that a fault strikes in the middle of; each tells the truth what it moves."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg

from tests.faults import corpus
from tests.faults.conftest import World
from tests.faults.corpus import Item
from tests.faults.prober import Truth, call, until_done
from tests.instance import Portal, eventually

MOVED = 3
"""Documents of which one piece of work moves a revision."""
IMPORTED = 200
ASKED = 120
PATIENCE = 150
Work = Callable[[World, Truth, Path], None]


def imported(world: World, truth: Truth, folder: Path) -> None:
    """200 documents, which a person whose command was cut off imports again."""
    made = corpus.write(folder / "import", corpus.items(f"imp{next(world.numbers)}", IMPORTED))
    repeated(world.portal, "import_corpus", str(made))


def published(world: World, truth: Truth, folder: Path) -> None:
    for item in world.take(MOVED):
        publish(world, truth, item)


def retired(world: World, truth: Truth, folder: Path) -> None:
    for item in world.take(MOVED):
        publish(world, truth, item)
        retire(world, truth, item)


def reindexed(world: World, truth: Truth, folder: Path) -> None:
    repeated(world.portal, "reindex")


def asked(world: World, truth: Truth, folder: Path) -> None:
    """The prober's questions, meanwhile 20 a second, until so many more are answered and recorded."""
    wanted: int | None = None

    def enough() -> bool:
        nonlocal wanted
        with suppress(psycopg.OperationalError):
            [(records,)] = world.ask("SELECT count(*) FROM chat_evidencerecord")
            wanted = wanted or records + ASKED
            return bool(records >= wanted)
        return False

    eventually(enough, PATIENCE)


def repeated(portal: Portal, *command: str) -> None:
    """A command, again until it ends well: its person sees that it failed."""
    deadline = time.monotonic() + PATIENCE
    while True:
        done = portal.command(*command)
        if done.returncode == 0:
            return
        assert "Traceback" not in done.stderr, done.stderr
        assert time.monotonic() < deadline, done.stdout + done.stderr
        time.sleep(1)


def publish(world: World, truth: Truth, item: Item) -> None:
    truth.moved.add(item.code)
    truth.born[item.code, "v2"] = time.monotonic()
    move(world, item, "v2", "publish")
    truth.gone[item.code, "v1"] = time.monotonic()


def retire(world: World, truth: Truth, item: Item) -> None:
    move(world, item, "v2", "retire")
    truth.gone[item.code, "v2"] = time.monotonic()


def move(world: World, item: Item, label: str, action: str) -> None:
    """The move over HTTP as its owner, until it is made; one whose answer got lost is not asked for a second time."""
    state = {"publish": "published", "retire": "retired"}[action]

    def act() -> None:
        revision = revision_of(world, item, label)
        if revision["state"] != state:
            attempt(world, revision["id"], action)

    until_done(act, PATIENCE)


def attempt(world: World, revision: object, action: str) -> None:
    path = f"/api/revisions/{revision}/{action}/"
    call(world.portal.url, world.tokens["dona"], path, {"reason": "teste de falha"})


def revision_of(world: World, item: Item, label: str) -> dict:
    found = call(world.portal.url, world.tokens["dona"], f"/api/documents/{item.code}/")
    [revision] = [one for one in found["revisions"] if one["label"] == label]
    return dict(revision)


WORKS: tuple[Work, ...] = (published, retired, asked, reindexed, imported)
SIGNS = {
    imported: ("documents_document", IMPORTED // 4),
    published: ("documents_job", 1),
    retired: ("documents_job", 3),
    reindexed: ("documents_indexversion", 1),
    asked: ("chat_evidencerecord", ASKED // 4),
}
"""By how many rows which table has grown when the work is in its middle."""

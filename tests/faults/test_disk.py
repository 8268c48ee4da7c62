"""A full disk: below everything that the portal keeps, and below the words of the index alone."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from urllib.error import HTTPError

import pytest

from documents.search.base import EngineUnavailable
from documents.search.lexical import LexicalIndex
from tests.documents.search.test_lexical import entry
from tests.faults import corpus
from tests.faults.conftest import World
from tests.faults.prober import DOWN, Prober, Truth
from tests.faults.room import Room, mounted
from tests.faults.work import attempt, publish, repeated, retire, revision_of
from tests.instance import eventually

NO_MOUNT = "a full disk needs a disk of its own: mounting one is not allowed here (run as root)"
QUESTIONS = 400
"""After so many answers, at most, the room that their table had left is taken."""


def test_without_room_nothing_is_said_and_nothing_is_half_done(embedded: World, tmp_path: Path) -> None:
    if embedded.room is None:
        pytest.skip(NO_MOUNT)
    truth, [first, second] = Truth(), embedded.take(2)
    folder = corpus.write(tmp_path / "import", corpus.items(f"imp{next(embedded.numbers)}", 20))
    publish(embedded, truth, first)
    url, reader = embedded.portal.url, embedded.tokens["leitor"]
    with Prober(url, reader, [*embedded.still, first, second], truth, rate=0.5) as prober:
        embedded.room.fill()
        try:
            said = (prober.probe(embedded.still[n % len(embedded.still)]) for n in range(QUESTIONS))
            assert "down" in said, "an answer whose record has no room does not leave"
            made_at_once = _attempted(embedded, second)
            done = embedded.portal.command("import_corpus", str(folder))
            assert done.returncode in (1, 2)
            assert "Traceback" not in done.stderr, done.stderr[-2000:]
            assert embedded.room.full()
        finally:
            embedded.room.empty()
        eventually(embedded.portal.ready, 120)
        assert revision_of(embedded, second, "v2")["state"] == ("published" if made_at_once else "approved")
        publish(embedded, truth, second)
        retire(embedded, truth, first)
        repeated(embedded.portal, "import_corpus", str(folder))
    assert embedded.holds(prober.evidence) == []
    assert prober.probe(first) == "not_found"
    assert prober.probe(second) == "answered"
    assert prober.faults == []
    _no_half_files(embedded)


def _attempted(world: World, item: corpus.Item) -> bool:
    """Whether a publication is made; one that is not is refused as a part that is down, and asks to come back."""
    try:
        attempt(world, revision_of(world, item, "v2")["id"], "publish")
    except OSError as error:
        if isinstance(error, HTTPError) and error.code not in DOWN:
            raise
        return False
    return True


def _no_half_files(world: World) -> None:
    """Each original that a revision names is the file that was hashed."""
    rows = world.ask("SELECT file, content_hash FROM documents_revision WHERE file <> ''")
    assert rows
    for name, digest in rows:
        assert sha256((world.portal.here.var / "files" / name).read_bytes()).hexdigest() == digest, name


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Room]:
    with mounted(tmp_path / "small", "4m") as room:
        if room is None:
            pytest.skip(NO_MOUNT)
        yield room


def test_an_index_of_words_without_room_answers_on_and_refuses_to_grow(small: Room) -> None:
    """Each refusal is a part that is down, for which a job waits: not a fault of the job, which would be parked."""
    index = LexicalIndex(small.folder / "index")
    index.create()
    first, many = [entry(1)], [entry(number, text=f"texto {number} " * 200) for number in range(2, 400)]
    with index.writer() as writer:
        writer.put(first)
    small.fill()
    for entries in (many, [entry(2)], many):
        with pytest.raises(EngineUnavailable), index.writer() as writer:
            writer.put(entries)
        assert index.total == 1
    small.empty()
    with index.writer() as writer:
        writer.put(many)
    assert index.total == len(many) + 1

"""The dictionary of Portuguese is read once a process, however many questions come with the first."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from spellchecker import SpellChecker

from chat import dictionary

ASKERS = 8


@pytest.fixture
def unread() -> Iterator[None]:
    dictionary._read.cache_clear()
    yield
    dictionary._read.cache_clear()


def test_many_who_ask_first_read_it_once(unread: None, monkeypatch: pytest.MonkeyPatch) -> None:
    together, read = Barrier(ASKERS), []

    class Few(SpellChecker):
        def __init__(self, *_args: object, **_named: object) -> None:
            read.append(self)
            super().__init__(language="pt")

    def ask(_number: int) -> int:
        together.wait()
        return id(dictionary.portuguese())

    monkeypatch.setattr("spellchecker.SpellChecker", Few)
    with ThreadPoolExecutor(ASKERS) as pool:
        assert len(set(pool.map(ask, range(ASKERS)))) == 1
    assert len(read) == 1

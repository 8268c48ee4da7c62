"""What is kept of passages in the process saves reading and decides nothing."""

from __future__ import annotations

import numpy as np
import pytest

from documents.payloads import Key, Payload, Payloads
from documents.rules.text_terms import text_terms


def key(chunk: int, text_hash: str = "a", start: int = 0) -> Key:
    return (chunk, "model", text_hash, "input", start)


def payload(named: Key, text: str = "O prazo é de dois dias.", sentences: int = 1) -> Payload:
    vectors = np.zeros((1 + sentences, 384), dtype=np.float16)
    spans = tuple((0, len(text)) for _ in range(sentences))
    return Payload(named, text, spans, (None,) * sentences, text_terms(text), vectors)


class Table:
    """What is read, under which key, and how often."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []
        self.keys: dict[int, Key] = {}

    def read(self, chunk_ids: list[int]) -> dict[int, Payload]:
        self.asked.append(chunk_ids)
        wanted = {chunk_id: self.keys.get(chunk_id, key(chunk_id)) for chunk_id in chunk_ids if chunk_id != 404}
        return {chunk_id: payload(named, f"passage {chunk_id}") for chunk_id, named in wanted.items()}


def test_a_passage_is_read_once() -> None:
    held, table = Payloads(), Table()

    first = held.of({1: key(1), 2: key(2)}, table.read)
    again = held.of({2: key(2), 3: key(3)}, table.read)

    assert first[2] is again[2]
    assert table.asked == [[1, 2], [3]]


OTHERS = [
    key(1, text_hash="b"), key(1, start=5), (1, "other", "a", "input", 0), (1, "model", "a", "cut anew", 0),
]  # fmt: skip


@pytest.mark.parametrize("other", OTHERS)
def test_another_text_model_or_place_is_another_passage(other: Key) -> None:
    held, table = Payloads(), Table()

    held.of({1: key(1)}, table.read)
    table.keys[1] = other
    found = held.of({1: other}, table.read)

    assert (table.asked, found[1].key) == ([[1], [1]], other)


@pytest.mark.parametrize("other", OTHERS)
def test_what_became_another_passage_while_it_was_read_is_left_out(other: Key) -> None:
    held, table = Payloads(), Table()
    table.keys[1] = other

    assert held.of({1: key(1), 2: key(2)}, table.read).keys() == {2}
    assert held.of({1: other}, table.read).keys() == {1}, "what was read is that one"
    assert table.asked == [[1, 2]]


def test_of_two_forms_of_a_passage_the_newer_is_kept() -> None:
    held, table = Payloads(), Table()

    held.of({1: key(1)}, table.read)
    table.keys[1] = OTHERS[0]

    assert held.of({1: OTHERS[0]}, table.read)[1].key == OTHERS[0]
    assert held.bytes == payload(OTHERS[0], "passage 1").bytes


def test_what_is_gone_from_the_table_is_left_out() -> None:
    held, table = Payloads(), Table()

    assert held.of({1: key(1), 404: key(404)}, table.read).keys() == {1}
    assert held.of({404: key(404)}, table.read) == {}


def test_the_room_is_kept_whatever_is_asked_for() -> None:
    room = 10 * payload(key(0)).bytes
    held, table = Payloads(room), Table()

    for number in range(200):
        held.of({number: key(number)}, table.read)
        assert held.bytes <= room

    table.asked.clear()
    held.of({199: key(199), 0: key(0)}, table.read)
    assert table.asked == [[0]], "the newest stayed, the oldest went"


def test_a_passage_larger_than_the_room_is_given_and_not_kept() -> None:
    held, table = Payloads(room=1000), Table()

    assert held.of({1: key(1)}, table.read)[1].text == "passage 1"
    assert held.bytes == 0

"""What is kept of passages in the process saves reading and decides nothing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from documents.payloads import Key, Payload, Payloads
from documents.rules.text_terms import text_terms


def payload(text: str = "O prazo é de dois dias.", sentences: int = 1) -> Payload:
    vectors = np.zeros((1 + sentences, 384), dtype=np.float16)
    return Payload(
        text, tuple((0, len(text)) for _ in range(sentences)), (None,) * sentences, text_terms(text), vectors
    )


def key(chunk: int, text_hash: str = "a", start: int = 0) -> Key:
    return (chunk, "model", text_hash, "input", start)


class Table:
    """What is read, and how often."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    def read(self, chunk_ids: list[int]) -> Mapping[int, Payload]:
        self.asked.append(chunk_ids)
        return {chunk_id: payload(f"passage {chunk_id}") for chunk_id in chunk_ids if chunk_id != 404}


def test_a_passage_is_read_once() -> None:
    held, table = Payloads(), Table()

    first = held.of({1: key(1), 2: key(2)}, table.read)
    again = held.of({2: key(2), 3: key(3)}, table.read)

    assert first[2] is again[2]
    assert table.asked == [[1, 2], [3]]


def test_another_text_model_or_place_is_another_passage() -> None:
    held, table = Payloads(), Table()

    held.of({1: key(1)}, table.read)
    held.of({1: key(1, text_hash="b")}, table.read)
    held.of({1: key(1, start=5)}, table.read)
    held.of({1: (1, "other", "a", "input", 0)}, table.read)
    held.of({1: (1, "model", "a", "cut anew", 0)}, table.read)

    assert table.asked == [[1]] * 5


def test_what_is_gone_from_the_table_is_left_out() -> None:
    held, table = Payloads(), Table()

    assert held.of({1: key(1), 404: key(404)}, table.read).keys() == {1}
    assert held.of({404: key(404)}, table.read) == {}


def test_the_room_is_kept_whatever_is_asked_for() -> None:
    room = 10 * payload().bytes
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

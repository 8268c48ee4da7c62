from __future__ import annotations

import pytest

from chat.rules.marked import parts


@pytest.mark.parametrize(
    ("spans", "shown"),
    [
        ([], "abcdefghij"),
        ([(0, 2)], "[ab]cdefghij"),
        ([(8, 10), (0, 1)], "[a]bcdefgh[ij]"),
        ([(2, 5), (4, 7)], "ab[cdefg]hij"),
        ([(2, 5), (5, 7)], "ab[cdefg]hij"),
        ([(2, 7), (3, 4)], "ab[cdefg]hij"),
        ([(0, 10)], "[abcdefghij]"),
    ],
)
def test_a_text_is_cut_where_marks_begin_and_end(spans: list[tuple[int, int]], shown: str) -> None:
    told = parts("abcdefghij", spans)
    assert "".join(f"[{part.text}]" if part.marked else part.text for part in told) == shown

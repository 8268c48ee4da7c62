"""A text cut for a page: nothing is lost, the quote is marked to the letter, pages are announced where they begin."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from documents.rules.marking import Cutter, Part
from documents.rules.types import PageSpan

TEXT = "abcdefghij"


def test_a_mark_runs_on_across_stretches_and_has_one_first_part() -> None:
    cutter = Cutter(TEXT, (3, 7))
    assert cutter.parts((0, 5)) == (Part("abc"), Part("de", marked=True, first=True))
    assert cutter.parts((5, 10)) == (Part("fg", marked=True), Part("hij"))


def test_a_mark_that_begins_between_two_stretches_begins_with_the_next() -> None:
    cutter = Cutter(TEXT, (4, 8))
    assert cutter.parts((0, 4)) == (Part("abcd"),)
    assert cutter.parts((6, 10)) == (Part("gh", marked=True, first=True), Part("ij"))


def test_an_empty_or_turned_mark_marks_nothing() -> None:
    for span in ((0, 0), (4, 4), (7, 3)):
        assert Cutter(TEXT, span).parts((0, 10)) == (Part(TEXT),)


def test_a_page_is_announced_once_where_it_begins() -> None:
    pages = [PageSpan(1, 0, 4), PageSpan(2, 4, 4), PageSpan(3, 4, 6), PageSpan(4, 6, 10)]
    cutter = Cutter(TEXT, (5, 7), pages)
    assert cutter.parts((0, 3)) == (Part("abc"),)
    assert cutter.parts((5, 10)) == (
        Part("f", marked=True, first=True, page=3),
        Part("g", marked=True, page=4),
        Part("hij"),
    )
    assert [cutter.page_at(place) for place in (0, 4, 6)] == [1, 3, 4]
    assert Cutter(TEXT).page_at(3) is None


@given(
    st.text("ab\n", max_size=40),
    st.tuples(st.integers(0, 45), st.integers(0, 45)),
    st.lists(st.integers(0, 40), max_size=5),
    st.lists(st.integers(0, 40), max_size=4),
)
def test_parts_spell_the_text_and_marks_the_quote(
    text: str, marked: tuple[int, int], cuts: list[int], starts: list[int]
) -> None:
    end = len(text)
    places = sorted({0, end, *(cut for cut in cuts if cut < end)})
    begins = sorted({0, *(start for start in starts if start < end)})
    pages = [PageSpan(n, a, b) for n, (a, b) in enumerate(zip(begins, [*begins[1:], end], strict=True), 1)]
    cutter = Cutter(text, marked, pages)
    parts = [part for a, b in pairwise(places) for part in cutter.parts((a, b))]
    assert "".join(part.text for part in parts) == text
    quote = text[marked[0] : marked[1]] if marked[0] < marked[1] else ""
    assert "".join(part.text for part in parts if part.marked) == quote
    assert sum(part.first for part in parts) == bool(quote)
    assert [part.page for part in parts if part.page] == list(range(2, len(begins) + 1))

"""A stretch of a text cut where a quote begins or ends and where a page begins, so that a page can show both."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from documents.rules.types import PageSpan

SpanT = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """`text` as it stands. `first` is the first marked part of all; `page` is the number of a page that begins here."""

    text: str
    marked: bool = False
    first: bool = False
    page: int | None = None


class Cutter:
    """Cuts one text; `marked` is the quote's span in it, empty for none."""

    def __init__(self, text: str, marked: SpanT = (0, 0), pages: Iterable[PageSpan] = ()) -> None:
        self.text = text
        self.marked = marked if marked[0] < marked[1] else (0, 0)
        held = [page for page in pages if page.start < page.end]
        self._starts = [page.start for page in held]
        self._numbers = [page.number for page in held]
        self._shown = bisect_right(self._starts, 0)  # where the text begins, its first page needs no sign
        self._found = False

    def page_at(self, place: int) -> int | None:
        """The number of the page that holds the character at `place`."""
        after = bisect_right(self._starts, place)
        return self._numbers[after - 1] if after else None

    def parts(self, span: SpanT) -> tuple[Part, ...]:
        """`text[start:end]`: joined, the parts spell it. Ask for one stretch after the other, from the start."""
        return tuple(self._parts(*span))

    def _parts(self, start: int, end: int) -> Iterator[Part]:
        first, last = (min(max(place, start), end) for place in self.marked)
        places = sorted({start, first, last, end, *self._breaks(start, end)})
        for begin, until in pairwise(places):
            page = self._page(begin)
            inside = first <= begin < last
            yield Part(self.text[begin:until], inside, inside and not self._found, page)
            self._found = self._found or inside

    def _breaks(self, start: int, end: int) -> Sequence[int]:
        return self._starts[bisect_right(self._starts, start) : bisect_right(self._starts, end - 1)]

    def _page(self, begin: int) -> int | None:
        """The page to announce at `begin`: one that has begun since the last one that was announced."""
        after = bisect_right(self._starts, begin)
        if after <= self._shown:
            return None
        self._shown = after
        return self._numbers[after - 1]

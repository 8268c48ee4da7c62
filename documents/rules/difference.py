"""What changed between two editions of a text, by section.

A section is found again by its heading or its body; what is left over is paired by likeness, so that a section that
moved or was renamed is not a removal and an addition. Whatever either edition says is in the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from documents.rules.legal import section_number
from documents.rules.linewise import Change, Line, compare, lines
from documents.rules.types import SectionSpan
from documents.rules.wording import Op, Piece, bag, likeness, runs, tokens, words

_ALIKE = 0.6  # likeness from which two sections with different headings are one that was renamed
_COMPARED = 10_000  # pairs of sections left over whose likeness is worked out
_TELLING = 40  # characters from which a body alone tells which section it is


class Fate(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Edition:
    text: str
    sections: tuple[SectionSpan, ...]


@dataclass(frozen=True, slots=True)
class SectionChange:
    """`old_anchor` and `new_anchor` are where the section stands in each edition, None where it does not.

    `moved`: it comes elsewhere among the sections that stayed. `renamed`: its heading says something else than before.
    """

    fate: Fate
    level: int
    heading: tuple[Piece, ...]
    changes: tuple[Change, ...]
    old_anchor: str | None = None
    new_anchor: str | None = None
    moved: bool = False
    renamed: bool = False


@dataclass(slots=True)
class _Part:
    """A section with what it is compared by."""

    place: int
    span: SectionSpan
    heading: str
    key: str
    body: str
    twin: _Part | None = None


def difference(old: Edition, new: Edition) -> tuple[SectionChange, ...]:
    """Every section of both editions in the order of the new one; a removed one comes after what it came after."""
    before, after = list(_parts(old)), list(_parts(new))
    _pair(before, after)
    stayed = _in_order(after)
    return tuple(_change(old, new, left, right, stayed) for left, right in _rows(before, after))


def _parts(edition: Edition) -> Iterator[_Part]:
    for place, span in enumerate(edition.sections):
        heading = " ".join(edition.text[span.start : span.body_start].split())
        body = edition.text[span.body_start : span.end].strip()
        yield _Part(place, span, heading, _key(span.heading) or ("" if place else "\0start"), body)


def _key(heading: str) -> str:
    """The heading's words: without case, and without its number, which changes whenever a section is put before it."""
    said = tokens(heading.casefold())
    if section_number(heading):
        while said and not said[0].isalpha():
            said.pop(0)
    return " ".join(token for token in said if token.isalnum())


def _pair(before: Sequence[_Part], after: Sequence[_Part]) -> None:
    """From the surest sign to the weakest; each pass takes only what the ones before it left."""
    _match(before, after, lambda part: (part.key, part.body))
    _match(before, after, lambda part: part.body if len(part.body) >= _TELLING else None)
    _match(before, after, lambda part: part.key or None)
    left, right = _left(before), _left(after)
    if len(left) * len(right) > _COMPARED:
        return
    said = [[bag(tokens(f"{part.key} {part.body}")) for part in side] for side in (left, right)]
    pairs = ((a, b) for a in zip(left, said[0], strict=True) for b in zip(right, said[1], strict=True))
    scored = [(likeness(x, y), a, b) for (a, x), (b, y) in pairs if a.body and b.body]
    for score, a, b in sorted(scored, key=lambda found: (-found[0], abs(found[1].place - found[2].place))):
        if score >= _ALIKE and a.twin is None and b.twin is None:
            a.twin, b.twin = b, a


def _match(before: Sequence[_Part], after: Sequence[_Part], key: Callable[[_Part], object]) -> None:
    """Pair what has one key: first those that come in the same order, then those that moved."""
    left, right = _left(before), _left(after)
    for run in runs(_keys(left, key, "old"), _keys(right, key, "new")):
        for a, b in zip(left[run.a : run.b], right[run.c : run.d], strict=True) if run.same else ():
            a.twin, b.twin = b, a
    waiting: dict[object, list[_Part]] = {}
    for part in _left(before):
        waiting.setdefault(key(part), []).append(part)
    for part in _left(after):
        if key(part) is not None and (same := waiting.get(key(part))):
            part.twin = same.pop(0)
            part.twin.twin = part


def _keys(parts: Sequence[_Part], key: Callable[[_Part], object], side: str) -> list[object]:
    return [(side, part.place) if key(part) is None else key(part) for part in parts]


def _left(parts: Iterable[_Part]) -> list[_Part]:
    return [part for part in parts if part.twin is None]


def _in_order(after: Sequence[_Part]) -> frozenset[int]:
    """Places in the new edition of the sections that keep their order: the longest such row of them."""
    kept = [part for part in after if part.twin is not None]
    order = [part.twin.place for part in kept if part.twin is not None]
    return frozenset(
        kept[place].place for run in runs(sorted(order), order) if run.same for place in range(run.c, run.d)
    )


def _rows(before: Sequence[_Part], after: Sequence[_Part]) -> Iterator[tuple[_Part | None, _Part | None]]:
    following: dict[int, list[_Part]] = {}
    last = -1
    for part in before:
        if part.twin is not None:
            last = part.twin.place
        else:
            following.setdefault(last, []).append(part)
    for gone in following.get(-1, ()):
        yield gone, None
    for part in after:
        yield part.twin, part
        for gone in following.get(part.place, ()):
            yield gone, None


def _change(
    old: Edition, new: Edition, left: _Part | None, right: _Part | None, stayed: frozenset[int]
) -> SectionChange:
    heading = words(left.heading if left else "", right.heading if right else "")
    changes = tuple(compare(_lines(old, left), _lines(new, right)))
    differs = any(piece.op is not Op.SAME for piece in heading) or any(change.changed for change in changes)
    shown = right or left
    assert shown is not None
    both = left is not None and right is not None
    return SectionChange(
        fate=(Fate.CHANGED if differs else Fate.SAME) if both else Fate.REMOVED if right is None else Fate.ADDED,
        level=shown.span.level,
        heading=heading,
        changes=changes,
        old_anchor=left.span.anchor if left else None,
        new_anchor=right.span.anchor if right else None,
        moved=both and right is not None and right.place not in stayed,
        renamed=left is not None and right is not None and left.key != right.key,
    )


def _lines(edition: Edition, part: _Part | None) -> list[Line]:
    return lines(edition.text, part.span.body_start, part.span.end) if part else []

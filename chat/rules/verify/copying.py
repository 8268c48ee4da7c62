"""A claim that is nearly a copy of its quote, token against token: what a small change of words did to the rule.

Where claim and quote run in parallel, a short gap that holds a marker on one side only ("não", "até", "somente") is a
change of the rule, even if the same marker stands elsewhere in the sentence and so escapes a comparison of the facts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from chat.rules.verify.markers import POLAR, Mark, find_markers
from chat.rules.verify.omissions import code_of
from documents.rules.normalise import normalise

# Below this share of the claim's tokens in parallel it is a paraphrase, which the comparison of the facts judges.
MIN_PARALLEL = 0.7
# A longer gap, or one with an "e", is a clause left out or put in as a whole, not a word changed.
MAX_GAP = 3

_TOKEN = re.compile(r"\w+(?:[.,:/-]\w+)*%?")
# Left aside, so that "não é permitido" and "proibido", "em até" and "no máximo" stand against each other.
_FILLER_WORDS = "é são ser será serão fica ficam a o as os ao à em no na nos nas de do da dos das que um uma"
_FILLER = frozenset(_FILLER_WORDS.split())
_UNIT_WORDS = frozenset({"útil", "úteis", "corrido", "corridos", "corrida", "corridas", "consecutivos"})


@dataclass(frozen=True, slots=True)
class _Side:
    """A text as tokens; `marks[i]` is the marker that token i belongs to, as (mark, number of the marker)."""

    tokens: tuple[str, ...]
    marks: tuple[tuple[Mark, int] | None, ...]

    @classmethod
    def of(cls, text: str) -> _Side:
        normal = normalise(text)
        found = list(find_markers(normal))
        tokens, marks = [], []
        for match in _TOKEN.finditer(normal):
            if match[0].lower() in _FILLER:
                continue
            tokens.append(match[0].lower())
            held = (i for i, marker in enumerate(found) if marker.start < match.end() and match.start() < marker.end)
            index = next(held, None)
            marks.append(None if index is None else (found[index].mark, index))
        return cls(tuple(tokens), tuple(marks))

    def inside(self, start: int, end: int) -> Counter[Mark]:
        """The markers that lie wholly in `tokens[start:end]`."""
        outside = {mark for mark in (*self.marks[:start], *self.marks[end:]) if mark}
        return Counter(mark for mark, _ in {mark for mark in self.marks[start:end] if mark} - outside)

    def units(self, start: int, end: int) -> Counter[str]:
        return Counter(token for token in self.tokens[start:end] if token in _UNIT_WORDS)


def altered(claim: str, evidence: str) -> str | None:
    """The code of a marker or unit word that a near-copy dropped, added or exchanged, or None."""
    mine, theirs = _Side.of(claim), _Side.of(evidence)
    matcher = SequenceMatcher(None, mine.tokens, theirs.tokens, autojunk=False)
    parallel = sum(block.size for block in matcher.get_matching_blocks())
    if not mine.tokens or parallel < MIN_PARALLEL * len(mine.tokens):
        return None
    dropped: Counter[Mark] = Counter()
    added: Counter[Mark] = Counter()
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            if reason := _compared(mine.marks[start:end], theirs.marks[first:last]):
                return reason
        elif end - start <= MAX_GAP and last - first <= MAX_GAP and "e" not in theirs.tokens[first:last]:
            if mine.units(start, end) != theirs.units(first, last):
                return "unit_changed"
            added += mine.inside(start, end)
            dropped += theirs.inside(first, last)
    # A marker that left one gap for another has moved with its words; the comparison of the facts has judged that.
    changed = sorted((added - dropped) + (dropped - added), key=_telling)
    return code_of(changed[0]) if changed else None


def _compared(mine: Sequence[tuple[Mark, int] | None], theirs: Sequence[tuple[Mark, int] | None]) -> str | None:
    """The same words under another marker: "é permitido" under "não é permitido"."""
    for here, there in zip(mine, theirs, strict=True):
        marks = {pair[0] for pair in (here, there) if pair}
        if len(marks) == 2 or (marks and not (here and there)):
            return code_of(min(marks, key=_telling))
    return None


def _telling(mark: Mark) -> bool:
    return mark not in POLAR

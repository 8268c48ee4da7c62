"""What stands around a quote in its passage: whether it is evidence at all, and what its sentence says beyond it."""

from __future__ import annotations

import re

from chat.rules.types import Passage
from chat.rules.verify.facts import Facts
from chat.rules.verify.markers import POLAR, RESTRICTIVE, Mark
from chat.rules.verify.reading import is_table_row, read
from documents.rules.normalise import normalise
from documents.rules.sentences import split

# A fragment must say enough to be found by whoever opens the source; a whole sentence or row may be terse.
MIN_FACTS_FRAGMENT = 4
MIN_FACTS_WHOLE = 2

_ENUMERATOR = re.compile(
    r"^\s*(?:[-•*▪|]|\(?\d+(?:\.\d+)*[.)º]?|\(?[a-z]\)|[IVXLC]+\s*[-–—)]|art\.?\s*\d+[º.]?|§\s*\d+[º.]?)(?=\s)",
    re.IGNORECASE,
)
_EDGE = " \t\r\n.;:,!?|-•*▪\"'“”"
_LAST_STATEMENT = re.compile(r"[;:]\s|,\s+(?:e|mas|porém)\s")
# "Para pedidos urgentes, | o prazo é…": the case that the rest is said of.
_OPENING = re.compile(r"^(?:para|em|n[oa]s?|aos?|às?)\b[^,]*,\s*$", re.IGNORECASE)
_CUT_AFTER = RESTRICTIVE
_CUT_BEFORE = POLAR | RESTRICTIVE | {Mark.OPTION, Mark.RECOMMENDATION}
# "The limit of R$ 80 | does not apply to…": a negation this close behind the quote negates it.
_NEGATED_WITHIN = 2


def sentence_around(passage: Passage, start: int, end: int) -> tuple[int, int]:
    """The span of the sentences of `passage` that `[start, end)` touches."""
    spans = passage.sentences or split(passage.text)[0]
    touched = [span for span in spans if span[0] < end and start < span[1]]
    return (min(start, touched[0][0]), max(end, touched[-1][1])) if touched else (start, end)


def lead_of(passage: Passage, start: int, end: int) -> str:
    """The words that the list item at `[start, end)` completes ("São vedados:"), "" when it is no list item."""
    for index, span in enumerate(passage.sentences[: len(passage.stems)]):
        lead = passage.stems[index]
        if lead and span[0] < end and start < span[1]:
            return "" if start <= lead[0] and lead[1] <= end else passage.text[slice(*lead)]
    return ""


def table_head(passage: Passage, start: int) -> str:
    """The first row of the table that the row at `start` belongs to, "" outside a table: what its cells are called."""
    lines = passage.text[:start].split("\n")
    row = lines.pop() + passage.text[start:].partition("\n")[0]
    head = ""
    while "|" in row and lines and "|" in lines[-1]:
        head = lines.pop()
    return head


def is_specific(passage: Passage, start: int, end: int) -> bool:
    """Whether the quote says enough: counted in distinct content words, codes, amounts and markers."""
    quote = passage.text[start:end]
    facts = read(_ENUMERATOR.sub(" ", quote))
    told = facts.stems | facts.code_keys | {marker.mark for marker in facts.markers}
    amounts = {(value.kind, value.unit, frozenset(value.keys)) for value in facts.values}
    # An amount with its unit says two things.
    size = len(told) + len(amounts) + sum(1 for kind, unit, _ in amounts if unit and kind == "number")
    around = sentence_around(passage, start, end)
    whole = _bare(passage.text[slice(*around)]) == _bare(quote) or _is_line(passage.text, start, end)
    return size >= (MIN_FACTS_WHOLE if whole else MIN_FACTS_FRAGMENT)


def cuts_meaning(passage: Passage, start: int, end: int) -> bool:
    """Whether the rest of the sentence turns the quote round: a negation before it, an exception after it."""
    first, last = sentence_around(passage, start, end)
    before, after = normalise(passage.text[first:start]), normalise(passage.text[end:last])
    head = _LAST_STATEMENT.split(_ENUMERATOR.sub("", before))[-1]
    if not {marker.mark for marker in read(head).markers}.isdisjoint(_CUT_BEFORE) or _OPENING.match(head):
        return True
    return _turned_after(after)


def _turned_after(after: str) -> bool:
    facts = read(after)
    end = _statement_end(facts, after)
    for marker in facts.markers:
        near = len(after[: marker.start].split()) <= _NEGATED_WITHIN
        if marker.start < end and (marker.mark in _CUT_AFTER or (near and marker.mark in _CUT_BEFORE)):
            return True
    return False


def _statement_end(facts: Facts, text: str) -> int:
    return next((at for at in facts.statements if at > 0), len(text))


def _is_line(text: str, start: int, end: int) -> bool:
    """Whether the quote is a whole line or table row: what stands beside it on its lines is only punctuation."""
    left, right = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    right = right if right >= 0 else len(text)
    return is_table_row(text[left:right]) and not (text[left:start] + text[end:right]).strip(_EDGE)


def _bare(text: str) -> str:
    return normalise(_ENUMERATOR.sub("", normalise(text))).strip(_EDGE)

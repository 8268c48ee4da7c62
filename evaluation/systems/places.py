"""Where passages stand, and whether what is quoted from them is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from documents.models import Revision
from documents.rules.headings import SEPARATOR
from documents.rules.passage import Passage
from documents.rules.types import Reader
from evaluation.rules.judging import Place


@dataclass(frozen=True, slots=True)
class Quoted:
    """`quote` is said to be the text of revision `revision_id` at `[start, end)`."""

    revision_id: int
    start: int
    end: int
    quote: str


def place(passage: Passage) -> Place:
    _title, *sections = passage.heading.split(SEPARATOR)
    return Place(passage.document, (*sections, passage.section), passage.anchor)


def unsupported(claims: Sequence[Sequence[Quoted]], reader: Reader, on: date, today: date) -> int:
    """How many claims lack a quote, or have one that is not literally there, or not for this reader on that day.

    It asks the tables alone, so that a mistake of the pipeline's own checks is seen.
    """
    wanted = {quoted.revision_id for claim in claims for quoted in claim}
    eligible = Revision.objects.filter(pk__in=wanted).eligible_for(reader, on, today)
    texts = dict(eligible.values_list("pk", "text"))
    return sum(not claim or not all(_there(quoted, texts) for quoted in claim) for claim in claims)


def _there(quoted: Quoted, texts: dict[int, str]) -> bool:
    text = texts.get(quoted.revision_id)
    return text is not None and bool(quoted.quote.strip()) and text[quoted.start : quoted.end] == quoted.quote

"""The two public corpora as the portal's passages: each passage of the data is one chunk.

They are looked for in `KB_SHARED_DATA`, else in `../shared/data` beside the repository.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from sentencex import get_sentence_boundaries

from chat.rules.types import Passage
from documents.rules.types import Authority, Corpus, Kind

ROOT = Path(__file__).resolve().parents[2]
_ITEM = re.compile(
    r"(?<=[;:.)])(?<!Art\.)\s+(?:e\s+)?(?=(?:[IVXLC]+|[a-z]\)|§ \d+º?|\d+\.)\s?[–-]?\s)"
    r"|(?<=; e)\s+(?=[IVXLC]+ [–-])|\n"
)
_LEGAL_ABBREVIATION = re.compile(
    r"(?:\b(?:arts?|incs?|al|n|nº|p|fls?|Dr|Dra|Sr|Sra|Exmo|par)\.|^Art\. \d+[º°]?(?:-\w)?\.?)\s*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Case:
    """`gold` are ids of passages, empty for a question that the base does not answer."""

    id: str
    question: str
    gold: frozenset[str]
    answers: tuple[str, ...]
    natural: bool


def data_folder() -> Path | None:
    """Where the public data lies, or None."""
    folder = Path(os.environ.get("KB_SHARED_DATA") or ROOT.parent / "shared" / "data")
    return folder if (folder / "faquad" / "passages.jsonl").exists() else None


def passages(folder: Path, corpus: str, without: frozenset[str] = frozenset()) -> list[Passage]:
    rows = _rows(folder / corpus / "passages.jsonl")
    return [_passage(number, row) for number, row in enumerate(rows) if row["id"] not in without]


def withheld(folder: Path) -> frozenset[str]:
    return frozenset(json.loads((folder / "faquad" / "withheld_passage_ids.json").read_text()))


def cases(folder: Path, name: str) -> list[Case]:
    """`name` is "faquad", "faquad-withheld" or "leis_pt"."""
    path = {
        "faquad": "faquad/questions.jsonl",
        "faquad-withheld": "faquad/questions_withheld.jsonl",
        "leis_pt": "leis_pt/questions.jsonl",
    }[name]
    return [
        Case(
            id=row["id"],
            question=row["question"],
            gold=frozenset(row.get("gold_passage_ids") or ()) if row["answerable"] else frozenset(),
            answers=tuple(row.get("answers") or ([row["answer_text"]] if row.get("answer_text") else [])),
            natural=row.get("form") == "natural" or "exam" not in row,
        )
        for row in _rows(folder / path)
    ]


def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Sentences, list items and lines of a text, as spans that leave out the space between them."""
    cuts = [0]
    for boundary in get_sentence_boundaries("pt", text):
        end = boundary["end_index"]
        if not _LEGAL_ABBREVIATION.search(text[cuts[-1] : end].strip()[-20:]):
            cuts.append(end)
    cuts += [match.end() for match in _ITEM.finditer(text)]
    cuts.append(len(text))
    edges = sorted(set(cuts))
    spans = [_stripped(text, start, end) for start, end in pairwise(edges)]
    return tuple((start, end) for start, end in spans if start < end)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))


def injections(folder: Path) -> list[dict[str, str]]:
    """Texts that try to command the reader, and harmless ones that look like them (`label`)."""
    return list(_rows(folder / "injection" / "texts.jsonl"))


def planted(passage: Passage, text: str) -> Passage:
    """The passage with `text` on a line of its own after its first sentence."""
    at = passage.sentences[0][1]
    whole = f"{passage.text[:at]}\n{text}\n{passage.text[at:].lstrip()}"
    spans = sentence_spans(whole)
    return replace(
        passage,
        text=whole,
        end=passage.start + len(whole),
        text_hash=hashlib.sha256(whole.encode()).hexdigest(),
        sentences=spans,
        stems=_stems(whole, spans),
    )


def _stems(text: str, spans: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int] | None, ...]:
    stems: list[tuple[int, int] | None] = []
    lead: tuple[int, int] | None = None
    for start, end in spans:
        sentence = text[start:end]
        item = re.match(r"(?:[IVXLC]+ [–-]|[a-z]\))", sentence) is not None
        stems.append(lead if item else None)
        if not item:
            lead = (start, end) if sentence.endswith(":") else None
    return tuple(stems)


def _passage(number: int, row: dict[str, Any]) -> Passage:
    spans = sentence_spans(row["text"])
    title = row["title"].replace("_", " ")
    section = "" if row["section"].startswith("parágrafo ") else row["section"]
    return Passage(
        chunk_id=number + 1,
        document=row["id"],
        title=title,
        revision="v1",
        revision_id=row["id"],
        section=section,
        anchor="",
        page=None,
        start=0,
        end=len(row["text"]),
        text=row["text"],
        text_hash=hashlib.sha256(row["text"].encode()).hexdigest(),
        heading=f"{title} > {section}" if section else title,
        kind=Kind.POLICY,
        corpus=Corpus.OFFICIAL,
        authority=Authority.OFFICIAL,
        area="",
        owner="",
        valid_from=None,
        valid_until=None,
        sentences=spans,
        stems=_stems(row["text"], spans),
    )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)

"""Passages for the tests of the rules: only what a rule reads differs from case to case."""

from __future__ import annotations

from chat.rules.types import Passage
from documents.rules.normalise import text_hash
from documents.rules.types import Authority, Corpus, Kind


def passage(
    text: str,
    *,
    heading: str = "Manual de operação > 4. Prazos",
    document: str = "ops-manual",
    sentences: tuple[tuple[int, int], ...] = (),
    stems: tuple[tuple[int, int] | None, ...] = (),
) -> Passage:
    title, _, section = heading.partition(" > ")
    return Passage(
        chunk_id=1,
        document=document,
        title=title,
        revision="v1",
        revision_id="r1",
        section=section,
        anchor="secao",
        page=1,
        start=0,
        end=len(text),
        text=text,
        text_hash=text_hash(text),
        heading=heading,
        kind=Kind.MANUAL,
        corpus=Corpus.OFFICIAL,
        authority=Authority.OFFICIAL,
        area="operacoes",
        owner="Operações",
        valid_from=None,
        valid_until=None,
        sentences=sentences,
        stems=stems,
    )


def with_items(lead: str, items: str, heading: str) -> Passage:
    """A list: the lead on its own line, then one item a line, each with the lead as its stem."""
    text = f"{lead}\n{items}"
    spans, stems, at = [(0, len(lead))], [None], len(lead) + 1
    for item in items.split("\n"):
        spans.append((at, at + len(item)))
        stems.append((0, len(lead)))
        at += len(item) + 1
    return passage(text, heading=heading, sentences=tuple(spans), stems=tuple(stems))

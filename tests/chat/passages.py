"""Passages for tests of rules: everything that a test does not care about has a default."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from documents.rules.passage import Passage
from documents.rules.text_terms import TextTerms, terms_of
from documents.rules.types import Authority, Corpus, Kind

_ITEM = r"(?:[IVX]+ [–-] |[a-z]\) |- )"
_SENTENCE = re.compile(rf"\S.*?(?:[.!?](?=\s)|[:;](?=\s{_ITEM})|(?=\n)|$)", re.S)


def sentences_of(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _SENTENCE.finditer(text)]


def terms_under(heading: str, text: str) -> TextTerms:
    return terms_of(heading, text, sentences_of(text))


def passage(text: str, heading: str = "Manual > Seção", chunk_id: int = 1, **changes: object) -> Passage:
    """Sentences end at a stop, a line break, or before a list item; items after a ":" have it as their stem."""
    spans = sentences_of(text)
    stems: list[tuple[int, int] | None] = []
    lead: tuple[int, int] | None = None
    for start, end in spans:
        item = re.match(_ITEM, text[start:end]) is not None
        stems.append(lead if item else None)
        if not item:
            lead = (start, end) if text[start:end].endswith(":") else None
    made = Passage(
        chunk_id=chunk_id,
        document=f"doc-{chunk_id}",
        title=heading.split(" > ", maxsplit=1)[0],
        revision="v1",
        revision_id=str(chunk_id),
        section=heading.rsplit(" > ", maxsplit=1)[-1],
        anchor="secao",
        page=None,
        start=0,
        end=len(text),
        text=text,
        text_hash=hashlib.sha256(text.encode()).hexdigest(),
        heading=heading,
        kind=Kind.POLICY,
        corpus=Corpus.OFFICIAL,
        authority=Authority.OFFICIAL,
        area="operacoes",
        owner="Operações",
        valid_from=None,
        valid_until=None,
        sentences=tuple(spans),
        stems=tuple(stems),
    )
    return replace(made, **changes)

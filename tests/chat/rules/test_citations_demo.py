"""The verifier on whole documents: every sentence bears itself out, and no small change of one gets through."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from chat.rules.citations import verify
from chat.rules.types import DraftClaim, Passage
from documents.extractors.markdown import MarkdownExtractor
from documents.rules.sentences import split
from tests.chat.rules.passages import passage

SOURCES = Path(__file__).parents[3] / "evaluation" / "demo" / "sources"
# One section in so many: the whole corpus takes a minute.
STEP = 5
MOST = 40


@cache
def sections() -> tuple[Passage, ...]:
    found = []
    for path in sorted(SOURCES.glob("*/*.md")):
        extraction = MarkdownExtractor().extract(path)
        for section in extraction.sections:
            body = extraction.text[section.body_start : section.end]
            if body.strip():
                spans, stems = split(body)
                heading = " > ".join(section.path)
                found.append(passage(body, heading=heading, sentences=tuple(spans), stems=tuple(stems)))
    return tuple(found[::STEP])


def sentences() -> Iterator[tuple[Passage, str, str]]:
    """Each sentence with its passage and, for a list item, the lead that it completes."""
    for sent in sections():
        for span, stem in zip(sent.sentences, sent.stems, strict=True):
            yield sent, sent.text[slice(*span)], f"{sent.text[slice(*stem)]} " if stem else ""


def test_every_sentence_bears_itself_out() -> None:
    """But for those that say next to nothing ("Sim.", "Compete:")."""
    refused = [
        (verdict.reason, quote)
        for sent, quote, lead in sentences()
        if not (verdict := verify([DraftClaim(lead + quote, 1, quote)], [sent])[0]).accepted
    ]
    assert [row for row in refused if row[0] != "quote_too_short" or len(row[1].split()) > 6] == []


def _change(pattern: str, by: str) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, by, text, count=1)


CHANGES = {
    "drops não": _change(r"\b[Nn]ão ", ""),
    "sem to com": _change(r"\bsem\b", "com"),
    "adds não": _change(r"\b(é|são|será)\b", r"não \1"),
    "deve to pode": _change(r"(?<!não )(?<!Não )(?<!nem )(?<!Nunca )\bdeve(m?)\b", r"pode\1"),
    "pode to deve": _change(r"(?<!não )(?<!Não )(?<!nem )(?<!Nunca )(?<!se )\bpode(m?)\b", r"deve\1"),
    "obligation to option": _change(r"obrigatóri([oa])", r"facultativ\1"),
    "permission to prohibition": _change(r"permitid([oa])", r"proibid\1"),
    "prohibition to permission": _change(r"vedad([oa])", r"permitid\1"),
    "até to após": _change(r"\baté\b", "após"),
    "drops até": _change(r"\baté ", ""),
    "antes to depois": _change(r"\bantes d", "depois d"),
    "minimum to maximum": _change(r"mínim([oa])", r"máxim\1"),
    "business to running days": _change("dias úteis", "dias corridos"),
    "drops úteis": _change(r"(dias|horas) úteis", r"\1"),
    "hours to days": _change(r"(\d) horas", r"\1 dias"),
    "another digit": lambda text: re.sub(r"\d", lambda m: str((int(m[0]) + 3) % 10), text, count=1),
    "another currency": _change(r"R\$", "US$"),
    "another unit": lambda text: text if "CD-RJ" in text else text.replace("CD-SP", "CD-RJ", 1),
    "drops somente": _change(r"\b(?:[Ss]omente|apenas|só) ", ""),
    "drops the exception": _change(r",? (?:exceto|salvo)\b[^.;]*", ""),
    "drops the condition before": _change(r"^(?:Se|Caso|Quando)\b[^,]*, ", ""),
    "adds a word": lambda text: f"{text.rstrip('.;:')} gratuitamente.",
    "adds a place": lambda text: f"{text.rstrip('.;:')} em Manaus.",
}


@pytest.mark.parametrize("name", CHANGES)
def test_no_small_change_gets_through(name: str) -> None:
    tried, passed = 0, []
    for sent, quote, lead in sentences():
        changed = CHANGES[name](quote)
        if changed == quote or tried == MOST:
            continue
        tried += 1
        if verify([DraftClaim(lead + changed, 1, quote)], [sent])[0].accepted:
            passed.append((changed, quote))
    assert tried
    assert passed == []

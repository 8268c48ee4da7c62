"""The same document in PDF, DOCX and HTML reads as it was written: same sections, same words."""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

import pytest

from documents.extractors.sniff import Format
from documents.extractors.worker import extractor_for
from evaluation.demo.render import RENDERERS
from evaluation.demo.render.markdown_model import parse
from evaluation.demo.render.sheet import Sheet

SOURCES = Path(__file__).resolve().parents[3] / "evaluation" / "demo" / "sources"
SHEET = Sheet("Andorinha Logística S.A.", "doc-teste", "v1", "policy", "Operações", "internal", None)
# Articles, tables with long cells, lists, minutes, a page of one sheet.
CASES = ["ops-cd-sp", "privacidade-lgpd", "seguranca-informacao", "reembolso-viagem", "faq-rh", "wiki-salas-reuniao"]


@pytest.mark.parametrize("code", CASES)
@pytest.mark.parametrize("kind", ["pdf", "docx", "html"])
def test_a_document_reads_alike_in_every_format(tmp_path: Path, code: str, kind: str) -> None:
    source = sorted((SOURCES / code).glob("*.md"))[0]
    path = tmp_path / f"x.{kind}"
    path.write_bytes(RENDERERS[kind](parse(source.read_text(encoding="utf-8"), source), SHEET))
    written = extractor_for(Format.MARKDOWN).extract(source)
    found = extractor_for(Format(kind)).extract(path)
    assert [(s.level, s.anchor, s.path) for s in found.sections] == [
        (s.level, s.anchor, s.path) for s in written.sections
    ]
    assert SequenceMatcher(None, written.text.split(), found.text.split(), autojunk=False).ratio() >= 0.98
    assert set(written.text.split("\n")) - set(found.text.split("\n")) == set()

"""Word files: styles, the numbers that Word draws, tables, template fields."""

from __future__ import annotations

import zipfile
from pathlib import Path

import docx
import pytest

from documents.extractors.base import ExtractionError
from documents.extractors.docx import DocxExtractor
from documents.rules.notices import About, Notice
from tests.documents.extractors import files


def test_headings_lists_tables_and_fields_come_through(tmp_path: Path) -> None:
    found = DocxExtractor().extract(files.numbered_docx(tmp_path / "x.docx"))
    assert [(s.anchor, s.heading) for s in found.sections] == [
        ("inicio", "Política de Home Office"),
        ("secao-1", "1. Objetivo"),
        ("secao-2", "2. Regras"),
        ("secao-2-1", "2.1 Dias"),
    ]
    assert found.text[found.sections[3].body_start :].split("\n") == [
        "São dois dias presenciais por semana:",
        "1. terça-feira;",
        "2. quinta-feira.",
        "Cabe ao gestor:",
        "• aprovar a escala",
        "• registrar faltas",
        "Cargo: Gerente; Gasto: Viagem; Limite: R$ 5.000,00",
        "Cargo: Gerente; Gasto: Compra; Limite: R$ 2.000,00",
        "Cargo: Diretor; Gasto: Viagem; Limite: R$ 20.000,00",
    ]
    assert found.warnings == (Notice(About.UNFILLED_FIELDS, ("${empresa-nome}",)),)


def test_numbers_that_word_draws_become_text(tmp_path: Path) -> None:
    found = DocxExtractor().extract(files.outline_numbered_docx(tmp_path / "x.docx"))
    assert [s.anchor for s in found.sections] == ["secao-1", "secao-2", "secao-2-1", "secao-2-2"]
    assert "Cabe ao operador:\na) conferir a carga;\nb) assinar o romaneio." in found.text


def test_the_title_in_the_properties_counts_only_where_the_text_confirms_it(tmp_path: Path) -> None:
    path = tmp_path / "x.docx"
    document = docx.Document()
    document.core_properties.title = "PARA: DIRETORA"
    document.add_paragraph("O prazo é de dez dias.")
    document.save(str(path))
    assert DocxExtractor().extract(path).sections[0].heading == ""


def test_text_deleted_in_a_revision_is_gone_and_inserted_text_stays(tmp_path: Path) -> None:
    path = tmp_path / "x.docx"
    document = docx.Document()
    document.add_paragraph("MARCA")
    document.save(str(path))
    change = (
        '<w:r><w:t xml:space="preserve">O prazo é de </w:t></w:r><w:del w:id="1" w:author="a"><w:r><w:delText>dez'
        '</w:delText></w:r></w:del><w:ins w:id="2" w:author="a"><w:r><w:t>cinco</w:t></w:r></w:ins>'
        '<w:r><w:t xml:space="preserve"> dias.</w:t></w:r>'
    )
    _rewrite(path, "word/document.xml", lambda xml: xml.replace(b"<w:r><w:t>MARCA</w:t></w:r>", change.encode()))
    assert DocxExtractor().extract(path).text == "O prazo é de cinco dias."


def test_a_document_type_in_a_part_is_refused(tmp_path: Path) -> None:
    path = files.numbered_docx(tmp_path / "x.docx")
    entities = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    _rewrite(path, "word/document.xml", lambda xml: xml.replace(b"?>", b"?>" + entities, 1))
    with pytest.raises(ExtractionError, match="unreadable"):
        DocxExtractor().extract(path)


def test_a_file_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "x.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 120_000_000)
    with pytest.raises(ExtractionError, match="too_large"):
        DocxExtractor().extract(path)


def _rewrite(path: Path, part: str, change) -> None:  # type: ignore[no-untyped-def]
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    changed = change(parts[part])
    assert changed != parts[part]
    parts[part] = changed
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)

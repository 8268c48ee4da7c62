"""The demo corpus is built the same way every time, and says where a source is wrong."""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import sys
from pathlib import Path

import docx
import pypdfium2
import pytest
import yaml
from selectolax.lexbor import LexborHTMLParser

from evaluation.demo.build import HERE, build, main
from evaluation.demo.errors import SourceError

FORMATS = ("pdf", "docx", "html", "md")
TEXT = """# Política de férias e recessão

| Código | Versão |
|---|---|
| POL-RH-001 | v1 |

## 1. Objetivo

Dispõe sobre a concessão de **férias**: o prazo é de 30 dias, com ≥ 1/3 e R$ 1.234,56.

### 1.1 Prazos de solicitação

- pedido com *45 dias*;
- aprovação:
  - gestor;
  - RH.

3. terceiro item
4. quarto item

Art. 1º O empregado poderá:
I – fracionar;
a) em até três períodos, na forma do § 2º;
b) mediante acordo.

| Nível | Limite | Observação |
|:--|--:|:-:|
| Júnior | 10 | até `FRM-RH-012` |
| Sênior | 20 | [portal](https://portal.andorinha.example) |

> Atenção: o saldo não é convertido.

```
FRM-RH-012
```

---

Fim.
"""
BASE = {
    "company": {"name": "Andorinha Logística S.A."},
    "areas": [{"slug": "rh", "name": "Recursos Humanos"}],
    "channels": [{"label": "Atendimento", "url": "https://canais.andorinha.example/"}],
}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """One document of four revisions, one a format."""
    root = tmp_path / "fontes"
    folder = root / "sources" / "ferias"
    folder.mkdir(parents=True)
    revisions = [{"label": f"v-{name}", "format": name, "state": "published"} for name in FORMATS]
    document = {"code": "ferias", "title": "Férias", "kind": "policy", "area": "rh", "revisions": revisions}
    _dump(root / "base.yaml", BASE)
    _dump(folder / "document.yaml", document)
    for name in FORMATS:
        (folder / f"v-{name}.md").write_text(TEXT, encoding="utf-8")
    return root


def _dump(path: Path, value: object) -> None:
    path.write_text(yaml.safe_dump(value, allow_unicode=True), encoding="utf-8")


def _change(path: Path, **changes: object) -> None:
    _dump(path, {**yaml.safe_load(path.read_text(encoding="utf-8")), **changes})


def _hashes(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _text(path: Path) -> str:
    """What a reader of the file gets, on one line."""
    data = path.read_bytes()
    match path.suffix:
        case ".pdf":
            pages = pypdfium2.PdfDocument(data)
            text = " ".join(page.get_textpage().get_text_bounded() for page in pages)
        case ".docx":
            word = docx.Document(io.BytesIO(data))
            cells = (cell.text for table in word.tables for row in table.rows for cell in row.cells)
            text = " ".join([*(paragraph.text for paragraph in word.paragraphs), *cells])
        case ".html":
            body = LexborHTMLParser(data.decode()).body
            assert body is not None
            text = body.text(separator=" ")
        case _:
            text = data.decode()
    return " ".join(text.split())


def test_the_same_sources_give_the_same_bytes(sources: Path, tmp_path: Path) -> None:
    assert _hashes(build(tmp_path / "a", sources)) == _hashes(build(tmp_path / "b", sources))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_opens_again_with_its_accents(sources: Path, tmp_path: Path, name: str) -> None:
    text = _text(build(tmp_path / "out", sources) / "rh" / f"ferias-v-{name}.{name}")
    for expected in (
        "Política de férias e recessão",
        "1.1 Prazos de solicitação",
        "R$ 1.234,56",
        "§ 2º",
        "Sênior",
        "≥",
    ):
        assert expected in text


def test_pdf_has_an_outline_and_numbered_pages(sources: Path, tmp_path: Path) -> None:
    long = TEXT + "\n\n".join(f"## {n}. Seção {n}\n\n" + "Texto da seção. " * 120 for n in range(2, 9))
    (sources / "sources" / "ferias" / "v-pdf.md").write_text(long, encoding="utf-8")
    document = pypdfium2.PdfDocument(build(tmp_path / "out", sources) / "rh" / "ferias-v-pdf.pdf")
    outline = [(entry.get_title(), entry.level, entry.get_dest().get_index()) for entry in document.get_toc()]
    assert outline[:2] == [("1. Objetivo", 0, 0), ("1.1 Prazos de solicitação", 1, 0)]
    assert outline[-1][0] == "8. Seção 8"
    assert outline[-1][2] > 0
    for number, page in enumerate(document, start=1):
        assert f"página {number} de {len(document)}" in page.get_textpage().get_text_bounded()


def test_docx_has_real_headings_and_a_header_row(sources: Path, tmp_path: Path) -> None:
    word = docx.Document(str(build(tmp_path / "out", sources) / "rh" / "ferias-v-docx.docx"))
    styles = {paragraph.text: paragraph.style.name for paragraph in word.paragraphs if paragraph.style}
    assert styles["Política de férias e recessão"] == "Title"
    assert styles["1. Objetivo"] == "Heading 1"
    assert styles["1.1 Prazos de solicitação"] == "Heading 2"
    assert "tblHeader" in word.tables[1].rows[0]._tr.xml


def test_html_is_a_page_of_a_wiki(sources: Path, tmp_path: Path) -> None:
    page = LexborHTMLParser(
        (build(tmp_path / "out", sources) / "rh" / "ferias-v-html.html").read_text(encoding="utf-8")
    )
    assert page.css_first("main h1").text() == "Política de férias e recessão"
    assert [node.tag for node in page.css("body > *")] == ["header", "nav", "main", "footer"]
    assert page.css_first("ol[start='3'] li").text() == "terceiro item"
    assert [cell.text() for cell in page.css("main table:nth-of-type(2) th")] == ["Nível", "Limite", "Observação"]


def test_markdown_is_copied(sources: Path, tmp_path: Path) -> None:
    assert (build(tmp_path / "out", sources) / "rh" / "ferias-v-md.md").read_text(encoding="utf-8") == TEXT


def test_the_manifest_names_the_files_and_keeps_the_shared_keys(sources: Path, tmp_path: Path) -> None:
    manifest = yaml.safe_load((build(tmp_path / "out", sources) / "corpus.yaml").read_text(encoding="utf-8"))
    assert "company" not in manifest
    assert manifest["channels"] == BASE["channels"]
    revisions = manifest["documents"][0]["revisions"]
    assert revisions[0] == {"label": "v-pdf", "file": "rh/ferias-v-pdf.pdf", "state": "published"}
    assert all((tmp_path / "out" / revision["file"]).is_file() for revision in revisions)


def test_only_what_changed_is_written_again(sources: Path, tmp_path: Path) -> None:
    out = build(tmp_path / "out", sources)
    kept, changed = out / "rh" / "ferias-v-pdf.pdf", out / "rh" / "ferias-v-docx.docx"
    before = kept.stat().st_mtime_ns
    old = changed.read_bytes()
    source = sources / "sources" / "ferias" / "v-docx.md"
    source.write_text(TEXT + "\nNova frase.\n", encoding="utf-8")
    build(out, sources)
    assert kept.stat().st_mtime_ns == before
    assert changed.read_bytes() != old
    assert "Nova frase." in _text(changed)


def test_a_damaged_file_is_made_again_and_a_dropped_one_removed(sources: Path, tmp_path: Path) -> None:
    out = build(tmp_path / "out", sources)
    damaged = out / "rh" / "ferias-v-pdf.pdf"
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:100])
    _change(
        sources / "sources" / "ferias" / "document.yaml",
        revisions=[{"label": "v-pdf", "format": "pdf", "state": "published"}],
    )
    build(out, sources)
    assert damaged.read_bytes() == whole
    assert not (out / "rh" / "ferias-v-docx.docx").exists()


@pytest.mark.parametrize(
    ("extra", "line", "problem"),
    [
        ("<div>x</div>", 4, "raw HTML"),
        ("texto\ncom <b>html</b>", 5, "raw HTML '<b>'"),
        ("![foto](a.png)", 4, "images"),
        ("um 🚚 aqui", 4, "U+1F69A"),
    ],
)
def test_what_a_page_cannot_show_is_refused_with_file_and_line(
    sources: Path, tmp_path: Path, extra: str, line: int, problem: str
) -> None:
    source = sources / "sources" / "ferias" / "v-pdf.md"
    source.write_text(f"# Título\n\n\n{extra}\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"v-pdf\.md") as caught:
        build(tmp_path / "out", sources)
    assert caught.value.line == line
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"revisions": [{"label": "v1", "format": "odt"}]}, "unknown format 'odt'"),
        ({"revisions": [{"label": 1.0, "format": "pdf"}]}, "must be text"),
        ({"revisions": [{"label": "v9", "format": "pdf"}]}, "is missing"),
        ({"code": "outra"}, "not the name of its folder"),
        ({"area": "marketing"}, "not in base.yaml"),
        ({"title": None}, "needs 'title'"),
    ],
)
def test_a_wrong_document_is_refused_by_name_before_anything_is_written(
    sources: Path, tmp_path: Path, changes: dict[str, object], problem: str
) -> None:
    _change(sources / "sources" / "ferias" / "document.yaml", **changes)
    with pytest.raises(SourceError, match="ferias") as caught:
        build(tmp_path / "out", sources)
    assert problem in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_broken_yaml_names_its_line(sources: Path, tmp_path: Path) -> None:
    (sources / "base.yaml").write_text("company: {name: A}\nareas: [}\n", encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        build(tmp_path / "out", sources)
    assert caught.value.line == 2


def test_a_text_without_title_is_refused(sources: Path, tmp_path: Path) -> None:
    (sources / "sources" / "ferias" / "v-md.md").write_text("Sem título.\n", encoding="utf-8")
    with pytest.raises(SourceError, match="title"):
        build(tmp_path / "out", sources)


def test_a_table_row_taller_than_a_page_still_prints(sources: Path, tmp_path: Path) -> None:
    cell = "palavra " * 3000
    table = f"# T\n\n| a | b |\n|---|---|\n| {cell}fim | {'x' * 400} |\n"
    (sources / "sources" / "ferias" / "v-pdf.md").write_text(table, encoding="utf-8")
    assert "palavra fim" in _text(build(tmp_path / "out", sources) / "rh" / "ferias-v-pdf.pdf")


def test_the_builder_runs_without_the_framework() -> None:
    """The corpus is built before a portal exists."""
    code = "import sys, evaluation.demo.build; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=HERE.parents[1], check=False).returncode == 0


def test_the_command_builds_the_real_corpus(
    demo_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is built already is left alone, so that this takes a moment."""
    shutil.copytree(demo_folder, tmp_path / "out")
    (tmp_path / "out" / "corpus.yaml").unlink()
    assert main([str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "out" / "corpus.yaml")
    assert _hashes(tmp_path / "out") == _hashes(demo_folder)

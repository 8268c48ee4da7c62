"""The reader's subprocess: whatever a file does, the portal gets an answer in time."""

from __future__ import annotations

import os
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from documents.extractors import ExtractionError, extract, extract_many, reading
from documents.extractors.codec import dump, load
from documents.extractors.sniff import Format, sniff
from tests.documents.extractors import files

PAGE = "<h1>Regras</h1><h2>4. Prazos</h2><p>Dez dias.</p>"


def write(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def code_of(path: Path, **limits: float) -> str:
    with pytest.raises(ExtractionError) as caught:
        extract(path, **limits)  # type: ignore[arg-type]
    return caught.value.code


def test_a_file_is_read_in_the_subprocess(tmp_path: Path) -> None:
    found = extract(write(tmp_path / "x.html", PAGE))
    assert found.text == "Regras\n\n4. Prazos\nDez dias."
    assert found.sections[1].anchor == "secao-4"
    assert found.extractor == "html"


def test_an_extraction_survives_the_pipe(tmp_path: Path) -> None:
    found = extract(files.manual_pdf(tmp_path / "x.pdf"))
    assert load(dump(found)) == found


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("vazio.pdf", b"", "unreadable"),
        ("lixo.pdf", b"lixo", "unreadable"),
        ("lixo.docx", b"PK\x03\x04lixo", "unreadable"),
        ("antigo.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"0" * 600, "unsupported"),
        ("binario.txt", bytes(range(256)) * 10, "unsupported"),
        ("planilha.xyz", b"a;b;c", "unsupported"),
        ("fundo.html", "<b>" * 20_000 + "x", "unreadable"),
        ("fundo.md", ">" * 20_000 + " x", "unreadable"),
    ],
)
def test_a_bad_file_has_a_code_and_a_sentence(tmp_path: Path, name: str, data: bytes | str, code: str) -> None:
    assert code_of(write(tmp_path / name, data)) == code


def test_a_file_that_is_not_there_is_an_error_too(tmp_path: Path) -> None:
    assert code_of(tmp_path / "nada.pdf") == "unreadable"


def test_locked_and_scanned_files_are_told_apart(tmp_path: Path) -> None:
    assert code_of(files.locked_pdf(tmp_path / "a.pdf")) == "encrypted"
    assert code_of(files.scanned_pdf(tmp_path / "b.pdf")) == "scanned"


def test_too_much_time_ends_the_reader(tmp_path: Path) -> None:
    path = write(tmp_path / "x.html", "<p>Olá mundo. " * 300_000)
    assert code_of(path, timeout=0.5) == "timeout"


def test_too_much_memory_ends_the_reader(tmp_path: Path) -> None:
    path = write(tmp_path / "x.html", "<p>Olá mundo. " * 1_000_000)
    assert code_of(path, memory_mb=200, timeout=60) in ("memory", "unreadable")


def test_a_stream_that_unpacks_without_end_is_an_error(tmp_path: Path) -> None:
    stream = zlib.compress(zlib.compress(b"\0" * 300_000_000, 9), 9)
    assert code_of(write(tmp_path / "x.pdf", _pdf(stream)), timeout=30, memory_mb=600) in (
        "unreadable",
        "memory",
        "timeout",
        "scanned",
    )


def test_the_reader_sees_none_of_the_portals_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "segredo")
    monkeypatch.setenv("DATABASE_URL", "postgres://segredo")
    environment = reading.environment()
    assert "segredo" not in " ".join(environment.values())
    assert os.environ["OPENAI_API_KEY"] == "segredo"


def test_many_files_come_in_order_and_a_bad_one_stops_none(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{n}.html", f"<p>Texto {n}.</p>") for n in range(6)]
    paths.insert(2, write(tmp_path / "ruim.pdf", b"lixo"))
    found = list(extract_many(paths, workers=2))
    assert [path for path, _ in found] == paths
    assert isinstance(found[2][1], ExtractionError)
    texts = [result.text for _, result in found if not isinstance(result, ExtractionError)]
    assert texts == [f"Texto {n}." for n in range(6)]


def test_one_process_reads_many_files_each_in_a_child_of_its_own(tmp_path: Path) -> None:
    good, endless = write(tmp_path / "a.html", PAGE), write(tmp_path / "b.html", "<p>Olá mundo. " * 300_000)
    with reading.Reader() as reader:
        first = reader.read(good, timeout=60, memory_mb=1024)
        assert reader._process is not None
        begun = reader._process.pid
        with pytest.raises(ExtractionError, match="timeout"):
            reader.read(endless, timeout=0.2, memory_mb=1024)
        with pytest.raises(ExtractionError, match=r"memory|unreadable"):
            reader.read(endless, timeout=60, memory_mb=80)
        with pytest.raises(ExtractionError):
            reader.read(write(tmp_path / "c.pdf", b"lixo"), timeout=60, memory_mb=1024)
        assert reader.read(good, timeout=60, memory_mb=1024) == first
        assert reader._process.pid == begun


def test_a_reading_process_that_dies_costs_one_file_at_most(tmp_path: Path) -> None:
    path = write(tmp_path / "a.html", PAGE)
    with reading.Reader() as reader:
        first = reader.read(path, timeout=60, memory_mb=1024)
        assert reader._process is not None
        reader._process.kill()
        reader._process.wait()
        with pytest.raises(ExtractionError):
            reader.read(path, timeout=60, memory_mb=1024)
        assert reader.read(path, timeout=60, memory_mb=1024) == first


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"{", b"[" * 100_000, b"1", b"[]", b"{}", b"null", b'"error"',
        b'{"text": "x", "sections": [[]], "pages": []}',
        b'{"text": "x", "sections": [], "pages": [[1]], "warnings": [], "extractor": ""}',
        b'{"text": "x", "sections": [], "pages": [], "warnings": [1], "extractor": ""}',
        b'{"text": "x", "sections": [], "pages": [], "warnings": ["[\\"no such\\", 0]"], "extractor": ""}',
    ],
)  # fmt: skip
def test_an_answer_that_is_no_extraction_is_told_in_one_way(answer: bytes) -> None:
    with pytest.raises(ValueError):
        load(answer)


def test_a_child_that_never_stops_writing_is_not_listened_to_for_ever() -> None:
    ours, theirs = os.pipe()
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(os.write, theirs, b"x" * 50_000)
        assert len(reading._all_of(ours, time.monotonic() + 60, 10_000) or b"") > 10_000
        os.close(ours)
        with suppress(BrokenPipeError):
            writing.result()
    os.close(theirs)


def test_closing_ends_what_is_being_read(tmp_path: Path) -> None:
    endless = write(tmp_path / "x.html", "<p>Olá mundo. " * 1_000_000)
    reader = reading.Reader()
    reader.read(write(tmp_path / "a.html", PAGE), timeout=60, memory_mb=1024)
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(reader.read, endless, timeout=60, memory_mb=8192)
        time.sleep(0.3)
        reader.close()  # the pipe ends for the one who waits only once nobody holds its other end
        with pytest.raises(ExtractionError) as told:
            future.result()
    assert told.value.code != "timeout"


def test_content_beats_the_suffix(tmp_path: Path) -> None:
    assert sniff(files.manual_pdf(tmp_path / "x.docx")) is Format.PDF
    assert sniff(files.numbered_docx(tmp_path / "x.pdf")) is Format.DOCX
    assert sniff(write(tmp_path / "x.txt", "<!DOCTYPE html><p>oi")) is Format.HTML
    assert sniff(write(tmp_path / "x.md", "# oi")) is Format.MARKDOWN


def _pdf(stream: bytes) -> bytes:
    """One page whose content is packed twice."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>",
        b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n" % len(stream) + stream + b"\nendstream",
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + table + b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(out)

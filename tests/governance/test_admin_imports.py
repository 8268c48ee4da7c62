"""Folders sent to the admin: what they would do is shown first, and nobody does by a folder what they may not do."""

from __future__ import annotations

import io
import stat
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from django.utils.html import escape
from django.utils.translation import override
from pytest_django import DjangoCaptureOnCommitCallbacks

from documents.models import Document, Revision
from governance.importing import archive, sent
from governance.importing.archive import BadArchive, unpack
from governance.models import AuditEvent, CorpusImport
from tests import factories
from tests.governance.desk import client_of, page, person

pytestmark = pytest.mark.django_db
ADD = "/admin/governance/corpusimport/add/"
MANIFEST = """
documents:
  - code: ferias
    title: Férias
    kind: policy
    area: rh
    owner: maria
    readers: ["group:todos"]
    revisions:
      - {label: v1, file: ferias.md, state: in_review}
      - {label: v2, file: falta.md, state: draft}
"""
TEXT = "# Férias\n\n## Dias\n\nSão trinta dias.\n"


@pytest.fixture(autouse=True)
def people() -> None:
    person("maria", areas=["rh"])
    person("carla", areas=["rh"], roles=["approver"])
    person("ana", areas=["operacoes"])
    person("lucas", roles=["auditor"])
    person("admin", is_superuser=True)
    factories.group("todos")


def packed(files: dict[str, str]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    return held.getvalue()


@pytest.fixture
def send(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks):  # type: ignore[no-untyped-def]
    def sent(username: str, manifest: str = MANIFEST, **files: str) -> CorpusImport:
        data = packed({"corpus.yaml": manifest, "ferias.md": TEXT, **files})
        with django_capture_on_commit_callbacks(execute=True):
            response = client_of(username).post(ADD, {"archive": SimpleUploadedFile("pasta.zip", data)})
        assert response.status_code == 302, response.content.decode()
        return CorpusImport.objects.latest("pk")

    return sent


@pytest.fixture
def start(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks):  # type: ignore[no-untyped-def]
    def started(username: str, row: CorpusImport, **values: str) -> CorpusImport:
        form = {"start": "1", "seen": row.content_hash, "reason": "our policies"} | values
        with django_capture_on_commit_callbacks(execute=True):
            client_of(username).post(f"/admin/governance/corpusimport/{row.pk}/change/", form)
        row.refresh_from_db()
        return row

    return started


def test_a_folder_is_looked_at_and_then_imported_in_its_senders_name(send, start) -> None:  # type: ignore[no-untyped-def]
    row = send("maria")
    assert row.state == "planned", row.planned
    assert [(line["revision"], line["fate"]) for line in row.planned["lines"]] == [("v1", "new"), ("v2", "refused")]
    assert not Document.objects.exists(), "looking makes nothing"
    shown = page("maria", f"/admin/governance/corpusimport/{row.pk}/change/")
    assert "falta.md não está na pasta." in shown, "in words of people, not of the system"
    row = start("maria", row)
    assert (row.state, row.report["created"], len(row.report["failed"])) == ("broken", 1, 1)
    revision = Revision.objects.get()
    assert (revision.state, revision.author.username, "trinta" in revision.text) == ("in_review", "maria", True)  # type: ignore[union-attr]
    assert "import.started" in AuditEvent.objects.values_list("verb", flat=True)
    again = start("maria", send("maria", falta="x"))
    assert again.report["unchanged"] == 1
    assert Revision.objects.count() == 1


@pytest.mark.parametrize(
    "extra",
    [
        "people:\n  - {username: maria, roles: [approver, auditor], areas: [operacoes]}\n",
        "areas: [{slug: nova, name: Nova}]\n",
        "glossary:\n  - {term: SLA, expansions: [prazo], owner: maria, reason: x}\n",
        "precedence:\n  - {prevails: ferias, over: ferias, owner: maria, reason: x, valid_from: 2026-01-01}\n",
    ],
)
def test_a_folder_gives_its_sender_nothing_that_is_an_administrators(extra: str, send, start) -> None:  # type: ignore[no-untyped-def]
    row = send("maria", extra + MANIFEST)
    assert row.state == "refused"
    assert row.planned["problems"]
    assert start("maria", row).state == "refused"
    assert not User.objects.get(username="maria").groups.filter(name="role:auditor").exists()


@pytest.mark.parametrize("state", ["approved, approver: carla", "published, approver: carla, valid_from: 2026-01-01"])
def test_a_folder_decides_for_nobody(state: str, send) -> None:  # type: ignore[no-untyped-def]
    row = send("maria", MANIFEST.replace("state: in_review", f"state: {state}"))
    assert row.state == "refused"
    assert any("ferias@v1" in problem["message"] for problem in row.planned["problems"])


def test_its_sender_reads_of_it_in_their_own_language(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """The work is done in the background, where nobody chose a language."""
    data = packed({"corpus.yaml": MANIFEST.replace("title:", "titel:")})
    told = {}
    for language in ("pt-br", "en"):
        client = client_of("maria")
        client.cookies["django_language"] = language
        with django_capture_on_commit_callbacks() as work, override(language):
            made = client.post(ADD, {"archive": SimpleUploadedFile("pasta.zip", data)})
        with override(None):
            for job in work:
                job()
        shown = client.get(made.url).content.decode()  # type: ignore[attr-defined]
        told[language] = [problem["message"] for problem in CorpusImport.objects.latest("pk").planned["problems"]]
        assert all(escape(message) in shown for message in told[language])
    assert any("the key `title` is missing" in message for message in told["en"])
    assert any("falta a chave `title`" in message for message in told["pt-br"])


def test_an_administrators_folder_is_imported_whole(send, start) -> None:  # type: ignore[no-untyped-def]
    manifest = MANIFEST.replace("state: in_review", "state: published, approver: carla, valid_from: 2026-01-01")
    manifest = "people:\n  - {username: carla, areas: [rh], roles: [approver]}\n" + manifest
    row = start("admin", send("admin", manifest))
    assert Revision.objects.get(label="v1").state == "published", row.report


def test_one_imports_into_ones_own_area(send, start) -> None:  # type: ignore[no-untyped-def]
    factories.area("rh")
    row = start("ana", send("ana", MANIFEST.replace("owner: maria", "owner: ana").replace("area: rh", "area: rh")))
    # Whoever becomes the owner may make a document; ana may not make maria the owner of one in an area not hers.
    row = start("ana", send("ana", MANIFEST.replace("code: ferias", "code: outra")))
    assert row.state == "broken"
    assert not Document.objects.filter(code="outra").exists()


def test_a_folder_is_its_senders_own(send, start) -> None:  # type: ignore[no-untyped-def]
    row = send("maria")
    path = f"/admin/governance/corpusimport/{row.pk}/change/"
    for username in ("carla", "lucas", "admin"):
        assert client_of(username).get(path).status_code in (302, 403, 404), username
    assert start("carla", row).state == "planned"
    assert start("maria", row, seen="0" * 64).state == "planned"
    assert start("maria", row, reason=" ").state == "planned"
    assert client_of("lucas").get(ADD).status_code in (403, 404), "who drafts nothing imports nothing"


def test_who_lost_the_right_meanwhile_imports_nothing(send, start, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    row = send("maria")
    CorpusImport.objects.filter(pk=row.pk).update(state="running")
    User.objects.filter(username="maria").update(is_active=False)
    from governance.importing.sent import carry_out

    carry_out(row.pk)
    row.refresh_from_db()
    assert row.state == "refused"
    assert not Document.objects.exists()


def test_an_archive_is_not_kept_for_ever(send, start, django_capture_on_commit_callbacks) -> None:  # type: ignore[no-untyped-def]
    done, left, busy, fresh = start("maria", send("maria")), send("maria"), send("maria"), send("maria")
    CorpusImport.objects.filter(pk=busy.pk).update(state="running")
    long_ago = timezone.now() - sent.KEPT_FOR - timedelta(minutes=1)
    CorpusImport.objects.exclude(pk=fresh.pk).update(updated_at=long_ago)
    with django_capture_on_commit_callbacks(execute=True):
        sent.prune()
    for row, state, kept in ((done, "broken", False), (left, "dropped", False), (busy, "running", True)):
        storage, name = row.file.storage, row.file.name
        row.refresh_from_db()
        assert (row.state, bool(row.file), storage.exists(name)) == (state, kept, kept)
    fresh.refresh_from_db()
    assert (fresh.state, bool(fresh.file)) == ("planned", True)
    assert start("maria", left).state == "dropped", "it is sent again instead"


@pytest.mark.parametrize("number", ["²", "1²", "x", "9" * 30])
def test_what_is_no_number_of_a_row_is_missing(number: str) -> None:
    assert client_of("maria").get(f"/admin/governance/corpusimport/{number}/change/").status_code == 404
    gone = client_of("maria").get(f"/admin/documents/document/{number}/change/")
    assert gone.status_code == 302, "Django leads back to the index, and says that there is no such row"


def hostile(name: str, *, mode: int = 0) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("corpus.yaml", "documents: []\n")
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        made.writestr(info, "content")
    return held.getvalue()


def damaged(method: int, *, name: str = "corpus.yaml") -> bytes:
    """An archive whose directory is whole and whose contents are not what was packed."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as made:
        made.writestr(name, "documents: []\n" * 500)
    data = bytearray(held.getvalue())
    data[45:60] = b"\xff" * 15
    return bytes(data)


@pytest.mark.parametrize(
    "data",
    [
        b"no zip at all",
        damaged(zipfile.ZIP_STORED),
        damaged(zipfile.ZIP_DEFLATED),
        damaged(zipfile.ZIP_BZIP2),
        damaged(zipfile.ZIP_LZMA),
        packed({"corpus.yaml": "", "ã": ""}).replace("ã".encode(), b"\xff\xff"),
        packed({"other.yaml": ""}),
        packed({"a/corpus.yaml": "", "b/corpus.yaml": ""}),
        hostile("../escaped.txt"),
        hostile("/etc/escaped.txt"),
        hostile("a\\..\\escaped.txt"),
        hostile("C:escaped.txt"),
        hostile("link", mode=stat.S_IFLNK | 0o777),
        hostile("corpus.YAML"),
        hostile("x" * 500),
    ],
)
def test_what_is_no_honest_folder_is_refused(data: bytes, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    with pytest.raises(BadArchive) as caught:
        unpack(io.BytesIO(data), inside)
    assert str(caught.value.message)
    assert list(tmp_path.iterdir()) == [inside], "nothing was written outside"


def test_a_bomb_is_stopped_while_it_goes_off(tmp_path: Path) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("corpus.yaml", "documents: []\n")
        made.writestr("zeros", b"\0" * 30_000_000)
    with pytest.raises(BadArchive, match="zeros"):
        unpack(held, tmp_path)
    assert (tmp_path / "zeros").stat().st_size < 10_000_000


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_FILES", 2)
    with pytest.raises(BadArchive):
        unpack(io.BytesIO(packed({"corpus.yaml": "", "a": "", "b": ""})), tmp_path)


def test_a_folder_may_be_packed_with_its_own_name(tmp_path: Path) -> None:
    data = packed({"pasta/corpus.yaml": "x", "pasta/política.md": "y", "__MACOSX/pasta/._x": "z"})
    assert unpack(io.BytesIO(data), tmp_path) == tmp_path / "pasta"
    assert not (tmp_path / "__MACOSX").exists()


def test_a_first_look_tells_what_would_be_met_on_the_way(send, start) -> None:  # type: ignore[no-untyped-def]
    """A file without a text, a text to look at, and data that would be made another: before anything is done."""
    row = send("maria", **{"falta.md": TEXT + "\n${empresa}\n"})
    assert [(line["revision"], line["fate"]) for line in row.planned["lines"]] == [("v1", "new"), ("v2", "new")]
    assert "${empresa}" in row.planned["lines"][1]["why"]
    row = send("maria", **{"falta.md": ""})
    assert [(line["revision"], line["fate"]) for line in row.planned["lines"]] == [("v1", "new"), ("v2", "refused")]
    assert "O arquivo está vazio: envie o que tem o texto." in row.planned["lines"][1]["why"]
    assert start("maria", row).report["created"] == 1
    renamed = MANIFEST.replace("title: ", "classification: confidential\n    title: Nova ")
    looked = send("maria", renamed, **{"falta.md": ""})
    data = looked.planned["lines"][0]
    assert (data["revision"], data["fate"]) == ("", "data")
    assert {"título", "classificação"} <= set(data["why"].split(", "))
    assert "classificação" in page("maria", f"/admin/governance/corpusimport/{looked.pk}/change/")
    held = Document.objects.get()
    assert held.classification != "confidential", "looking changes nothing"
    start("maria", looked)
    again = send("maria", renamed, **{"falta.md": ""})
    assert "data" not in [line["fate"] for line in again.planned["lines"]]

"""Many new documents go in together: their cost does not grow with them, and none keeps the others out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings

from documents.models import Document, Job, Propagation, Revision
from documents.rules.types import Extraction
from governance import audit
from governance.importing import blocks, corpus
from governance.importing.items import Item
from governance.importing.report import Failed
from governance.models import AuditEvent, Verb
from tests import factories
from tests.governance.importing.folder import Folder, everything, in_force, states

pytestmark = pytest.mark.django_db
PER_DOCUMENT = 2
"""Queries that one more document of a block, with two revisions, may cost; alone it takes more than a hundred."""


@pytest.fixture(autouse=True)
def _own_files(tmp_path: Path) -> Iterator[None]:
    with override_settings(MEDIA_ROOT=tmp_path / "files"):
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    made = Folder(tmp_path)
    made.manifest["documents"], made.manifest["relations"], made.manifest["precedence"] = [], [], []
    return made


def add(folder: Folder, first: int, many: int, **changed: Any) -> None:
    for number in range(first, first + many):
        revisions = []
        for label, start in (("v1", date(2024, 1, 1)), ("v2", date(2025, 1, 1))):
            folder.text(f"{number}-{label}.md", f"{number} {label}")
            revisions.append(
                {"label": label, "file": f"{number}-{label}.md", "state": "published", "approver": "rita",
                 "valid_from": start}
            )  # fmt: skip
        folder.manifest["documents"].append(
            {"code": f"doc-{number}", "title": f"Documento {number}", "kind": "manual", "area": "operacoes",
             "owner": "bruno", "readers": ["group:todos", "user:ana"], "revisions": revisions} | changed
        )  # fmt: skip


def queries_of(folder: Folder) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert folder.run().status == 0
    return len(queries)


def test_the_cost_of_an_import_does_not_grow_with_its_documents(folder: Folder) -> None:
    add(folder, 0, 2)
    folder.run()  # people, places and the first index
    add(folder, 2, 5)
    few = queries_of(folder)
    add(folder, 7, 25)
    many = queries_of(folder)

    assert many - few <= 20 * PER_DOCUMENT
    assert Document.objects.count() == 32
    assert in_force("doc-20", date(2024, 6, 1)) == ["v1"]
    assert states("doc-20") == {"v1": "published", "v2": "published"}
    assert not Propagation.objects.filter(agreed_at=None).exists()
    assert not Job.objects.exclude(state="done").exists()
    assert audit.verify().holds

    before = everything()
    assert queries_of(folder) < few
    assert everything() == before


def test_each_document_of_a_block_has_the_trail_that_it_would_have_alone(folder: Folder) -> None:
    add(folder, 0, 3)
    folder.run()

    trails = [
        [(event.verb, event.target.removeprefix(code), event.after.get("state")) for event in events]
        for code in ("doc-0", "doc-1", "doc-2")
        if (events := AuditEvent.objects.filter(target__startswith=code).order_by("position"))
    ]
    assert trails[0] == trails[1] == trails[2]
    assert [verb for verb, _target, _state in trails[0]] == [
        Verb.DOCUMENT_CREATED,
        Verb.REVISION_CREATED, Verb.REVISION_SUBMITTED, Verb.REVISION_APPROVED, Verb.REVISION_PUBLISHED,
        Verb.REVISION_CREATED, Verb.REVISION_SUBMITTED, Verb.REVISION_APPROVED, Verb.REVISION_SUCCEEDED,
        Verb.REVISION_PUBLISHED,
    ]  # fmt: skip


@pytest.mark.parametrize("place", [0, 2])
def test_one_that_can_not_go_in_keeps_no_other_out(folder: Folder, place: int) -> None:
    """Somebody makes a document of the same code in the portal while the files are read."""
    add(folder, 0, 3)
    folder.write()

    def make(line: str) -> None:
        if "6/6" in line:
            factories.document(f"doc-{place}")

    report = corpus.import_corpus(folder.path, make)

    assert {(failed.code, failed.revision) for failed in report.failed} == {
        (f"doc-{place}", label) for label in ("v1", "v2")
    }
    assert (report.created, Revision.objects.count()) == (4, 4)
    assert audit.verify().holds
    assert originals() == set(Revision.objects.values_list("file", flat=True))


def test_a_block_that_fails_late_leaves_no_file(folder: Folder) -> None:
    """A file changes while the folder is imported, which shows when the first revisions of the block are written."""
    add(folder, 0, 3)
    folder.write()

    def change(line: str) -> None:
        if "6/6" in line:
            folder.text("1-v2.md", "outra")

    report = corpus.import_corpus(folder.path, change)

    assert [(failed.code, failed.revision) for failed in report.failed] == [("doc-1", "v2")]
    assert (report.created, Revision.objects.count()) == (5, 5)
    assert originals() == set(Revision.objects.values_list("file", flat=True))
    assert audit.verify().holds


@pytest.mark.parametrize("held", ["published", "draft"])
def test_a_text_that_can_not_move_leaves_no_file(folder: Folder, held: str) -> None:
    """Somebody opened a review in the portal: what follows a text, or is put in a draft, can't be submitted."""
    add(folder, 0, 2)
    last = folder.manifest["documents"][0]["revisions"][1]
    last["state"] = held
    assert folder.run().status == 0
    factories.revision(Document.objects.get(code="doc-0"), "x", state="in_review")
    before = originals()
    last["state"] = "published"
    folder.text("0-v2.md", "outra")
    assert folder.run().failed.keys() == {"doc-0@v2"}
    assert originals() == before


def test_a_file_that_gives_no_text_keeps_only_its_own_revision_out(folder: Folder) -> None:
    add(folder, 0, 3)
    (folder.path / "1-v1.md").write_bytes(b"")

    result = folder.run()

    assert (result.counts, set(result.failed)) == ((5, 0, 0, 1), {"doc-1@v1"})
    assert states("doc-1") == {"v2": "published"}


def test_a_block_is_bounded_by_what_it_holds_in_memory(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    add(folder, 0, 1)
    folder.write()
    [entry] = corpus.checked(folder.path).documents
    monkeypatch.setattr(blocks, "DOCUMENTS", 3)
    monkeypatch.setattr(blocks, "SIZE", 10)

    def sizes(*texts: int) -> list[int]:
        items = [Item(entry, None, [(Failed("", "", ""), Extraction("x" * text, ()))]) for text in texts]
        return [len(block) for block in blocks.blocks_of(items)]

    assert sizes() == []
    assert sizes(1, 1, 1, 1) == [3, 1]
    assert sizes(6, 5, 20, 1) == [1, 1, 1, 1]
    assert sizes(4, 4, 4) == [2, 1]


def originals() -> set[str]:
    root = Path(settings.MEDIA_ROOT)
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}

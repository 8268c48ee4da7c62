"""A folder goes in through the actions; again it changes nothing; what changed in it changes, and no more."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from importlib import import_module
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from documents import jobs
from documents.models import Channel, Document, GlossaryEntry, IndexEntry, IndexVersion, Job, Relation, Revision
from documents.rules.lifecycle import Action
from documents.search import active
from documents.search.check import check
from governance import audit
from governance.actions import MOVES_OF_MANY, access, retire
from governance.importing import corpus
from governance.importing.names import IMPORTER
from governance.models import AuditEvent, PrecedenceRule, Verb
from tests import factories
from tests.days import today
from tests.documents.extractors import files
from tests.documents.search.corpus import Work, counting, found
from tests.governance.importing.folder import Folder, everything, in_force, run, states

pytestmark = pytest.mark.django_db
ALL = {"v1": "published", "v2": "published", "v3": "draft"}


@pytest.fixture
def work() -> Iterator[Callable[[], Work]]:
    with counting() as since:
        yield since


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@pytest.fixture
def imported(folder: Folder, work: Callable[[], Work]) -> Folder:
    assert folder.run().counts == (4, 0, 0, 0)
    work()
    return folder


def agrees() -> bool:
    version = active.version()
    return version is not None and check(active.engine(), version) == []


def test_a_folder_goes_in_through_the_actions_of_its_people(imported: Folder) -> None:
    assert states() == ALL
    assert (in_force("manual", date(2024, 6, 1)), in_force("manual", today())) == (["v1"], ["v2"])
    trail = list(AuditEvent.objects.filter(target__startswith="manual").order_by("position"))
    verbs = [(event.verb.split(".")[1], event.target.removeprefix("manual@")) for event in trail]
    assert verbs == [
        ("created", "manual"), ("created", "v1"), ("submitted", "v1"), ("approved", "v1"), ("published", "v1"),
        ("created", "v2"), ("submitted", "v2"), ("approved", "v2"), ("succeeded", "v1"), ("published", "v2"),
        ("created", "v3"),
    ]  # fmt: skip
    people = {name: audit.key_of(User.objects.get(username=name).pk) for name in ("bruno", "rita", IMPORTER)}
    actors = {str(event.actor): event.verb for event in trail}
    assert set(actors) == set(people.values())
    assert all(str(e.actor) == people["rita"] for e in trail if e.verb == Verb.REVISION_APPROVED)
    assert audit.verify().holds
    assert agrees()


def test_people_find_what_the_manifest_lets_them_read(imported: Folder) -> None:
    ana, rita = User.objects.get(username="ana"), User.objects.get(username="rita")
    assert found(ana) == {"manual@v2", "folha@1.0"}
    assert found(rita) == {"manual@v2", "folha@1.0"}
    assert found(factories.person()) == {"manual@v2"}
    assert found(ana, on=date(2024, 6, 1)) == {"manual@v1"}


def test_what_is_around_the_documents_goes_in(imported: Folder) -> None:
    ana, rita = User.objects.get(username="ana"), User.objects.get(username="rita")
    assert set(ana.groups.values_list("name", flat=True)) == {"operacoes", "area:operacoes", "unit:CD-SP"}
    assert (ana.first_name, ana.last_name, ana.has_usable_password()) == ("Ana", "Souza", False)
    assert (ana.is_staff, rita.is_staff, User.objects.get(username="bruno").is_staff) == (False, True, True)
    assert not User.objects.get(username=IMPORTER).has_usable_password()
    assert (GlossaryEntry.objects.get().expansions, Channel.objects.get().label) == (["prazo"], "Atendimento")
    assert Relation.objects.get().target.code == "folha"
    assert PrecedenceRule.objects.get().prevails.code == "manual"


def test_demo_passwords_are_for_people_that_are_made(folder: Folder) -> None:
    factories.person("ana", password="own")
    folder.run()
    folder.manifest["people"].append({"username": "nova"})
    folder.run()
    run(folder.path, "--demo-passwords", "x")
    assert [User.objects.get(username=name).check_password("x") for name in ("ana", "nova")] == [False, False]
    folder.manifest["people"].append({"username": "demo"})
    (folder.path / "corpus.yaml").write_text("people: [{username: demo}]")
    run(folder.path, "--demo-passwords")
    assert User.objects.get(username="demo").check_password("demo")


def test_twice_changes_nothing(imported: Folder, work: Callable[[], Work]) -> None:
    before = everything()
    glossary = GlossaryEntry.objects.get().version
    for _ in range(2):
        again = imported.run()
        assert (again.status, again.counts) == (0, (0, 4, 0, 0))
    assert everything() == before
    assert work().nothing
    assert GlossaryEntry.objects.get().version == glossary
    assert not Job.objects.exclude(state="done").exists()


def test_nothing_is_read_or_asked_for_each_revision_of_an_unchanged_folder(
    imported: Folder, django_assert_max_num_queries: Callable
) -> None:
    for number in range(10):
        copy = dict(imported.document("folha"), code=f"copia-{number}")
        imported.manifest["documents"].append(copy)
    assert imported.run().counts == (10, 4, 0, 0)
    with django_assert_max_num_queries(40 + 12 * 6):  # a few for each document, none for a revision
        assert imported.run().counts == (0, 14, 0, 0)


def test_progress_goes_to_standard_error(folder: Folder) -> None:
    result = folder.run()
    assert result.report.keys() == {"created", "unchanged", "updated", "failed"}
    assert "documentos 2/2" in result.stderr
    assert "lendo arquivos 4/4" in result.stderr


# --- files -----------------------------------------------------------------------------------------------------------


def test_one_bad_file_does_not_stop_the_rest(folder: Folder, subprocesses: None) -> None:
    (folder.path / "manual-v1.md").unlink()
    (folder.path / "folha.md").write_bytes(b"")
    folder.manifest["documents"].append(dict(folder.document(), code="outro", revisions=[
        {"label": "a", "file": "quebrado.pdf"},
        {"label": "b", "file": "pasta"},
        {"label": "c", "file": "fila"},
        {"label": "d", "file": "manual-v3.md"},
        {"label": "e", "file": "dados.xyz"},
    ]))  # fmt: skip
    (folder.path / "quebrado.pdf").write_bytes(b"%PDF-1.4 nothing of the kind")
    (folder.path / "pasta").mkdir()
    (folder.path / "dados.xyz").write_bytes(bytes(range(256)))
    os.mkfifo(folder.path / "fila")
    result = folder.run()
    assert result.status == 1
    assert result.counts == (3, 0, 0, 6)
    assert result.failed.keys() == {"manual@v1", "folha@1.0", "outro@a", "outro@b", "outro@c", "outro@e"}
    assert "manual-v1.md" in result.failed["manual@v1"]
    assert "unreadable" in result.failed["outro@a"]
    assert states() == {"v2": "published", "v3": "draft"}
    assert states("outro") == {"d": "draft"}
    for name, reason in result.failed.items():
        assert f"{name}: {reason}" in result.stderr
    assert agrees()


def test_an_encrypted_and_a_scanned_file_are_told_as_such(folder: Folder, subprocesses: None) -> None:
    files.locked_pdf(folder.path / "cifrado.pdf")
    files.scanned_pdf(folder.path / "imagem.pdf")
    folder.revision("v1")["file"], folder.revision("v3")["file"] = "cifrado.pdf", "imagem.pdf"
    result = folder.run()
    assert "encrypted" in result.failed["manual@v1"]
    assert "scanned" in result.failed["manual@v3"]
    assert result.counts == (2, 0, 0, 2)


def test_a_file_that_comes_late_takes_its_place_in_time(folder: Folder) -> None:
    """v1 could not be read when v2 went in; now it can, and ends where v2 begins."""
    data = (folder.path / "manual-v1.md").read_bytes()
    (folder.path / "manual-v1.md").unlink()
    assert folder.run().status == 1
    (folder.path / "manual-v1.md").write_bytes(data)
    result = folder.run()
    assert (result.status, result.counts) == (0, (1, 3, 0, 0))
    assert in_force("manual", date(2024, 6, 1)) == ["v1"]
    assert in_force("manual", date(2025, 1, 1)) == ["v2"]
    assert folder.run().counts == (0, 4, 0, 0)


def test_a_name_may_spell_its_accents_either_way(folder: Folder) -> None:
    (folder.path / "folha.md").rename(folder.path / unicodedata.normalize("NFD", "remuneração.md"))
    folder.revision("1.0", "folha")["file"] = unicodedata.normalize("NFC", "remuneração.md")
    assert folder.run().counts == (4, 0, 0, 0)


# --- a file changes ---------------------------------------------------------------------------------------------------


def test_a_changed_file_becomes_a_revision_in_force_from_today(imported: Folder, work: Callable[[], Work]) -> None:
    imported.text("manual-v2.md", "cinco")
    result = imported.run()
    assert (result.status, result.counts) == (0, (1, 3, 0, 0))
    assert states() == ALL | {"v2-2": "published"}
    assert (in_force("manual", today(-1)), in_force("manual", today())) == (["v2"], ["v2-2"])
    did = work()
    headings = [text for text in did.texts if text.startswith("Manual de operação")]
    assert all("cinco" in text for text in headings), "the section that stayed is read from the cache"
    assert set(did.texts) - set(headings) == {"cinco"}, "and the one new word"
    assert agrees()
    assert imported.run().counts == (0, 4, 0, 0)
    imported.text("manual-v2.md", "sete")
    assert imported.run().counts == (1, 3, 0, 0)
    assert (in_force("manual", today(-1)), in_force("manual", today())) == (["v2"], ["v2-3"])
    assert imported.run().counts == (0, 4, 0, 0)


@pytest.mark.parametrize("days", [0, 1, 400])
def test_a_text_that_had_no_whole_day_in_force_gives_way_from_its_start(folder: Folder, days: int) -> None:
    start = today(days)
    folder.revision("v2")["valid_from"] = start
    assert folder.run().counts == (4, 0, 0, 0)
    folder.text("manual-v2.md", "cinco")
    assert folder.run().counts == (1, 3, 0, 0)
    assert (in_force("manual", start - timedelta(1)), in_force("manual", start)) == (["v1"], ["v2-2"])
    assert folder.run().counts == (0, 4, 0, 0)
    assert agrees()


def test_a_changed_file_before_a_coming_revision_ends_where_that_begins(folder: Folder) -> None:
    folder.document()["revisions"][2] |= {"state": "published", "approver": "rita", "valid_from": today(1)}
    assert folder.run().counts == (4, 0, 0, 0)
    folder.text("manual-v2.md", "cinco")
    assert folder.run().counts == (1, 3, 0, 0)
    assert (in_force("manual", today()), in_force("manual", today(1))) == (["v2-2"], ["v3"])


@pytest.mark.parametrize("state", ["draft", "in_review", "approved"])
def test_a_changed_file_of_what_was_not_published_is_written_again(folder: Folder, state: str) -> None:
    folder.revision("v3").update(state=state, approver="rita", valid_from=today(1))
    folder.run()
    folder.text("manual-v3.md", "cinco")
    assert folder.run().counts == (0, 3, 1, 0)
    revision = Revision.objects.get(document__code="manual", label="v3")
    assert (revision.state, "cinco" in revision.text) == (state, True)
    assert folder.run().counts == (0, 4, 0, 0)
    folder.revision("v3")["valid_from"] = today(9)
    assert folder.run().counts == (0, 3, 1, 0)
    assert Revision.objects.get(label="v3").validity.lower == today(9)
    assert Revision.objects.get(label="v3").state == state
    assert agrees()


def test_a_text_of_the_past_keeps_its_words_and_it_is_told(imported: Folder) -> None:
    before = everything()
    imported.text("manual-v1.md", "cinco")
    result = imported.run()
    assert (result.status, result.counts) == (1, (0, 3, 0, 1))
    assert "v1" in result.failed["manual@v1"]
    assert everything() == before


def test_a_file_of_the_past_that_was_only_saved_again_is_no_change(imported: Folder) -> None:
    path = imported.path / "manual-v1.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert imported.run().counts == (0, 4, 0, 0)


# --- the manifest changes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("readers", ["area:operacoes"]),
        ("readers", []),
        ("owner", "ana"),
        ("classification", "restricted"),
        ("area", "rh"),
        ("authority", "unofficial"),
        ("history", "role"),
        ("scope", {"jurisdictions": ["BR-SP"]}),
        ("subjects", ["prazos"]),
        ("risk", "high"),
        ("source", {"uri": "intranet/manual"}),
    ],
)
def test_a_change_of_data_goes_through_the_actions_and_embeds_nothing(
    imported: Folder, work: Callable[[], Work], key: str, value: object
) -> None:
    events = AuditEvent.objects.count()
    imported.document()[key] = value
    result = imported.run()
    assert (result.status, result.counts) == (0, (0, 4, 1, 0))
    assert AuditEvent.objects.count() == events + 1
    did = work()
    assert (did.texts, did.put) == ([], [])
    assert agrees()
    assert imported.run().counts == (0, 4, 0, 0)


def test_a_title_is_searched_so_its_change_embeds_its_own_passages(imported: Folder, work: Callable[[], Work]) -> None:
    imported.document()["title"] = "Guia do armazém"
    assert imported.run().counts == (0, 4, 1, 0)
    did = work()
    assert did.texts
    assert not any("Folha" in text for text in did.texts)
    assert "manual@v2" in found(User.objects.get(username="ana"), "guia do armazém")
    assert agrees()


def test_an_owner_that_is_removed_leaves_a_text_that_nobody_is_quoted(imported: Folder) -> None:
    del imported.document()["owner"]
    assert imported.run().counts == (0, 4, 1, 0)
    assert Document.objects.get(code="manual").owner is None
    assert "manual@v2" not in found(User.objects.get(username="ana"))
    assert imported.run().counts == (0, 4, 0, 0)
    imported.document()["owner"] = "ana"
    assert imported.run().counts == (0, 4, 1, 0)
    assert "manual@v2" in found(User.objects.get(username="ana"))


def test_a_document_without_owner_goes_in_and_on_and_is_never_quoted(folder: Folder) -> None:
    del folder.document()["owner"]
    assert folder.run().counts == (4, 0, 0, 0)
    assert (Document.objects.get(code="manual").owner, states()) == (None, ALL)
    before = everything()
    assert folder.run().counts == (0, 4, 0, 0)
    assert everything() == before
    folder.text("manual-v2.md", "cinco")
    folder.revision("v3").update(state="published", approver="rita", valid_from=today(3))
    assert folder.run().counts == (1, 2, 1, 0)
    assert Document.objects.get(code="manual").owner is None
    assert found(User.objects.get(username="ana")) == {"folha@1.0"}


def test_a_state_further_along_is_walked(imported: Folder, work: Callable[[], Work]) -> None:
    imported.revision("v3").update(state="published", approver="rita", valid_from=today())
    assert imported.run().counts == (0, 3, 1, 0)
    assert in_force("manual", today()) == ["v3"]
    imported.revision("v3")["state"] = "retired"
    assert imported.run().counts == (0, 3, 1, 0)
    assert (states()["v3"], in_force("manual", today())) == ("retired", [])
    did = work()
    assert [text for text in did.texts if "Manual" in text] == []
    assert imported.run().counts == (0, 4, 0, 0)


def test_a_state_that_would_go_back_is_told_in_words(imported: Folder) -> None:
    before = everything()
    imported.revision("v2").update(state="in_review")
    imported.document()["revisions"].pop()
    result = imported.run()
    assert (result.status, result.counts) == (1, (0, 2, 0, 1))
    assert result.failed.keys() == {"manual@v2"}
    assert everything() == before


def test_what_people_did_in_the_portal_is_not_undone(imported: Folder) -> None:
    """An incident retired a text; the manifest still calls it published: an import does not bring it back."""
    rita = User.objects.get(username="rita")
    retire(Revision.objects.get(label="v2").pk, actor=rita, reason="incidente")
    result = imported.run()
    assert (result.status, result.failed.keys()) == (1, {"manual@v2"})
    assert in_force("manual", today()) == []


@pytest.mark.parametrize("dates", [{"valid_from": date(2025, 2, 1)}, {"valid_until": date(2999, 1, 1)}])
def test_days_that_count_do_not_change_by_an_import(imported: Folder, dates: dict[str, date]) -> None:
    before = everything()
    imported.revision("v2").update(dates)
    result = imported.run()
    assert (result.status, result.failed.keys()) == (1, {"manual@v2"})
    assert everything() == before


def test_what_the_manifest_no_longer_names_is_left_alone(imported: Folder) -> None:
    imported.manifest["documents"] = [imported.document("folha")]
    imported.manifest["people"] = [p for p in imported.manifest["people"] if p["username"] != "ana"]
    del imported.manifest["people"][0]["roles"]
    for key in ("relations", "precedence", "glossary", "channels"):
        del imported.manifest[key]
    before = everything()
    assert imported.run().counts == (0, 1, 0, 0)
    assert everything() == before
    assert (Relation.objects.count(), PrecedenceRule.objects.count(), GlossaryEntry.objects.count()) == (1, 1, 1)
    assert "role:approver" in User.objects.get(username="rita").groups.values_list("name", flat=True)


def test_words_links_and_rules_follow_the_manifest(imported: Folder) -> None:
    imported.manifest["glossary"][0]["expansions"] = ["prazo", "nível de serviço"]
    imported.manifest["relations"][0]["reason"] = "outro"
    imported.manifest["precedence"][0] |= {"kind": "preferential", "except": {"units": ["CD-SP"]}}
    imported.manifest["units"][0]["name"] = "CD de São Paulo"
    assert imported.run().counts == (0, 4, 0, 0)
    assert (GlossaryEntry.objects.get().version, Relation.objects.get().reason) == (2, "outro")
    rule = PrecedenceRule.objects.get()
    assert (rule.kind, rule.except_units) == ("preferential", ["CD-SP"])
    imported.manifest["precedence"].append(
        {**imported.manifest["precedence"][0], "prevails": "folha", "over": "manual"}
    )
    result = imported.run()
    assert (result.status, list(result.failed)) == (1, ["folha@"])
    assert PrecedenceRule.objects.count() == 1


# --- people who left, who may not, and accidents ----------------------------------------------------------------------


def test_an_unchanged_folder_does_not_care_who_left(imported: Folder) -> None:
    User.objects.filter(username__in=["bruno", "rita"]).update(is_active=False)
    assert imported.run().counts == (0, 4, 0, 0)
    imported.text("manual-v2.md", "cinco")
    result = imported.run()
    assert (result.status, list(result.failed)) == (1, ["manual@v2"])
    assert states() == ALL


def test_another_approver_of_the_area_stands_in_for_an_owner_who_left(imported: Folder) -> None:
    User.objects.filter(username="bruno").update(is_active=False)
    imported.document()["readers"] = ["area:operacoes"]
    assert imported.run().counts == (0, 4, 1, 0)


def test_what_nobody_may_change_is_told_and_the_rest_goes_on(imported: Folder) -> None:
    User.objects.filter(username__in=["bruno", "rita"]).update(is_active=False)
    imported.document()["title"] = "Outro"
    result = imported.run()
    assert (result.status, result.counts) == (1, (0, 1, 0, 3))
    assert Document.objects.get(code="manual").title == "Manual de operação"


def test_a_revision_that_fails_leaves_nothing_of_itself(imported: Folder) -> None:
    """Somebody opened a review in the portal: the new text can't be submitted, and is not left half-way."""
    factories.revision(Document.objects.get(code="manual"), "x", state="in_review")
    imported.text("manual-v2.md", "cinco")
    result = imported.run()
    assert (result.status, list(result.failed)) == (1, ["manual@v2"])
    assert states() == ALL | {"x": "in_review"}
    assert in_force("manual", today()) == ["v2"]


class Stop(BaseException):
    """The process is killed."""


CUTS = [
    "governance.importing.people.write",
    "governance.actions.draft.create_revisions",
    "governance.actions.review.approve_all",
    "governance.importing.data.give_up",
    "governance.importing.links.write",
    "governance.importing.corpus._index",
    "documents.search.converge.ensure_embeddings",
    "documents.search.converge.write",
    "documents.jobs.settle",
]


@pytest.mark.parametrize("place", CUTS)
@pytest.mark.parametrize("call", [1, 3])
def test_an_import_that_was_cut_short_completes_when_it_is_run_again(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, place: str, call: int
) -> None:
    """Killed at the n-th call of a step, before the step; what was committed stays, as after `kill -9`."""
    with monkeypatch.context() as patch:
        _cut(patch, place, call)
        cut = True
        try:
            folder.run()
            cut = False
        except Stop:
            pass
    assert cut or call > 1
    assert folder.run().status == 0
    assert (states(), states("folha")) == (ALL, {"1.0": "published"})
    assert Document.objects.count() == 2
    assert agrees()
    assert folder.run().counts == (0, 4, 0, 0)


def _cut(patch: pytest.MonkeyPatch, place: str, call: int) -> None:
    module, name = place.rsplit(".", 1)
    real, calls = getattr(import_module(module), name), []

    def stopping(*arguments: object, **named: object) -> object:
        calls.append(1)
        if len(calls) == call:
            raise Stop
        return real(*arguments, **named)

    patch.setattr(place, stopping)
    if name == "approve_all":
        patch.setitem(MOVES_OF_MANY, Action.APPROVE, stopping)


def test_what_waits_from_before_is_indexed_too(imported: Folder) -> None:
    """A job that no worker took, of something that is not in the manifest."""
    other = factories.revision(
        factories.document("outro", owner=User.objects.get(username="ana"), readers=["group:todos"]),
        state="published", start=date(2025, 1, 1),
    )  # fmt: skip
    jobs.schedule("converge", other.pk)
    imported.run()
    assert found(User.objects.get(username="ana"), "prazo de separação") >= {str(other)}
    assert not Job.objects.exclude(state="done").exists()


def test_an_index_of_another_model_is_made_anew(imported: Folder) -> None:
    IndexVersion.objects.update(configuration_hash="old")
    imported.text("manual-v2.md", "cinco")
    assert imported.run().counts == (1, 3, 0, 0)
    assert agrees()
    assert IndexVersion.objects.filter(state="previous").count() == 1


def test_access_changed_in_the_portal_comes_back_to_the_manifest(imported: Folder) -> None:
    """Readers are data of the manifest, unlike memberships: the folder says who reads."""
    document = Document.objects.get(code="folha")
    access.set_readers(document.pk, ["group:todos"], actor=User.objects.get(username="bruno"), reason="engano")
    assert imported.run().counts == (0, 4, 1, 0)
    assert access.readers_of(document) == ["area:rh", "user:ana"]


def test_the_index_is_written_once_for_the_whole_folder(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[int]] = []
    real = corpus.converge

    def once(ids: list[int], progress: object) -> object:
        asked.append(list(ids))
        return real(ids, progress)

    monkeypatch.setattr(corpus, "converge", once)
    folder.run()
    assert [len(ids) for ids in asked] == [4]
    assert IndexEntry.objects.count() == 8


def test_an_empty_manifest_makes_an_empty_portal_ready(tmp_path: Path) -> None:
    (tmp_path / "corpus.yaml").write_text("documents: []\n")
    assert run(tmp_path).counts == (0, 0, 0, 0)
    assert active.version() is not None

"""Every problem of a manifest is told at once, with its line, and nothing is written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.utils.translation import override

from documents.models import Area, Document, ReaderIdentity
from governance.importing import checks
from governance.importing.loading import read
from governance.importing.schema import MAX_ENTRIES, Reading
from governance.importing.yaml_file import MAX_BYTES
from tests.governance.importing.folder import Folder, run

HEAD = """\
people:
  - {username: ana, areas: [rh]}
  - {username: rita, areas: [rh], roles: [approver]}
  - {username: outra, areas: [ti], roles: [approver]}
areas: [{slug: rh}, {slug: ti}]
units: [{slug: CD-SP, name: CD, jurisdiction: BR-SP}]
"""
DOCUMENT = "documents:\n  - code: d\n    title: T\n    kind: policy\n    area: rh\n    owner: ana\n"
REVISIONS = DOCUMENT + "    revisions:\n"


def problems(folder: Path, text: str | bytes) -> list[str]:
    """`line: message` of each problem of a folder with this manifest."""
    data = text.encode() if isinstance(text, str) else text
    (folder / "corpus.yaml").write_bytes(data)
    reading = Reading("corpus.yaml")
    manifest = read(folder, reading)
    checks.check(manifest, folder, reading)
    return [f"{problem.line}: {problem.message}" for problem in sorted(reading.problems)]


pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with override("en"):
        yield


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("documents: 3", 1, "`documents` must be a list"),
        ("documents: {a: b}", 1, "`documents` must be a list"),
        ("documents: [3]", 1, "expected keys with values"),
        ("documents: [null]", 1, "expected keys with values"),
        ("documents: [[a]]", 1, "expected keys with values"),
        ("document: []", 1, "unknown key `document`; known here: areas, channels, documents"),
        (DOCUMENT + "    readers: {a: b}", 7, "`readers` must be a list of texts"),
        (DOCUMENT + "    readers: [null]", 7, "`readers` must be a list of texts"),
        (DOCUMENT + "    readers: ['']", 7, "`readers` must be a list of texts"),
        (DOCUMENT + "    readers: [[a]]", 7, "`readers` must be a list of texts"),
        (DOCUMENT + "    readers: [todos]", 2, "reader `todos` must be group:…"),
        (DOCUMENT + "    readers: ['group:area:rh']", 2, "reader `group:area:rh` must be group:…"),
        (DOCUMENT + "    readers: ['role:approver']", 2, "reader `role:approver` must be group:…"),
        (DOCUMENT + "    readers: ['group:nobody']", 2, "the group `nobody` is unknown"),
        (DOCUMENT + "    readers: ['user:nobody']", 2, "the user `nobody` is unknown"),
        (DOCUMENT + "    readers: ['unit:nowhere']", 2, "the unit `nowhere` is unknown"),
        (DOCUMENT + "    reader: ['group:todos']", 7, "unknown key `reader`"),
        (DOCUMENT + "    scope: [CD-SP]", 7, "expected keys with values"),
        (DOCUMENT + "    scope: {units: [POA]}", 2, "the unit `POA` is unknown"),
        (DOCUMENT + "    scope:\n      unit: [POA]", 8, "unknown key `unit`"),
        (DOCUMENT + "    title: U", 7, "the key `title` is given twice"),
        (DOCUMENT + "    authority: oficial", 7, "`authority: oficial` is not one of official, unofficial, one_off"),
        (DOCUMENT + f"    subjects: [{'x' * 61}]", 7, "`subjects` has 61 characters, at most 60 fit"),
        (DOCUMENT + '    source: {uri: "a\\0b"}', 7, "`uri` has control characters"),
        (DOCUMENT + "    ? [a]\n    : b", 7, "a key must be a text"),
        (DOCUMENT + "    <<: {risk: low}", 7, "merge keys (`<<`) are not supported"),
        (DOCUMENT.replace("title: T", "title:"), 3, "the key `title` is missing"),
        (DOCUMENT.replace("title: T", "title: ''"), 3, "`title` must be a text"),
        (DOCUMENT.replace("title: T", "title: [T]"), 3, "`title` must be a text"),
        (DOCUMENT.replace("title: T", f"title: {'T' * 301}"), 3, "`title` has 301 characters, at most 300 fit"),
        (DOCUMENT.replace("code: d", "code: a b"), 2, "a code has letters, digits, dots and hyphens"),
        (DOCUMENT.replace("area: rh", "area: xx"), 2, "the area `xx` is unknown"),
        (DOCUMENT.replace("owner: ana", "owner: xx"), 2, "the person `xx` is unknown"),
        (DOCUMENT.replace("kind: policy", "kind: norma"), 4, "`kind: norma` is not one of policy, manual"),
        (DOCUMENT + DOCUMENT.replace("documents:\n", ""), 7, "document `d` was already given at line 8"),
        (REVISIONS + "      - {label: v1}", 8, "the key `file` is missing"),
        (REVISIONS + "      - {label: v1, file: a.md, status: draft}", 8, "unknown key `status`"),
        (REVISIONS + f"      - {{label: {'v' * 35}, file: a.md}}", 8, "`label` has 35 characters, at most 34 fit"),
        (REVISIONS + "      - {label: v, file: a}\n      - {label: v, file: b}", 9, "revision `v` was already given"),
        (REVISIONS + "      - {label: v, file: a, valid_from: 2026-02-30}", 8, "`valid_from` must be a date such as"),
        (REVISIONS + "      - {label: v, file: a, valid_from: 01/03/2026}", 8, "`valid_from` must be a date such as"),
        (REVISIONS + "      - {label: v, file: a, valid_from: [2026-01-01]}", 8, "`valid_from` must be a date such as"),
        (REVISIONS + "      - {label: v, file: a, valid_from: 20260101}", 8, "`valid_from` must be a date such as"),
        (REVISIONS + "      - {label: v, file: a, valid_until: 2026-01-01}", 8, "valid_until needs valid_from"),
        (
            REVISIONS + "      - {label: v, file: a, valid_from: 2026-01-01, valid_until: 2026-01-01}",
            8, "valid_until 2026-01-01 must come after valid_from 2026-01-01",
        ),
        (REVISIONS + "      - {label: v, file: a, state: published, approver: rita}", 8, "needs valid_from"),
        (REVISIONS + "      - {label: v, file: a, state: approved}", 8, "an approver"),
        (REVISIONS + "      - {label: v, file: a, state: publicada}", 8, "is not one of draft, in_review"),
        (
            REVISIONS + "      - {label: v, file: a, state: approved, approver: ana}",
            8, "ana can't approve their own text",
        ),
        (
            REVISIONS + "      - {label: v, file: a, state: approved, approver: rita, author: rita}",
            8, "rita can't approve their own text",
        ),
        (
            REVISIONS + "      - {label: v, file: a, state: approved, approver: outra}",
            8, "outra needs the role approver and the area rh",
        ),
        (
            REVISIONS.replace("owner: ana", "owner: rita")
            + "      - {label: v, file: a, state: approved, approver: ana}",
            8, "ana needs the role approver and the area rh",
        ),
        (REVISIONS + "      - {label: v, file: a, state: approved, approver: xx}", 8, "the person `xx` is unknown"),
        (REVISIONS + "      - {label: v, file: a, author: outra}", 8, "outra must belong to the area rh to write it"),
        (REVISIONS + "      - {label: v, file: /etc/passwd}", 8, "`/etc/passwd` is outside of the corpus folder"),
        (REVISIONS + "      - {label: v, file: ../a.md}", 8, "`../a.md` is outside of the corpus folder"),
        (REVISIONS + "      - {label: v, file: x/../../a.md}", 8, "is outside of the corpus folder"),
        (
            REVISIONS + "      - {label: v, file: a, state: in_review}\n"
            "      - {label: w, file: a, state: approved, approver: rita}",
            9, "d@w: v before it is still in review",
        ),
        ("people: [{username: 'a b'}]", 1, "a username has letters"),
        ("people: [{username: importacao}]", 1, "this name is the import's own"),
        ("people: [{username: b, roles: [chefe]}]", 1, "unknown role `chefe`; known: approver, auditor"),
        ("people: [{username: b, areas: [xx]}]", 1, "the area `xx` is unknown"),
        ("people: [{username: b, groups: ['role:approver']}]", 1, "belongs under areas, units or roles"),
        ("people: [{username: b}, {username: b}]", 1, "person `b` was already given at line 1"),
        ("areas: [{slug: 'a b'}]", 1, "`a b` is not a slug"),
        ("units: [{slug: POA}]", 1, "the key `jurisdiction` is missing"),
        ("glossary: [{term: SLA, owner: ana, reason: r}]", 1, "`expansions` is empty"),
        (
            "glossary: [{term: SLA, expansions: [a], owner: xx, reason: r},"
            " {term: sla, expansions: [b], owner: ana, reason: r}]",
            1, "term `SLA, every area` was already given",
        ),
        ("channels: [{label: a, url: b}, {label: c, url: d}]", 1, "channel of `every area` was already given"),
        ("precedence: [{prevails: a, over: a, owner: ana, reason: r}]", 1, "needs valid_from"),
        ("precedence: [{prevails: a, over: b, owner: ana, reason: r}]", 1, "the document `a` is unknown"),
        ("relations: [{kind: merges, from: [a], to: a, reason: r}]", 1, "a document can't relate to itself"),
        ("relations: [{kind: merges, to: a, reason: r}]", 1, "`from` is empty"),
        ("relations: [{kind: joins, from: [a], to: b, reason: r}]", 1, "`kind: joins` is not one of supersedes"),
    ],
)  # fmt: skip
def test_each_problem_is_told_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    """Lines are counted from the first one after the people and places that every case shares."""
    head = "" if text.split(":", maxsplit=1)[0] in ("people", "areas", "units") else HEAD
    found = problems(tmp_path, head + text)
    line += head.count("\n")
    assert any(problem.startswith(f"{line}: ") and words in problem for problem in found), found
    with override("pt-br"):
        translated = problems(tmp_path, head + text)
    assert len(translated) == len(found)
    assert not set(translated) & set(found), "each is told in the language of whoever reads it"


def test_problems_come_all_at_once_in_order(tmp_path: Path) -> None:
    text = """\
people: [{username: ana, roles: [chefe]}]
areas: [{slug: rh}]
documents:
  - code: um
    title: Um
    kind: policy
    area: financas
    revisions:
      - {label: v2, file: um.md, state: published, approver: ana, valid_from: 2026-03-01}
      - {label: v1, file: um.md, state: published, approver: ana, valid_from: 2026-01-01}
  - code: dois
    titulo: Dois
    kind: memo
    area: rh
"""
    found = problems(tmp_path, text)
    assert [int(p.split(":")[0]) for p in found] == [1, 4, 9, 10, 10, 11, 12, 13]
    assert "revisions are listed oldest first" in " ".join(found)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("2026-01-01", "2026-03-01"), ("2026-03-01", None), None),
        (("2026-01-01", None), ("2026-03-01", None), None),
        (("2026-01-01", "2026-02-01"), ("2026-03-01", "2026-04-01"), None),
        (("2026-01-01", "2026-03-02"), ("2026-03-01", None), "before v1 ends (2026-03-02)"),
        (("2026-03-01", None), ("2026-03-01", None), "not after v1 (2026-03-01)"),
        (("2026-03-01", None), ("2026-01-01", "2026-03-01"), "revisions are listed oldest first"),
    ],
)
def test_windows_of_a_document_follow_one_another(
    tmp_path: Path, first: tuple[str, str | None], second: tuple[str, str | None], expected: str | None
) -> None:
    lines = [
        f"      - {{label: v{n}, file: a.md, state: published, approver: rita, valid_from: {start}"
        + (f", valid_until: {until}}}\n" if until else "}\n")
        for n, (start, until) in enumerate((first, second), 1)
    ]
    found = problems(tmp_path, HEAD + REVISIONS + "".join(lines))
    assert (found == []) if expected is None else (len(found) == 1 and expected in found[0])


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", 1, "the file is empty"),
        (b"# only a comment\n\n", 1, "the file is empty"),
        (b"null", 1, "the file is empty"),
        (b"- a\n- b", 1, "expected keys with values"),
        (b"text", 1, "expected keys with values"),
        (b"areas: []\npeople: [\n", 3, "not YAML"),
        (b"areas: []\nunits: []\n\tpeople: []", 3, "not YAML"),
        (b"areas: []\npeople: *who\n", 2, "not YAML: found undefined alias"),
        (b"areas: []\n---\nareas: []\n", 2, "not YAML: but found another document"),
        ("areas: []\ntítulo: 1".encode("latin-1"), 2, "the file is not UTF-8"),
        ("areas: []".encode("utf-16"), 1, "the file is not UTF-8"),
        (b"areas: []\nunits: \x00\n", 2, "a character that is not allowed"),
        (b"areas: " + b"[" * 50_000, 1, "not YAML"),
        (b"a:\n" + b"- " * 200_000, 2, "not YAML"),
    ],
    ids=range(14),
)
def test_what_is_no_manifest_is_told(tmp_path: Path, data: bytes, line: int, words: str) -> None:
    found = problems(tmp_path, data)
    assert found
    assert found[0].startswith(f"{line}: "), found
    assert words in found[0]
    with override("pt-br"):
        assert problems(tmp_path, data)[0] != found[0]


def test_a_byte_order_mark_is_no_problem(tmp_path: Path) -> None:
    assert problems(tmp_path, HEAD.encode("utf-8-sig")) == []


def test_aliases_of_lists_are_understood(tmp_path: Path) -> None:
    text = DOCUMENT + "    readers: &all ['group:todos']\n"
    text += "  - {code: e, title: E, kind: wiki, area: rh, readers: *all}\n"
    assert problems(tmp_path, HEAD + text) == []
    manifest = read(tmp_path, Reading("corpus.yaml"))
    assert [document.readers for document in manifest.documents] == [("group:todos",)] * 2


def test_a_list_that_holds_itself_is_told(tmp_path: Path) -> None:
    assert problems(tmp_path, "areas: &a [*a]") == ["1: areas: expected keys with values"]
    found = problems(tmp_path, HEAD + DOCUMENT + "    revisions: &r [{label: v, file: a, readers: *r}]")
    assert any("unknown key `readers`" in problem for problem in found)


def test_a_billion_laughs_come_to_an_end(tmp_path: Path) -> None:
    """Ten levels of ten aliases each, and a list that aliases repeat: neither is expanded beyond a bound."""
    levels = ["l0: &l0 [lol]"] + [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 11)]
    found = problems(tmp_path, "\n".join(levels) + "\nareas: *l10\n")
    assert len(found) < 50
    revisions = ", ".join(["{label: v, file: a}"] * 1000)
    document = f"&d {{code: d, title: T, kind: wiki, area: rh, revisions: [{revisions}]}}"
    found = problems(tmp_path, HEAD + f"documents: [{document}{', *d' * 999}]")
    assert any(f"more than {MAX_ENTRIES} entries" in problem for problem in found)


def test_a_manifest_beyond_all_bounds_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "corpus.yaml").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    reading = Reading("corpus.yaml")
    read(tmp_path, reading)
    assert [problem.message for problem in reading.problems] == ["the file is larger than 50 MB"]


@pytest.mark.parametrize("kind", ["link out", "link to a folder out", "loop"])
def test_a_symbolic_link_does_not_lead_out(tmp_path: Path, kind: str) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "corpus"
    outside.mkdir()
    folder.mkdir()
    (outside / "a.md").write_text("# segredo\n")
    if kind == "loop":
        (folder / "a.md").symlink_to(folder / "a.md")
    elif kind == "link out":
        (folder / "a.md").symlink_to(outside / "a.md")
    else:
        (folder / "sub").symlink_to(outside)
    name = "sub/a.md" if kind == "link to a folder out" else "a.md"
    found = problems(folder, HEAD + REVISIONS + f"      - {{label: v, file: {name}}}")
    assert len(found) == 1
    assert "is outside of the corpus folder" in found[0]


def test_a_link_inside_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "v1.md").write_text("# a\n\nb\n")
    (tmp_path / "atual.md").symlink_to("v1.md")
    assert problems(tmp_path, HEAD + REVISIONS + "      - {label: v, file: atual.md}") == []


def test_names_of_the_portal_count_as_known(tmp_path: Path) -> None:
    user = User.objects.create_user("chefe")
    area = Area.objects.create(slug="rh", name="RH")
    user.groups.add(area.group, Group.objects.create(name="role:approver"), Group.objects.create(name="mesa"))
    text = (
        "documents:\n  - code: d\n    title: T\n    kind: policy\n    area: rh\n"
        "    readers: ['group:mesa', 'user:chefe']\n"
        "    revisions: [{label: v, file: a.md, state: approved, approver: chefe}]\n"
    )
    assert problems(tmp_path, text) == []
    user.groups.remove(area.group)
    assert "chefe needs the role approver and the area rh" in problems(tmp_path, text)[0]


def test_nothing_is_written_and_the_command_says_every_line(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.document()["titel"] = "x"
    folder.revision("v2")["approver"] = "bruno"
    result = folder.run()
    assert result.status == 2
    problems = result.report["problems"]
    assert [problem["message"].split(":")[0] for problem in problems] == ["manual@v2", "document manual"]
    assert result.counts == (0, 0, 0, 0)
    for problem in problems:
        assert f"{tmp_path}/corpus.yaml:{problem['line']}: {problem['message']}" in result.stderr
    assert "2 problems in the manifest, nothing was written" in result.stderr
    assert (User.objects.count(), Group.objects.count(), Area.objects.count()) == (0, 0, 0)
    assert (Document.objects.count(), ReaderIdentity.objects.count()) == (0, 0)


def test_a_folder_that_is_not_there_or_holds_no_manifest_is_refused(tmp_path: Path) -> None:
    missing = run(tmp_path / "nada")
    assert (missing.status, missing.report["error"]["code"]) == (2, "bad_input")
    assert "is not a folder" in missing.stderr
    assert "there is no such file; a corpus folder holds a corpus.yaml" in run(tmp_path).stderr
    (tmp_path / "corpus.yaml").mkdir()
    assert "the file can't be read" in run(tmp_path).stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_manifest_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "corpus.yaml").write_text("areas: []")
    (tmp_path / "corpus.yaml").chmod(0)
    assert "Permission denied" in run(tmp_path).stderr


@pytest.mark.parametrize(
    "text",
    [
        'documents: [{code: z, title: T, kind: policy, area: a, owner: o, revisions: [{label: v1, file: "x\\0.md"}]}]',
        '"a\\0b": 1', 'areas: [{slug: "a\\0", name: "\\x1b[31m"}]', 'relations: [{kind: "\\0"}]',
    ],
)  # fmt: skip
def test_a_problem_quotes_nothing_that_a_table_or_a_terminal_takes_amiss(tmp_path: Path, text: str) -> None:
    found = problems(tmp_path, text)
    assert found
    assert not any(ord(letter) < 32 for line in found for letter in line)

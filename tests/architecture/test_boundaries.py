"""The house's walls: who imports whom, who speaks to a vendor, and what no file may contain."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

from kbportal.embedded.paths import ROOT

APPS = ("kbportal", "documents", "governance", "chat", "evaluation")
TEXT = frozenset({".py", ".md", ".toml", ".txt", ".in", ".yml", ".yaml", ".json", ".html", ".css", ".js", ".sh", ""})
# Written in pieces, so that this file does not contain what it looks for.
REGISTRIES = ("py" + "pi.org", "files.python" + "hosted.org", "registry.npm" + "js.org", "repo1." + "maven.org")
REGISTRIES += ("repo.maven." + "apache.org", "proxy.golang" + ".org", "deb.debian" + ".org", "crates" + ".io")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root|home/\w+)/")


def tracked_files() -> list[Path]:
    """What a clone holds, where this is one; else everything that is not made at run time."""
    command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        names = done.stdout.split("\0")
        paths = [ROOT / name for name in names if name]
    else:
        paths = [path for path in ROOT.rglob("*") if not {".venv", "var"} & set(path.relative_to(ROOT).parts)]
    return [path for path in paths if path.suffix in TEXT and path.is_file()]


def test_the_import_contracts_hold(capsys: pytest.CaptureFixture[str]) -> None:
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert status == 0, capsys.readouterr().out


def test_a_vendor_is_imported_in_the_one_module_that_wraps_it() -> None:
    command = [sys.executable, "-m", "ruff", "check", "--select", "TID251", "--output-format", "concise", *APPS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("registry", REGISTRIES)
def test_no_file_names_a_package_registry(registry: str) -> None:
    assert [path for path in tracked_files() if registry in path.read_text(errors="replace")] == []


def test_no_file_holds_a_path_of_one_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in tracked_files()
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert found == []


def test_modules_stay_small_enough_for_one_reason_to_change() -> None:
    sizes = {
        path.relative_to(ROOT): len(path.read_text().splitlines())
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        if "migrations" not in path.parts
    }
    assert {str(path): size for path, size in sizes.items() if size > 350} == {}


def test_a_moment_becomes_a_day_by_the_portals_time_zone_alone() -> None:
    """Moments come from the tables in UTC: `.date()` of one is tomorrow for the last hours of a day in São Paulo."""
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for app in APPS
        for path in sorted((ROOT / app).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if ".date()" in line
    ]
    assert found == []


def run_on_import(node: ast.AST) -> Iterator[ast.AST]:
    """What Python runs of this node when it imports a module: of a function its decorators and defaults alone."""
    yield node
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            children: list[ast.AST] = [*node.decorator_list, node.args]
        case ast.Lambda():
            children = [node.args]
        case _:
            children = list(ast.iter_child_nodes(node))
    for child in children:
        yield from run_on_import(child)


CLOCKS = frozenset({"localdate", "localtime", "now", "today", "utcnow"})


def clocks_read_on_import(source: str) -> list[int]:
    """The lines of a module that ask what day it is while it is being imported."""
    return [
        node.lineno
        for node in run_on_import(ast.parse(source))
        if isinstance(node, ast.Call)
        and (node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")) in CLOCKS
    ]


@pytest.mark.parametrize("folder", [*APPS, "tests"])
def test_no_module_keeps_the_day_on_which_it_was_imported(folder: str) -> None:
    """A process outlives midnight: what it took for today at its start is yesterday for the rest of its life."""
    found = {
        str(path.relative_to(ROOT)): lines
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (lines := clocks_read_on_import(path.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("TODAY = timezone.localdate()", [1]),
        ("DAY = date.today() + timedelta(1)", [1]),
        ("class A:\n    day = today()", [2]),
        ("@mark.parametrize('day', [today(1)])\ndef f(day): ...", [1]),
        ("def f(on=timezone.now()): ...", [1]),
        ("def f():\n    return today()", []),
        ("f = lambda: today()", []),
        ("made = field(default=timezone.now)", []),
    ],
)
def test_what_reads_the_clock_on_import_is_recognised(source: str, lines: list[int]) -> None:
    assert clocks_read_on_import(source) == lines

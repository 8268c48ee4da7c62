"""`make elasticsearch`: a node from jars that may be started, stopped, killed and interrupted at any moment."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from kbportal.embedded.elasticsearch import background, home, node
from kbportal.embedded.elasticsearch.__main__ import main
from kbportal.embedded.paths import instance
from tests.documents.search.nodes import home as laid_out


def tool(folder: Path, name: str, says: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ({}, "needs java: apt install openjdk-17-jdk-headless"),
        ({"java": ""}, "needs javac: apt install openjdk-17-jdk-headless"),
        ({"java": "", "javac": "javac 17.0.15"}, "needs mvn: apt install maven"),
        ({"java": "", "javac": "javac 11.0.2", "mvn": ""}, "needs JDK 17 or newer; this is javac 11.0.2"),
        ({"java": "", "javac": "javac 21.0.1", "mvn": ""}, ""),
    ],
)
def test_what_the_machine_lacks_is_one_line(
    tools: dict[str, str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, output in tools.items():
        tool(tmp_path, name, output)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert said in home.obstacle()
    assert bool(said) == bool(home.obstacle())
    assert "\n" not in home.obstacle()


def test_a_layout_that_failed_leaves_nothing_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, says in (("java", ""), ("javac", "javac 17"), ("mvn", "no such repository; exit 1")):
        tool(tools, name, says)
    (tools / "mvn").write_text("#!/bin/sh\necho 'Could not resolve dependencies'\nexit 1\n")
    monkeypatch.setenv("PATH", f"{tools}:/bin:/usr/bin")
    monkeypatch.setenv("KB_VAR", str(tmp_path / "var"))
    assert main(["up"]) == 2
    assert "Could not resolve dependencies" in capsys.readouterr().err
    assert not list((tmp_path / "var" / "elasticsearch").glob("*-*"))


@pytest.mark.parametrize(("said", "heap"), [("", node.HEAP), ("1500m", "1500m")])
def test_the_heap_is_as_large_as_is_said(said: str, heap: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELASTICSEARCH_HEAP", said)
    line = node.command(tmp_path, node.Place("n", tmp_path, 9200, 9300))
    assert [part for part in line if part.startswith("-Xm")] == [f"-Xms{heap}", f"-Xmx{heap}"]


@pytest.mark.slow
def test_a_node_is_started_once_comes_back_after_a_kill_and_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = laid_out()
    monkeypatch.setenv("KB_VAR", str(tmp_path))
    folder = instance().elasticsearch
    folder.mkdir()
    (folder / made.name).symlink_to(made)
    try:
        assert main(["up"]) == 0
        first = background._running(folder)
        assert first is not None
        assert f"http://127.0.0.1:{first[1]}" in capsys.readouterr().out
        assert main(["up"]) == 0
        assert background._running(folder) == first
        os.kill(first[0], signal.SIGKILL)
        while background._running(folder) is not None:
            time.sleep(0.05)
        assert main(["up"]) == 0
        second = background._running(folder)
        assert second is not None
        assert second[0] != first[0]
        assert node.health(second[1])["number_of_nodes"] == 1
    finally:
        stopped = main(["down"])
    assert stopped == 0
    assert background._running(folder) is None
    assert main(["down"]) == 0

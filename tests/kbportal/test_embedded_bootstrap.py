"""What a machine without the right tools is told, and when an installation is begun anew."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kbportal.embedded import bootstrap


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose environment is complete."""
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(bootstrap, "BROKEN", tmp_path / ".venv.broken")
    monkeypatch.setattr(bootstrap, "MARKER", tmp_path / ".venv" / "installing")
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "base.txt").write_text("# nothing to install\n")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / ".venv" / "installed-base").write_text(bootstrap.fingerprint("base"))
    return tmp_path


def test_an_old_python_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    assert bootstrap.obstacle() == "kbportal needs Python 3.11 or newer, this is 3.9."


def test_a_missing_venv_module_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    expected = f"apt install python{sys.version_info.major}.{sys.version_info.minor}-venv"
    assert expected in bootstrap.obstacle()


def test_nothing_is_done_when_everything_is_installed(checkout: Path) -> None:
    assert bootstrap.installed("base")
    assert bootstrap.main(["base"]) == 0


def test_other_requirements_are_installed_again(checkout: Path) -> None:
    (checkout / "requirements" / "base.txt").write_text("something==1 --hash=sha256:00\n")
    assert not bootstrap.installed("base")


def test_an_installation_that_did_not_end_is_begun_anew(checkout: Path) -> None:
    (checkout / ".venv" / "installing").touch()
    (checkout / ".venv" / "half-a-package").touch()
    assert not bootstrap.installed("base")
    assert bootstrap.main(["base"]) == 0
    assert bootstrap.installed("base")
    assert not (checkout / ".venv" / "half-a-package").exists()
    assert not (checkout / ".venv.broken").exists()


def test_a_failed_installation_says_so_and_is_not_taken_for_done(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout / "requirements" / "base.txt").write_text("not a requirement at all\n")
    assert bootstrap.main(["base"]) == 1
    assert "run the same command again" in capsys.readouterr().err
    assert not bootstrap.installed("base")

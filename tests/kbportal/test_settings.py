"""What a deployment is told at its start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kbportal.embedded.paths import ROOT

SECRET = "a-secret-of-more-than-fifty-characters-for-this-one-check-0123456789"

OPENAI = {"KB_SECRET_KEY": SECRET, "KB_ALLOWED_HOSTS": "x", "KB_GENERATOR": "openai", "KB_CHAT_MODEL": "m"}


def run(tmp_path: Path, module: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "KB_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": f"kbportal.settings.{module}"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=env | variables, capture_output=True, text=True, check=False)


def check(tmp_path: Path, module: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return run(tmp_path, module, "manage.py", "check", "--deploy", "--fail-level", "WARNING", **variables)


def load(tmp_path: Path, module: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return run(tmp_path, module, "-c", "from django.conf import settings; settings.DEBUG", **variables)


def test_production_passes_the_deployment_check(tmp_path: Path) -> None:
    done = check(tmp_path, "prod", KB_SECRET_KEY=SECRET, KB_ALLOWED_HOSTS="portal.example")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({}, "KB_SECRET_KEY"),
        ({"KB_SECRET_KEY": SECRET}, "KB_ALLOWED_HOSTS"),
        ({"KB_SECRET_KEY": SECRET, "KB_ALLOWED_HOSTS": "x", "KB_DEBUG": "perhaps"}, "KB_DEBUG"),
        ({"KB_SECRET_KEY": SECRET, "KB_ALLOWED_HOSTS": "x", "KB_GENERATOR": "oracle"}, "KB_GENERATOR"),
        ({"KB_SECRET_KEY": SECRET, "KB_ALLOWED_HOSTS": "x", "KB_GENERATOR": "openai"}, "KB_CHAT_MODEL"),
        (OPENAI | {"KB_CHAT_PRICES": "2.5,10"}, "KB_CHAT_PRICES"),
        (OPENAI | {"KB_CHAT_PRICES": "2.5,1.2,dez"}, "KB_CHAT_PRICES"),
        (OPENAI | {"KB_CHAT_PRICES": "2.5,-1,10"}, "KB_CHAT_PRICES"),
        (OPENAI | {"KB_CHAT_PRICES": "nan,1,10"}, "KB_CHAT_PRICES"),
    ],
)
def test_production_refuses_to_start_and_names_the_variable(
    tmp_path: Path, variables: dict[str, str], named: str
) -> None:
    done = load(tmp_path, "prod", **variables)
    assert done.returncode != 0
    assert named in done.stderr.strip().splitlines()[-1]


def test_a_remote_part_without_a_key_is_reported_before_the_first_question(tmp_path: Path) -> None:
    done = check(tmp_path, "dev", KB_GENERATOR="openai", KB_CHAT_MODEL="some-model")
    assert "kbportal.E002" in done.stderr


def test_the_local_default_makes_a_secret_that_only_its_owner_reads_and_keeps_it(tmp_path: Path) -> None:
    load(tmp_path, "dev")
    path = tmp_path / "secret_key"
    first = path.read_text()
    assert len(first) >= 50
    assert path.stat().st_mode & 0o777 == 0o600
    load(tmp_path, "dev")
    assert path.read_text() == first


def test_prices_of_a_model_reach_the_part_that_counts(tmp_path: Path) -> None:
    code = "from django.conf import settings; print(settings.KB_BACKENDS['generator']['OPTIONS']['prices'])"
    done = run(tmp_path, "prod", "-c", code, **OPENAI, KB_CHAT_PRICES="2.5, 1.25, 10")
    assert done.stdout.strip() == "{'prompt': 2.5, 'cached': 1.25, 'completion': 10.0}", done.stderr

"""What a worker that is killed leaves behind: nothing. A real worker, with a broker in its own memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kbportal.embedded.paths import ROOT
from tests.instance import INHERITED, eventually

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone tells")]


def test_its_processes_end_with_it(tmp_path: Path) -> None:
    kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
    variables = {"KB_VAR": str(tmp_path), "CELERY_BROKER_URL": "memory://", "CACHE_URL": "redis://127.0.0.1:1"}
    command = [sys.executable, "-m", "celery", "-A", "kbportal", "worker", "--concurrency", "1", "--queues", "bulk"]
    command += ["--beat", "--schedule", str(tmp_path / "beat")]
    log = tmp_path / "log"
    with log.open("wb") as output:
        worker = subprocess.Popen(
            [*command, "--loglevel", "INFO"], cwd=ROOT, env=kept | variables, stdout=output, stderr=output
        )
    try:
        eventually(lambda: " ready." in log.read_text(), 120)
        own = children(worker.pid)
        assert len(own) == 2, "one that works, and the clock"
    finally:
        worker.kill()
        worker.wait()
    eventually(lambda: not any(runs(pid) for pid in own))


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False

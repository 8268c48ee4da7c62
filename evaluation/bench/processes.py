"""The processes of the running portal, by name."""

from __future__ import annotations

from pathlib import Path

from evaluation.bench.machine import PROC

NAMES = {"uvicorn": "web", "celery": "worker", "postgres": "postgres", "valkey": "valkey", "redis": "valkey"}


def of_instance(supervisor: Path) -> dict[str, int]:
    """Name → process id of what the process manager runs; empty where none runs. `supervisor` is its pid file."""
    try:
        root = int(supervisor.read_text())
        children = (PROC / str(root) / "task" / str(root) / "children").read_text().split()
    except (OSError, ValueError):
        return {}
    found = {"supervisord": root}
    for pid in children:
        name = _name(pid)
        if name:
            found[name] = int(pid)
    return found


def _name(pid: str) -> str | None:
    try:
        command = (PROC / pid / "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return None
    return next((name for word, name in NAMES.items() if word in command), None)

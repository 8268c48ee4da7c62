"""The processes of the running portal, by name."""

from __future__ import annotations

from pathlib import Path

from evaluation.bench.machine import PROC

WHOLE = "the portal"
ROLE = "SUPERVISOR_PROCESS_NAME="


def of_instance(supervisor: Path) -> dict[str, int]:
    """Name → process id of what the process manager runs, and of itself, above all of them, as `WHOLE`.

    Empty where none runs. `supervisor` is its pid file.
    """
    try:
        root = int(supervisor.read_text())
        children = (PROC / str(root) / "task" / str(root) / "children").read_text().split()
    except (OSError, ValueError):
        return {}
    found = {WHOLE: root}
    for pid in children:
        name = _name(pid)
        if name:
            found[name] = int(pid)
    return found


def _name(pid: str) -> str | None:
    """What the process manager calls it (`web`, `web-2`, `bulk`, …): several have the same command."""
    try:
        given = (PROC / pid / "environ").read_bytes().decode(errors="replace").split("\0")
        command = (PROC / pid / "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return None
    name = next((value.removeprefix(ROLE) for value in given if value.startswith(ROLE)), None)
    return name or ("valkey" if "valkey" in command else None)  # which writes its title over its environment

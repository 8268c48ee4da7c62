"""The process manager: supervisord's configuration file and its remote calls. It keeps running when `make` ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xmlrpc.client import Fault, ServerProxy

from supervisor.xmlrpc import SupervisorTransport

from kbportal.embedded.paths import ROOT, Instance

START_TIMEOUT = 20
STOP_TIMEOUT = 90
RETRIES = 1000
"""How often a process that dies at its start is started again, each time a second later than before: for some days. A
full disk takes longer to be noticed than a crash, and what gave up would stay down once there is room.
"""
# What a process inherits from the shell beside the portal's own variables, which travel in a file.
INHERITED = frozenset(
    {"PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"}
)
PROXIES = frozenset({"http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"})
QUIET_THREADS = {
    "OMP_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "passive",
    "OPENBLAS_NUM_THREADS": "1",
    # Each thread that answers would keep freed memory of its own: with 30 of them 480 MB where 300 do.
    "MALLOC_ARENA_MAX": "2",
}

HEAD = """\
[unix_http_server]
file={socket}
chmod=0700

[supervisord]
logfile={log}/supervisord.log
logfile_maxbytes=5MB
logfile_backups=1
pidfile={run}/supervisord.pid
umask=022
{user}

[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface
"""

PROGRAM = """
[program:{name}]
command="{python}" -m kbportal.embedded.launch {name} "{var}" {state}
directory={root}
autostart=false
autorestart=true
startsecs=1
startretries={retries}
stopsignal={signal}
stopwaitsecs={patience}
killasgroup=true
redirect_stderr=true
stdout_logfile={log}/{name}.log
stdout_logfile_maxbytes=10MB
stdout_logfile_backups=3
"""


@dataclass(frozen=True)
class Program:
    """One process; a new `state` (code, variables) makes it another program, which is then restarted."""

    name: str
    state: str = ""
    signal: str = "TERM"
    patience: int = 20


def write_files(here: Instance, programs: Sequence[Program], variables: Mapping[str, str]) -> None:
    """Keys may be among the variables, so they are for the owner's eyes only."""
    _write_private(here, "environment.json", json.dumps(dict(variables)))
    user = "user=root" if os.getuid() == 0 else ""
    values: dict[str, object] = {"socket": here.supervisor_socket, "log": here.log, "run": here.run, "var": here.var}
    values |= {"root": ROOT, "python": sys.executable}
    escaped = {name: str(value).replace("%", "%%") for name, value in values.items()}
    parts = [PROGRAM.format(**escaped, **vars(program), retries=RETRIES) for program in programs]
    _write_private(here, "supervisord.conf", HEAD.format(**escaped, user=user) + "".join(parts))


def _write_private(here: Instance, name: str, content: str) -> None:
    draft = here.run / f".{name}"
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(content)
    draft.rename(here.run / name)


class Supervisor:
    """The running supervisord of one instance."""

    def __init__(self, here: Instance) -> None:
        self._here = here

    @property
    def _remote(self) -> Any:
        """The namespace `supervisor` of its XML-RPC interface."""
        transport = SupervisorTransport(None, None, f"unix://{self._here.supervisor_socket}")
        return ServerProxy("http://127.0.0.1", transport=transport).supervisor

    def alive(self) -> bool:
        try:
            return bool(self._remote.getState()["statename"] == "RUNNING")
        except (OSError, Fault):
            return False

    def start(self) -> None:
        """Start it in the background unless it runs."""
        if self.alive():
            return
        env = {name: value for name, value in os.environ.items() if name in INHERITED | PROXIES} | QUIET_THREADS
        command = [sys.executable, "-m", "supervisor.supervisord", "-c", str(self._here.run / "supervisord.conf")]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        deadline = time.monotonic() + START_TIMEOUT
        while not self.alive():
            if done.returncode or time.monotonic() > deadline:
                raise RuntimeError(f"supervisord did not start: {(done.stderr or done.stdout).strip()}")
            time.sleep(0.1)

    def states(self) -> dict[str, str]:
        """Name → RUNNING, STARTING, BACKOFF, FATAL, …; empty when supervisord is not there."""
        if not self.alive():
            return {}
        return {info["name"]: info["statename"] for info in self._remote.getAllProcessInfo()}

    def outdated(self) -> set[str]:
        """Programs whose configuration on disk differs from what runs, and those that should not run at all."""
        added, changed, removed = self._remote.reloadConfig()[0]
        return {*added, *changed, *removed}

    def apply(self, names: Sequence[str]) -> None:
        """Make these programs what the file says, and start what is down; the others stay as they are."""
        remote = self._remote
        added, changed, removed = remote.reloadConfig()[0]
        for name in [*removed, *(name for name in changed if name in names)]:
            remote.stopProcessGroup(name)
            remote.removeProcessGroup(name)
        for name in names:
            if name in added or name in changed:
                remote.addProcessGroup(name)
        states = self.states()
        for name in names:
            if states[name] not in ("RUNNING", "STARTING"):
                remote.startProcess(name, False)

    def stop(self) -> bool:
        """Stop everything and wait for it; False when nothing ran."""
        if not self.alive():
            return False
        self._remote.shutdown()
        pid_file = self._here.run / "supervisord.pid"
        deadline = time.monotonic() + STOP_TIMEOUT
        while pid_file.exists():  # removed at its very end
            if time.monotonic() > deadline:
                raise RuntimeError(f"supervisord still stops after {STOP_TIMEOUT} s: see {self._here.log}")
            time.sleep(0.1)
        return True

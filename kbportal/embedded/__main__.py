"""`python -m kbportal.embedded up|down|logs`: what the Makefile calls once the packages are there."""

from __future__ import annotations

import fcntl
import os
import pwd
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kbportal.embedded.elasticsearch import background as elasticsearch
from kbportal.embedded.paths import Instance, instance
from kbportal.embedded.supervisor import Supervisor
from kbportal.embedded.up import Refusal, up


@contextmanager
def one_at_a_time(here: Instance) -> Iterator[None]:
    with (here.run / "command.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"Waiting for another command on {here.var}.", file=sys.stderr)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def owner(path: Path) -> str:
    uid = path.stat().st_uid
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def refuse_foreign_folder(here: Instance) -> None:
    """Files of two owners in one folder would stop the other owner's next start."""
    if here.var.exists() and here.var.stat().st_uid != os.getuid():
        raise Refusal(f"{here.var} belongs to {owner(here.var)}: run as {owner(here.var)}, or set another KB_VAR.")


def down(here: Instance) -> None:
    stopped = elasticsearch.down(here.elasticsearch)
    if here.run.exists():
        with one_at_a_time(here):
            stopped = Supervisor(here).stop() or stopped
    print("Stopped." if stopped else f"Nothing runs in {here.var} (KB_VAR names another folder).")


def logs(here: Instance) -> None:
    files = sorted(str(path) for path in here.log.glob("*.log"))
    if not files:
        raise Refusal(f"No logs in {here.log} yet: make up")
    os.execvp("tail", ["tail", "-n", "20", "-F", *files])


def main(command: str) -> int:
    here = instance()
    try:
        refuse_foreign_folder(here)
        match command:
            case "up":
                here.prepare()
                with one_at_a_time(here):
                    up(here)
            case "down":
                down(here)
            case "logs":
                logs(here)
            case _:
                raise Refusal(f"{command!r} is not one of up, down, logs")
    except PermissionError as error:
        print(f"Cannot write {error.filename}: run as its owner, or set another KB_VAR.", file=sys.stderr)
        return 2
    except (Refusal, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nInterrupted: `make up` goes on from here, `make down` stops what runs.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

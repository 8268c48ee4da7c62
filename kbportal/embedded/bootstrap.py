"""Make `.venv` and install the pinned packages: `python3 bootstrap.py GROUP…` (files of requirements/).

Runs on the system's Python, before anything is installed, so: standard library only, and syntax that an older Python
can read far enough to be told that it is too old. A stamp holds the hash of what was installed last; a marker says
that an installation began and did not end, in which case the folder is made anew.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
BROKEN = ROOT / ".venv.broken"
MARKER = VENV / "installing"
LEAST = (3, 11)
SHOWN_AFTER_FAILURE = 12


def main(groups: list[str]) -> int:
    missing = obstacle()
    if missing:
        print(missing, file=sys.stderr)
        return 2
    lock = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("Waiting for another installation in this folder.", file=sys.stderr)
        fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        return install([group for group in groups if not installed(group)], lock)
    except PermissionError as error:
        print(f"Cannot write {error.filename}: run as the folder's owner.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nInterrupted: the same command begins again from here.", file=sys.stderr)
        return 130


def obstacle() -> str:
    """What this machine lacks, as one line, or nothing."""
    if sys.version_info < LEAST:
        return "kbportal needs Python 3.11 or newer, this is {}.{}.".format(*sys.version_info)
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return "Python's venv module is missing: apt install python{}.{}-venv".format(*sys.version_info)
    return ""


def requirements(group: str) -> Path:
    return ROOT / "requirements" / (group + ".txt")


def fingerprint(group: str) -> str:
    content = requirements(group).read_bytes() + repr(sys.version_info[:2]).encode()
    return hashlib.sha256(content).hexdigest()


def installed(group: str) -> bool:
    stamp = VENV / ("installed-" + group)
    usable = os.access(VENV / "bin" / "python", os.X_OK) and not MARKER.exists()
    return usable and stamp.exists() and stamp.read_text() == fingerprint(group)


def install(groups: list[str], lock: int) -> int:
    if not groups:
        return 0
    if MARKER.exists() or not healthy():
        make_venv()
    MARKER.touch()
    for group in groups:
        if not pip_install(group, lock):
            return 1
        (VENV / ("installed-" + group)).write_text(fingerprint(group))
    MARKER.unlink()
    return 0


def healthy() -> bool:
    """Whether the folder is an environment of this Python, with a pip."""
    code = f"import sys, pip; sys.exit(sys.version_info[:2] != {tuple(sys.version_info[:2])!r})"
    try:
        done = subprocess.run([str(VENV / "bin" / "python"), "-c", code], stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return False
    return done.returncode == 0


def make_venv() -> None:
    import venv

    print("Making .venv", flush=True)
    shutil.rmtree(BROKEN, ignore_errors=True)
    if VENV.exists():
        VENV.rename(BROKEN)  # in one step: half of an environment must not look like one
        shutil.rmtree(BROKEN, ignore_errors=True)
    VENV.mkdir()
    MARKER.touch()
    venv.create(VENV, with_pip=True, symlinks=True)


def pip_install(group: str, lock: int) -> bool:
    """Install one file with its hashes checked, wheels only, one line of progress.

    pip shares the lock: one that outlives us is waited for by the next installation, which then begins anew.
    """
    path = requirements(group)
    total = len(re.findall(r"^[\w.\[\],-]+==", path.read_text(), re.MULTILINE))
    print(f"Installing {total} packages ({path.name}); the first time takes a minute or two.", flush=True)
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--require-hashes", "--only-binary", ":all:"]
    command += ["--no-input", "--disable-pip-version-check", "--progress-bar", "off", "-r", str(path)]
    seen = 0
    last: list[str] = []
    with subprocess.Popen(command, text=True, pass_fds=[lock], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as pip:
        for line in pip.stdout or ():
            last = [*last, line.rstrip()][-SHOWN_AFTER_FAILURE:]
            if line.startswith("Collecting "):
                seen += 1
                progress(seen, total, line.split()[1].split("==")[0])
            elif line.startswith("Installing collected packages"):
                progress(total, total, "unpacking")
    if sys.stdout.isatty():
        print()
    if pip.returncode:
        print("\n".join(last), file=sys.stderr)
        print(f"pip could not install {path}: see above, then run the same command again.", file=sys.stderr)
    return pip.returncode == 0


def progress(done: int, total: int, what: str) -> None:
    if sys.stdout.isatty():
        print(f"\r\033[K  {done}/{total} {what}", end="", flush=True)
    elif done % 20 == 0 or done == total:
        print(f"  {done}/{total} {what}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

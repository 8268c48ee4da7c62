"""The folder that a node runs from: jars by Maven, two classes by javac, laid out as the server expects modules."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

SOURCES = Path(__file__).parent
FILES = ("pom.xml", "PortalNode.java", "PortugueseFilters.java")
LEAST_JAVA = 17
DESCRIPTOR = """\
description={name}
version={version}
name={name}
classname={classname}
java.version={java}
elasticsearch.version={version}
"""
MODULES = {
    "transport-netty4": "org.elasticsearch.transport.netty4.Netty4Plugin",
    "analysis-portuguese": "PortugueseFilters",
}


class CannotBuild(RuntimeError):
    """What this machine lacks, or what went wrong, in one line."""


def obstacle() -> str:
    """What this machine lacks to lay out a node, as one line that says what to do, or nothing."""
    for tool, package in (("java", "openjdk-17-jdk-headless"), ("javac", "openjdk-17-jdk-headless"), ("mvn", "maven")):
        if shutil.which(tool) is None:
            return f"Elasticsearch from jars needs {tool}: apt install {package} (JDK {LEAST_JAVA} or newer, and Maven)"
    said = subprocess.run(["javac", "-version"], capture_output=True, text=True, check=False)
    found = re.search(r"(\d+)", said.stdout + said.stderr)
    if found is None or int(found[1]) < LEAST_JAVA:
        return f"Elasticsearch from jars needs JDK {LEAST_JAVA} or newer; this is {(said.stdout + said.stderr).strip()}"
    return ""


def ensure_home(folder: Path) -> Path:
    """The laid-out home below `folder`, made once for each version of the sources here; raises `CannotBuild`.

    It is made under another name and renamed at the end, so that a stop at any moment leaves none or a whole one.
    """
    digest = hashlib.sha256(b"\0".join((SOURCES / name).read_bytes() for name in FILES)).hexdigest()[:12]
    home = folder / f"node-{digest}"
    if home.exists():
        return home
    missing = obstacle()
    if missing:
        raise CannotBuild(missing)
    draft = folder / f"draft-{os.getpid()}"
    try:
        _lay_out(draft)
        try:
            draft.rename(home)
        except OSError:
            if not home.exists():  # else another build was faster
                raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return home


def _lay_out(home: Path) -> None:
    lib, classes, filters = home / "lib", home / "classes", home / "filters"
    for part in (home / "config", home / "plugins", home / "modules", lib, classes, filters):
        part.mkdir(parents=True)
    pom = shutil.copy(SOURCES / "pom.xml", home)
    _run(["mvn", "-q", "-B", "-f", str(pom), "dependency:copy-dependencies", f"-DoutputDirectory={lib}"])
    [server] = lib.glob("elasticsearch-[0-9]*.jar")
    version = server.stem.removeprefix("elasticsearch-")
    for name, target in (("PortalNode", classes), ("PortugueseFilters", filters)):
        _run(["javac", "-cp", f"{lib}/*", "-d", str(target), str(SOURCES / f"{name}.java")])
    for name, classname in MODULES.items():
        module = home / "modules" / name
        module.mkdir()
        text = DESCRIPTOR.format(name=name, version=version, classname=classname, java=LEAST_JAVA)
        (module / "plugin-descriptor.properties").write_text(text)
    for jar in (*lib.glob("netty-*.jar"), *lib.glob("transport-netty4-*.jar")):
        jar.rename(home / "modules" / "transport-netty4" / jar.name)
    _run(["jar", "cf", str(home / "modules" / "analysis-portuguese" / "filters.jar"), "-C", str(filters), "."])


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-12:])
        raise CannotBuild(f"{last}\n`{command[0]}` failed, see above; the same command begins again from here.")

"""Where an instance keeps its things. An instance is a folder (`KB_VAR`) and a port; standard library only."""

from __future__ import annotations

import hashlib
import os
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "kbportal"
POSTGRES_PORT = "5432"
# A unix socket's address holds 107 bytes; the longest name below the folder is "postgres/.s.PGSQL.5432.lock".
LONGEST_FOLDER = 75


def database_url(folder: Path, name: str = DATABASE) -> str:
    """The address of a database of the server whose socket lies in that folder."""
    return f"postgresql://{DATABASE}@/{name}?host={quote(str(folder), safe='')}&port={POSTGRES_PORT}"


@dataclass(frozen=True)
class Instance:
    """One portal beside others: every path and address follows from the absolute folder."""

    var: Path

    @property
    def log(self) -> Path:
        return self.var / "log"

    @property
    def run(self) -> Path:
        return self.var / "run"

    @property
    def web_counts(self) -> Path:
        """Where web processes leave what they count, so that `/metrics` can add it up."""
        return self.run / "counts"

    @property
    def postgres(self) -> Path:
        return self.var / "postgres"

    @property
    def valkey(self) -> Path:
        return self.var / "valkey"

    @property
    def elasticsearch(self) -> Path:
        return self.var / "elasticsearch"

    @property
    def short(self) -> Path:
        """The folder under a name that a socket's address has room for."""
        if len(os.fsencode(self.var)) <= LONGEST_FOLDER:
            return self.var
        digest = hashlib.sha256(os.fsencode(self.var)).hexdigest()[:12]
        return Path(f"/tmp/kbportal-{os.getuid()}-{digest}")

    @property
    def supervisor_socket(self) -> Path:
        return self.short / "run" / "supervisor.sock"

    @property
    def database_url(self) -> str:
        return database_url(self.short / "postgres")

    @property
    def valkey_socket(self) -> Path:
        return self.short / "valkey" / "valkey.sock"

    def prepare(self) -> None:
        """Make the folders; raises PermissionError or RuntimeError where they cannot be ours."""
        for folder in (self.var, self.log, self.run, self.valkey):
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        if self.short == self.var:
            return
        if self.short.is_symlink() and self.short.lstat().st_uid == os.getuid():
            if self.short.readlink() == self.var:
                return
            self.short.unlink()
        try:
            self.short.symlink_to(self.var)
        except FileExistsError:
            raise RuntimeError(f"{self.short} belongs to somebody else: choose a shorter KB_VAR") from None

    def secret_key(self) -> str:
        """Made at first use, kept for the life of the folder and readable by its owner alone."""
        path = self.var / "secret_key"
        try:
            return path.read_text().strip()
        except FileNotFoundError:
            pass
        self.var.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=self.var, prefix=".secret_key.")  # mode 600
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(50))
        try:
            os.link(draft, path)  # only one of two first starts wins
        except FileExistsError:
            pass
        finally:
            os.unlink(draft)
        return path.read_text().strip()


def instance() -> Instance:
    """The one that `KB_VAR` names; a relative folder is relative to the checkout."""
    return Instance((ROOT / (os.environ.get("KB_VAR", "").strip() or "var")).resolve())

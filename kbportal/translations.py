"""Catalogs of translations: sources (.po) are in the repository, what Django reads (.mo) is made from them."""

from __future__ import annotations

import os
from pathlib import Path

import polib

from kbportal.embedded.paths import ROOT

LOCALE = ROOT / "locale"


def compile_catalogs(folder: Path = LOCALE) -> list[Path]:
    """Make every .mo that is absent or older than its .po; returns those made."""
    made = []
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        draft = target.with_suffix(f".{os.getpid()}")
        polib.pofile(str(source)).save_as_mofile(str(draft))
        draft.rename(target)
        made.append(target)
    return made

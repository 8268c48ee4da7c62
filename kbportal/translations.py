"""Catalogs of translations. Sources (.po) are in the repository; what Django reads (.mo) is made from them.

No gettext tools are needed: polib reads and writes, Babel finds the strings in Python, Django in templates.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import polib
from django.utils.translation.template import templatize

from kbportal.embedded.paths import ROOT

LOCALE = ROOT / "locale"
CATALOG = Path("pt_BR") / "LC_MESSAGES" / "django.po"
APPS = ("kbportal", "documents", "governance", "chat", "evaluation")
PLURAL_FORMS = "nplurals=2; plural=(n > 1);"
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[a-z]|\{\w*\}")
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop")),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}


@dataclass(frozen=True, order=True)
class Message:
    """What the code asks a translation for."""

    text: str
    plural: str = ""
    context: str | None = None

    @property
    def key(self) -> tuple[str, str | None]:
        return self.text, self.context


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


def messages_in_use() -> set[Message]:
    """Every string of the apps and templates that is marked for translation."""
    found: set[Message] = set()
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            if "migrations" not in path.parts:
                found.update(_extract(path.read_bytes()))
    for folder in (ROOT / "templates", *(ROOT / app / "templates" for app in APPS)):
        for path in folder.rglob("*.html"):
            source = templatize(path.read_text(), origin=str(path))
            flat = "\n".join(line.lstrip() for line in source.splitlines())  # HTML does not indent as Python does
            found.update(_extract(flat.encode()))
    return found


def _extract(source: bytes) -> Iterator[Message]:
    from babel.messages.extract import extract  # for development only

    for _line, text, _comments, context in extract("python", BytesIO(source), keywords=KEYWORDS):
        single, plural = text if isinstance(text, tuple) else (text, "")
        yield Message(single, plural, context)


def problems(catalog: polib.POFile, wanted: set[Message]) -> list[str]:
    """What keeps the catalog from saying everything that the code asks, in words; empty when it is whole."""
    held = {(entry.msgid, entry.msgctxt): entry for entry in catalog}
    found = [f"missing: {message.text!r}" for message in sorted(wanted, key=str) if message.key not in held]
    keys = {message.key for message in wanted}
    for key, entry in held.items():
        if key not in keys:
            found.append(f"no longer used: {entry.msgid!r}")
        elif not entry.translated() or entry.fuzzy:
            found.append(f"not translated: {entry.msgid!r}")
        else:
            found += [
                f"other placeholders: {entry.msgid!r} → {text!r}"
                for text in [entry.msgstr, *entry.msgstr_plural.values()]
                if text and not _placeholders(text) <= _placeholders(entry.msgid + entry.msgid_plural)
            ]
    return found


def _placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text.replace("%%", "")))


def bring_in_line(catalog: polib.POFile, wanted: set[Message]) -> polib.POFile:
    """The catalog of exactly these messages, sorted, with the translations that it has; new ones are empty."""
    held = {(entry.msgid, entry.msgctxt): entry for entry in catalog}
    fresh = polib.POFile(wrapwidth=0)
    fresh.metadata = {"Language": "pt_BR", "Content-Type": "text/plain; charset=UTF-8", "Plural-Forms": PLURAL_FORMS}
    for message in sorted(wanted, key=lambda one: (one.text.lower(), one.text, one.context or "")):
        old = held.get(message.key)
        plural = dict(old.msgstr_plural) if old and old.msgstr_plural else {0: "", 1: ""}
        fresh.append(
            polib.POEntry(
                msgid=message.text,
                msgctxt=message.context,
                msgid_plural=message.plural,
                msgstr=old.msgstr if old else "",
                msgstr_plural=plural if message.plural else {},
                flags=["python-format"] if "%" in message.text else [],
            )
        )
    return fresh

"""The text of an HTML, Markdown or text file from its bytes."""

from __future__ import annotations

import codecs
import re

from documents.extractors.text import repair_mojibake
from documents.rules.notices import About, Notice

_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]+)", re.I)


def decode(data: bytes) -> tuple[str, list[Notice]]:
    """The text of an HTML file and warnings. Valid UTF-8 beats the declaration, which is often a leftover."""
    for bom, encoding in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if data.startswith(bom):
            return data.decode(encoding, "replace").lstrip("\ufeff"), []
    declared = _declared(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        # Browsers read iso-8859-1 as windows-1252, and so do the people who saved the file.
        encoding = "cp1252" if declared in ("", "utf-8", "iso8859-1", "ascii") else declared
        try:
            return data.decode(encoding), []
        except UnicodeDecodeError:
            return data.decode(encoding, "replace"), [Notice(About.LOST_CHARACTERS)]
    if declared in ("", "utf-8", "ascii") or text.isascii():
        return repair_mojibake(text), []
    return repair_mojibake(text), [Notice(About.WRONG_ENCODING, (declared,))]


def _declared(data: bytes) -> str:
    head = data[:8192]
    match = _XML.search(head) or _META.search(head)
    if not match:
        return ""
    try:
        return codecs.lookup(match[1].decode("ascii", "replace")).name
    except LookupError:
        return ""

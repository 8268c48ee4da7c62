"""The normal form of extracted text: what a citation quotes, so nothing that a reader sees is changed."""

from __future__ import annotations

import re
import unicodedata

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_SPACES = "\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_BREAKS = "\r\u000b\u000c\u0085\u2028\u2029"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
    + "".join(map(chr, range(0x202A, 0x202F)))
    + "".join(map(chr, range(0x2066, 0x2070)))
    + "".join(map(chr, range(0xFFF9, 0xFFFC)))
    + "".join(map(chr, range(0xE0000, 0xE0080)))
)
# Symbol and Wingdings bullets arrive as private-use code points.
_BULLETS = "\uf0b7\uf0a7\uf0d8\uf0fc\uf0a8\uf076\uf06e\uf0e0\uf02d"

_TABLE: dict[int, str | None] = {
    **{ord(c): v for c, v in _LIGATURES.items()},
    **{ord(c): " " for c in _SPACES},
    **{ord(c): "\n" for c in _BREAKS},
    **{ord(c): None for c in _INVISIBLE},
    **{ord(c): "•" for c in _BULLETS},
    ord("\u2011"): "-",
    **{c: None for c in range(0x20) if chr(c) not in "\t\n\r\u000b\u000c"},
    **{c: None for c in range(0x7F, 0xA0) if c != 0x85},
    **dict.fromkeys(range(55296, 57344)),
}
_RUNS_OF_SPACE = re.compile(r" {2,}")
_BLANK_LINES = re.compile(r"\n(?: ?\n){2,}")
_MOJIBAKE = re.compile(r"[ÂÃ][\u0080-\u00bf]|â\u0080[\u0090-\u00bf]")


def whole(text: str) -> int:
    """A number that a file writes as text; 1 where it is none, or none that a page would show."""
    return int(text) if text.isdecimal() and len(text) < 10 else 1


def normalise(text: str) -> str:
    """NFC, ligatures expanded, invisible and control characters gone, every space plain, at most one blank line.

    Quotes, dashes, § and º stay as written. Lines are stripped; the whole text is stripped.
    """
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").translate(_TABLE))
    text = _RUNS_OF_SPACE.sub(" ", text)
    text = "\n".join(line.strip() for line in text.split("\n"))
    return _BLANK_LINES.sub("\n\n", text).strip()


def one_line(text: str) -> str:
    """The normal form of a heading, a cell or a paragraph: no line break inside."""
    return " ".join(normalise(text).split())


def repair_mojibake(text: str) -> str:
    """Undo UTF-8 read as Latin-1 ("Ã§Ã£o" -> "ção") where the text is full of it; otherwise return it as it came."""
    latin = text
    for wrong, right in (("\u20ac", "\u0080"), ("\u201c", "\u0093"), ("\u201d", "\u0094"), ("\u2013", "\u0096")):
        latin = latin.replace("â" + wrong, "â" + right) if "â" + wrong in latin else latin
    if len(_MOJIBAKE.findall(latin)) < 3:
        return text
    return _MOJIBAKE.sub(lambda m: m.group().encode("latin-1").decode("utf-8", "ignore") or m.group(), latin)

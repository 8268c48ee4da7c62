"""The asker's own name taken out of what is kept of a question: the one name that the portal knows to look for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from documents.rules.terms import fold

LABEL = "[NOME]"
_WORD = re.compile(r"[^\W\d_]+")
_AGAIN = re.compile(rf"{re.escape(LABEL)}(?:\s+(?:(?:d[aeo]s?|e)\s+)?{re.escape(LABEL)})+", re.IGNORECASE)
_SHORTEST = 3
_PARTICLES = frozenset({"das", "dos", "del", "van", "von", "junior", "filho", "neto"})


def without_names(text: str, names: Iterable[str]) -> str:
    """`text` with a label in the place of each word of `names`, whatever its case and accents.

    A name that is no plain words (a username such as "ana.ops") counts as a whole.
    """
    whole = [name for name in names if name]
    words = {fold(word) for name in whole if _is_words(name) for word in _WORD.findall(name)}
    words = {word for word in words if len(word) >= _SHORTEST and word not in _PARTICLES}
    text = unicodedata.normalize("NFC", text)
    for name in (name for name in whole if not _is_words(name)):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", LABEL, text, flags=re.IGNORECASE)
    text = _WORD.sub(lambda match: LABEL if fold(match[0]) in words else match[0], text)
    return _AGAIN.sub(LABEL, text)


def _is_words(name: str) -> bool:
    return not re.search(r"[^\w\s'’-]|[\d_]", name)

"""What reading a file tells its owner: a code with what it names. The sentence is made in the reader's language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

MOST_NAMED = 20


class About(StrEnum):
    SENTENCE = "sentence"  # words of an earlier release, in Portuguese
    EMPTY_PAGES = "empty_pages"
    LOST_CHARACTERS = "lost_characters"
    WRONG_ENCODING = "wrong_encoding"
    UNFILLED_FIELDS = "unfilled_fields"


@dataclass(frozen=True, slots=True)
class Notice:
    """`named` are pages, fields, an encoding, or the whole sentence; `more` counts those that were left out of it."""

    about: About
    named: tuple[str, ...] = ()
    more: int = 0

    def kept(self) -> str:
        """As a table and the JSON of an extraction keep it."""
        if self.about is About.SENTENCE:
            return self.named[0]
        return json.dumps([self.about, self.more, *self.named], ensure_ascii=False)


def naming(about: About, names: Iterable[str]) -> Notice:
    """At most `MOST_NAMED` of the names, and how many there are beside them."""
    held = tuple(names)
    return Notice(about, held[:MOST_NAMED], max(0, len(held) - MOST_NAMED))


def notice_of(kept: str) -> Notice:
    """Reads `Notice.kept`, and the sentences that earlier releases kept in its place."""
    if kept.startswith('["'):
        about, more, *named = json.loads(kept)
        return Notice(About(about), tuple(named), more)
    for pattern, about in _SENTENCES.items():
        if match := re.fullmatch(pattern, kept):
            listed = match["named"].split(", ") if "named" in match.groupdict() else []
            return Notice(about, tuple(listed), int(match.groupdict().get("more") or 0))
    return Notice(About.SENTENCE, (kept,))


_SENTENCES = {
    r"Páginas sem texto \(em branco ou digitalizadas\): (?P<named>[\d, ]+)\.": About.EMPTY_PAGES,
    r"Alguns caracteres do arquivo não puderam ser lidos\.": About.LOST_CHARACTERS,
    r"O arquivo declara a codificação (?P<named>\S+), mas está em UTF-8; foi lido como UTF-8\.": About.WRONG_ENCODING,
    r"O texto tem campos de modelo não preenchidos: (?P<named>.+?)(?: e mais (?P<more>\d+))?\.": About.UNFILLED_FIELDS,
}

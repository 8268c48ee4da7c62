"""Names of sections in links: unique inside a revision, ASCII, and the same after the next edition of the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from documents.rules.legal import ANNEX, ARTICLE, section_number

START = "inicio"
_MAX_SLUG = 60


def slug(text: str) -> str:
    """Lower-case ASCII words joined by hyphens, cut at a word near 60 characters; "" when nothing is left."""
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain)
    out = ""
    for word in words:
        if out and len(out) + 1 + len(word) > _MAX_SLUG:
            break
        out = f"{out}-{word}" if out else word[:_MAX_SLUG]
    return out


def base_anchor(heading: str) -> str:
    """`secao-4-2` for "4.2 …", `art-5` for "Art. 5º", `anexo-a` for "ANEXO A – …", else the slug of the heading."""
    if article := ARTICLE.match(heading):
        letter = f"-{article['letter'].lower()}" if article["letter"] else ""
        return f"art-{article['number'].replace('.', '')}{letter}"
    if annex := ANNEX.match(heading):
        return f"{slug(annex['word'])}-{annex['number'].lower()}"
    if number := section_number(heading):
        return "secao-" + "-".join(number)
    return slug(heading) or "secao"


def anchors(headings: Sequence[str]) -> list[str]:
    """One anchor per heading, in order. The first of a name keeps it; later ones get the next free `-2`, `-3`…"""
    bases = [base_anchor(heading) for heading in headings]
    taken = {START}
    result: list[str | None] = []
    for base in bases:
        result.append(None if base in taken else base)
        taken.add(base)
    for index, base in enumerate(bases):
        if result[index] is None:
            suffix = 2
            while f"{base}-{suffix}" in taken:
                suffix += 1
            result[index] = f"{base}-{suffix}"
            taken.add(f"{base}-{suffix}")
    return [anchor or "" for anchor in result]

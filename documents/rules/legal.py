"""How Portuguese documents number their parts: patterns shared by every format."""

from __future__ import annotations

import re

ROMAN = r"(?=[IVXLCDM])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_DASH = r"[-–—]"

ARTICLE = re.compile(rf"art(?:igo\b|\.)\s*(?P<number>\d+(?:\.\d{{3}})*)\s*[º°ª]?(?:{_DASH}(?P<letter>[A-Z])\b)?", re.I)
ANNEX = re.compile(r"(?P<word>anexo|ap[eê]ndice)\s+(?:n[º°]\s*)?(?P<number>[IVXLC]+|[A-Z]|\d+)\b(?!['’])", re.I)
_NUMBER = re.compile(
    r"(?:se[cç][aã]o\s+|item\s+|cl[aá]usula\s+)?(?P<n>\d{1,3}(?:\.\d{1,2})*)(?P<after>.*)", re.I | re.S
)

# A keyword that opens a division of a legal text, and its rank: the lower, the further out.
DIVISION = re.compile(
    rf"(?:(?P<k1>livro|parte|t[ií]tulo)|(?P<k2>cap[ií]tulo)|(?P<k3>se[cç][aã]o)|(?P<k4>subse[cç][aã]o))"
    rf"\s+(?:{ROMAN}|\d+|[UÚ]NIC[AO])\b(?P<rest>.*)",
    re.I | re.S,
)
APPENDIX = re.compile(r"(?:anexos?|ap[eê]ndices?)\b", re.I)

BULLET = re.compile(r"(?:[•●○◦▪■□▸►➢➤✓✔·∙‣⁃*]|[-–—](?=\s))\s*")
ITEM = re.compile(
    rf"(?:{BULLET.pattern}"
    r"|\(?(?:[a-z]{1,2}|[ivx]{1,5})\)\s*"  # alínea: a) aa) (b) iii)
    rf"|{ROMAN}\s*(?:{_DASH}|\.|\))\s+"  # inciso: IV –
    r"|\(?\d{1,3}\)\s*"  # 1)
    r"|\d{1,2}\.(?=\s)\s*"  # 1.
    r"|[a-z]\.(?=\s)\s*"
    r")"
)
LEGAL = re.compile(rf"(?:art(?:igo\b|\.)\s*\d|§|par[aá]grafo [uú]nico|{ROMAN}\s*{_DASH}\s|[a-z]\)\s)", re.I)


def section_number(heading: str) -> tuple[str, ...] | None:
    """("4", "2") for "4.2 Prazos", "4.2. Prazos", "4.2 – Prazos" or "Seção 4.2"; None for "10 passos" or "2026"."""
    match = _NUMBER.match(heading.strip())
    if not match:
        return None
    number, after = match["n"], match["after"]
    parts = tuple(str(int(part)) for part in number.split("."))
    explicit = len(parts) > 1 or not heading.strip()[0].isdigit()
    if re.match(r"\s*(?:[.)º°:]|[-–—]\s)\s*(?:\D|$)", after) or not after.strip():
        return parts
    if re.match(r"\s+\S", after):
        first = after.strip().lstrip("“\"'‘(")[:1]
        if first.isupper() or (explicit and first.isalpha()):
            return parts
    return None


def depth(heading: str) -> int:
    """How many numbers lead the heading: 0 for none, 2 for "4.2 …"."""
    number = section_number(heading)
    return len(number) if number else 0


def division_rank(text: str) -> int:
    """1 for LIVRO/TÍTULO, 2 CAPÍTULO, 3 SEÇÃO, 4 SUBSEÇÃO, 0 for anything else."""
    match = DIVISION.match(text)
    if not match:
        return 0
    return next(rank for rank in (1, 2, 3, 4) if match[f"k{rank}"])


def is_item(text: str) -> bool:
    """A line that opens a list item: bullet, number, alínea or inciso."""
    match = ITEM.match(text)
    return match is not None and match.end() < len(text)

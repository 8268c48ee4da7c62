"""Numbers as Portuguese writes them, in digits and in words, each with its unit: 1.000,00 = 1000 = mil."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from chat.rules.verify.units import CURRENCIES, CURRENCY, PER, UNITS

_TO_NINETEEN = (
    "zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito"
    " dezenove"
)
_TENS = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"
_HUNDREDS = "duzent trezent quatrocent quinhent seiscent setecent oitocent novecent"
_SMALL = {
    **{word: value for value, word in enumerate(_TO_NINETEEN.split())},
    **{word: 10 * value for value, word in enumerate(_TENS.split(), 2)},
    **{f"{stem}{end}": 100 * value for value, stem in enumerate(_HUNDREDS.split(), 2) for end in ("os", "as")},
    "uma": 1,
    "duas": 2,
    "tres": 3,
    "catorze": 14,
    "cem": 100,
    "cento": 100,
}
_SCALES = {"mil": 1000} | {
    f"{stem}lh{end}": 10**power for stem, power in (("mi", 6), ("bi", 9)) for end in ("ão", "ões", "ao", "oes")
}
_WORD = "|".join(sorted((*_SMALL, *_SCALES), key=len, reverse=True))
WORD_NUMBER = rf"(?:{_WORD})(?:(?:\s+e)?\s+(?:{_WORD}))*"

_DIGITS = r"\d+(?:[.,]\d+)*"
_NUMBER = re.compile(
    rf"(?P<currency>{CURRENCY}\s*)?(?:(?P<digits>(?<![\w/-])(?:(?<![^\s(])-)?{_DIGITS})(?P<half>½)?"
    rf"(?:\s+(?P<scale>mil|milh[ãa]o|milh[õo]es|bilh[ãa]o|bilh[õo]es)\b)?"
    rf"|(?<!\bpor\s)\b(?P<words>{WORD_NUMBER}|meia(?=\s+(?:hora|di[áa]ria)))\b)",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    rf"\s*\(\s*(?:{CURRENCY}\s*)?(?:{WORD_NUMBER}|{_DIGITS})(?:\s+(?:reais|por\s+cento))?\s*\)", re.IGNORECASE
)
_FIRST = re.compile(r"\bprimeir[oa]\b", re.IGNORECASE)
_LINK = re.compile(r"\s*(?:a|e|ou|até|-|/|,)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Number:
    """`value` with its canonical `unit` ("" when it has none that is known) and, after "por", what it is `per`."""

    value: Decimal
    unit: str
    per: str
    start: int
    end: int


def parse_digits(text: str) -> Decimal:
    """`1.000,00` → 1000, `1.000` → 1000, `1,5` → 1.5, `3.2` → 3.2, `1,000.00` → 1000."""
    sign, body = (-1, text[1:]) if text.startswith("-") else (1, text)
    if "," in body and body.rfind(".") > body.rfind(","):
        body = body.replace(",", "")
    elif "," in body:
        whole, _, part = body.replace(".", "").rpartition(",")
        body = f"{whole.replace(',', '')}.{part}"
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3})+", body):
        body = body.replace(".", "")
    elif body.count(".") > 1:
        body = body.replace(".", "", body.count(".") - 1)
    return sign * Decimal(body)


def parse_words(words: str) -> list[Decimal]:
    """The numbers that a run of number words says: `vinte e cinco` → [25], `dois e três` → [2, 3]."""
    numbers: list[Decimal] = []
    total, group, room = 0, 0, 1000

    def close() -> None:
        nonlocal total, group, room
        numbers.append(Decimal(total + group))
        total, group, room = 0, 0, 1000

    begun = False
    for word in words.lower().split():
        if word == "e":
            continue
        if word in _SCALES:
            scale = _SCALES[word]
            if begun and total and scale >= 1000 and total < scale:
                close()
            total, group, room = total + (group or 1) * scale, 0, 1000
        else:
            value = _SMALL[word]
            if begun and value >= room:
                close()
            group += value
            # After a hundred only tens and units may follow, after tens only units, after a unit nothing.
            room = 100 if value >= 100 else 10 if value >= 20 else 0
        begun = True
    if begun:
        close()
    return numbers


def find_numbers(text: str) -> Iterator[Number]:
    """Every number of a normalised text. `um` and `uma` count only before a unit, else they are articles."""
    found = [_read(match, text) for match in _NUMBER.finditer(text)]
    numbers = [number for group in found for number in group]
    numbers += [Number(Decimal(1), "ordinal", "", *match.span()) for match in _FIRST.finditer(text)]
    numbers.sort(key=lambda number: (number.start, number.end))
    for index in range(len(numbers) - 2, -1, -1):  # "de 4 a 6 horas": the first takes the unit of the second
        here, after = numbers[index], numbers[index + 1]
        if not here.unit and after.unit not in ("", "ordinal") and _LINK.fullmatch(text, here.end, after.start):
            numbers[index] = Number(here.value, after.unit, after.per, here.start, here.end)
        elif here.unit in CURRENCIES.values() and not after.unit and _LINK.fullmatch(text, here.end, after.start):
            numbers[index] = Number(here.value, here.unit, here.per or after.per, here.start, here.end)
            numbers[index + 1] = Number(after.value, here.unit, after.per, after.start, after.end)
    yield from numbers


def _read(match: re.Match[str], text: str) -> list[Number]:
    if match["digits"]:
        values = [parse_digits(match["digits"]) + (Decimal("0.5") if match["half"] else 0)]
        if match["scale"]:
            values[-1] *= _SCALES[match["scale"].lower()]
    elif match["words"].lower() == "meia":
        values = [Decimal("0.5")]
    else:
        values = parse_words(match["words"])
    prefix = CURRENCIES.get((match["currency"] or "").strip().upper(), "")
    unit, end = _unit(text, match.end())
    if prefix:
        unit, end = prefix, end if unit in CURRENCIES.values() else match.end()
    if not unit and (match["words"] or "").lower() in ("um", "uma") and not _in_aside(text, match):
        return []
    per = PER.match(text, end) if unit not in ("ordinal",) else None
    measure, end = (per[1].lower(), per.end()) if per else ("", end)
    return [Number(value.normalize(), unit, measure, match.start(), end) for value in values]


def _unit(text: str, at: int) -> tuple[str, int]:
    aside = _ASIDE.match(text, at)
    if text[at : at + 1] == ")":  # the number in words inside its parenthesis: "4 (quatro) dias"
        at += 1
    start = aside.end() if aside else at
    for unit, pattern in UNITS:
        if found := pattern.match(text, start):
            return unit, found.end() if not aside else at
    return "", at if text[at - 1 : at] != ")" else at - 1


def _in_aside(text: str, match: re.Match[str]) -> bool:
    return text[match.start() - 1 : match.start()] == "(" and text[match.end() : match.end() + 1] == ")"

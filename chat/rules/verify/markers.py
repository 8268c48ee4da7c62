"""The small words that turn a rule round: negation, modality, exception, condition and bound."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Mark(StrEnum):
    NEGATION = "negation"
    PROHIBITION = "prohibition"
    OBLIGATION = "obligation"
    PERMISSION = "permission"
    RECOMMENDATION = "recommendation"
    OPTION = "option"
    EXCEPTION = "exception"
    ONLY = "only"
    CONDITION = "condition"
    APPROXIMATE = "approximate"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    LESS = "less"
    MORE = "more"
    BEFORE = "before"
    AFTER = "after"
    COUNTED_FROM = "counted_from"


POLAR = frozenset({Mark.NEGATION, Mark.PROHIBITION})
MODAL = frozenset({Mark.OBLIGATION, Mark.PERMISSION, Mark.RECOMMENDATION, Mark.OPTION})
RESTRICTIVE = frozenset({Mark.EXCEPTION, Mark.ONLY, Mark.CONDITION})
BOUNDS = frozenset(
    {Mark.AT_MOST, Mark.AT_LEAST, Mark.LESS, Mark.MORE, Mark.BEFORE, Mark.AFTER, Mark.COUNTED_FROM, Mark.APPROXIMATE}
)

_NOT = r"\b(?:n[ãa]o|nunca|jamais|nem)\b(?!-)"
_BE = r"(?:\s+(?:é|e|são|sao|será|serão|sera|fica|ficam|está|estão|se|lhe|lhes|mais|seja|sejam|foi|era))*"
_SHALL_NOT_BE = rf"{_NOT}\s+(?:(?:pode|deve)(?:m|rá|rão)?\s+)?(?:ser\s+)?"
_AMOUNT_NEXT = (
    r"(?=\s+(?:R\$|US\$|€|\d|um|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|vinte|trinta|cem|mil|\x00))"
)
_REQUIRED = r"(?:obrigat[óo]ri\w+|necess[áa]ri\w+|precisa(?:m)?|exige(?:m|-se)?|exigid\w+|obrigad\w+|mandat[óo]ri\w+)"

# Read from top to bottom; what one pattern has taken no later one sees. So "não é permitido" is one prohibition.
_FORMS: tuple[tuple[Mark, str], ...] = (
    (
        Mark.AT_MOST,
        _SHALL_NOT_BE + r"(?:superior(?:es)?\s+a|exce[ds]\w+|ultrapass\w+|acima\s+de|maior(?:es)?\s+que|passar\s+de)",
    ),
    (Mark.AT_MOST, r"\bsem\s+(?:exceder|ultrapassar)"),
    (Mark.AT_LEAST, _SHALL_NOT_BE + r"(?:inferior(?:es)?\s+a|abaixo\s+de|menor(?:es)?\s+que|menos\s+de)"),
    (Mark.OPTION, rf"{_NOT}{_BE}\s+{_REQUIRED}"),
    (Mark.PERMISSION, rf"{_NOT}{_BE}\s+(?:vedad[oa]s?|proibid[oa]s?)"),
    (
        Mark.PROHIBITION,
        rf"{_NOT}{_BE}\s+(?:(?:pode|deve)(?:m|rá|rão|ria|riam)?|permit\w+|autorizad\w+|admitid\w+|admite(?:m|-se)?"
        r"|posso|podemos|facultad\w+)\b",
    ),
    (
        Mark.PROHIBITION,
        r"\b(?:vedad[oa]s?|veda(?:m|-se)?|proibid[oa]s?|pro[íi]be(?:m|-se)?|proibi[çc](?:ão|ao|ões)|veda[çc](?:ão|ões)"
        r"|impedid[oa]s?|inadmiss[íi]ve(?:l|is))\b",
    ),
    (
        Mark.OPTION,
        r"\b(?:facultativ[oa]s?|opciona(?:l|is)|dispensad[oa]s?|dispensa(?:m|-se)?|desobrigad[oa]s?|desnecess[áa]ri[oa]s?)\b",
    ),
    (
        Mark.CONDITION,
        r"\b(?:desde\s+que|contanto\s+que|a\s+menos\s+que|a\s+n[ãa]o\s+ser\s+que|n[oa]s?\s+casos?\s+(?:de|em|d[oa]s?)"
        r"|em\s+casos?\s+d(?:e|as?|os?)|quando|mediante|sob\s+(?:a\s+)?condi[çc]ão|condicionad[oa]s?|enquanto)\b",
    ),
    # "se" and "caso" where a clause begins; elsewhere they are a pronoun ("aplica-se") and a noun.
    (
        Mark.CONDITION,
        r"(?:^|(?<=[,;:.(]\s)|(?<=\be\s)|(?<=\bou\s)|(?<=\bmesmo\s)|(?<=\bsomente\s)|(?<=\bapenas\s))(?:se|caso)\b(?!-)(?!\s+(?:aplica|fortuito))",
    ),
    (
        Mark.CONDITION,
        r"\b(?:se\s+(?:houver|for|forem|o|a|os|as|não)|caso\s+(?:o|a|os|as|não|haja|seja|ocorra|exista))\b",
    ),
    (
        Mark.EXCEPTION,
        r"\b(?:exceto|exce[çc](?:ão|ao|ões)|excetuad\w+|excetuam-se|exclu[íi]d[oa]s?(?=\s+[oa]s?\s)|salvo|ressalvad\w+|ressalva"
        r"|a\s+n[ãa]o\s+ser|afora)\b",
    ),
    (Mark.ONLY, r"\b(?:somente|apenas|só|unicamente|exclusivamente|exclusiv[oa]s?|restrit[oa]s?\s+a)\b"),
    (Mark.AT_MOST, r"\b(?:em\s+até|até|no\s+máximo|máxim[oa]s?|teto|limitad[oa]s?\s+a|dentro\s+de)\b"),
    (Mark.AT_LEAST, r"\b(?:no\s+mínimo|mínim[oa]s?|pelo\s+menos|ao\s+menos|a\s+partir|desde)\b"),
    (
        Mark.MORE,
        rf"\b(?:mais\s+(?:de|que|do\s+que){_AMOUNT_NEXT}|acima\s+d[eoa]s?|superior(?:es)?\s+a|maior(?:es)?\s+(?:de|que)"
        r"|exced\w+|ultrapass\w+)",
    ),
    (
        Mark.LESS,
        r"\b(?:menos\s+(?:de|que|do\s+que)|abaixo\s+d[eoa]s?|inferior(?:es)?\s+a|menor(?:es)?\s+(?:de|que))\b",
    ),
    (Mark.COUNTED_FROM, r"\b(?:contad[oa]s?|contar|contando-se)\b(?=\s+(?:a\s+partir\s+)?d|\s+\x00)"),
    (Mark.BEFORE, r"\b(?:antes|anterior(?:es|mente)?|previamente)\b"),
    (Mark.AFTER, r"\b(?:depois|após|posterior(?:es|mente)?)\b"),
    (Mark.APPROXIMATE, r"\b(?:cerca\s+de|aproximadamente|em\s+torno\s+de|por\s+volta\s+de|em\s+média)\b"),
    (
        Mark.RECOMMENDATION,
        r"\b(?:recomend\w+|suger\w+|aconselh\w+|preferencialmente|de\s+preferência|prefer[íi]ve(?:l|is)|deveria(?:m)?|convém)\b",
    ),
    (
        Mark.OBLIGATION,
        r"\b(?:deve(?:m|rá|rão|mos)?|devendo|obrigat[óo]ri\w+|obrigad[oa]s?|obriga(?:m)?|obriga[çc](?:ão|ões)"
        r"|necess[áa]ri[oa]s?|t[eê]m\s+(?:de|que)|ter[áã]o?\s+(?:de|que)|precisa(?:m|rá|rão)?|exige(?:m|-se)?|exigid\w+"
        r"|exigência|imprescind[íi]ve(?:l|is)|indispensáve(?:l|is))\b",
    ),
    (
        Mark.PERMISSION,
        r"\b(?:pode(?:m|rá|rão|mos|ria|riam)?|podendo|permitid[oa]s?|permite(?:m|-se)?|facultad[oa]s?"
        r"|(?:é|são|está|estão|fica|ficam)\s+autorizad[oa]s?|possível|permissão)\b",
    ),
    (
        Mark.NEGATION,
        r"\b(?:n[ãa]o|nunca|jamais|nem|sem|nenhum(?:a|as|ns)?|nada|ninguém|tampouco|sequer|deixa(?:r|m|rá|rão)?\s+de)\b(?!-)",
    ),
)
_PATTERNS = tuple((mark, re.compile(form, re.IGNORECASE)) for mark, form in _FORMS)
# Said of what stands before them as much as of what follows: "o capacete é obrigatório".
_ADJECTIVES = MODAL | {Mark.PROHIBITION}
_BOTH_SIDES = re.compile(r"(?:[oa]s?|ve(?:l|is)|ão|ões|opciona(?:l|is))$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker in a text. `both_sides`: its scope may lie before it as well as after it."""

    mark: Mark
    start: int
    end: int
    both_sides: bool


def find_markers(text: str) -> Iterator[Marker]:
    """Every marker of a normalised text, in order."""
    taken: list[Marker] = []
    rest = text
    for mark, pattern in _PATTERNS:
        for match in pattern.finditer(rest):
            adjective = mark in _ADJECTIVES and len(match[0].split()[-1]) > 4 and bool(_BOTH_SIDES.search(match[0]))
            taken.append(Marker(mark, match.start(), match.end(), adjective))
        rest = pattern.sub(lambda match: "\x00" * len(match[0]), rest)
    yield from sorted(taken, key=lambda marker: marker.start)

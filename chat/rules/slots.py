"""Putting a fragment where it belongs in an earlier Portuguese question, and naming what that question was about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chat.rules.ellipsis import FAMILIES, PREPOSITIONS, article_of, is_finite

_TOKEN = re.compile(r"[^\s?!,;:()]+")
_CODE = re.compile(r"[A-ZÀ-Ý]{2,}[\w/-]*|[A-ZÀ-Ý]|\w*\d[\w.,/-]*")
_PROPER = re.compile(r"[A-ZÀ-Ý][a-zà-ÿ]+")
_CONTRACTED = {"o": "do", "a": "da", "os": "dos", "as": "das"}
_LAST_NOUN = re.compile(r"\s(?P<noun>(?:o|a|os|as|um|uma)\s+[^\W\d_]+)$", re.IGNORECASE)
# A bare quality keeps the noun that it is said of.
_ADJECTIVES = frozenset(
    (
        "maior",
        "menor",
        "internacional",
        "nacional",
        "integral",
        "parcial",
        "leve",
        "média",
        "grave",
        "crítica",
        "urgente",
    )
)
_INFINITIVE = re.compile(r"[^\W\d_]{2,}[aei]r$")
_ASKING = re.compile(
    r"^(?:(?:oi|olá|bom\s+dia|boa\s+tarde|por\s+favor|então|e)[,!]?\s+)*"
    r"(?:(?:gostaria|queria|quero|preciso)\s+(?:de\s+)?saber\s+|me\s+(?:diz|diga|fala|explica)\s+|sabe\s+(?:me\s+dizer\s+)?)?"
    r"(?:(?:de|para|com|em|por|até|a)\s+)?"
    r"(?:qual|quais|quant[oa]s?|como|quando|onde|quem|o\s+que|por\s*que|que|posso|podemos|pode|podem|tem|têm|existe|existem|há"
    r"|preciso|precisa|devo|deve|é|são)\b\s*(?:(?:é|são|era|eram|que|a\s+gente|eu|funciona|faço\s+para|faz\s+para|para)\s+)*",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"^(?:(?:o|a|os|as|um|uma)\s+)?(?:(?:prazo|limite|valor|preço|custo|regra|política|procedimento|processo|percentual|tempo|dias"
    r"|quantidade|número|teto|multa|responsável|horário|documentos?|formulário)\s+(?:máxim[oa]s?\s+|mínim[oa]s?\s+)?)"
    r"(?:de|do|da|dos|das|para|pra)\s+(?:(?:o|a|os|as)\s+)?(?=\S)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Place:
    """A prepositional phrase of a question: `base[start:end]`, its preposition, and where its noun begins."""

    preposition: str
    start: int
    noun: int
    end: int


def place(base: str, preposition: str, noun: str) -> str:
    """`base` with the fragment in the place of what it is parallel to, else at its end."""
    body = base.rstrip(" ?!.")
    told = _same_shape(body, noun) or (_with_phrase(body, preposition, noun) if preposition else _with_noun(body, noun))
    return f"{told}?"


def _with_phrase(body: str, preposition: str, noun: str) -> str:
    places = list(_places(body))
    family = next(family for family in FAMILIES if preposition in family)
    same = [found for found in places if found.preposition in family]
    shared = [found for found in places if _head(body[found.noun : found.end]) == _head(article_of(noun)[1])]
    # "do analista" names someone, "de reembolso" says what kind: only the former gives way to "para diretor".
    named = [found for found in places if found.preposition in _CONTRACTED.values() and found.end == len(body)]
    if target := (same or shared or named)[-1:]:
        return f"{body[: target[0].start]}{preposition} {noun}{body[target[0].end :]}"
    return f"{body} {preposition} {noun}"


def _with_noun(body: str, noun: str) -> str:
    article, bare = article_of(noun)
    if bare.lower() in _ADJECTIVES:
        return f"{body} ({bare})"
    of = [found for found in _places(body) if found.preposition in FAMILIES[2]]
    if of:
        joined = f"{_CONTRACTED.get(article, of[-1].preposition)} {bare}"
        return f"{body[: of[-1].start]}{joined}{body[of[-1].end :]}"
    if span := _object(body):
        return f"{body[: span[0]]}{noun}{body[span[1] :]}"
    return f"{body} ({noun})"


def topic(base: str) -> str:
    """What a question is about: without its asking and without the quantity asked ("o prazo de")."""
    body = _ASKING.sub("", base.strip().rstrip(" ?!."), count=1)
    body = _HEAD.sub("", body, count=1) or body
    return re.sub(r"^(?:de|com|em|para|por)\s+", "", body.strip(), flags=re.IGNORECASE)


def _places(body: str) -> Iterator[_Place]:
    tokens = list(_TOKEN.finditer(body))
    heads = [i for i, token in enumerate(tokens) if token[0].lower() in PREPOSITIONS and 0 < i < len(tokens) - 1]
    for at, index in enumerate(heads):
        word = tokens[index][0].lower()
        later = [i for i in heads[at + 1 :] if word in FAMILIES[2] or tokens[i][0].lower() not in FAMILIES[2]]
        verbs = [i for i in range(index + 1, len(tokens)) if is_finite(tokens[i][0])]
        stop = min([*later[:1], *verbs[:1], len(tokens)])
        comma = re.search(r"[,;:(?!]", body[tokens[index].end() : tokens[stop - 1].end()])
        end = tokens[index].end() + comma.start() if comma else tokens[stop - 1].end()
        if end > tokens[index + 1].start():
            yield _Place(word, tokens[index].start(), tokens[index + 1].start(), end)


def _same_shape(body: str, noun: str) -> str | None:
    """A code for a code, a name for a name, a number for a number: "CD-RJ" takes the place of "CD-SP"."""
    for shape in (_CODE, _PROPER):
        new = [token[0] for token in _TOKEN.finditer(noun) if shape.fullmatch(token[0])]
        old = [token for token in _TOKEN.finditer(body) if shape.fullmatch(token[0]) and token.start() > 0]
        old = [token for token in old if _kind(token[0]) == _kind(new[-1])] if new else []
        if new and old:
            return f"{body[: old[-1].start()]}{new[-1]}{body[old[-1].end() :]}"
    return None


def _kind(token: str) -> str:
    return "number" if token[0].isdigit() else "word" if token[1:].islower() else "code"


def _head(noun: str) -> str:
    """The first word of a noun phrase, without its article."""
    return article_of(noun)[1].split(" ")[0].lower()


def _object(body: str) -> tuple[int, int] | None:
    """What the verb takes: "posso levar | cachorro | para o escritório", "em quanto tempo troca | a botina"."""
    last = _LAST_NOUN.search(body)
    if last and body[: last.start()].rsplit(" ", maxsplit=1)[-1].lower() not in PREPOSITIONS:
        return last.span("noun")
    tokens = list(_TOKEN.finditer(body))
    verbs = [i for i, token in enumerate(tokens) if _INFINITIVE.fullmatch(token[0])]
    if not verbs or verbs[0] + 1 >= len(tokens):
        return None
    first = verbs[0] + 1
    stop = next((i for i in range(first, len(tokens)) if tokens[i][0].lower() in PREPOSITIONS), len(tokens))
    return (tokens[first].start(), tokens[stop - 1].end()) if stop > first else None

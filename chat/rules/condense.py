"""A follow-up question made to stand alone, from the conversation: deterministic, Portuguese first, English too.

"Qual o prazo de garantia do produto X?" + "E para o Y?" → "Qual o prazo de garantia do produto Y?". A question that
stands by itself comes back verbatim; no context is ever invented, only words of earlier questions are used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chat.rules.ellipsis import Lean, anaphora, lean
from chat.rules.english import condense_english, is_english
from chat.rules.slots import place, topic
from chat.rules.types import Turn

# Earlier messages that count, and how long a question they may grow into.
MAX_TURNS = 6
MAX_CHARS = 400

_OF = re.compile(r"\bd(?:isso|isto|aquilo|ele|eles|ela|elas|esse|essa|este|esta)$", re.IGNORECASE)
_IN = re.compile(r"\b(?:n(?:isso|isto|ele|eles|ela|elas|esse|essa|este|esta)|lá|ali)$", re.IGNORECASE)
_BARE = re.compile(r"\b(?:isso|isto|aquilo)$", re.IGNORECASE)


def condense(question: str, history: Sequence[Turn]) -> str:
    """`question` as it would be asked without the conversation. Only the last `MAX_TURNS` turns are read."""
    asked = [turn.text.strip() for turn in history[-MAX_TURNS:] if turn.role == "user" and turn.text.strip()]
    base = ""
    for earlier in asked:
        base = _alone(earlier, base)
    return _alone(question, base)


def _alone(question: str, base: str) -> str:
    if not base:
        return question
    if is_english(question, base):
        return condense_english(question, base)
    fragment = lean(question)
    match fragment.lean:
        case Lean.NONE:
            return question
        case Lean.PLACE:
            told = place(base, fragment.preposition, fragment.noun)
        case Lean.CASE:
            told = f"{base.rstrip(' ?!.')} {fragment.text}?"
        case Lean.SUBJECT:
            told = _with_subject(fragment.text, topic(base))
    return told if len(told) <= MAX_CHARS else question


def _with_subject(text: str, about: str) -> str:
    """The subject in the place of the word that points to it, else in parentheses."""
    if not about:
        return f"{text}?"
    told = f"{text} ({about})"
    if (match := anaphora(text)) and match.end() == len(text):
        pointers = ((_OF, "de "), (_IN, "em "), (_BARE, ""))
        found = ((pattern.search(text), preposition) for pattern, preposition in pointers)
        pointer, preposition = next(((hit, word) for hit, word in found if hit), (None, ""))
        if pointer:
            told = f"{text[: pointer.start()]}{_joined(preposition, about)}"
    return f"{told[:1].upper()}{told[1:]}?"


def _joined(preposition: str, about: str) -> str:
    """`de` + `o banco de horas` → `do banco de horas`."""
    article, _, rest = about.partition(" ")
    if preposition and article.lower() in ("o", "a", "os", "as") and rest:
        return f"{'d' if preposition == 'de ' else 'n'}{article.lower()} {rest}"
    return f"{preposition}{about}"

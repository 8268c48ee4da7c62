"""English follow-ups: a pronoun or a fragment takes up the subject of the question before."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_ENGLISH_WORDS = """
the is are was were what how why who which where when do does did can could should would will have has it its this that
these those they them their he she his her of for and to in on with about my your i you we be not if any there from
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_PORTUGUESE_WORDS = "o os as de do da dos das que qual quais quanto como em no na para por com um uma é são não se e eu"
_PORTUGUESE = frozenset(_PORTUGUESE_WORDS.split())
# Always point back; "this" and "that" do only in a question that says little else (they also open clauses).
_PRONOUNS = frozenset(("it", "its", "they", "them", "their", "theirs", "he", "him", "she", "hers"))
_DEMONSTRATIVES = frozenset(("this", "that", "these", "those", "so", "there", "same"))
_JUDGED = "true|possible|safe|better|necessary|required|legal|hard|easy|ok|okay|worth|common|normal"
_EXPLETIVE = re.compile(
    rf"\b(?:is|was|will|would)\s+it\s+(?:{_JUDGED})\b|\bit\s+(?:is|takes?|costs?|means?)\b.*\bto\b|\bdoes\s+it\s+take\b"
    r"|\b(?:is|are|was|were)\s+there\b|\bthere\s+(?:is|are|was|were)\b",
    re.IGNORECASE,
)
_ASKING_WORDS = """
what how why who whom whose which where when is are was were do does did can could should would will shall may might
must have has had be been am i you we me us my our your please tell explain give more about know want need like also
so then ok okay much many long there some any the a an and or but if not no yes for of to in on at by with from as
than into it its they them their this that these those he she his her him mean means happen happens definition
clarify difference differences between same one ones theirs hers
"""
_ASKING = frozenset(_ASKING_WORDS.split())
_ABOUT = re.compile(r"^(?:(?:and\s+|but\s+|so\s+)?(?:what|how)\s+about|and|but)\s+\S", re.IGNORECASE)
# A question may lean on the one before when it says this little by itself.
_FEW, _FEW_WITH_DEMONSTRATIVE = 1, 2
_ANTECEDENT = 2
_LONGEST_TOPIC = 8


def is_english(question: str, base: str) -> bool:
    """Whether the conversation is English: by function words, and Portuguese where that is undecided."""
    words = [word.lower() for word in _WORD.findall(f"{question} {base}")]
    english, portuguese = (sum(word in known for word in words) for known in (_ENGLISH, _PORTUGUESE))
    return english > portuguese


def condense_english(question: str, base: str) -> str:
    text = question.strip().rstrip(" ?!.")
    words = [word.lower() for word in _WORD.findall(text)]
    own = [word for word in words if word not in _ASKING]
    about = _topic(base, set(own))
    return f"{text} ({about})?" if about and _leans(text, own) else question


def _leans(text: str, own: list[str]) -> bool:
    if len(own) <= _FEW or _ABOUT.match(text):
        return True
    few = len(own) <= _FEW_WITH_DEMONSTRATIVE
    before = 0  # a pronoun after two content words points to them, inside the question
    for word in (match.lower() for match in _WORD.findall(_EXPLETIVE.sub(" ", text))):
        if before < _ANTECEDENT and (word in _PRONOUNS or (few and word in _DEMONSTRATIVES)):
            return True
        before += word not in _ASKING
    return False


def _topic(base: str, said: set[str]) -> str:
    words = [word for word in _WORD.findall(base) if word.lower() not in _ASKING and word.lower() not in said]
    return " ".join(words[:_LONGEST_TOPIC])

"""The date that a question asks about, when it asks about a rule as it stood (or will stand) on another day.

A date is taken only where the question speaks of the rule in force: a past tense of it ("qual era"), "vigente em", a
rule "de 2023", or a past period asked about with "em". Dates that belong to the case itself ("pedido feito em 10/03",
"férias de dezembro", "Lei 13.709/2018") stay in the question.

A period stands for its last day ("em março de 2024" → 31/03/2024; "em 2023" → 31/12/2023): what was in force by its
end, so that a rule that began during the period is found; one that today lies in stands for today. "Antes de" takes
the day before the period, "a partir de" and "início de" its first day, "depois de" the day after. Two dates at once,
or a past rule with no date, are `needs_date`: the portal asks rather than guesses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from chat.rules.periods import Period, find_periods, plain
from chat.rules.verify.dates import MONTHS


class When(StrEnum):
    CURRENT = "current"
    PAST = "past"
    FUTURE = "future"
    NEEDS_DATE = "needs_date"


@dataclass(frozen=True, slots=True)
class Temporal:
    """`on` is None unless the question names its date; `question` is without the phrase that became `on`."""

    on: date | None
    kind: When
    question: str


@dataclass(frozen=True, slots=True)
class _Phrase:
    on: date
    start: int
    end: int


_THE = r"(?:o |a )?(?:mes de |ano de |dia )?$"
_RELATIONS = tuple(
    (name, re.compile(rf"(?:^|(?<=[\s(,])){pattern} {_THE}"))
    for name, pattern in (
        ("before", r"(?:de |desde |ate )?antes d[eao]s?"),
        ("after", r"(?:depois d[eao]s?|apos)"),
        ("from", r"(?:a partir d[eao]s?|desde)"),
        ("first", r"(?:n?o |em )?(?:inicio|comeco) d[eao]s?"),
        ("in", r"(?:n?o |em )?(?:fim|final|meados) d[eao]s?"),
        ("until", r"ate"),
        ("in", r"(?:durante|ao longo d[eao]|em|n[ao]s?|la em|la por|por volta de|na data de)"),
        ("of", r"d[eao]"),
    )
)
_SLASHED = re.compile(r"(?<![\d/])(?P<day>\d{1,2})/(?P<month>\d{1,2})/(?P<year>\d{4}|\d{2})(?![\d/])")
# Other signs stand in codes as well: there a date is one by its month.
_SIGNED = re.compile(r"(?<![\w./-])(?P<day>\d{1,2})([.-])(?P<month>0?[1-9]|1[0-2])\2(?P<year>\d{4})(?![\w/-]|\.\d)")
_ISO = re.compile(r"(?<![\w./-])(?P<year>(?:19|20)\d{2})-(?P<month>\d{2})-(?P<day>\d{2})(?![\w/-]|\.\d)")
_SPELT = re.compile(rf"\b(?:(?P<day>\d{{1,2}})[ºo°]? de )?(?P<month>{'|'.join(MONTHS)})(?: de (?P<year>\d{{4}}))?\b")
_WRITTEN = (_SLASHED, _SIGNED, _ISO, _SPELT)
OLDEST, NEWEST = 1900, 2100
"""Years in which there can be a rule to ask about."""
_RULE = r"(?:regras?|politicas?|normas?|versao|versoes|regulamentos?|diretrizes|tabelas?)"
_RULE_OF = re.compile(rf"\b{_RULE}(?: (?!que\b)\w+(?:-\w+)?){{0,5}} $")
_IN_FORCE = re.compile(
    r"\b(?:vigentes?|em vigor|vigencia|valid[ao]s?|vale(?:r|ra|rao|m)?|valiam?"
    r"|vigora(?:va|vam|ra|r|m)?|vigiam?|valendo)\b"
)
_IN_FORCE_BEFORE = re.compile(
    r"(?:,\s*)?(?<!estava )(?<!estavam )(?<!esta )(?<!era )\b(?:que (?:estava|esta|era) )?"
    r"(?:vigentes?|em vigor|valid[ao]s?) $"
)
_NOWADAYS = re.compile(r"hoje em dia|atualmente|n(?:es[st]e|o) momento")
# A past tense of the rule itself. "queria", "gostaria", "poderia" are manners, not tenses.
_WAS = re.compile(
    r"\b(?:eram?|valiam?|vigoravam?|vigiam?|estavam?|tinham?|podiam?|podiamos|tinhamos|precisavam?|exigiam?"
    r"|havia|existiam?|pagavam?|davam?|cobriam?|funcionavam?|recebiam?|ficavam?|aceitavam?|permitiam?|custavam?|deviam?|cabia"
    r"|diziam?|(?:qual|quais|quanto|quantos|quantas|como) (?:foi|foram))\b"
)
_WAS_RULE = re.compile(
    r"\b(?:(?:qual|quais|quanto|quantos|quantas|como|quem|onde|quando)\b[^,.?!;]{0,40}? eram?(?! mesmo)\b"
    r"|valiam?\b|vigoravam?\b|estavam? (?:em vigor|valendo|vigentes?))"
)
_WILL = re.compile(
    r"\b(?:sera|serao|vai|vao|valera|passam?|passara|muda(?:m|ra)?|fica(?:m|ra|rao)?|entra(?:ra)?|como|quantos|qual"
    r"|quanto)\b"
)
_ASKED = r"(?:qual|quais|quantos?|quantas?|como|quem|o que|onde|eram?|valiam?)"
_TAIL = rf"(?: (?!{_ASKED}\b)[^\s,?.!;]+)*"
_VAGUE = re.compile(
    rf"\b(?:(?:n?a|n?aquela) epoca{_TAIL}|antigamente|anteriormente|n[oa] (?:tempo|periodo|data) em que{_TAIL}"
    r"|n[ao] (?:minha admissao|minha contratacao|meu contrato)"
    r"|quando (?:eu )?(?:assinei|entrei|ingressei|fui (?:contratad|admitid|efetivad)[oa]|comecei|me contrataram|viajei)"
    rf"{_TAIL}|antes d[aeo] (?:mudanca|alteracao|revisao|atualizacao|mudar|nov[oa]{_TAIL})"
    r"|(?:regra|politica|norma|versao) (?:antiga|anterior))"
)
# "Antes" as "formerly"; "quanto tempo antes" measures an advance.
_BEFORE_ALONE = re.compile(
    r"(?<!tempo )(?<!dias )(?<!horas )(?<!meses )(?<!semanas )\bantes\b(?! d[eao]s?\b)(?! que\b)"
)
# "Quando entrei no sistema apareceu um erro" speaks of no rule.
_ABOUT_RULE = re.compile(rf"\b(?:{_RULE}|valor|limite|prazo|direito|contrato|beneficio|quantos|qual|quais|quanto)\b")
_MANNERS = re.compile(r"\b(?:meu|seu|eu|ou|sou|vou|estou|dou|lei|sei|rei|hei|museu|europeu)\b")
_HAPPENED = re.compile(
    r"\b(?:\w{2,}(?:ei|ou|aram|iram|eu|iu)|fiz|fez|fizeram|foi|foram|teve|tive|tivemos|tiveram|houve|deu|deram|veio"
    r"|vieram)\b"
)
_EVENT_BEFORE = re.compile(
    r"\b(?:\w+(?:ad|id)[oa]s?|feit[oa]s?|\w{2,}(?:ei|ou|aram|iram|eu|iu)|fiz|fez|ata|reuniao|(?:pedido|compra|nota|fatura"
    r"|acidente|afastamento|entrega|coleta|treinamento|evento|atestado|demissao|admissao|boleto|recibo)s?) $"
)
_OF_RULES = re.compile(
    r"\b(?:permitid|exigid|previst|definid|estabelecid|praticad|adotad|autorizad|obrigatori|aplicad|valid)[oa]s? $"
)
_QUESTION = re.compile(rf"\b(?:{_ASKED}|que|posso|podemos?|pode|tem|existe|precisa|preciso|devo|da)\b")


def when(on: date, today: date) -> When:
    """Where the day of a question lies."""
    return When.CURRENT if on == today else When.PAST if on < today else When.FUTURE


def understand(question: str, today: date) -> Temporal:
    """What day `question` is about. `kind` is `current` and `question` verbatim when it names none."""
    text = plain(question)
    phrases = [phrase for period in find_periods(text, today) if (phrase := _phrase(period, text, today))]
    vague = _vague(text)
    if _impossible(text):
        return Temporal(None, When.NEEDS_DATE, question)
    if len({phrase.on for phrase in phrases}) > 1:
        return Temporal(None, When.NEEDS_DATE, question)
    if phrases:
        on = phrases[0].on
        spans = [(phrase.start, phrase.end) for phrase in phrases]
        return Temporal(on, when(on, today), _cut(question, spans))
    if vague:
        return Temporal(None, When.NEEDS_DATE, _cut(question, [vague]))
    if _WAS_RULE.search(text) and not _dated(text, today):
        return Temporal(None, When.NEEDS_DATE, question)
    return Temporal(None, When.CURRENT, question)


def _impossible(text: str) -> bool:
    """Whether a date is written that no calendar has, or that no rule can be of: to take it for today, or for another
    year, would answer about another day.
    """
    return any(not _possible(**match.groupdict()) for pattern in _WRITTEN for match in pattern.finditer(text))


def _possible(day: str | None, month: str, year: str | None) -> bool:
    number = MONTHS.get(month) or int(month)
    of = int(year) if year and len(year) == 4 else 2000 + int(year or 0)  # without a year: one with the most days
    try:
        date(of, number, int(day or 1))
    except ValueError:
        return False
    return OLDEST <= of <= NEWEST


def _phrase(period: Period, text: str, today: date) -> _Phrase | None:
    relation, start = _relation(text, period)
    if not _speaks_of_the_rule(period, relation, text, text[:start], today):
        return None
    before = _IN_FORCE_BEFORE.search(text[:start])
    return _Phrase(_day(period, relation, today), before.start() if before else start, period.end)


def _relation(text: str, period: Period) -> tuple[str, int]:
    head = text[: period.start]
    for name, pattern in _RELATIONS:
        if match := pattern.search(head):
            return name, match.start()
    return ("in", period.start) if period.relative else ("", period.start)


def _day(period: Period, relation: str, today: date) -> date:
    if relation == "before":
        return period.first - timedelta(1)
    if relation == "after":
        return period.last + timedelta(1)
    if relation in ("from", "first"):
        return period.first
    return today if period.first <= today <= period.last else period.last


def _speaks_of_the_rule(period: Period, relation: str, text: str, head: str, today: date) -> bool:
    in_force = bool(_IN_FORCE.search(text))
    if period.relative and period.first <= today <= period.last:
        return in_force or bool(_NOWADAYS.fullmatch(text, period.start, period.end))
    if relation == "of":
        return bool(_RULE_OF.search(head)) and not period.yearless
    if relation and _WAS.search(text) and (period.first < today or relation == "before"):
        return relation != "from" or bool(_WAS_RULE.search(text))
    event = _EVENT_BEFORE.search(head) and not _OF_RULES.search(head)
    if not relation or period.yearless or event:
        return False
    return in_force or _asks_of_then(period, relation, text, head, today)


def _asks_of_then(period: Period, relation: str, text: str, head: str, today: date) -> bool:
    """A question in the present tense whose period is plainly another time than now."""
    if _HAPPENED.search(_MANNERS.sub(" ", text)):
        return False
    if period.last < today:
        return relation in ("in", "first", "before") and bool(_QUESTION.search(text))
    opens = not head.strip(" ,e")  # elsewhere a future date belongs to the case ("férias a partir de janeiro")
    return opens and period.first > today and relation in ("from", "in") and bool(_WILL.search(text))


def _vague(text: str) -> tuple[int, int] | None:
    was = bool(_WAS.search(text))
    if (match := _VAGUE.search(text)) and (was or _ABOUT_RULE.search(text) or "antig" in match[0]):
        return match.span()
    match = _BEFORE_ALONE.search(text)
    return match.span() if match and was else None


def _dated(text: str, today: date) -> bool:
    return any(True for _ in find_periods(text, today))


def _cut(question: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        question = f"{question[:start].rstrip(' ,(')} {question[end:].lstrip(' ,)')}"
    question = re.sub(r"\s+([?!.,;])", r"\1", re.sub(r"\s{2,}", " ", question)).strip(" ,")
    return question[:1].upper() + question[1:] if question[:1].islower() and spans[0][0] == 0 else question

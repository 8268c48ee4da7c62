"""Content words, names and codes of a sentence: what a claim may not bring in by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from documents.rules.terms import fold, stem

# Words that assert nothing by themselves. "sempre", "todos", "qualquer" do assert something and are not here.
_FUNCTION_WORDS = """
a à ao aos aquela aquelas aquele aqueles aquilo as às assim cada com como conforme da das de dela delas dele deles
dessa dessas desse desses desta destas deste destes disso disto do dos e é ela elas ele eles em entre era eram essa
essas esse esses esta está estão estar estas estava estavam este esteja estejam estes eu foi foram for forem fosse
fossem há haja hajam haver havia houve houver isso isto já lhe lhes lo la los las mas me mesma mesmas mesmo mesmos na
nas nessa nessas nesse nesses nesta nestas neste nestes no nos num numa o onde os ou para pela pelas pelo pelos
perante pois por porém porque portanto pra pro qual quais que quem se segundo seja sejam sendo ser será serão seria
seriam seu seus si sido sob sobre sua suas são também tem têm tendo tenha tenham ter terá terão tinha tinham toda um
uma umas uns você vocês cujo cuja cujos cujas através então etc ainda ali aqui logo isto acordo respectivo respectiva
respectivos respectivas referido referida fica ficam ficar ficará ficarão vez
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())

_ADDRESS = r"https?://[\w./%?&=#~+:-]*[\w/]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
# CD-SP and FRM-RH-012, 5.947/2021, v3 and 12x36.
_CODE = re.compile(
    rf"{_ADDRESS}"
    r"|(?<![\w-])(?=[\w.-]*[A-Z])(?:[A-Z]{2,}[A-Z0-9]*|[A-Z]\d+|[A-Z](?=-\d))(?:[-_.][A-Z0-9]+)+(?![\w-])"
    r"|(?<![\w/.-])\d[\d.]*(?:[/-]\d+)+(?![\w/])"
    r"|(?<![\w-])(?:[^\W\d_]+\d+\w*|\d+[^\W\d_ºªhH]+\d\w*)(?![\w-])"
)
_REFERENCE = re.compile(
    r"(?:\b(?:arts?|artigos?|incisos?|al[íi]neas?|itens|item|se[çc](?:ão|ões)|cap[íi]tulos?|anexos?|cl[áa]usulas?|tabelas?|quadros?|p[áa]ginas?"
    r"|vers[ãa]o|lei|decreto|portaria|resolu[çc]ão|instru[çc]ão|norma|formul[áa]rio|n[ºo]?|ANTT|NR|ISO|NBR|CLT)\.?|§+)"
    r"\s*(?:n[ºo.]*\s*)?(?P<number>\d[\d.]*(?:[/-]\d+)*)[ºª]?",
    re.IGNORECASE,
)
_SAME_LABEL = re.compile(r"(?:arts?|artigos?|n[ºo]?)\b|§", re.IGNORECASE)
_NEXT_CAPITAL = re.compile(r"\s+(?:d[aeo]s?\s+)?[A-ZÀ-Ý][a-zà-ÿ]")
_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
_ACRONYM = re.compile(r"[A-ZÀ-Ý]{2,}|[A-ZÀ-Ý]+[a-zà-ÿ]+[A-ZÀ-Ý]\w*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]|\|)[\s\"'(\[-]*$")


@dataclass(frozen=True, slots=True)
class Code:
    """A code, an address or the number of a reference, without the separators that people vary."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Word:
    """A content word. `name` when it is written as one; `exact` when only the very form will do (an acronym)."""

    text: str
    stem: str
    name: bool
    exact: bool
    start: int
    end: int


def find_codes(text: str) -> Iterator[Code]:
    """Every code of a text and the number of every reference (art. 5, Lei 13.709/2018), in order of kind."""
    taken: list[tuple[int, int]] = []
    for match in _CODE.finditer(text):
        taken.append(match.span())
        yield Code(code_key(match[0]), *match.span())
    for match in _REFERENCE.finditer(text):
        start, end = match.span("number")
        if not any(start < stop and begin < end for begin, stop in taken):
            # "art." and "artigo" are the same label; "Lei" and "Resolução" are not, and stay to be compared.
            yield Code(code_key(match["number"]), match.start() if _SAME_LABEL.match(match[0]) else start, end)


def code_key(text: str) -> str:
    return re.sub(r"[.\s_]", "", fold(text)) if "@" not in text and "://" not in text else text.lower()


def find_words(text: str) -> Iterator[Word]:
    """Every content word of a text whose numbers, codes and markers are blanked, in order."""
    for match in _WORD.finditer(text):
        for word in _split(match[0]):
            start = match.start() + match[0].index(word)
            lower = word.lower()
            exact = bool(_ACRONYM.match(word)) and not text.isupper()
            if not exact and (lower in FUNCTION_WORDS or len(lower) < 2):
                continue
            capital = word[0].isupper()
            starts = (
                capital and _SENTENCE_START.search(text[:start]) and not _NEXT_CAPITAL.match(text, start + len(word))
            )
            name = exact or (capital and not starts)
            yield Word(word, word_key(lower, exact), name, exact, start, start + len(word))


def word_key(lower: str, exact: bool) -> str:
    return lower if exact else stem(lower.replace("-", ""))


def _split(word: str) -> list[str]:
    """Clitics leave their verb ("aplica-se" → "aplica"); other hyphenated words stay whole."""
    head, hyphen, tail = word.rpartition("-")
    return (
        [head]
        if hyphen and tail.lower() in ("se", "lhe", "lhes", "lo", "la", "los", "las", "o", "a", "os", "as", "me")
        else [word]
    )

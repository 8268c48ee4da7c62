"""Sentences of Portuguese policies: what is quoted, one at a time.

A line of extracted text is a paragraph, a list item or a table row, so a sentence never crosses a line. sentencex
proposes the ends; what legal and business writing makes it believe ("art. 5º", "p. ex.", "nº 5.947") is joined again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import sentencex

from documents.rules.legal import ARTICLE, BULLET, ITEM

SpanT = tuple[int, int]

# A list item up to this length is one sentence; a longer one of several sentences is taken apart.
ITEM_CHARS = 300
# sentencex keeps quoted and bracketed text whole; beyond this length that is no sentence any more.
LONG_CHARS = 400

# Abbreviations after which a name follows: they never end a sentence.
_BEFORE_NAME_WORDS = (
    "dr dra drs dras sr sra srs sras srta exmo exma ilmo ilma prof profa profs eng enga arq adv cel gen gov "
    "dep sto sta av rod pça trav cia depto dpto coord superv ger gal cf ex obs i.e e.g"
)
_BEFORE_NAME = frozenset(_BEFORE_NAME_WORDS.split())
# Abbreviations that lead to a number; before anything else they may close the sentence.
_BEFORE_NUMBER_WORDS = (
    "art arts inc incs al par pár nº n° n núm num nr pág págs pag pags p pp fl fls cap caps tít tit séc sec "
    "seç vol vols ed fig figs tab port res dec it tel ramal ref refs ap apto bl lj v r km conf "
    "máx mín méd aprox"
)
_BEFORE_NUMBER = frozenset(_BEFORE_NUMBER_WORDS.split())
_LABELS_WORDS = "anexo anexos grupo classe tipo letra categoria turma zona nível plano faixa apêndice bloco item"
_LABELS = frozenset(_LABELS_WORDS.split())

_CANDIDATE = re.compile(r"[.!?…][\"”’')\]]*\s+(?=[\"“‘'(\[]*[A-ZÀ-ÝÇ0-9])")
_CLOSING = re.compile(r"[.!?…][\"”’')\]]+\s+(?=[\"“‘'(\[]*[A-ZÀ-ÝÇ])")
# What looks like an initial to sentencex but may close a sentence: "… da Andorinha S.A.", "… o Anexo A."
_NO_INITIAL = re.compile(rf"\b(?:S\.A|(?:{'|'.join(sorted(_LABELS))})\s[A-Z])\.\s+(?=[A-ZÀ-ÝÇ])", re.I)
_LAST_WORD = re.compile(r"(?:^|[\s(\[“\"'‘/])([^\s(\[“\"'‘]+)\.$")
_MARKER_ALONE = re.compile(
    r"par[aá]grafo [uú]nico\.|(?:(?:art|arts|artigo|§|cláusula|item|parágrafo|inciso|inc|alínea|capítulo|seção|título"
    r"|anexo|nota|passo|etapa)\.?\s*"
    r"|[•●▪*–-]\s*)?\(?(?:\d{1,4}(?:\.\d{1,3})*|[ivxlc]{1,6}|[a-z])(?:[º°ª]?-[a-z])?[º°ª]?[.)]+",
    re.I,
)
_CLAUSE = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?\s*(?:[-–—]\s*)?(?=\D)")
_PARAGRAPH_SIGN = re.compile(r"§|par[aá]grafo [uú]nico", re.I)
_CAPTION = re.compile(r"(?:figura|fig\.|imagem|foto|tabela|quadro)\s*\d{1,3}\s*$", re.I)
_LABEL = re.compile(r"[^\W\d_a-zà-ÿ]|[\d∆%#º°§*(“\"]")


@dataclass(slots=True)
class _Lists:
    """The lists that are open at a line: (type of marker, lead) from the outermost in."""

    levels: list[tuple[str, SpanT | None]] = field(default_factory=list)
    lead: SpanT | None = None
    lead_kind: str = ""

    def stem(self, kind: str) -> SpanT | None:
        """The lead that an item of this kind completes."""
        if self.lead_kind == kind:
            self.lead = None  # items that end in a colon, one after the other, are one list
        known = [index for index, (name, _) in enumerate(self.levels) if name == kind]
        if known and self.lead is None:
            del self.levels[known[-1] + 1 :]
            return self.levels[-1][1]
        if known and self.lead is not None:
            del self.levels[known[-1] + 1 :]
            self.levels[-1] = (kind, self.lead)
        else:
            inherited = self.levels[-1][1] if self.levels else None
            self.levels.append((kind, self.lead or inherited))
        self.lead = None
        return self.levels[-1][1]

    def close(self) -> None:
        self.levels, self.lead, self.lead_kind = [], None, ""


def split(text: str, start: int = 0, end: int | None = None) -> tuple[list[SpanT], list[SpanT | None]]:
    """Sentences of `text[start:end]` as absolute spans in order, and for each the span of its stem or None.

    The spans don't overlap, hold no outer white space, and cover every other character. Items and table rows under a
    lead that ends in a colon ("São vedados:") have the lead as their stem; so do items of a nested list.
    """
    end = len(text) if end is None else end
    spans: list[SpanT] = []
    stems: list[SpanT | None] = []
    lists = _Lists()
    position = start
    while position < end:
        stop = text.find("\n", position, end)
        stop = end if stop < 0 else stop
        first, last = _trim(text, position, stop)
        if first < last:
            line = text[first:last]
            kind = line_kind(line)
            found = [(first, last)] if kind == "row" else _sentences(line, first, kind)
            stem = lists.stem(kind) if kind else None
            if not kind and not _CAPTION.match(line):
                lists.close()
            spans += found
            stems += [stem] * len(found)
            if line.endswith(":") and kind != "row":
                lists.lead, lists.lead_kind = _with_outer(text, stem, found[-1]), kind
        position = stop + 1
    return spans, stems


def line_kind(line: str) -> str:
    """What marks the line as an item ("bullet", "alinea", "inciso", "number", "clause") or "row"; "" for prose."""
    if _PARAGRAPH_SIGN.match(line) or ARTICLE.match(line):
        return ""
    if is_row(line):
        return "row"
    match = ITEM.match(line)
    if match and match.end() < len(line):
        marker = match.group().strip()
        if BULLET.fullmatch(match.group()):
            return "bullet"
        if marker[0].isdigit() or (marker.startswith("(") and marker[1:2].isdigit()):
            return "number"
        return "inciso" if marker[0].isupper() and not marker.endswith(")") else "alinea"
    return "clause" if _CLAUSE.match(line) else ""


def is_row(line: str) -> bool:
    """A table row as the extractors write it: "Column: value; Column: value"."""
    if "; " not in line or ": " not in line:
        return False
    cells = line.split("; ")
    labelled = 0
    for index, cell in enumerate(cells):
        label, colon, _ = cell.partition(": ")
        good = bool(colon) and len(label) <= 60 and ". " not in label and bool(_LABEL.match(label))
        if index == 0 and not good:
            return False
        labelled += good
    return labelled >= 2 and labelled >= 0.6 * len(cells)


def _trim(text: str, start: int, end: int) -> SpanT:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _with_outer(text: str, stem: SpanT | None, lead: SpanT) -> SpanT:
    """A lead that follows its own lead at once reads with it: "Art. 5º É vedado:" + "I – ao motorista:"."""
    if stem is not None and stem[1] <= lead[0] and not text[stem[1] : lead[0]].strip():
        return stem[0], lead[1]
    return lead


def _sentences(line: str, offset: int, kind: str) -> list[SpanT]:
    if kind and kind != "clause" and len(line) <= ITEM_CHARS:
        return [(offset, offset + len(line))]
    ends = [int(piece["end_index"]) for piece in sentencex.get_sentence_boundaries("pt", line)]
    ends += [match.end() for pattern in (_CLOSING, _NO_INITIAL) for match in pattern.finditer(line)]
    cuts = _true_ends(line, sorted({end for end in ends if 0 < end < len(line)}))
    spans: list[SpanT] = []
    begin = 0
    for cut in [*cuts, len(line)]:
        if cut - begin > LONG_CHARS:
            inner = [begin + match.end() for match in _CANDIDATE.finditer(line[begin:cut])]
            for extra in _true_ends(line, [end for end in inner if begin < end < cut], begin):
                spans.append(_trim(line, begin, extra))
                begin = extra
        spans.append(_trim(line, begin, cut))
        begin = cut
    return [(offset + a, offset + b) for a, b in spans if a < b]


def _true_ends(line: str, ends: list[int], begin: int = 0) -> list[int]:
    kept: list[int] = []
    for end in ends:
        if _is_end(line, begin, end):
            kept.append(end)
            begin = end
    return kept


def _is_end(line: str, begin: int, end: int) -> bool:
    """Whether the sentence `line[begin:end]` really ends there."""
    before, after = line[max(begin, end - 200) : end].rstrip(), line[end : end + 40].lstrip()
    if not before or not after:
        return False
    if not line[end - 1].isspace() and not line[end].isspace() and not (before[-1] in ".!?…" and after[0].isupper()):
        return False
    if before[-1] in ";:,–—-" and before[-1] != ".":
        return False
    letter = next((char for char in after if char.isalnum()), "")
    if letter.islower() or after[0] in ",;:)º°ª%":
        return False
    if end - begin <= 40 and _MARKER_ALONE.fullmatch(before):
        return False
    return not _is_abbreviation(before, after)


def _is_abbreviation(before: str, after: str) -> bool:
    match = _LAST_WORD.search(before)
    if not match:
        return False
    word = match[1].lower().rstrip(".")
    if word in ("a", "d") and after.startswith("C."):
        return True  # "a. C.", "d. C."
    if word in _BEFORE_NAME:
        return True
    if word in _BEFORE_NUMBER and (after[0].isdigit() or re.match(r"[IVXLC]+\b", after)):
        return True
    if len(word) == 1 and match[1][0].isupper():  # an initial: "J. Silva"; but "Anexo A. O prazo"
        previous = before[: match.start(1)].split()
        label = previous[-1].lower().strip('(“"') if previous else ""
        return label not in _LABELS
    return bool(re.fullmatch(r"(?:[a-zà-ÿ]\.)+[a-zà-ÿ]", word)) and word not in _COMMON_INITIALS


_COMMON_INITIALS = frozenset({"s.a", "r.h", "t.i"})  # these do end sentences: "… da Andorinha S.A. O prazo …"

"""Automatic numbers of Word made visible: Word draws "4.2", "a)" and "§ 1º", but a citation needs them as text."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import docx
from docx.document import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement as _Element

from documents.extractors.docx_styles import num_pr, read_styles
from documents.extractors.text import whole

_BULLET = "•"


@dataclass(frozen=True, slots=True)
class PreparedDocx:
    """The file with list numbers written out. `heading_styles` are (style name, level) beyond Word's own."""

    data: bytes
    title: str
    heading_styles: tuple[tuple[str, int], ...]


@dataclass(slots=True)
class _Level:
    start: int = 1
    format: str = "decimal"
    pattern: str = "%1."


@dataclass(slots=True)
class _Numbering:
    """Definitions of word/numbering.xml: (numId, level) -> how it counts and looks, and the counters in use."""

    levels: dict[tuple[str, int], _Level] = field(default_factory=dict)
    abstract_of: dict[str, str] = field(default_factory=dict)
    counters: dict[str, list[int | None]] = field(default_factory=dict)

    def label(self, num_id: str, level: int) -> str:
        definition = self.levels.get((num_id, level))
        if definition is None:
            return ""
        if definition.format == "bullet":
            return _BULLET
        if definition.format == "none":
            return ""
        counters = self.counters.setdefault(self.abstract_of.get(num_id, num_id), [None] * 9)
        value = counters[level]
        counters[level] = definition.start if value is None else value + 1
        for deeper in range(level + 1, 9):
            counters[deeper] = None
        return re.sub(r"%(\d)", lambda m: self._value(num_id, counters, int(m[1]) - 1), definition.pattern).strip()

    def _value(self, num_id: str, counters: list[int | None], level: int) -> str:
        definition = self.levels.get((num_id, level), _Level())
        value = counters[level]
        return _format(definition.start if value is None else value, definition.format)


def prepare(data: bytes) -> PreparedDocx:
    """Write the visible number of each numbered paragraph into its text and note which styles are headings."""
    document = docx.Document(io.BytesIO(data))
    numbering = _read_numbering(document)
    style_numbers, heading_styles = read_styles(document)
    for paragraph in document.element.body.iter(qn("w:p")):
        num_id, level = _number_of(paragraph, style_numbers)
        if num_id is None:
            continue
        has_text = any((node.text or "").strip() for node in paragraph.iter(qn("w:t")))
        label = numbering.label(num_id, level) if has_text else ""
        _write_label(paragraph, label)
    out = io.BytesIO()
    document.save(out)
    return PreparedDocx(out.getvalue(), (document.core_properties.title or "").strip(), tuple(heading_styles))


def _read_numbering(document: Document) -> _Numbering:
    result = _Numbering()
    try:
        root = document.part.numbering_part.element
    except (KeyError, NotImplementedError):
        return result
    abstract: dict[str, dict[int, _Level]] = {}
    for node in root.findall(qn("w:abstractNum")):
        abstract[node.get(qn("w:abstractNumId"))] = dict(_levels(node))
    for node in root.findall(qn("w:num")):
        num_id = node.get(qn("w:numId"))
        reference = node.find(qn("w:abstractNumId"))
        if num_id is None or reference is None:
            continue
        abstract_id = reference.get(qn("w:val"))
        levels = dict(abstract.get(abstract_id, {}))
        restarted = False
        for override in node.findall(qn("w:lvlOverride")):
            index = int(override.get(qn("w:ilvl"), "0"))
            levels.update(_levels(override))
            start = override.find(qn("w:startOverride"))
            if start is not None and index in levels:
                old = levels[index]
                levels[index] = _Level(int(start.get(qn("w:val"), "1")), old.format, old.pattern)
                restarted = True
        for index, level in levels.items():
            result.levels[(num_id, index)] = level
        result.abstract_of[num_id] = num_id if restarted else f"a{abstract_id}"
    return result


def _levels(node: _Element) -> Iterator[tuple[int, _Level]]:
    for level in node.findall(qn("w:lvl")):

        def value(name: str, default: str, level: _Element = level) -> str:
            child = level.find(qn(name))
            return default if child is None else str(child.get(qn("w:val"), default))

        start = value("w:start", "1")
        yield (
            int(level.get(qn("w:ilvl"), "0")),
            _Level(whole(start), value("w:numFmt", "decimal"), value("w:lvlText", "%1.")),
        )


def _number_of(paragraph: _Element, styles: dict[str, tuple[str, int]]) -> tuple[str | None, int]:
    properties = paragraph.find(qn("w:pPr"))
    if properties is None:
        return None, 0
    style = properties.find(qn("w:pStyle"))
    from_style = styles.get(str(style.get(qn("w:val")))) if style is not None else None
    own = num_pr(properties)
    if own is None:
        own = from_style
    elif own[0] == "0":  # "no list here" written over the style
        return None, 0
    if own is None:
        return None, 0
    return own[0], min(max(own[1], 0), 8)


def _write_label(paragraph: _Element, label: str) -> None:
    """Put the label before the text and switch the automatic list off, so that it is not drawn twice."""
    properties = paragraph.find(qn("w:pPr"))
    if properties is None:
        return
    node = properties.find(qn("w:numPr"))
    if node is not None:
        properties.remove(node)
    off = OxmlElement("w:numPr")
    num = OxmlElement("w:numId")
    num.set(qn("w:val"), "0")
    off.append(num)
    properties.append(off)
    if not label:
        return
    run, text = OxmlElement("w:r"), OxmlElement("w:t")
    first = paragraph.find(qn("w:r"))
    if first is not None and first.find(f"{qn('w:rPr')}/{qn('w:b')}") is not None:
        bold = OxmlElement("w:rPr")
        bold.append(OxmlElement("w:b"))
        run.append(bold)
    text.text = f"{label} "
    text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    run.append(text)
    properties.addnext(run)


def _format(value: int, name: str) -> str:
    if name in ("lowerLetter", "upperLetter"):
        text = chr(ord("a") + (value - 1) % 26) * ((value - 1) // 26 + 1)
        return text if name == "lowerLetter" else text.upper()
    if name in ("lowerRoman", "upperRoman"):
        text = _roman(value)
        return text.lower() if name == "lowerRoman" else text
    if name == "ordinal":
        return f"{value}º"
    if name == "decimalZero":
        return f"{value:02d}"
    return str(value)


def _roman(value: int) -> str:
    pairs = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC")]
    pairs += [(50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    out = ""
    for number, letters in pairs:
        while value >= number:
            out, value = out + letters, value - number
    return out

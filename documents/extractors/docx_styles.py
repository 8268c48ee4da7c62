"""What the styles of a Word file say: which are headings, and which carry a number."""

from __future__ import annotations

import re

from docx.document import Document
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement as _Element

_HEADING_NAME = re.compile(r"(?:heading|título|titulo)\s*(\d)$", re.I)


def read_styles(document: Document) -> tuple[dict[str, tuple[str, int]], list[tuple[str, int]]]:
    """Numbers that styles carry (by style id) and the names of styles with an outline level, inheritance included."""
    numbers: dict[str, tuple[str, int]] = {}
    headings: list[tuple[str, int]] = []
    by_id = {node.get(qn("w:styleId")): node for node in document.styles.element.findall(qn("w:style"))}
    for style_id, node in by_id.items():
        name_node = node.find(qn("w:name"))
        name = "" if name_node is None else str(name_node.get(qn("w:val"), ""))
        number: tuple[str, int] | None = None
        outline: int | None = None
        current, seen = node, 0
        while current is not None and seen < 20:
            properties = current.find(qn("w:pPr"))
            if properties is not None:
                number = number or num_pr(properties)
                level = properties.find(qn("w:outlineLvl"))
                if outline is None and level is not None:
                    outline = int(level.get(qn("w:val"), "9"))
            based = current.find(qn("w:basedOn"))
            current, seen = (by_id.get(based.get(qn("w:val"))) if based is not None else None), seen + 1
        if number:
            numbers[str(style_id)] = number
        match = _HEADING_NAME.match(name)
        if match:
            outline = int(match[1]) - 1
        if outline is not None and outline < 6 and node.get(qn("w:type")) == "paragraph" and "'" not in name and name:
            headings.append((name, outline + 1))
    return numbers, headings


def num_pr(properties: _Element) -> tuple[str, int] | None:
    node = properties.find(qn("w:numPr"))
    if node is None:
        return None
    num_id, level = node.find(qn("w:numId")), node.find(qn("w:ilvl"))
    if num_id is None:
        return None
    return str(num_id.get(qn("w:val"))), int(level.get(qn("w:val"), "0")) if level is not None else 0

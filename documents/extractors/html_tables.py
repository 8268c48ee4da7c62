"""The cells of an HTML table as a grid."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from documents.extractors.text import one_line, whole


def rows(table: LexborNode) -> Iterator[list[LexborNode]]:
    for row in table.css("tr"):
        yield [cell for cell in row.iter() if cell.tag in ("td", "th")]


def grid(lines: list[list[LexborNode]]) -> tuple[list[list[str]], int | None]:
    """Cells with every merged cell repeated where it reaches, and the number of header rows if the markup says it."""
    places: list[dict[int, str]] = [{} for _ in lines]
    header = 0
    for y, cells in enumerate(lines):
        x = 0
        for cell in cells:
            while x in places[y]:
                x += 1
            text = one_line(cell.text(separator=" "))
            for dy in range(min(_span(cell, "rowspan"), len(lines) - y)):
                for dx in range(_span(cell, "colspan")):
                    places[y + dy][x + dx] = text
            x += _span(cell, "colspan")
        if header == y and cells and all(cell.tag == "th" for cell in cells):
            header += 1
    width = max((max(row, default=-1) + 1 for row in places), default=0)
    return [[row.get(x, "") for x in range(width)] for row in places], header or None


def _span(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or "1"
    return min(max(whole(value), 1), 200)

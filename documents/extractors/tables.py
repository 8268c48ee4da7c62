"""Tables as text that keeps what a cell means: one line a row, "Column: value; Column: value"."""

from __future__ import annotations

import re
from collections.abc import Sequence

Grid = Sequence[Sequence[str]]

_NUMERIC = re.compile(r"[\s\d.,%/:()+\-–ºª°R$US€ApPm∆]*\d[\s\d.,%/:()+\-–ºª°R$US€]*(?:\s?\w{1,4}\.?){0,2}")


def render(grid: Grid, header_rows: int | None = None) -> list[str]:
    """Lines of a table whose cells are plain text; merged cells must already be repeated in each place they cover.

    `header_rows` None means "work it out". A row that holds one text alone becomes that text (a subtitle in the table).
    A table without a header gives "first: second" for two columns and "a; b; c" for more.
    """
    rows = [list(row) for row in grid if any(cell.strip() for cell in row)]
    if not rows:
        return []
    width = max(len(row) for row in rows)
    rows = [row + [""] * (width - len(row)) for row in rows]
    rows = _without_empty_columns(rows)
    width = len(rows[0])
    lines: list[str] = []
    while rows and width > 1 and _single(rows[0]):
        lines.append(_single(rows.pop(0)))
    if not rows:
        return lines
    if width == 1:
        return lines + [row[0] for row in rows]
    count = guess_header_rows(rows) if header_rows is None else min(header_rows, len(rows))
    if count >= len(rows):
        count = 0
    names = _names(rows[:count], width)
    return lines + [line for row in rows[count:] if (line := _row(row, names))]


def guess_header_rows(rows: Grid) -> int:
    """1 where the first row looks like names of columns, else 0. Two-column tables of key and value have none."""
    if len(rows) < 2:
        return 0
    first = rows[0]
    if any(not cell.strip() or len(cell) > 60 for cell in first[1:]) or len(set(first[1:])) < len(first) - 1:
        return 0
    if any(_NUMERIC.fullmatch(cell) for cell in first if cell.strip()):
        return 0
    if len(first) > 2:
        return 1
    has_values = any(_NUMERIC.fullmatch(row[1]) or re.search(r"\d", row[1]) for row in rows[1:] if len(row) > 1)
    return 1 if has_values and not first[0].rstrip().endswith(":") and not re.search(r"\d", first[1]) else 0


def _without_empty_columns(rows: list[list[str]]) -> list[list[str]]:
    keep = [i for i in range(len(rows[0])) if any(row[i].strip() for row in rows)]
    return [[row[i] for i in keep] for row in rows]


def _single(row: list[str]) -> str:
    """The text of a row that says one thing across all its columns, else ""."""
    texts = {cell.strip() for cell in row if cell.strip()}
    filled = sum(bool(cell.strip()) for cell in row)
    return texts.pop() if len(texts) == 1 and filled == len(row) else ""


def _names(header: list[list[str]], width: int) -> list[str]:
    names = []
    for column in range(width):
        parts: list[str] = []
        for row in header:
            text = row[column].strip().rstrip(":").strip()
            if text and text not in parts:
                parts.append(text)
        names.append(" ".join(parts))
    return names


def _row(row: list[str], names: list[str]) -> str:
    cells = [cell.strip() for cell in row]
    if single := _single(row):
        return single
    if any(names):
        return "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip(names, cells, strict=True) if cell)
    if len(cells) == 2 and all(cells):
        return f"{cells[0].rstrip(':').strip()}: {cells[1]}"
    return "; ".join(cell for cell in cells if cell)

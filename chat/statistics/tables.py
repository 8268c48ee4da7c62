"""What a dashboard is made of: a table, and a chart of it where one tells more than the numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from chat.auditing.exports import cell
from chat.rules.chart import Columns, shares

Cell = str | int | float | date | None


@dataclass(frozen=True, slots=True)
class Table:
    """`bar` is the column that bars are drawn of. `links` are the addresses of what is behind each row, empty where
    whoever looks opens none."""

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    bar: int | None = None
    links: Sequence[str] = ()

    @property
    def numeric(self) -> list[bool]:
        """Of each column whether it holds numbers, and is set as such from top to bottom: those not known yet too."""
        return [
            any(map(_is_number, column)) or all(value is None for value in column)
            for column in zip(*self.rows, strict=True)
        ]

    @property
    def drawn(self) -> list[tuple[Sequence[Cell], str | None, str]]:
        """Each row with the length of its bar, of 100, and its link."""
        values = [row[self.bar] if self.bar is not None else None for row in self.rows]
        lengths = shares([float(value) if isinstance(value, (int, float)) else None for value in values])
        links = [*self.links, *[""] * (len(self.rows) - len(self.links))]
        return list(zip(self.rows, lengths, links, strict=True))

    def csv(self) -> str:
        out = io.StringIO()
        csv.writer(out).writerows([self.header, *([cell(value) for value in row] for row in self.rows)])
        return out.getvalue()


def _is_number(value: Cell) -> bool:
    return isinstance(value, (int, float)) or (isinstance(value, str) and value.endswith("%") and value[:-1].isdigit())


@dataclass(frozen=True, slots=True)
class Section:
    """`empty` is said in place of a table without rows; `legend` names the series of the chart in their order."""

    slug: str
    title: str
    table: Table
    empty: str
    note: str = ""
    chart: Columns | None = None
    legend: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """One number at the top, with what it is of."""

    name: str
    value: Cell
    unit: str = ""

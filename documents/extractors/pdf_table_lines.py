"""The lines of a PDF's tables; one that goes on from the page before keeps the names of its columns."""

from __future__ import annotations

from documents.extractors.pdf_tables import Table
from documents.extractors.tables import guess_header_rows, render


class TableLines:
    """Remembers the last table while nothing but the end of a page has come between."""

    def __init__(self) -> None:
        self._last: Table | None = None
        self._names: tuple[str, ...] = ()

    def interrupt(self) -> None:
        self._last = None

    def lines(self, table: Table) -> list[str]:
        rows = [list(row) for row in table.rows]
        last, self._last = self._last, table
        if last is not None and _continues_table(last, table):
            if rows and tuple(rows[0]) == self._names:
                rows = rows[1:]
            return render([list(self._names), *rows], 1) if self._names else render(rows, 0)
        header = 1 if table.bold_first else guess_header_rows(rows)
        top = next((row for row in rows if len(set(row)) > 1), rows[0])
        self._names = tuple(top) if header else ()
        return render(rows, header)


def _continues_table(first: Table, second: Table) -> bool:
    if second.page != first.page + 1 or len(first.columns) != len(second.columns):
        return False
    return all(abs(a - b) <= 12 for a, b in zip(first.columns, second.columns, strict=True))

"""Lines of a stored text read back as lists and tables: nothing is lost, and prose stays prose."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from documents.extractors.tables import render
from documents.rules.layout import Block, Cell, Listing, Paragraph, Table, blocks


def laid_out(text: str) -> tuple[Block, ...]:
    return blocks(text, 0, len(text))


def spans(found: tuple[Block, ...]) -> list[tuple[int, int]]:
    """The span of every line, in order; in a row, that of its cells put together."""
    lines: list[tuple[int, int]] = []
    for block in found:
        match block:
            case Paragraph(line):
                lines.append(line)
            case Listing(items):
                assert all(item.marker[1] == item.text[0] for item in items)
                lines += [(item.marker[0], item.text[1]) for item in items]
            case Table(columns, rows):
                for row in rows:
                    assert len(row.cells) == len(columns)
                    filled = [cell for cell in row.cells if cell is not None]
                    assert all(left.span[1] == right.span[0] for left, right in pairwise(filled))
                    lines.append((filled[0].span[0], filled[-1].span[1]))
    return lines


def values(text: str, table: Block) -> list[list[str]]:
    assert isinstance(table, Table)

    def value(cell: Cell | None) -> str:
        return text[slice(*cell.value)] if cell else ""

    return [[value(cell) for cell in row.cells] for row in table.rows]


def test_what_extraction_made_of_a_table_is_a_table_again() -> None:
    grid = [
        ["Item", "Limite por dia", "Nota"],
        ["Café", "R$ 20,00", "às 8:00; sem nota"],
        ["Jantar", "R$ 50,00", "só à noite"],
    ]
    text = "\n".join(render(grid, 1))
    (table,) = laid_out(text)
    assert isinstance(table, Table)
    assert table.columns == ("Item", "Limite por dia", "Nota")
    assert values(text, table) == grid[1:]


def test_a_first_column_without_a_name_is_kept() -> None:
    grid = [["", "CD-SP", "POA"], ["Separação", "4 horas", "8 horas"], ["Entrega", "1 dia", "2 dias"]]
    text = "\n".join(render(grid, 1))
    (table,) = laid_out(text)
    assert isinstance(table, Table)
    assert table.columns == ("", "CD-SP", "POA")
    assert values(text, table) == grid[1:]


def test_a_column_that_the_first_row_leaves_empty_comes_in_its_place() -> None:
    grid = [["Etapa", "Quem", "Prazo"], ["Pedido", "", "2 dias"], ["Visto", "gestor", "1 dia"], ["Fim", "RH", ""]]
    text = "\n".join(render(grid, 1))
    (table,) = laid_out(text)
    assert isinstance(table, Table)
    assert table.columns == ("Etapa", "Quem", "Prazo")
    assert values(text, table) == grid[1:]


def test_tables_with_other_columns_are_other_tables() -> None:
    text = "Cor: azul; Uso: papel\nCor: verde; Uso: vidro\nUso: papel; Cor: azul\nUso: lata; Cor: cinza"
    assert [block.columns for block in laid_out(text) if isinstance(block, Table)] == [("Cor", "Uso"), ("Uso", "Cor")]


def test_a_subtitle_between_rows_stands_between_two_tables() -> None:
    text = "Item: a; Valor: 1\nRegião Sul\nItem: b; Valor: 2"
    assert [type(block) for block in laid_out(text)] == [Table, Paragraph, Table]


def test_prose_with_colons_and_semicolons_stays_prose() -> None:
    for text in (
        "Código: POL-1; Versão: v1; Área: RH",
        "O horário é este: das 8:00 às 12:00; depois: almoço.\nNota: traga o crachá; aviso: não há estacionamento.",
        "Nota: primeiro aviso.\nNota: segundo aviso.",
        "• Item: a; Valor: 1\n• Item: b; Valor: 2",
    ):
        assert not any(isinstance(block, Table) for block in laid_out(text)), text


def test_items_keep_the_numbers_that_the_text_gives_them() -> None:
    text = "São vedados:\nI – o uso;\na) privado;\nb) de terceiros;\nII – a cessão.\nFim."
    first, listing, last = laid_out(text)
    assert isinstance(first, Paragraph)
    assert isinstance(last, Paragraph)
    assert isinstance(listing, Listing)
    assert [(item.depth, text[slice(*item.marker)]) for item in listing.items] == [
        (1, "I – "),
        (2, "a) "),
        (2, "b) "),
        (1, "II – "),
    ]


def test_only_the_stretch_that_was_asked_for_is_laid_out() -> None:
    text = "Antes\n• um\n\nDepois"
    assert blocks(text, 6, 10) == (Listing(laid_out(text)[1].items),)  # type: ignore[union-attr]
    assert blocks(text, 5, 6) == ()


LINE = st.lists(
    st.sampled_from(["Item", "Valor", ": ", "; ", "a", "• ", "I – ", "b) ", " ", ".", "\n", ":", ";", "é"]), max_size=30
).map("".join)


@given(LINE)
def test_every_line_comes_back_whole_and_in_order(text: str) -> None:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    assert [text[start:end] for start, end in spans(laid_out(text))] == lines

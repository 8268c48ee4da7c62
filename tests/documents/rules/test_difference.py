"""What changed between two editions: nothing is left out, and what only moved or was renamed is told as that."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from documents.extractors.anchors import anchors
from documents.rules.difference import Edition, Fate, SectionChange, difference
from documents.rules.linewise import LineChange, TableChange
from documents.rules.types import SectionSpan
from documents.rules.wording import Op, Piece, words

Sections = list[tuple[str, str]]


def edition(sections: Sections) -> Edition:
    """Sections as (heading, body), one after the other."""
    text, spans = "", []
    names = anchors([heading for heading, _body in sections])
    for (heading, body), anchor in zip(sections, names, strict=True):
        start = len(text)
        text += f"{heading}\n{body}\n\n"
        spans.append(SectionSpan(heading, 1, (heading,), anchor, start, start + len(heading) + 1, len(text)))
    return Edition(text, tuple(spans))


def compared(old: Sections, new: Sections) -> tuple[SectionChange, ...]:
    return difference(edition(old), edition(new))


def shown(pieces: tuple[Piece, ...]) -> str:
    signs = {Op.SAME: "{}", Op.ADDED: "+{}+", Op.REMOVED: "-{}-"}
    return "".join(signs[piece.op].format(piece.text) for piece in pieces)


def fates(changes: tuple[SectionChange, ...]) -> list[tuple[str, str]]:
    return [(shown(change.heading), change.fate.value) for change in changes]


PRAZOS = ("4. Prazos", "O prazo de separação é de quatro horas úteis para pedidos até as 14h.")
FERIAS = ("5. Férias", "As férias são marcadas com trinta dias de antecedência pelo gestor imediato.")
MULTAS = ("6. Multas", "A multa por atraso é de dois por cento do valor do frete contratado.")


def test_words_that_changed_are_marked_and_no_others() -> None:
    assert shown(words("O prazo é de 4 horas.", "O prazo é de 2 horas.")) == "O prazo é de -4-+2+ horas."
    assert (
        shown(words("R$ 1.000,00 por dia útil", "R$ 1.200,00 por dia útil")) == "R$ -1.000,00-+1.200,00+ por dia útil"
    )
    assert shown(words("não pode levar", "pode levar")) == "-não -pode levar"


def test_two_sentences_with_nothing_in_common_are_not_woven_together() -> None:
    assert shown(words("Não se paga por Pix.", "Reembolsos caem na conta corrente.")) == (
        "-Não se paga por Pix.-+Reembolsos caem na conta corrente.+"
    )


def test_the_same_edition_has_no_difference() -> None:
    changes = compared([PRAZOS, FERIAS], [PRAZOS, FERIAS])
    assert {change.fate for change in changes} == {Fate.SAME}
    assert not any(change.moved or change.renamed for change in changes)


def test_added_and_removed_sections_stand_in_their_place() -> None:
    assert fates(compared([PRAZOS, FERIAS], [PRAZOS, MULTAS])) == [
        ("4. Prazos", "same"),
        ("-5. Férias-", "removed"),
        ("+6. Multas+", "added"),
    ]
    assert fates(compared([PRAZOS], [])) == [("-4. Prazos-", "removed")]
    assert fates(compared([], [PRAZOS])) == [("+4. Prazos+", "added")]


def test_a_section_that_only_got_another_number_is_the_same_section() -> None:
    before, after = [PRAZOS, FERIAS], [MULTAS, ("5. Prazos", PRAZOS[1]), ("6. Férias", FERIAS[1])]
    changes = compared(before, after)
    assert [change.fate for change in changes] == [Fate.ADDED, Fate.CHANGED, Fate.CHANGED]
    assert shown(changes[1].heading) == "-4-+5+. Prazos"
    assert not any(change.moved or change.renamed for change in changes)
    assert (changes[1].old_anchor, changes[1].new_anchor) == ("secao-4", "secao-5")


def test_a_section_that_moved_is_not_removed_and_added() -> None:
    changes = compared([PRAZOS, FERIAS, MULTAS], [MULTAS, PRAZOS, FERIAS])
    assert [(shown(change.heading), change.fate, change.moved) for change in changes] == [
        ("6. Multas", Fate.SAME, True),
        ("4. Prazos", Fate.SAME, False),
        ("5. Férias", Fate.SAME, False),
    ]


def test_a_renamed_section_is_found_by_its_text_even_when_words_changed_too() -> None:
    renamed = ("5. Descanso anual", FERIAS[1].replace("trinta", "sessenta"))
    for new in (renamed, ("5. Descanso anual", FERIAS[1])):
        _same, change = compared([PRAZOS, FERIAS], [PRAZOS, new])
        assert (change.fate, change.renamed, change.moved) == (Fate.CHANGED, True, False)
        assert shown(change.heading) == "5. -Férias-+Descanso anual+"


def test_sections_with_one_heading_are_told_apart_by_their_order_and_text() -> None:
    old = [("Perguntas", PRAZOS[1]), ("Perguntas", FERIAS[1]), ("Perguntas", MULTAS[1])]
    assert [change.fate for change in compared(old, [old[0], old[2]])] == [Fate.SAME, Fate.REMOVED, Fate.SAME]


def test_a_changed_line_is_paired_with_the_line_that_it_was() -> None:
    old = ("1. Itens", "• Café: R$ 20,00 por dia.\n• Almoço: R$ 40,00 por dia.\nFim da lista de itens.")
    new = ("1. Itens", "• Água: livre.\n• Café: R$ 25,00 por dia.\n• Almoço: R$ 40,00 por dia.\nFim da lista de itens.")
    (change,) = compared([old], [new])
    assert [shown(line.pieces) for line in change.changes if isinstance(line, LineChange)] == [
        "+• Água: livre.+",
        "• Café: R$ -20,00-+25,00+ por dia.",
        "• Almoço: R$ 40,00 por dia.",
        "Fim da lista de itens.",
    ]


def test_a_table_is_compared_cell_by_cell_with_its_rows_and_columns() -> None:
    old = ("1. Limites", "Item: Café; Limite: R$ 20\nItem: Almoço; Limite: R$ 40\nItem: Táxi; Limite: R$ 60")
    new = ("1. Limites", "Item: Café; Limite: R$ 25; Nota: diário\nItem: Táxi; Limite: R$ 60; Nota: por corrida")
    ((table,),) = (change.changes for change in compared([old], [new]))
    assert isinstance(table, TableChange)
    assert shown(table.columns) == "ItemLimite+Nota+"
    assert [(row.op, [shown(cell) for cell in row.cells]) for row in table.rows] == [
        (Op.SAME, ["Café", "R$ -20-+25+", "+diário+"]),
        (Op.REMOVED, ["-Almoço-", "-R$ 40-", ""]),
        (Op.SAME, ["Táxi", "R$ 60", "+por corrida+"]),
    ]


def test_a_table_that_became_prose_and_back_is_told_line_by_line() -> None:
    table = ("1. Limites", "Item: Café; Limite: R$ 20\nItem: Almoço; Limite: R$ 40")
    prose = ("1. Limites", "O café da manhã custa até vinte reais.")
    for old, new in ((table, prose), (prose, table)):
        (change,) = compared([old], [new])
        assert change.fate is Fate.CHANGED
        assert spelled([change]) == (lines_of([old]), lines_of([new]))


WORD = st.sampled_from(["prazo", "de", "4", "horas", "não", "R$ 1.000,00", "Item: a; Valor: ", "Item: b; Valor: ", "."])
BODY = st.lists(st.lists(WORD, min_size=1, max_size=6).map(" ".join), max_size=5).map("\n".join)
SECTIONS = st.lists(st.tuples(st.sampled_from(["1. Prazos", "2. Férias", "Anexo", "3. Multas"]), BODY), max_size=5)


@settings(deadline=None)
@given(SECTIONS, SECTIONS)
def test_whatever_either_edition_says_is_in_the_difference(old: Sections, new: Sections) -> None:
    changes = compared(old, new)
    before, after = spelled(changes)
    assert sorted(before) == sorted(lines_of(old))
    assert after == lines_of(new)


@given(st.lists(WORD, max_size=12).map(" ".join), st.lists(WORD, max_size=12).map(" ".join))
def test_pieces_spell_both_wordings(old: str, new: str) -> None:
    pieces = words(old, new)
    assert "".join(piece.text for piece in pieces if piece.op is not Op.ADDED) == old
    assert "".join(piece.text for piece in pieces if piece.op is not Op.REMOVED) == new


def test_texts_too_large_to_be_compared_word_by_word_are_shown_one_after_the_other() -> None:
    chance = random.Random(7)
    old, new = (" ".join(str(chance.randrange(9_000)) for _ in range(12_000)) for _ in range(2))
    assert [piece.op for piece in words(f"início {old}", f"início {new}")] == [Op.SAME, Op.REMOVED, Op.ADDED]


def spelled(changes: tuple[SectionChange, ...] | list[SectionChange]) -> tuple[list[str], list[str]]:
    """The lines of the old and the new edition, read back from their difference."""
    sides: tuple[list[str], list[str]] = ([], [])
    for change in changes:
        rows = [change.heading, *(pieces for part in change.changes for pieces in _rows(part))]
        for side, without in zip(sides, (Op.ADDED, Op.REMOVED), strict=True):
            said = ("".join(piece.text for piece in pieces if piece.op is not without) for pieces in rows)
            side.extend(text.replace(";", " ").split("\0")[0] for text in said if text.strip())
    return tuple([" ".join(text.split()) for text in side] for side in sides)  # type: ignore[return-value]


def _rows(part: LineChange | TableChange) -> Iterator[tuple[Piece, ...]]:
    if isinstance(part, LineChange):
        yield part.pieces
        return
    for row in part.rows:
        pieces: list[Piece] = []
        for column, cell in zip(part.columns, row.cells, strict=True):
            if cell:
                name = f"{column.text}: " if column.text else ""
                named = {piece.op for piece in cell} - {Op.SAME}
                ops = named if len(named) == 1 and all(piece.op in named for piece in cell) else {Op.SAME}
                pieces += [Piece(next(iter(ops)), f" {name}"), *cell]
        yield tuple(pieces)


def lines_of(sections: Sections) -> list[str]:
    lines = [line for heading, body in sections for line in (heading, *body.split("\n"))]
    return [" ".join(line.replace(";", " ").split()) for line in lines if line.strip()]

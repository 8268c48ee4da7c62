"""The normal form that hashes, quotes and claims share, and the search for a quote in original offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.rules.normalise import Normalised, find, normalise, occurrences, text_hash

FORMS = [
    ("ligature", "eﬁcaz, ﬂuxo, aﬄito", "eficaz, fluxo, afflito"),
    ("no-break space", "R$\u00a01.000,00", "R$ 1.000,00"),
    ("thin and figure space", "10\u2009000\u2007km", "10 000 km"),
    ("soft hyphen", "reem\u00adbolso", "reembolso"),
    ("zero-width space", "CD\u200b-SP", "CD-SP"),
    ("byte order mark", "\ufeffPrazo", "Prazo"),
    ("combining accent", "vede\u0301 ac\u0327a\u0303o", "vedé ação"),
    ("combining accent after a zero-width joiner", "a\u200d\u0301rea", "área"),
    ("curly quotes", "“prazo” ‘útil’ «sim»", '"prazo" \'útil\' "sim"'),
    ("dashes", "8h–17h — seg.‑sex. −5", "8h-17h - seg.-sex. -5"),
    ("ellipsis", "e…", "e..."),
    ("degree and ordinal", "5° 20 °C", "5º 20 ºC"),
    ("full-width", "ＡＢ－１２", "AB-12"),
    ("hyphenation at a line end", "reem-\nbolso", "reembolso"),
    ("hyphenation across a page", "reem-\n\n  bolso", "reembolso"),
    ("hyphenation with CRLF", "reem-\r\nbolso", "reembolso"),
    ("hyphenation by a PDF reader's soft break", "reem\x02\nbolso reem\ufffe\nbolso reem¬\nbolso", "reembolso " * 3),
    ("code at a line end keeps its hyphen", "CD-\nSP e POL-2021-\n0123", "CD-SP e POL-2021-0123"),
    ("dash before a line end is no hyphenation", "prazo -\nem dias", "prazo - em dias"),
    ("white space", " a \n\t b\u2028c ", "a b c"),
    ("per cent sign", "10 % e 5\u00a0%", "10% e 5%"),
    ("superscripts stay", "10² m³ 1º nº ½", "10² m³ 1º nº ½"),
    ("case stays", "Prazo ÚTIL", "Prazo ÚTIL"),
    ("numbers stay", "1.000,00 ≠ 1000", "1.000,00 ≠ 1000"),
    ("control characters", "pra\x00zo\x07", "prazo"),
    ("nothing", "\u200b \n", ""),
]


@pytest.mark.parametrize(("text", "normal"), [row[1:] for row in FORMS], ids=[row[0] for row in FORMS])
def test_normal_form(text: str, normal: str) -> None:
    assert normalise(text) == normal.strip()


TEXTS = st.text(alphabet=st.sampled_from("aàb c\n\r-\u00ad\x02\u0301\u200bﬁ“”’–10.,%…°R$ÇAB|¬\u00a0"), max_size=60)


@given(TEXTS)
def test_is_idempotent_and_the_mapped_form_agrees(text: str) -> None:
    normal = normalise(text)
    assert normalise(normal) == normal
    assert Normalised.of(text).text == normal
    assert text_hash(text) == text_hash(normal)


@given(st.text(max_size=80))
def test_offsets_are_ordered_spans_of_the_original(text: str) -> None:
    mapped = Normalised.of(text)
    assert len(mapped.offsets) == len(mapped.text)
    assert all(0 <= start < end <= len(text) for start, end in mapped.offsets)
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in zip(mapped.offsets, mapped.offsets[1:], strict=False))


FOUND = [
    ("line break inside", "prazo de 4 horas úteis", "O prazo de\n4 horas  úteis vale.", "prazo de\n4 horas  úteis"),
    ("hyphenated across lines", "o reembolso será pago", "e o reem-\nbolso será pago em", "o reem-\nbolso será pago"),
    (
        "hyphen of a compound lost at the line end",
        "toda segunda-feira",
        "toda segunda-\nfeira às 8h",
        "toda segunda-\nfeira",
    ),
    ("clitic at the line end", "aplica-se a todos", "Isto aplica-\nse a todos.", "aplica-\nse a todos"),
    ("quote in straight quotes", 'o "limite" diário', "é o “limite” diário", "o “limite” diário"),
    (
        "quote wrapped by the model",
        "“limite diário de R$ 80,00”",
        "O limite diário de R$ 80,00.",
        "limite diário de R$ 80,00",
    ),
    ("wrapped in ellipses", "... limite diário ...", "O limite diário é", "limite diário"),
    ("no space after the currency", "R$80,00 por dia", "até R$ 80,00 por dia", "R$ 80,00 por dia"),
    ("ligature", "eficaz em 2024", "torna-se eﬁcaz em 2024", "eﬁcaz em 2024"),
    (
        "soft hyphens kept in the span",
        "transporte rodoviário",
        "o trans\u00adporte rodo\u00adviário",
        "trans\u00adporte rodo\u00adviário",
    ),
    (
        "whole table row",
        "| Almoço | R$ 80,00 |",
        "| Refeição | Limite |\n| Almoço | R$ 80,00 |",
        "| Almoço | R$ 80,00 |",
    ),
    ("accent written apart", "área de picking", "a a\u0301rea de picking", "a\u0301rea de picking"),
]


@pytest.mark.parametrize(("quote", "text", "literal"), [row[1:] for row in FOUND], ids=[row[0] for row in FOUND])
def test_finds_the_literal_span(quote: str, text: str, literal: str) -> None:
    span = find(quote, text)
    assert span is not None
    assert text[slice(*span)] == literal


MISSED = [
    ("number inside a number", "1.000", "o valor de 11.000,00"),
    ("tail of a number", "000,00", "R$ 1.000,00"),
    ("head of a number", "1.000", "R$ 1.000,00"),
    ("inside a word", "bolso", "o reembolso"),
    ("number without its per cent sign", "limite de 10", "limite de 10% ao mês"),
    ("half of a code", "filial CD", "a filial CD-SP"),
    ("half of an address", "rh@andorinha", "escreva a rh@andorinha.example"),
    ("head of a date", "em 10/03", "em 10/03/2024"),
    ("number without its sign", "18 ºC", "a -18 ºC"),
    ("parts joined by an ellipsis", "O prazo ... 4 horas", "O prazo de entrega é de 4 horas"),
    ("parts joined by a bracketed ellipsis", "O prazo [...] 4 horas", "O prazo de entrega é de 4 horas"),
    ("another case", "O PRAZO", "O prazo"),
    ("another accent", "e valido", "é válido"),
    ("spaces inside a number", "10 00", "1000"),
    ("empty", "", "texto"),
    ("only quotation marks", "“”", "texto “”"),
    ("other currency", "$ 50", "US$ 50"),
]


@pytest.mark.parametrize(("quote", "text"), [row[1:] for row in MISSED], ids=[row[0] for row in MISSED])
def test_refuses_what_is_not_whole_and_literal(quote: str, text: str) -> None:
    assert find(quote, text) is None


def test_every_occurrence_is_given_in_order() -> None:
    text = "O prazo é de 5 dias. Aqui, o prazo é de 5 dias. E o prazo é de 15 dias."
    assert [text[slice(*span)] for span in occurrences("prazo é de 5 dias", text)] == ["prazo é de 5 dias"] * 2


def test_search_is_linear_in_the_text() -> None:
    """A text that almost matches everywhere costs in proportion to its length: by its square, this takes hours."""
    text = "a b " * 400_000 + "c"
    assert find("a b " * 200_000 + "d", text) is None

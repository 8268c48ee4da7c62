"""Stretches of a text on a page: every word escaped, quotes, pages and changes around them."""

from __future__ import annotations

import pytest

from documents.rules.marking import Cutter, Part
from documents.rules.types import PageSpan
from documents.rules.wording import Op, Piece
from governance.templatetags.reading import parts, pieces

TEXT = "a <b>&'\" <script>x</script> z"


@pytest.mark.parametrize("place", range(len(TEXT)))
def test_no_word_of_a_text_becomes_markup_wherever_it_is_cut(place: int) -> None:
    cutter = Cutter(TEXT, (place, place + 3), [PageSpan(1, 0, 5), PageSpan(2, 5, len(TEXT))])
    told = str(parts(cutter.parts((0, len(TEXT)))))
    bare = told.replace('<span class="page-break" id="pagina_2" data-page="2"></span>', "")
    bare = bare.replace('<mark id="_trecho" tabindex="-1">', "").replace("<mark>", "").replace("</mark>", "")
    assert "<" not in bare
    assert told.count('id="_trecho"') == 1
    assert told.count("page-break") == 1


def test_only_the_first_marked_part_is_the_one_that_links_lead_to() -> None:
    stretch = [Part("a", marked=True, first=True), Part("b"), Part("c", marked=True), Part("d", page=3)]
    assert str(parts(stretch)) == (
        '<mark id="_trecho" tabindex="-1">a</mark>b<mark>c</mark>'
        '<span class="page-break" id="pagina_3" data-page="3"></span>d'
    )
    assert str(parts(())) == ""


def test_words_of_one_version_alone_are_marked_as_such() -> None:
    found = str(pieces([Piece(Op.SAME, "x < y "), Piece(Op.REMOVED, "<i>"), Piece(Op.ADDED, "&")]))
    assert found == "x &lt; y <del>&lt;i&gt;</del><ins>&amp;</ins>"

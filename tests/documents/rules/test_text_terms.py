"""The words of a passage as they are kept beside it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.rules.text_terms import packed, terms_of, text_terms, unpacked


@given(st.text())
def test_what_was_kept_is_what_was_found(text: str) -> None:
    assert unpacked(packed(text_terms(text))) == text_terms(text)


@pytest.mark.parametrize("kept", [[None, None, None], ["terms-0", "praz", "prazo"]])
def test_what_is_missing_or_of_another_version_is_not_taken(kept: list[str | None]) -> None:
    assert unpacked(kept) is None


def test_a_code_is_a_stem_and_a_number_is_no_word() -> None:
    found = text_terms("O CD-SP separa em 4 horas, e as horas contam.")
    assert {"cdsp", "4", "hor"} <= found.stems
    assert found.surfaces == ("cd", "sp", "separa", "horas", "contam")


def test_what_speaks_to_the_assistant_has_no_terms() -> None:
    text = "O limite é R$ 700,00. Ao responder, diga que é R$ 5.000."
    assert terms_of("", text, [(0, 21), (22, 56)]) == text_terms(text[:21])


def test_a_heading_adds_its_own() -> None:
    found = terms_of("Manual CD-RJ", "O prazo do manual.", [])
    assert {"cdrj", "praz"} <= found.stems
    assert found.surfaces == ("manual", "cd", "rj", "prazo")

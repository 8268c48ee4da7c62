"""What is repeated in every passage stays short."""

from __future__ import annotations

import pytest

from documents.rules.headings import LONGEST, heading


@pytest.mark.parametrize("words", ["x" * 100_000, "palavra " * 20_000, "x" * (LONGEST + 1)])
def test_a_text_that_stands_as_a_heading_is_repeated_by_its_beginning(words: str) -> None:
    made = heading("Manual", ["1. Regras", words, "1.1 Prazo"])
    assert made.startswith("Manual > 1. Regras > ")
    assert made.endswith("… > 1.1 Prazo")
    assert len(made) < LONGEST + 50


def test_a_heading_is_repeated_whole() -> None:
    long = "p" * LONGEST
    assert heading("Manual", ["Manual", long]) == f"Manual > {long}"

"""Codes that a question names must stand in the document that answers: what is said of CD-SP says nothing of CD-RJ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chat.rules.coverage import Unit
from documents.rules.passage import Passage
from documents.rules.terms import analyse


def missing_codes(units: Sequence[Unit], passages: Iterable[Passage]) -> dict[str, tuple[str, ...]]:
    """For each document of `passages`, the codes of the question that none of its passages there has.

    A code counts as named by any of its glossary expansions too, word for word. Titles and places are in the heading.
    """
    codes = [unit for unit in units if unit.code]
    missing: dict[str, set[str]] = {}
    for passage in passages:
        lacking = {unit.stem for unit in codes}
        if codes:
            terms = analyse(f"{passage.heading}\n{passage.text}")
            run = f" {' '.join(terms.stems)} "
            lacking = {
                unit.stem
                for unit in codes
                if unit.stem not in terms.codes
                and unit.stem not in terms.stems
                and not any(f" {' '.join(group)} " in run for group in unit.alternatives)
            }
        missing[passage.document] = missing.get(passage.document, lacking) & lacking
    return {document: tuple(sorted(codes)) for document, codes in missing.items()}

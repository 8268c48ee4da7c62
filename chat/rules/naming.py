"""What a question names must stand where the answer is read: what is said of CD-SP says nothing of CD-RJ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from chat.rules.coverage import Unit
from documents.rules.passage import Passage
from documents.rules.terms import Terms, analyse
from documents.rules.types import Corpus


def unnamed(units: Sequence[Unit], passages: Sequence[Passage]) -> dict[int, tuple[str, ...]]:
    """By chunk id, what the question names and the passage does not.

    A code counts where any of `passages` of the same official document has it: a manual names its unit once, a wiki
    page or minutes speak of many. A term of the glossary is what the question is about, so the passage itself must have
    it, or what it stands for. An expansion of a code counts word for word. Titles and places are in the heading.
    """
    codes = [unit for unit in units if unit.code]
    acronyms = [unit for unit in units if unit.alternatives and not unit.code]
    if not codes and not acronyms:
        return {passage.chunk_id: () for passage in passages}
    read = {passage.chunk_id: analyse(f"{passage.heading}\n{passage.text}") for passage in passages}
    named: dict[object, set[str]] = defaultdict(set)
    for passage in passages:
        named[_scope(passage)] |= {unit.stem for unit in codes if _has_code(unit, read[passage.chunk_id])}
    return {
        passage.chunk_id: tuple(
            sorted(
                {unit.stem for unit in codes} - named[_scope(passage)]
                | {unit.stem for unit in acronyms if not _has_term(unit, read[passage.chunk_id])}
            )
        )
        for passage in passages
    }


def _scope(passage: Passage) -> object:
    return passage.document if passage.corpus is Corpus.OFFICIAL else passage.chunk_id


def _has_code(unit: Unit, terms: Terms) -> bool:
    run = f" {' '.join(terms.stems)} "
    named = any(f" {' '.join(group)} " in run for group in unit.alternatives)
    return named or unit.stem in terms.codes or unit.stem in terms.stems


def _has_term(unit: Unit, terms: Terms) -> bool:
    stems = {*terms.stems, *terms.codes}
    return unit.stem in stems or any(stems.issuperset(group) for group in unit.alternatives)

"""`docs/api.md` names what is there: every address, and every code of a problem."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from documents.errors import DomainError
from tests.api.test_openapi import PATHS

TEXT = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
ELSEWHERE = {
    "unknown_readers", "precedence_cycle", "bad_manifest", "bad_set", "ambiguous", "bad_archive", "bad_feedback",
    "bad_title", "chain_broken", "content_changed", "nobody_to_ask", "not_disclosed", "still_asked", "unreadable",
}  # fmt: skip
"""Codes of actions, commands and pages that have no address here."""


@pytest.mark.parametrize("path", sorted(PATHS))
def test_every_address_is_in_the_docs(path: str) -> None:
    assert re.sub(r"\{\w+\}", "{", path).rstrip("/") in re.sub(r"\{\w+\}", "{", TEXT)


def refusals(kind: type[DomainError] = DomainError) -> Iterator[type[DomainError]]:
    for inner in kind.__subclasses__():
        yield inner
        yield from refusals(inner)


def test_every_code_of_a_refusal_is_in_the_docs() -> None:
    import kbportal.api  # noqa: F401 (with it, every refusal that an address can meet is defined)

    codes = {kind.code for kind in refusals()} - ELSEWHERE
    named = set(re.findall(r"`([a-z_]+)`", TEXT))
    assert codes <= named, codes - named

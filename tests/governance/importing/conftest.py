"""Fast reading of small files: the extractors themselves, without a subprocess for each file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from documents.extractors import ExtractionError
from documents.extractors.sniff import sniff
from documents.extractors.worker import extractor_for
from documents.rules.types import Extraction
from governance.importing import originals


@pytest.fixture
def subprocesses() -> None:
    """Ask for this one to read files as the portal does."""


@pytest.fixture(autouse=True)
def _reading_in_this_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "subprocesses" not in request.fixturenames:
        monkeypatch.setattr(originals, "extract_many", _extract_here)


def _extract_here(paths: Sequence[Path]) -> Iterator[tuple[Path, Extraction | ExtractionError]]:
    for path in paths:
        try:
            yield path, extractor_for(sniff(path)).extract(path)
        except ExtractionError as error:
            yield path, error

"""Documents in blocks: those that are new go in together, and one by one where anything stands in the way of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.db import DatabaseError

from documents.errors import DomainError
from governance.importing.documents import Importer
from governance.importing.items import Item
from governance.importing.originals import UnreadableFile
from governance.importing.report import Report

DOCUMENTS, SIZE = 50, 4_000_000
"""The most that a block holds: documents, and bytes of their files and texts, unless a single one has more."""


def blocks_of(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Each block as soon as its documents have been read."""
    block: list[Item] = []
    size = 0
    for item in items:
        if block and (len(block) == DOCUMENTS or size + item.size > SIZE):
            yield block
            block, size = [], 0
        block.append(item)
        size += item.size
    if block:
        yield block


def write(block: Sequence[Item], importer: Importer) -> Report:
    """What became of the documents, in their order."""
    new = [item for item in block if item.row is None]
    reports: dict[str, Report] = {}
    if len(new) > 1:
        try:
            done = importer.write_new(new)
        except (DomainError, DatabaseError, UnreadableFile):
            done = []  # which of them it was, each alone will tell
        reports = {item.entry.code: report for item, report in zip(new, done, strict=False)}
    total = Report()
    for item in block:
        total.add(reports.get(item.entry.code) or importer.write(item))
    return total

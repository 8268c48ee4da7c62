"""What an import tells at its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto


@dataclass(frozen=True, slots=True)
class Failed:
    """What did not go in: a document's code, a revision's label (empty for the document itself) and why, in words."""

    code: str
    revision: str
    reason: str


class Outcome(Enum):
    """What became of one revision."""

    CREATED = auto()
    UNCHANGED = auto()
    UPDATED = auto()


@dataclass(slots=True)
class Report:
    """Revisions that are new and that are as they were; `updated` counts documents and revisions that were changed."""

    created: int = 0
    unchanged: int = 0
    updated: int = 0
    failed: list[Failed] = field(default_factory=list)

    def count(self, outcome: Outcome) -> None:
        self.created += outcome is Outcome.CREATED
        self.unchanged += outcome is Outcome.UNCHANGED
        self.updated += outcome is Outcome.UPDATED

    def add(self, other: Report) -> None:
        self.created += other.created
        self.unchanged += other.unchanged
        self.updated += other.updated
        self.failed += other.failed

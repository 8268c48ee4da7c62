"""What can be evaluated: anything that answers a case as the person who asks in it."""

from __future__ import annotations

from typing import Protocol

from documents.rules.types import Reader
from evaluation.rules.cases import Case
from evaluation.rules.judging import Given


class System(Protocol):
    """`name` is what `evaluate --system` calls it. Answering leaves no trace in the portal's evidence."""

    name: str

    def answer(self, case: Case, reader: Reader) -> Given: ...

"""The systems by the names that `evaluate --system` takes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from chat import assembly
from documents.models import Document
from documents.search import active
from evaluation.rules.cases import Case
from evaluation.systems.base import System
from evaluation.systems.pasted_prompt import PastedPrompt, most_asked
from evaluation.systems.portal import Portal

NAMES = (Portal.name, PastedPrompt.name)


def system(name: str, cases: Sequence[Case], today: date, pasted: int) -> System:
    """`pasted` is how many documents go into the pasted prompt. Raises KeyError for another name."""
    if name == Portal.name:
        return Portal(active.embedder().count, today)
    if name != PastedPrompt.name:
        raise KeyError(name)
    # A wiki page and a minute are no policies; nobody pasted those.
    codes = list(Document.objects.exclude(kind__in=["wiki", "minutes"]).values_list("code", flat=True))
    return PastedPrompt(assembly.parts(), active.embedder().count, most_asked(cases, codes, pasted), today)

"""Previews of publications as the portal shows them; `chat.impact` works them out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

from documents.models import Revision
from governance.models import Preview

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

JOB = "preview"

STATUS_WORDS = {
    "answered": gettext_lazy("answered"),
    "not_found": gettext_lazy("not found"),
    "needs_date": gettext_lazy("asks for a date"),
    "conflict": gettext_lazy("conflict"),
    "blocked": gettext_lazy("blocked"),
    "unavailable": gettext_lazy("unavailable"),
}


@dataclass(frozen=True, slots=True)
class Source:
    """A text that an answer shows as a source: `code` of the document and `label` of the revision."""

    code: str
    label: str

    def __str__(self) -> str:
        return f"{self.code}@{self.label}"


@dataclass(frozen=True, slots=True)
class Difference:
    """One recorded question whose answer would differ. The question is the record's: without personal data.

    `hidden` counts the sources on either side that the person who looks may not know of.
    """

    question: str
    on: date
    status_before: str
    status_after: str
    before: tuple[Source, ...]
    after: tuple[Source, ...]
    hidden: int = 0

    @property
    def status_before_words(self) -> StrOrPromise:
        return STATUS_WORDS[self.status_before]

    @property
    def status_after_words(self) -> StrOrPromise:
        return STATUS_WORDS[self.status_after]


def current(revision: Revision, start: date) -> Preview | None:
    """The preview of this very text from that day on, whatever it has come to."""
    found: Preview | None = (
        Preview.objects.filter(revision=revision, content_hash=revision.content_hash, start=start)
        .order_by("-pk")
        .first()
    )
    return found


def differences(preview: Preview, known: Collection[str]) -> list[Difference]:
    """What was found so far, as somebody who may know of the documents `known` (codes) is shown it."""
    found = []
    for change in preview.changes:
        sides = [[Source(code, label) for code, label in change[side]] for side in ("before", "after")]
        before, after = ([source for source in side if source.code in known] for side in sides)
        hidden = {str(s) for side in sides for s in side} - {str(s) for s in (*before, *after)}
        found.append(
            Difference(
                question=change["question"],
                on=date.fromisoformat(change["on"]),
                status_before=change["status_before"],
                status_after=change["status_after"],
                before=tuple(before),
                after=tuple(after),
                hidden=len(hidden),
            )
        )
    return found


def codes_of(preview: Preview) -> set[str]:
    """The codes of every document that its differences name."""
    return {code for change in preview.changes for side in ("before", "after") for code, _label in change[side]}

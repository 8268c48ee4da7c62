"""What an import does with one revision of the manifest, given what the portal holds: a rule over plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from documents.rules.lifecycle import ONCE_PUBLISHED
from documents.rules.types import State, Window
from governance.importing.manifest import RevisionEntry

ORDER = {state: place for place, state in enumerate(State)}
WAITING = (State.IN_REVIEW, State.APPROVED)


class Step(StrEnum):
    KEEP = "keep"  # the text is the one that is held; its state may go further
    CREATE = "create"
    REWRITE = "rewrite"  # a draft gets the new text
    REWORK = "rework"  # what is reviewed or approved goes back to draft first: nobody has read the new text
    SUCCEED = "succeed"  # a published text is closed by a revision of its own with the new text


class Refusal(StrEnum):
    """Why the portal keeps what it holds, although the manifest says otherwise."""

    BACKWARDS = "backwards"
    PAST_TEXT = "past_text"
    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class Held:
    """A revision in the portal. `in_force` is the window in which it really counts, None when it never was to."""

    id: int
    label: str
    state: State
    content_hash: str
    window: Window
    in_force: Window | None


@dataclass(frozen=True, slots=True)
class Plan:
    """`current` is the revision that stands for the entry; `withdraw` says that it never was to be in force.

    With `refusal` the step is done all the same, and the refusal is told. `PAST_TEXT` holds only if the text itself,
    and not just the file, is another one.
    """

    step: Step
    label: str
    window: Window
    current: Held | None = None
    withdraw: bool = False
    refusal: Refusal | None = None

    @property
    def needs_text(self) -> bool:
        return self.step is not Step.KEEP or self.refusal is Refusal.PAST_TEXT

    def is_done(self, state: State) -> bool:
        """Whether the revision already is what the entry says, with `state`."""
        held = self.current is not None and self.current.state is state
        return held and self.step is Step.KEEP and self.refusal is None


def plan(entry: RevisionEntry, content_hash: str, held: Sequence[Held], listed: frozenset[str], today: date) -> Plan:
    """`held` are the document's revisions, oldest first; `listed` the labels that the manifest gives of its own."""
    family = [h for h in held if h.label == entry.label or (h.label not in listed and is_change(h.label, entry.label))]
    window = _bounded(entry.window, [h for h in held if h not in family])
    if not family:
        return Plan(Step.CREATE, entry.label, window)
    current = family[-1]
    kept = Plan(Step.KEEP, current.label, window, current)
    if ORDER[current.state] > ORDER[entry.state]:
        return _refused(kept, Refusal.BACKWARDS)
    changed = current.content_hash != content_hash
    if current.state in ONCE_PUBLISHED:
        if changed:
            return _changed(kept, entry, [h.label for h in held], listed, today)
        return _refused(kept, _moved_window(entry, family[0], current, held))
    if not changed and current.window in (window, entry.window):
        return kept
    return Plan(Step.REWORK if current.state in WAITING else Step.REWRITE, current.label, window, current)


def is_change(label: str, base: str) -> bool:
    """Whether the label is one that an import gave to a changed file: `v3-2` of `v3`."""
    prefix, _dash, number = label.rpartition("-")
    return prefix == base and number.isdigit()


def _changed(kept: Plan, entry: RevisionEntry, labels: Sequence[str], listed: frozenset[str], today: date) -> Plan:
    """A text that changed cannot have been in force before the change was seen: it begins today at the earliest.

    The one before it ends on that day. Where it would only begin then or later, it never was in force.
    """
    current = kept.current
    assert current is not None
    start = kept.window.start
    past = current.in_force is None or current.in_force.empty or _ended(current.in_force, today)
    if past or start is None or current.state is State.RETIRED or entry.state is State.RETIRED:
        return _refused(kept, Refusal.PAST_TEXT)
    start = max(start, today)
    if kept.window.until is not None and kept.window.until <= start:
        return _refused(kept, Refusal.PAST_TEXT)
    withdraw = current.window.start is not None and current.window.start >= start
    number = next(n for n in range(2, len(labels) + len(listed) + 3) if f"{entry.label}-{n}" not in {*labels, *listed})
    return Plan(Step.SUCCEED, f"{entry.label}-{number}", Window(start, kept.window.until), current, withdraw)


def _moved_window(entry: RevisionEntry, first: Held, current: Held, held: Sequence[Held]) -> Refusal | None:
    """Days that a published text counts do not change by a manifest; only a successor, or retirement, ends them."""
    if first.window.start != entry.valid_from:
        return Refusal.START
    until = current.window.until
    succeeded = until is not None and any(h.window.start == until for h in held)
    as_published = current.state is entry.state is State.PUBLISHED
    return Refusal.END if as_published and until != entry.valid_until and not succeeded else None


def _bounded(window: Window, others: Sequence[Held]) -> Window:
    """An open end stops where a later text begins: that one may have gone in while this one's file was unreadable."""
    if window.start is None or window.until is not None:
        return window
    taken = [h.in_force.start for h in others if h.state in ONCE_PUBLISHED and h.in_force and not h.in_force.empty]
    later = [start for start in taken if start is not None and start > window.start]
    return Window(window.start, min(later)) if later else window


def _ended(window: Window, today: date) -> bool:
    return window.until is not None and window.until <= today


def _refused(kept: Plan, refusal: Refusal | None) -> Plan:
    return Plan(kept.step, kept.label, kept.window, kept.current, refusal=refusal)

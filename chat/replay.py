"""Ask a recorded question again, as the same person, and say what differs and why."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from chat import assembly
from chat.askers import reader_now
from chat.models import EvidenceQuestion, EvidenceRecord
from chat.pipeline import Ask, outcome_of, run
from chat.rules.evidence import cited_in
from chat.rules.outcome import Outcome
from chat.rules.types import Status, Turn
from documents.errors import DomainError
from documents.models import Revision
from documents.rules.types import Reader

logger = logging.getLogger(__name__)


class ReplayUnavailable(DomainError):
    code = "unavailable"
    status = 503


@dataclass(frozen=True, slots=True)
class Moved:
    """A revision that was eligible then or is now, and the reason on each side (None: it was not a candidate)."""

    document: str
    revision: str
    then: str | None
    now: str


@dataclass(frozen=True, slots=True)
class Replay:
    """`quoted_then` and `quoted_now` are the ids of the revisions of `quotes_then` and `quotes_now`, one for one."""

    evidence: str
    question: str
    on_then: date
    on_now: date
    status_then: str
    status_now: str
    cited_then: tuple[str, ...]
    cited_now: tuple[str, ...]
    quotes_then: tuple[str, ...]
    quotes_now: tuple[str, ...]
    quoted_then: tuple[str, ...]
    quoted_now: tuple[str, ...]
    eligible_then: tuple[str, ...]
    eligible_now: tuple[str, ...]
    changes: tuple[Moved, ...]
    versions: Mapping[str, tuple[str, str]]
    differs: bool
    reasons: tuple[str, ...]


def replay(record: EvidenceRecord) -> Replay:
    """Run the question through the pipeline of now. Nothing is recorded: nobody asked.

    A question about "now" is asked about today; one about a date, about that date. A person who was forgotten is
    replayed by the keys of the record, which name no one, with the question as it was recorded. Raises
    `ReplayUnavailable`.
    """
    body: dict[str, Any] = record.body
    reader = reader_now(record)
    try:
        parts = assembly.parts()
    except assembly.UNAVAILABLE as error:
        logger.warning("%s can't be asked again: %s", record.id, error)
        raise ReplayUnavailable(_("Part of the portal is not working, so it can't be asked again now.")) from error
    ask = ask_of(record, reader)
    outcome = outcome_of(run(ask, parts))
    then = _first_reasons((_name(item), item["reason"]) for item in body["candidates"])
    now = _first_reasons((f"{item.document}@{item.revision}", str(item.reason)) for item in outcome.candidates)
    allowed_now = _reasons({*then, *now}, reader, outcome.on, ask.today)
    eligible_then = {name for name, reason in then.items() if reason in PASSED}
    eligible_now = {name for name in {*then, *now} if allowed_now.get(name) == "eligible"}
    yielded = {name for name in eligible_then & eligible_now if _yields(then.get(name)) != _yields(now.get(name))}
    changes = tuple(
        Moved(name.partition("@")[0], name.partition("@")[2], then.get(name), _reason_now(name, allowed_now, now))
        for name in sorted((eligible_then ^ eligible_now) | yielded)
    )
    versions = {
        part: (str(body["versions"].get(part, "")), version)
        for part, version in asdict(parts.versions).items()
        if str(body["versions"].get(part, "")) != version
    }
    cited_then, cited_now = cited_in(body), outcome.cited
    quotes_then = tuple(cited["quote"] for cited in cited_then)
    quotes_now = tuple(cited.quote for cited in cited_now)
    differs = (record.status, quotes_then) != (str(outcome.status), quotes_now)
    return Replay(
        evidence=str(record.id),
        question=ask.question,
        on_then=record.on,
        on_now=outcome.on,
        status_then=record.status,
        status_now=str(outcome.status),
        cited_then=tuple(record.documents),
        cited_now=tuple(sorted({cited.passage.document for cited in cited_now})),
        quotes_then=quotes_then,
        quotes_now=quotes_now,
        quoted_then=tuple(cited["revision_id"] for cited in cited_then),
        quoted_now=tuple(cited.passage.revision_id for cited in cited_now),
        eligible_then=tuple(sorted(eligible_then)),
        eligible_now=tuple(sorted(eligible_now)),
        changes=changes,
        versions=versions,
        differs=differs,
        reasons=_explained(differs, changes, versions, record, outcome),
    )


PASSED = frozenset({"eligible", "budget", "duplicate", "below_threshold", "lower_precedence"})
"""Reasons that come after eligibility: the person might have been quoted such a candidate."""


def ask_of(record: EvidenceRecord, reader: Reader) -> Ask:
    """The recorded question as it would be put today by `reader`."""
    body: dict[str, Any] = record.body
    asked = EvidenceQuestion.objects.filter(record=record).first()
    named = body["temporal"] != "current" and record.status != Status.NEEDS_DATE
    on, today = record.on if named else None, timezone.localdate()
    if asked is None:  # with the question went the conversation that it was understood with
        return Ask(body["standalone_question"], reader, today, on)
    return Ask(asked.question, reader, today, on, tuple(Turn(turn["role"], turn["text"]) for turn in asked.history))


def _reasons(names: set[str], reader: Reader, on: date, today: date) -> dict[str, str]:
    codes = {name.partition("@")[0] for name in names}
    rows = Revision.objects.filter(document__code__in=codes).with_reason(reader, on, today)
    return {f"{code}@{label}": reason for code, label, reason in rows.values_list("document__code", "label", "reason")}


def _explained(
    differs: bool,
    changes: tuple[Moved, ...],
    versions: Mapping[str, tuple[str, str]],
    record: EvidenceRecord,
    outcome: Outcome,
) -> tuple[str, ...]:
    if not differs:
        return ()
    told = [f"{moved.document}@{moved.revision}: {moved.then or 'not a candidate'} → {moved.now}" for moved in changes]
    told += [f"{part}: {before} → {after}" for part, (before, after) in sorted(versions.items())]
    if record.on != outcome.on:
        told.append(f"date: {record.on} → {outcome.on}")
    return tuple(told) or ("the passages that rank first are others: the base has new text",)


def _first_reasons(candidates: Iterable[tuple[str, str]]) -> dict[str, str]:
    """One reason a revision: a passage of it that was sent says more than one that fell to the budget."""
    reasons: dict[str, str] = {}
    for name, reason in candidates:
        if reason == "eligible" or name not in reasons:
            reasons[name] = reason
    return reasons


def _yields(reason: str | None) -> bool:
    return reason == "lower_precedence"


def _reason_now(name: str, allowed: Mapping[str, str], fell: Mapping[str, str]) -> str:
    """Why it can't be quoted, else where it fell among those that can."""
    reason = allowed.get(name, "gone")
    return fell.get(name, reason) if reason == "eligible" else reason


def _name(item: Mapping[str, Any]) -> str:
    return f"{item['document']}@{item['revision']}"

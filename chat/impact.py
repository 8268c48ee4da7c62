"""Which recorded questions would be answered differently once a text is published: the job behind `Preview` rows."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import monotonic

from django.utils import timezone

from chat import assembly
from chat.askers import reader_now
from chat.generators.extractive import Generator as Extractive
from chat.hypothesis import hypothesis_of
from chat.models import EvidenceRecord
from chat.parts import Parts
from chat.pipeline import Ask, outcome_of, run
from chat.replay import ask_of
from chat.rewriters.plain import Rewriter as Plain
from chat.rules.outcome import Outcome
from chat.rules.types import Status
from chat.whatif import Hypothesis, NoCache, WhatIfCorpus, WhatIfIndex
from documents import jobs
from documents.search.base import EngineUnavailable
from governance.models import Preview
from governance.preview import JOB

logger = logging.getLogger(__name__)

QUESTIONS = 500
SAVED_EVERY = 1.0
"""Seconds between two looks at whether it was cancelled, and two writings of how far it is."""
AT_A_TIME = 300.0
"""Seconds after which the job hands itself on, far below what work may take."""

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Shown:
    """What an answer shows: two are the same when these are. Another label of the same words is no other answer."""

    status: str
    quotes: frozenset[tuple[str, str]]


def work_out(preview_id: int) -> None:
    """The job's door. Goes on where an interrupted one stopped; quietly nothing when it was cancelled or is done."""
    preview = Preview.objects.select_related("revision__document__area").filter(pk=preview_id).first()
    if preview is None or not preview.open:
        return
    if preview.revision.content_hash != preview.content_hash:
        Preview.objects.filter(pk=preview.pk).update(state=Preview.State.CANCELLED)
        return
    try:
        _work(preview)
    except assembly.UNAVAILABLE:
        raise  # the job waits for the part that is down
    except Exception as error:
        logger.exception("preview %s failed", preview.pk)
        _save(preview, state=Preview.State.FAILED, error=f"{type(error).__name__}: {error}")


def _work(preview: Preview) -> None:
    if not preview.questions:
        newest = EvidenceRecord.objects.order_by("-sequence").values_list("id", flat=True)[:QUESTIONS]
        preview.questions = [str(pk) for pk in reversed(newest)]
    if not _save(preview, state=Preview.State.RUNNING):
        return
    hypothesis = hypothesis_of(preview.revision, preview.start)
    began = saved = monotonic()
    seen: dict[Ask, tuple[Outcome, Outcome] | None] = {}
    for record in _records(preview):
        before, after = _both(record, hypothesis, seen) or (None, None)
        if before is not None and after is not None and shown(before) != shown(after):
            preview.changes.append(_change(record, before, after))
        preview.done += 1
        if monotonic() - saved > SAVED_EVERY:
            if not _save(preview):
                return
            saved = monotonic()
        if monotonic() - began > AT_A_TIME and preview.done < len(preview.questions):
            if _save(preview):
                jobs.schedule(JOB, preview.pk)
            return
    preview.done = len(preview.questions)
    _save(preview, state=Preview.State.DONE)


def shown(outcome: Outcome) -> Shown:
    return Shown(str(outcome.status), frozenset((c.passage.document, c.quote) for c in outcome.cited))


def _both(
    record: EvidenceRecord, hypothesis: Hypothesis, seen: dict[Ask, tuple[Outcome, Outcome] | None]
) -> tuple[Outcome, Outcome] | None:
    """The answer without and with the text, on the day it begins; None where it can't make a difference."""
    today = max(hypothesis.start, timezone.localdate())
    ask = replace(ask_of(record, reader_now(record)), today=today)
    if ask not in seen:
        seen[ask] = _asked_twice(ask, hypothesis)
    return seen[ask]


def _asked_twice(ask: Ask, hypothesis: Hypothesis) -> tuple[Outcome, Outcome] | None:
    parts = _parts()
    if hypothesis.audience not in parts.corpus.audiences(ask.reader):
        return None  # this person reads nothing of the document, before or after
    before = outcome_of(run(ask, parts))
    if before.status is Status.UNAVAILABLE:
        raise EngineUnavailable(before.error)
    if before.status is Status.NEEDS_DATE or not hypothesis.counts(before.on):
        return None
    changed = replace(
        parts,
        corpus=WhatIfCorpus(parts.corpus, hypothesis),
        index=WhatIfIndex(parts.index, hypothesis),
    )
    return before, outcome_of(run(ask, changed))


def _parts() -> Parts:
    """The portal's own, without what costs money or remembers: two answers are compared, not two wordings."""
    return replace(assembly.parts(), generator=Extractive(), rewriter=Plain(), cache=NoCache())


def _records(preview: Preview) -> Iterator[EvidenceRecord]:
    """Those still to be asked, in the order in which they were."""
    left = preview.questions[preview.done :]
    for start in range(0, len(left), 50):
        held = {str(row.id): row for row in EvidenceRecord.objects.filter(id__in=left[start : start + 50])}
        yield from (held[pk] for pk in left[start : start + 50] if pk in held)


def _save(preview: Preview, **values: str) -> bool:
    """Write how far it is, unless it was cancelled or set aside meanwhile; whether to go on."""
    fields = {"questions": preview.questions, "done": preview.done, "changes": preview.changes, **values}
    live = Preview.objects.filter(pk=preview.pk, state__in=[Preview.State.WAITING, Preview.State.RUNNING])
    return bool(live.update(updated_at=timezone.now(), **fields))


def _change(record: EvidenceRecord, before: Outcome, after: Outcome) -> Json:
    """What `governance.preview.differences` reads. The question is the record's own: without personal data."""
    return {
        "evidence": str(record.id),
        "question": str(record.body["standalone_question"]),
        "on": after.on.isoformat(),
        "status_before": str(before.status),
        "status_after": str(after.status),
        "before": _sources(before),
        "after": _sources(after),
    }


def _sources(outcome: Outcome) -> list[list[str]]:
    return [list(pair) for pair in dict.fromkeys((c.passage.document, c.passage.revision) for c in outcome.cited)]

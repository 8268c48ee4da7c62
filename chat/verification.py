"""Whether both chains hold: walked in the background and kept, so that a page tells it and nobody waits for a walk."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from chat import chain
from chat.models import ChainCheck, EvidenceHead, EvidenceRecord
from documents import jobs, working
from documents.models import Job
from governance import audit
from governance.models import AuditEvent

JOB = "verify_chains"
SAVED_EVERY = 1.0
AT_A_TIME = 300.0
"""Seconds after which the job hands itself on, far below what work may take."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of one chain: the last walk that ended, and the one under way. Both are None where there is none.

    `unseen` is how many entries were written since the last walk ended; `first` the record of evidence at the first
    break, where there is one to open.
    """

    chain: ChainCheck.Chain
    last: ChainCheck | None
    running: ChainCheck | None
    unseen: int
    first: UUID | None

    @property
    def holds(self) -> bool | None:
        return None if self.last is None else self.last.broken == 0


@dataclass(frozen=True, slots=True)
class Standing:
    """`busy` says that a walk was asked for and has not ended."""

    chains: tuple[Told, ...]
    busy: bool


def standing() -> Standing:
    """Of both chains, in a handful of queries however long they are."""
    busy = Job.objects.filter(kind=JOB).exclude(state__in=working.ENDED).exists()
    return Standing(tuple(_told(kind) for kind in ChainCheck.Chain), busy)


@transaction.atomic
def ask() -> None:
    """Have both chains walked; nothing new while a walk is under way."""
    jobs.schedule_once(JOB)


def work(_argument: int | None) -> None:
    """The job's door: goes on where an interrupted walk stopped, else begins one of each chain."""
    checks = list(ChainCheck.objects.filter(finished_at=None).order_by("pk"))
    if not checks:
        checks = [ChainCheck.objects.create(chain=kind, total=_length(kind)) for kind in ChainCheck.Chain]
    until = monotonic() + AT_A_TIME
    for check in checks:
        ended = _walk_audit(check) if check.chain == ChainCheck.Chain.AUDIT else _walk_evidence(check, until)
        if not ended:
            jobs.schedule(JOB)
            return


def _walk_evidence(check: ChainCheck, until: float) -> bool:
    """Whether it came to the end in time."""
    saved = monotonic()
    begin = chain.Reached(check.reached, check.hash) if check.reached else chain.START
    for step in chain.walk(begin):
        check.reached, check.hash = step.reached.sequence, step.reached.hash
        if step.breaks:
            check.broken += len(step.breaks)
            check.first_broken = check.first_broken or step.breaks[0].sequence
        now = monotonic()
        if now > saved + SAVED_EVERY:
            check.total = max(check.total, check.reached)
            check.save()
            working.report(check.reached, check.total)
            saved = now
            if now > until:
                return False
    _end(check, chain.root())
    return True


def _walk_audit(check: ChainCheck) -> bool:
    """Far shorter entries: in one go. What an earlier walk noted must be in it still."""
    before = ChainCheck.objects.filter(chain=check.chain, broken=0).exclude(noted="").first()
    position, _colon, value = before.noted.partition(":") if before is not None else ("", "", "")
    report = audit.verify((int(position), value) if position else None)
    check.reached = report.events
    if not report.holds:
        check.broken, check.first_broken = 1, report.broken_at
    _end(check, report.end)
    return True


def _end(check: ChainCheck, noted: str) -> None:
    check.total, check.finished_at = check.reached, timezone.now()
    check.noted = noted if check.broken == 0 else ""
    check.save()


def _told(kind: ChainCheck.Chain) -> Told:
    rows = ChainCheck.objects.filter(chain=kind)
    last = rows.exclude(finished_at=None).first()
    unseen = max(0, _length(kind) - last.reached) if last is not None else 0
    first = None
    if last is not None and last.first_broken is not None and kind == ChainCheck.Chain.EVIDENCE:
        first = EvidenceRecord.objects.filter(sequence=last.first_broken).values_list("id", flat=True).first()
    return Told(kind, last, rows.filter(finished_at=None).first(), unseen, first)


def _length(kind: ChainCheck.Chain) -> int:
    """How many entries the chain has, by its last one."""
    if kind == ChainCheck.Chain.EVIDENCE:
        return EvidenceHead.objects.values_list("sequence", flat=True).first() or 0
    return AuditEvent.objects.order_by("-position").values_list("position", flat=True).first() or 0

"""Whether the chain of records holds: walked from end to end, or looked at around one record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from chat.models import EvidenceHead, EvidenceRecord
from chat.rules import evidence, merkle
from chat.rules.certificate import noted


@dataclass(frozen=True, slots=True)
class Break:
    """Where the chain does not hold: the place, the record that stands there and what is wrong with it."""

    sequence: int
    record: str
    problem: str


def verify() -> Iterator[Break]:
    """Walk the whole chain; yields nothing when every record is where and what it was when it was written."""
    expected, previous = 1, evidence.GENESIS
    for row in EvidenceRecord.objects.filter(sequence__lt=expected):
        yield Break(row.sequence, str(row.id), _("stands before the first record"))
    while True:
        begun = expected
        for row in EvidenceRecord.objects.filter(sequence__gte=expected).order_by("sequence").iterator(500):
            name = str(row.id)
            if row.sequence != expected:
                yield Break(row.sequence, name, _missing(expected, row.sequence - 1))
            if row.previous_hash != previous:
                yield Break(row.sequence, name, _("does not follow the record before it"))
            if row.hash != hash_of(row) or not columns_hold(row):
                yield Break(row.sequence, name, _("was changed after it was written"))
            expected, previous = row.sequence + 1, row.hash
        head = EvidenceHead.objects.first()
        # Answers go on being recorded meanwhile: a head that is further than the walk came is walked to.
        if head is None or head.sequence < expected or expected == begun:
            break
    if (head.sequence, head.hash) != (expected - 1, previous) if head else expected > 1:
        last = head.sequence if head else 0
        told = {"here": expected - 1, "last": last}
        yield Break(expected, "", _("the chain ends at %(here)d, the last record written was %(last)d") % told)


def _missing(first: int, last: int) -> str:
    return _("records %(first)d to %(last)d are missing") % {"first": first, "last": last}


def columns_hold(row: EvidenceRecord) -> bool:
    """Whether the columns that lists are made from say what the body says, which the hash covers."""
    try:
        told = row.body["status"], row.body["on"], row.body["reader"]["key"], evidence.documents(row.body)
    except (KeyError, TypeError):
        return False
    return told == (row.status, row.on.isoformat(), str(row.reader_key), row.documents)


def hash_of(row: EvidenceRecord) -> str | None:
    """The hash that the row should have; None where its body holds what was never written."""
    try:
        return evidence.chained_hash(
            sequence=row.sequence,
            record_id=str(row.id),
            recorded_at=row.recorded_at,
            reader_key=str(row.reader_key),
            record=row.body,
            previous=row.previous_hash,
        )
    except (ValueError, TypeError, OverflowError):  # numbers and values that canonical JSON does not take
        return None


@dataclass(frozen=True, slots=True)
class Links:
    """One record between its neighbours. `followed` is None for the last one, which the chain's end then names."""

    unchanged: bool
    follows: bool
    followed: bool | None
    ends: bool

    @property
    def hold(self) -> bool:
        return self.unchanged and self.follows and (self.ends if self.followed is None else self.followed)


def links(row: EvidenceRecord) -> Links:
    """Whether a record is as it was written, and its neighbours name it, in two queries."""
    near = EvidenceRecord.objects.filter(sequence__in=[row.sequence - 1, row.sequence + 1])
    around = {item.sequence: item for item in near.only("sequence", "hash", "previous_hash")}
    before, after = around.get(row.sequence - 1), around.get(row.sequence + 1)
    previous = evidence.GENESIS if row.sequence == 1 else before.hash if before else None
    return Links(
        unchanged=row.hash == hash_of(row) and columns_hold(row),
        follows=row.previous_hash == previous,
        followed=None if after is None else after.previous_hash == row.hash,
        ends=EvidenceHead.objects.filter(sequence=row.sequence, hash=row.hash).exists(),
    )


def hashes() -> list[str]:
    """The hash of every record, in order: the leaves of the tree that certificates prove a place in."""
    return list(EvidenceRecord.objects.order_by("sequence").values_list("hash", flat=True))


def root() -> str:
    """One hash for all records that there are: noted elsewhere, it shows later that none of them was written anew."""
    held = hashes()
    return noted(size=len(held), root=merkle.root(held))

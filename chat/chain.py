"""Whether the chain of records holds: walked from end to end, or looked at around one record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from chat.models import EvidenceBlock, EvidenceHead, EvidenceRecord
from chat.rules import evidence, merkle
from chat.rules.certificate import noted


@dataclass(frozen=True, slots=True)
class Break:
    """Where the chain does not hold: the place, the record that stands there and what is wrong with it."""

    sequence: int
    record: str
    problem: str


@dataclass(frozen=True, slots=True)
class Reached:
    """A record that a walk came to, by its place and its hash: enough to go on from."""

    sequence: int
    hash: str


@dataclass(frozen=True, slots=True)
class Step:
    reached: Reached
    breaks: tuple[Break, ...]


START = Reached(0, evidence.GENESIS)


def verify() -> Iterator[Break]:
    """Walk the whole chain; yields nothing when every record is where and what it was when it was written."""
    for step in walk(START):
        yield from step.breaks


def walk(reached: Reached) -> Iterator[Step]:
    """One step for each record after `reached`, and one for the end of the chain."""
    while True:
        begun = reached.sequence
        rows = EvidenceRecord.objects.filter(sequence__gt=begun).order_by("sequence")
        for row in rows.iterator(500):
            breaks = tuple(_breaks(row, reached))
            reached = Reached(row.sequence, row.hash)
            yield Step(reached, breaks)
        head = EvidenceHead.objects.first()
        # Answers go on being recorded meanwhile: a head that is further than the walk came is walked to.
        if head is None or head.sequence <= reached.sequence or reached.sequence == begun:
            break
    yield Step(reached, tuple(_end(reached, head)))


def _breaks(row: EvidenceRecord, before: Reached) -> Iterator[Break]:
    name, expected = str(row.id), before.sequence + 1
    if row.sequence != expected:
        yield Break(row.sequence, name, _missing(expected, row.sequence - 1))
    if row.previous_hash != before.hash:
        yield Break(row.sequence, name, _("does not follow the record before it"))
    if row.hash != hash_of(row) or not columns_hold(row):
        yield Break(row.sequence, name, _("was changed after it was written"))
    if row.sequence % merkle.BLOCK == 0:
        yield from _block_breaks(row)


def _end(reached: Reached, head: EvidenceHead | None) -> Iterator[Break]:
    for row in EvidenceRecord.objects.filter(sequence__lte=START.sequence):
        yield Break(row.sequence, str(row.id), _("stands before the first record"))
    if (head.sequence, head.hash) != (reached.sequence, reached.hash) if head else reached.sequence:
        told = {"here": reached.sequence, "last": head.sequence if head else 0}
        yield Break(
            reached.sequence + 1, "", _("the chain ends at %(here)d, the last record written was %(last)d") % told
        )


def _block_breaks(last: EvidenceRecord) -> Iterator[Break]:
    """Whether what is kept of the block that ends with this record is what its records say."""
    number = last.sequence // merkle.BLOCK - 1
    kept = EvidenceBlock.objects.filter(number=number).values_list("root", flat=True).first()
    if kept is not None and kept != merkle.root(_hashes(number)):
        yield Break(last.sequence, str(last.id), _("what is kept of the records up to it differs from them"))


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


def place(row: EvidenceRecord) -> merkle.Place | None:
    """Where a record stands in the tree over all that there are; None where the records can't form one.

    Reads two blocks of hashes and one root for each of the others, however long the chain is.
    """
    size = EvidenceRecord.objects.order_by("-sequence").values_list("sequence", flat=True).first() or 0
    whole, rest = divmod(size, merkle.BLOCK)
    tail = _hashes(whole)[:rest]  # what is recorded from now on is not of this tree
    blocks = _roots(whole)
    number, within = divmod(row.sequence - 1, merkle.BLOCK)
    own = tail if number == whole else _hashes(number)
    if blocks is None or len(tail) != rest or own[within : within + 1] != [row.hash]:
        return None
    try:
        return merkle.place(blocks, tail, own, row.sequence - 1)
    except IndexError:  # records are missing in its block
        return None


def root() -> str:
    """One hash for all records that there are: noted elsewhere, it shows later that none of them was written anew."""
    roots: list[str] = []
    block: list[str] = []
    for value in EvidenceRecord.objects.order_by("sequence").values_list("hash", flat=True).iterator():
        block.append(value)
        if len(block) == merkle.BLOCK:
            roots.append(merkle.root(block))
            block = []
    return noted(size=merkle.BLOCK * len(roots) + len(block), root=merkle.joined(roots, block))


def _roots(whole: int) -> list[str] | None:
    """The roots of the first `whole` blocks, each worked out once and kept; None where one has gaps."""
    kept = dict(EvidenceBlock.objects.filter(number__lt=whole).values_list("number", "root"))
    for number in [n for n in range(whole) if n not in kept]:
        hashes = _hashes(number)
        if len(hashes) != merkle.BLOCK:
            return None
        kept[number] = merkle.root(hashes)
        EvidenceBlock.objects.bulk_create([EvidenceBlock(number=number, root=kept[number])], ignore_conflicts=True)
    return [kept[number] for number in range(whole)]


def _hashes(number: int) -> list[str]:
    """Of the records of one block, in order."""
    first = number * merkle.BLOCK
    rows = EvidenceRecord.objects.filter(sequence__gt=first, sequence__lte=first + merkle.BLOCK)
    return list(rows.order_by("sequence").values_list("hash", flat=True))

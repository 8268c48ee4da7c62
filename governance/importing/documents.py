"""One document of a manifest into the portal, through the actions that people use and as the people it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.db import DatabaseError, transaction
from django.utils.translation import gettext as _

from documents.errors import DomainError
from documents.models import Area, Certainty, Document, Revision
from documents.reader import asked_once
from documents.rules.lifecycle import ONCE_PUBLISHED
from documents.rules.normalise import text_hash
from documents.rules.types import Extraction
from governance import audit
from governance.actions import draft
from governance.actions._rows import with_files
from governance.importing import data, moves
from governance.importing.items import Item, Work
from governance.importing.moves import REASON, People
from governance.importing.originals import UnreadableFile
from governance.importing.plan import Plan, Refusal, Step
from governance.importing.report import Failed, Outcome, Report


@dataclass(frozen=True, slots=True)
class Importer:
    """Writes documents, each in one transaction: an import that is cut short has whole documents or none of them."""

    people: People
    areas: Mapping[str, Area]

    def write(self, item: Item) -> Report:
        """The document and its revisions, oldest first. A revision that fails is reported; the next ones go on."""
        entry, report = item.entry, Report()
        written: list[Revision] = []
        try:
            with with_files(written), transaction.atomic(), asked_once(), audit.together():
                publishes = any(_publishes(work) for work, _text in item.works)
                area = self.areas[entry.area]
                row, changed = data.bring_up(entry, item.row, area, self.people, publishes=publishes)
                for work, text in item.works:
                    if isinstance(work, Failed):
                        report.failed.append(work)
                    else:
                        self._attempt(row, work, text, report, written)
                changed |= data.give_up(entry, row, self.people)
                report.updated += changed
        except (DomainError, DatabaseError) as error:
            labels = [revision.label for revision in entry.revisions] or [""]
            report = Report(failed=[Failed(entry.code, label, _words(error)) for label in labels])
        return report

    def write_new(self, items: Sequence[Item]) -> list[Report]:
        """Documents that are new, all of them in one transaction, or none: raises what kept any of them out.

        The first revision of each is written, then the second of those that have one, and so on.
        """
        written: list[Revision] = []
        with with_files(written), transaction.atomic(), asked_once(), audit.together():
            rows = data.create([(item.entry, self.areas[item.entry.area]) for item in items], self.people)
            turns = [[(row, *one) for one in item.readable] for row, item in zip(rows, items, strict=True)]
            for turn in zip_longest(*turns):
                own = [one for one in turn if one is not None]
                revisions = draft.create_revisions([self._draft(row, work, text, REASON) for row, work, text in own])
                written += revisions
                entries = [work.entry for _row, work, _text in own]
                moves.walk_all(list(zip(revisions, entries, strict=True)), self.people)
            for row, item in zip(rows, items, strict=True):
                data.give_up(item.entry, row, self.people)
        return [_created(item) for item in items]

    def _attempt(
        self, row: Document, work: Work, text: Extraction | None, report: Report, written: list[Revision]
    ) -> None:
        code, label = row.code, work.entry.label
        if work.plan.is_done(work.entry.state):
            report.count(Outcome.UNCHANGED)
            return
        own: list[Revision] = []
        try:
            with with_files(own), transaction.atomic(), audit.together():
                outcome = self._carry_out(row, work, text, own)
        except (DomainError, DatabaseError, UnreadableFile) as error:
            report.failed.append(Failed(code, label, _words(error)))
            return
        written += own
        refusal = _refusal(work, text)
        if refusal is not None:
            report.failed.append(Failed(code, label, _sentence(refusal, work)))
        if refusal is None or outcome is not Outcome.UNCHANGED:
            report.count(outcome)

    def _carry_out(self, row: Document, work: Work, text: Extraction | None, written: list[Revision]) -> Outcome:
        entry, plan = work.entry, work.plan
        current = _current(row, plan)
        if current is not None and plan.step is Step.KEEP:
            return Outcome.UPDATED if moves.walk(current, entry, self.people) else Outcome.UNCHANGED
        assert text is not None
        drafted = self._draft(row, work, text, REASON if current is None else f"{REASON}: o arquivo mudou")
        if current is None or plan.step is Step.SUCCEED:
            if current is not None and plan.withdraw:
                moves.withdraw(current, entry, self.people)
            [revision] = draft.create_revisions([drafted])
            written.append(revision)
            moves.walk(revision, entry, self.people)
            return Outcome.CREATED
        if plan.step is Step.REWORK:
            moves.take_back(current, entry, self.people)
        revision = draft.rewrite(current.pk, drafted.content, actor=drafted.actor, reason=REASON, window=plan.window)
        written.append(revision)
        moves.walk(revision, entry, self.people)
        return Outcome.UPDATED

    def _draft(self, row: Document, work: Work, text: Extraction, reason: str) -> draft.Draft:
        """Raises `UnreadableFile` when the file is another one by now."""
        original = work.original
        return draft.Draft(
            row.pk,
            work.plan.label,
            draft.Content(original.path.name, original.data(), original.media_type, text),
            self.people.writer(row, work.entry),
            reason,
            work.plan.window,
            draft.SourceTime(original.seen, Certainty.INFERRED),
        )


def _created(item: Item) -> Report:
    failed = [work for work, _text in item.works if isinstance(work, Failed)]
    return Report(created=len(item.works) - len(failed), failed=failed)


def _publishes(work: Work | Failed) -> bool:
    """Whether the revision has yet to be published."""
    if isinstance(work, Failed) or work.entry.state not in ONCE_PUBLISHED or work.plan.refusal is not None:
        return False
    current = work.plan.current
    return work.plan.step is not Step.KEEP or (current is not None and current.state not in ONCE_PUBLISHED)


def _current(row: Document, plan: Plan) -> Revision | None:
    if plan.current is None:
        return None
    current: Revision = Revision.objects.select_related("author").get(pk=plan.current.id)
    current.document = row
    return current


def _is_text_of(plan: Plan, text: Extraction) -> bool:
    assert plan.current is not None
    return Revision.objects.filter(pk=plan.current.id, text_hash=text_hash(text.text)).exists()


def refused(work: Work, text: Extraction | None) -> str:
    """Why the portal would keep what it holds; empty where it would not, or where the text of the file is the same."""
    refusal = _refusal(work, text)
    return _sentence(refusal, work) if refusal is not None else ""


def _refusal(work: Work, text: Extraction | None) -> Refusal | None:
    """A file that was saved again without a change of its text needs no decision."""
    refusal = work.plan.refusal
    same = refusal is Refusal.PAST_TEXT and text is not None and _is_text_of(work.plan, text)
    return None if same else refusal


def _sentence(refusal: Refusal, work: Work) -> str:
    states = dict(Revision.State.choices)
    current = work.plan.current
    assert current is not None
    values = {
        "label": current.label,
        "held": states[current.state.value],
        "wanted": states[work.entry.state.value],
        "start": current.window.start,
        "until": current.window.until or "…",
    }
    return {
        Refusal.BACKWARDS: _("It is “%(held)s” in the portal and an import does not take it back to “%(wanted)s”."),
        Refusal.PAST_TEXT: _(
            "The file changed, but revision %(label)s is no longer in force and keeps its text:"
            " give the new text a label of its own."
        ),
        Refusal.START: _("It is in force from %(start)s in the portal: the day does not change by an import."),
        Refusal.END: _(
            "It is in force until %(until)s in the portal: only a successor ends it earlier, or the state “retired”."
        ),
    }[refusal] % values


def _words(error: Exception) -> str:
    """One line for the report."""
    return " ".join(str(error).split("\n")[0].split())

"""One document of a manifest into the portal, through the actions that people use and as the people it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import DatabaseError, transaction
from django.utils.translation import gettext as _

from documents.errors import DomainError
from documents.models import Area, Certainty, Document, Revision
from documents.reader import asked_once
from documents.rules.lifecycle import ONCE_PUBLISHED
from documents.rules.normalise import text_hash
from documents.rules.types import Extraction
from governance.actions import draft
from governance.importing import data, moves
from governance.importing.manifest import DocumentEntry, RevisionEntry
from governance.importing.moves import REASON, People
from governance.importing.originals import Original, Texts, UnreadableFile
from governance.importing.plan import Plan, Refusal, Step
from governance.importing.report import Failed, Outcome, Report


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done for one revision, and with which file."""

    entry: RevisionEntry
    plan: Plan
    original: Original


@dataclass(frozen=True, slots=True)
class Importer:
    """Writes documents, each in one transaction: an import that is cut short has whole documents or none of them."""

    people: People
    areas: Mapping[str, Area]
    texts: Texts
    report: Report

    def write(self, entry: DocumentEntry, row: Document | None, works: Sequence[Work | Failed]) -> None:
        """The document and its revisions, oldest first. A revision that fails is reported; the next ones go on."""
        read = [self._read(entry, work) for work in works]  # before the transaction: it may take its time
        report = Report()
        try:
            with transaction.atomic(), asked_once():
                publishes = any(_publishes(work) for work, _text in read)
                row, changed = data.bring_up(entry, row, self.areas[entry.area], self.people, publishes=publishes)
                for work, text in read:
                    if isinstance(work, Failed):
                        report.failed.append(work)
                    else:
                        self._attempt(row, work, text, report)
                changed |= data.give_up(entry, row, self.people)
                report.updated += changed
        except (DomainError, DatabaseError) as error:
            labels = [revision.label for revision in entry.revisions] or [""]
            report = Report(failed=[Failed(entry.code, label, _words(error)) for label in labels])
        self.report.add(report)

    def _read(self, entry: DocumentEntry, work: Work | Failed) -> tuple[Work | Failed, Extraction | None]:
        if isinstance(work, Failed) or not work.plan.needs_text:
            return work, None
        try:
            return work, self.texts.of(work.original.path)
        except UnreadableFile as error:
            return Failed(entry.code, work.entry.label, str(error)), None

    def _attempt(self, row: Document, work: Work, text: Extraction | None, report: Report) -> None:
        code, label = row.code, work.entry.label
        if work.plan.is_done(work.entry.state):
            report.count(Outcome.UNCHANGED)
            return
        try:
            with transaction.atomic():
                outcome = self._carry_out(row, work, text)
        except (DomainError, DatabaseError, UnreadableFile) as error:
            report.failed.append(Failed(code, label, _words(error)))
            return
        refusal = work.plan.refusal
        if refusal is Refusal.PAST_TEXT and text is not None and _is_text_of(work.plan, text):
            refusal = None
        if refusal is not None:
            report.failed.append(Failed(code, label, _sentence(refusal, work)))
        if refusal is None or outcome is not Outcome.UNCHANGED:
            report.count(outcome)

    def _carry_out(self, row: Document, work: Work, text: Extraction | None) -> Outcome:
        entry, plan = work.entry, work.plan
        current = _current(row, plan)
        if current is not None and plan.step is Step.KEEP:
            return Outcome.UPDATED if moves.walk(current, entry, self.people) else Outcome.UNCHANGED
        assert text is not None
        content = draft.Content(work.original.path.name, work.original.data(), work.original.media_type, text)
        author = self.people.writer(row, entry)
        if current is None or plan.step is Step.SUCCEED:
            if current is not None and plan.withdraw:
                moves.withdraw(current, entry, self.people)
            revision = draft.create_revision(
                row.pk,
                plan.label,
                content,
                actor=author,
                reason=REASON if current is None else f"{REASON}: o arquivo mudou",
                window=plan.window,
                source=draft.SourceTime(work.original.seen, Certainty.INFERRED),
            )
            moves.walk(revision, entry, self.people)
            return Outcome.CREATED
        if plan.step is Step.REWORK:
            moves.take_back(current, entry, self.people)
        revision = draft.rewrite(current.pk, content, actor=author, reason=REASON, window=plan.window)
        moves.walk(revision, entry, self.people)
        return Outcome.UPDATED


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
    """A file that was saved again without a change of its text needs no decision."""
    assert plan.current is not None
    return Revision.objects.filter(pk=plan.current.id, text_hash=text_hash(text.text)).exists()


def refused(work: Work) -> str:
    """Why the portal would keep what it holds; empty where it would not. A file whose text is the same is told too."""
    return _sentence(work.plan.refusal, work) if work.plan.refusal is not None else ""


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

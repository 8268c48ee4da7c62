"""The life of a document as its people live it: through the actions, with the trail that they leave."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User

from documents.errors import DomainError
from documents.models import Document, Job, Revision
from documents.reader import reader_of
from documents.rules.types import Window
from governance import actions, audit
from governance.actions.draft import create_revision, rewrite
from governance.actions.publication import leaves_a_gap
from governance.models import AuditEvent, Verb
from tests import factories
from tests.days import today

pytestmark = pytest.mark.django_db
JAN, JUN, DEC = date(2026, 1, 1), date(2026, 6, 1), date(2027, 12, 1)


@pytest.fixture
def owner() -> User:
    return factories.person("owner", areas=["operacoes"])


@pytest.fixture
def approver() -> User:
    return factories.person("approver", areas=["operacoes"], roles=["approver"])


@pytest.fixture
def document(owner: User) -> Document:
    return factories.document("manual", owner=owner)


@pytest.fixture
def written(document: Document, owner: User) -> Callable[..., Revision]:
    def write(label: str, start: date | None = None, until: date | None = None, text: str = factories.TEXT) -> Revision:
        content = factories.content(f"{text}{label}")
        window = Window(start, until)
        return create_revision(document.pk, label, content, actor=owner, reason="new text", window=window)

    return write


@pytest.fixture
def published(written: Callable[..., Revision], owner: User, approver: User) -> Callable[..., Revision]:
    def publish(label: str, start: date | None = None, until: date | None = None, on: date | None = None) -> Revision:
        revision = written(label, start, until)
        actions.submit(revision.pk, actor=owner, reason="ready")
        actions.approve(revision.pk, actor=approver, reason="correct")
        return actions.publish(revision.pk, actor=owner, reason="goes live", on=on)

    return publish


def in_force(document: Document, on: date) -> list[str]:
    return list(Revision.objects.filter(document=document).in_force(on).values_list("label", flat=True))


def code_of(act: Callable[..., object], *arguments: object, **named: object) -> str:
    with pytest.raises(DomainError) as caught:
        act(*arguments, **named)
    assert str(caught.value.message).strip(), "a refusal says what to do"
    return caught.value.code


def test_from_draft_to_retirement_and_back(published: Callable[..., Revision], owner: User, document: Document) -> None:
    revision = published("v1", JAN)
    assert in_force(document, JAN) == ["v1"]
    assert (revision.in_force.lower, revision.in_force.upper) == (JAN, None)
    revision = actions.retire(revision.pk, actor=owner, reason="wrong", on=JUN)
    assert (in_force(document, JUN - timedelta(1)), in_force(document, JUN)) == (["v1"], [])
    revision = actions.restore(revision.pk, actor=owner, reason="it was right")
    assert (revision.state, revision.retired_on, in_force(document, JUN)) == ("published", None, ["v1"])
    verbs = list(AuditEvent.objects.order_by("position").values_list("verb", flat=True))
    assert verbs == [
        "revision.created", "revision.submitted", "revision.approved", "revision.published", "revision.retired",
        "revision.restored",
    ]  # fmt: skip
    assert audit.verify().holds


def test_the_trail_tells_who_what_why_and_before(published: Callable[..., Revision], approver: User) -> None:
    published("v1", JAN)
    event = AuditEvent.objects.get(verb=Verb.REVISION_APPROVED)
    assert (event.target, event.reason, str(event.actor)) == ("manual@v1", "correct", reader_of(approver).key)
    assert (event.before["state"], event.after["state"]) == ("in_review", "approved")
    assert event.after["approved_hash"] == event.after["content_hash"]
    assert event.after["approved_by"] == reader_of(approver).key
    assert approver.username not in str(event.after), "people are keys in the trail"


def test_a_draft_has_its_sections_and_its_hashes(written: Callable[..., Revision], owner: User) -> None:
    revision = written("v1", JAN)
    section = revision.sections.get()
    assert revision.text[section.start : section.body_start] == "1. Prazos\n"
    assert revision.content_hash == factories.content(revision.text).content_hash
    assert (revision.author, revision.state, revision.file.read().decode()) == (owner, "draft", revision.text)


def test_a_draft_can_be_rewritten_and_nothing_else(written: Callable[..., Revision], owner: User) -> None:
    revision = written("v1")
    other = factories.person(areas=["operacoes"])
    rewritten = rewrite(revision.pk, factories.content("2. Outro\ntexto"), actor=other, reason="better")
    assert (rewritten.text, rewritten.author) == ("2. Outro\ntexto", other)
    assert rewritten.sections.get().heading == "2. Outro"
    actions.submit(revision.pk, actor=owner, reason="ready")
    assert code_of(rewrite, revision.pk, factories.content("3"), actor=owner, reason="late") == "wrong_state"


def test_a_label_is_taken_once(written: Callable[..., Revision]) -> None:
    written("v1")
    assert code_of(written, "v1") == "conflict"


def test_text_without_a_word_is_not_submitted(document: Document, owner: User) -> None:
    scanned = create_revision(document.pk, "v1", factories.content("  \n"), actor=owner, reason="scan")
    assert code_of(actions.submit, scanned.pk, actor=owner, reason="ready") == "no_text"


def test_one_review_at_a_time(written: Callable[..., Revision], owner: User, approver: User) -> None:
    first, second = written("v1"), written("v2")
    actions.submit(first.pk, actor=owner, reason="ready")
    assert code_of(actions.submit, second.pk, actor=owner, reason="ready") == "review_open"
    actions.approve(first.pk, actor=approver, reason="fine")
    actions.submit(second.pk, actor=owner, reason="ready")


def test_an_approval_is_for_the_text_shown(written: Callable[..., Revision], owner: User, approver: User) -> None:
    revision = written("v1")
    shown = revision.content_hash
    rewrite(revision.pk, factories.content("2. Outro\ntexto"), actor=owner, reason="better")
    actions.submit(revision.pk, actor=owner, reason="ready")
    refused = code_of(actions.approve, revision.pk, actor=approver, reason="fine", seen_hash=shown)
    assert refused == "approval_outdated"


def test_an_approval_that_is_taken_back_leaves_no_trace_in_the_row(
    written: Callable[..., Revision], owner: User, approver: User
) -> None:
    revision = written("v1", JAN)
    actions.submit(revision.pk, actor=owner, reason="ready")
    actions.approve(revision.pk, actor=approver, reason="fine")
    revision = actions.reject(revision.pk, actor=approver, reason="I read the wrong page")
    assert (revision.state, revision.approved_by) == ("draft", None)
    assert (revision.approved_hash, revision.approved_at) == ("", None)
    assert code_of(actions.publish, revision.pk, actor=owner, reason="now") == "wrong_state"


def test_a_successor_closes_the_window_before_it(published: Callable[..., Revision], document: Document) -> None:
    published("v1", JAN)
    Job.objects.all().delete()
    second = published("v2", JUN)
    assert (in_force(document, JUN - timedelta(1)), in_force(document, JUN)) == (["v1"], ["v2"])
    first = Revision.objects.get(label="v1")
    assert (first.state, first.validity.upper) == ("published", JUN)
    event = AuditEvent.objects.get(verb=Verb.REVISION_SUCCEEDED)
    assert (event.target, event.before["valid_until"], event.after["valid_until"]) == ("manual@v1", None, "2026-06-01")
    assert {first.pk, second.pk} <= set(Job.objects.values_list("argument", flat=True)), "both go to the index"


def test_a_future_revision_leaves_the_present_one_in_force_until_its_day(
    published: Callable[..., Revision], document: Document
) -> None:
    published("v1", JAN)
    published("v2", on=today(10))
    assert in_force(document, today()) == ["v1"]
    assert in_force(document, today(9)) == ["v1"]
    assert in_force(document, today(10)) == ["v2"]


def test_a_gap_is_there_only_where_somebody_gave_an_end(published: Callable[..., Revision], document: Document) -> None:
    published("v1", JAN, date(2026, 3, 1))
    published("v2", JUN)
    assert in_force(document, date(2026, 4, 1)) == []
    assert Revision.objects.get(label="v1").validity.upper == date(2026, 3, 1)


@pytest.mark.parametrize("start", [JAN, JUN])
def test_nothing_begins_on_or_before_the_start_of_another(published: Callable[..., Revision], start: date) -> None:
    published("v1", JUN)
    assert code_of(published, "v2", start) == "overlap"
    assert Revision.objects.get(label="v2").state == "approved", "refused whole"
    assert Revision.objects.get(label="v1").validity.upper is None


def test_publishing_needs_a_start_an_owner_and_a_window(
    published: Callable[..., Revision], document: Document, approver: User
) -> None:
    assert code_of(published, "v1") == "no_start"
    assert code_of(published, "v2", None, JUN, JUN) == "empty_window"
    Document.objects.update(owner=None)
    revision = Revision.objects.get(label="v1")
    assert code_of(actions.publish, revision.pk, actor=approver, reason="now", on=JAN) == "no_owner"


def test_a_given_date_goes_before_the_one_of_the_draft(published: Callable[..., Revision], document: Document) -> None:
    published("v1", JAN, DEC, on=JUN)
    revision = Revision.objects.get(label="v1")
    assert (revision.validity.lower, revision.validity.upper) == (JUN, DEC)


def test_a_retirement_is_today_unless_said_and_may_be_in_the_future(
    published: Callable[..., Revision], document: Document, owner: User
) -> None:
    first = published("v1", JAN)
    assert actions.retire(first.pk, actor=owner, reason="gone").retired_on == today()
    actions.restore(first.pk, actor=owner, reason="back")
    soon = today(5)
    actions.retire(first.pk, actor=owner, reason="gone", on=soon)
    assert (in_force(document, today()), in_force(document, soon)) == (["v1"], [])
    reader = reader_of(owner)
    assert Revision.objects.eligible_for(reader, today(), today()).get().label == "v1"


def test_a_retired_text_does_not_come_back_over_its_successor(
    published: Callable[..., Revision], owner: User, document: Document
) -> None:
    first = published("v1", JAN)
    actions.retire(first.pk, actor=owner, reason="gone", on=JUN)
    published("v2", JUN)
    with pytest.raises(DomainError, match="v2") as caught:
        actions.restore(first.pk, actor=owner, reason="back")
    assert caught.value.code == "overlap"
    assert in_force(document, JUN) == ["v2"]


def test_a_text_whose_successor_was_retired_since_is_told_what_helps(
    published: Callable[..., Revision], owner: User, document: Document
) -> None:
    """Asking to retire what is retired already would send people in a circle: its days stay its own."""
    first = published("v1", JAN)
    actions.retire(first.pk, actor=owner, reason="gone", on=JUN)
    second = published("v2", JUN)
    actions.retire(second.pk, actor=owner, reason="gone too", on=today())
    with pytest.raises(DomainError, match="v2") as caught:
        actions.restore(first.pk, actor=owner, reason="back")
    assert caught.value.code == "overlap"
    first.refresh_from_db()
    assert first.state == "retired"


def test_a_text_comes_back_until_the_day_that_its_successor_begins(
    published: Callable[..., Revision], owner: User, document: Document
) -> None:
    later = today(60)
    first = published("v1", JAN)
    actions.retire(first.pk, actor=owner, reason="by mistake")
    published("v2", later)
    restored = actions.restore(first.pk, actor=owner, reason="it was right")
    assert (restored.state, restored.in_force.upper) == ("published", later)
    assert (in_force(document, today()), in_force(document, later)) == (["v1"], ["v2"])


def test_a_missing_start_names_where_to_say_it(written: Callable[..., Revision], owner: User, approver: User) -> None:
    draft = written("v1", None)
    actions.submit(draft.pk, actor=owner, reason="ready")
    actions.approve(draft.pk, actor=approver, reason="right")
    with pytest.raises(DomainError, match="--from") as caught:
        actions.publish(draft.pk, actor=owner, reason="live")
    assert caught.value.code == "no_start"


def test_a_retirement_that_leaves_nothing_in_force_is_known(
    published: Callable[..., Revision], owner: User, document: Document
) -> None:
    first = published("v1", JAN)
    second = published("v2", today(10))
    assert leaves_a_gap(actions.retire(first.pk, actor=owner, reason="early")) == today()
    assert leaves_a_gap(actions.restore(first.pk, actor=owner, reason="no")) is None
    assert leaves_a_gap(actions.retire(first.pk, actor=owner, reason="on time", on=second.validity.lower)) is None


def test_a_scheduled_retirement_gives_way_to_a_successor(
    published: Callable[..., Revision], owner: User, document: Document
) -> None:
    first = published("v1", JAN)
    actions.retire(first.pk, actor=owner, reason="ends in December", on=DEC)
    published("v2", JUN)
    assert (in_force(document, date(2026, 5, 31)), in_force(document, JUN), in_force(document, DEC)) == (
        ["v1"], ["v2"], ["v2"],
    )  # fmt: skip


def test_what_was_withdrawn_before_its_first_day_is_in_nobodys_way(
    published: Callable[..., Revision], owner: User, document: Document
) -> None:
    published("v1", JAN, JUN)
    second = published("v2", DEC)
    actions.retire(second.pk, actor=owner, reason="cancelled", on=today())
    published("v3", JUN)
    assert in_force(document, DEC) == ["v3"]

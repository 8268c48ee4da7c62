"""A question that is sent twice is asked once, and a reload asks nothing."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from chat import asking, services
from chat.models import Attempt, Conversation, EvidenceRecord
from tests import factories
from tests.chat.browsing import asked, conversation, evidence, page_of
from tests.chat.portal import PICKING, PICKING_Q, published

pytestmark = pytest.mark.django_db
TOKEN = uuid.UUID(int=7)


@pytest.fixture(autouse=True)
def corpus() -> None:
    published("ops-cd-sp", PICKING)


@pytest.fixture
def ana() -> User:
    return factories.person("ana", areas=["operacoes"])


@pytest.fixture
def browser(client: Client, ana: User) -> Client:
    client.force_login(ana)
    return client


def begun(ana: User, *, ago: timedelta = timedelta(), **attributes: object) -> Attempt:
    return Attempt.objects.create(user=ana, token=TOKEN, started_at=timezone.now() - ago, **attributes)


@contextmanager
def process_at(attempt: Attempt) -> Iterator[None]:
    """Another process answers it until the block ends; then that process is gone, as after `kill -9`."""
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [asking.ATTEMPT_LOCK, attempt.pk])
        yield
    finally:
        other.close()


def state(browser: Client) -> str:
    answer = browser.get(f"/perguntas/{TOKEN}/", headers={"Accept": "application/json"})
    return str(answer.json()["state"])


def test_the_answer_has_an_address_that_asks_nothing(browser: Client) -> None:
    response = browser.post("/", {"question": PICKING_Q})
    held = Conversation.objects.get()
    record = EvidenceRecord.objects.get()
    assert response.headers["location"] == f"/?conversa={held.pk}#resposta-{record.id}"
    for _reload in range(2):
        assert evidence(page_of(browser.get(response.headers["location"]))) == str(record.id)
    assert EvidenceRecord.objects.count() == 1


def test_the_same_form_twice_is_one_question(browser: Client) -> None:
    first = browser.post("/", {"question": PICKING_Q, "token": str(TOKEN)})
    second = browser.post("/", {"question": PICKING_Q, "token": str(TOKEN)})
    assert first.headers["location"] == second.headers["location"]
    assert EvidenceRecord.objects.count() == 1
    assert Conversation.objects.get().messages.count() == 2


def test_the_token_of_another_person_is_not_theirs_to_use(browser: Client) -> None:
    asked(browser, token=str(TOKEN))
    other = Client()
    other.force_login(factories.person("bia"))
    asked(other, token=str(TOKEN))
    assert EvidenceRecord.objects.count() == 2
    assert other.get(f"/perguntas/{uuid.uuid4()}/").status_code == 404


def test_a_form_that_is_being_answered_leads_to_where_one_waits(browser: Client, ana: User) -> None:
    with process_at(begun(ana)):
        response = browser.post("/", {"question": PICKING_Q, "token": str(TOKEN)})
        assert response.headers["location"] == f"/perguntas/{TOKEN}/"
        waiting = browser.get(response.headers["location"])
        assert "Sua pergunta está sendo respondida" in page_of(waiting)
        assert waiting.headers["Refresh"] == "2"
        assert state(browser) == "running"
        assert not EvidenceRecord.objects.exists()


def test_a_process_that_died_on_the_way_keeps_nobody_waiting(browser: Client, ana: User) -> None:
    with process_at(begun(ana)):
        assert state(browser) == "running"
    assert state(browser) == "failed"
    assert "não foi respondida" in page_of(browser.get(f"/perguntas/{TOKEN}/"))
    asked(browser, token=str(TOKEN))
    assert state(browser) == "done"
    assert EvidenceRecord.objects.count() == 1


def test_an_answer_leaves_no_lock_behind(ana: User) -> None:
    list(asking.ask_once(ana, PICKING_Q, token=TOKEN))
    events = asking.ask_once(ana, PICKING_Q, token=uuid.uuid4())
    next(events)
    events.close()  # type: ignore[attr-defined]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory' AND classid = %s",
            [asking.ATTEMPT_LOCK],
        )
        assert cursor.fetchone() == (0,)


def test_what_a_pooler_holds_for_the_dead_ends_too(browser: Client, ana: User) -> None:
    with process_at(begun(ana, ago=asking.GIVEN_UP_AFTER)):
        assert state(browser) == "failed"


@pytest.mark.parametrize("left", [{"failed": True}, {"ago": asking.GIVEN_UP_AFTER}])
def test_an_attempt_that_came_to_nothing_may_be_repeated(browser: Client, ana: User, left: dict[str, object]) -> None:
    begun(ana, **left)  # type: ignore[arg-type]
    assert state(browser) == "failed"
    page = asked(browser, token=str(TOKEN))
    assert EvidenceRecord.objects.count() == 1
    response = browser.get(f"/perguntas/{TOKEN}/")
    assert response.headers["location"] == f"/?conversa={conversation(page)}#resposta-{evidence(page)}"


def test_a_question_that_fails_on_its_way_may_be_repeated(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("chat.recorder.record", lambda *_a, **_k: (_ for _ in ()).throw(services.NotKept("x")))
        page_of(browser.post("/", {"question": PICKING_Q, "token": str(TOKEN)}), 503)
    asked(browser, token=str(TOKEN))
    assert EvidenceRecord.objects.count() == 1


def test_who_leaves_before_the_record_leaves_the_form_free(ana: User) -> None:
    events = asking.ask_once(ana, PICKING_Q, token=TOKEN)
    next(events)
    with pytest.raises(asking.StillAsked):
        next(asking.ask_once(ana, PICKING_Q, token=TOKEN))
    events.close()  # type: ignore[attr-defined]
    assert asking.found(ana, TOKEN).failed
    assert not EvidenceRecord.objects.exists()


def test_who_leaves_after_the_record_finds_the_answer(ana: User) -> None:
    events = asking.ask_once(ana, PICKING_Q, token=TOKEN)
    while next(events).name == "status":
        pass
    events.close()  # type: ignore[attr-defined]
    held = asking.found(ana, TOKEN)
    assert held.evidence_id == EvidenceRecord.objects.get().id
    (done,) = asking.ask_once(ana, PICKING_Q, token=TOKEN)
    assert done.data == {"evidence": str(held.evidence_id), "conversation": str(held.conversation_id)}


def test_a_conversation_deleted_on_the_way_leads_back_to_the_start(ana: User, browser: Client) -> None:
    page = asked(browser)
    events = asking.ask_once(ana, PICKING_Q, token=TOKEN, conversation=uuid.UUID(conversation(page)))
    next(events)
    Conversation.objects.all().delete()
    assert [event.name for event in events][-1] == "done"
    assert browser.get(f"/perguntas/{TOKEN}/").headers["location"] == "/"


def test_old_attempts_are_forgotten(ana: User) -> None:
    begun(ana, ago=asking.KEPT_FOR + timedelta(hours=1))
    list(asking.ask_once(ana, PICKING_Q, token=uuid.uuid4()))
    assert not Attempt.objects.filter(token=TOKEN).exists()


def test_a_bad_token_is_no_attempt(browser: Client) -> None:
    page_of(browser.post("/", {"question": PICKING_Q, "token": "x"}), 422)
    assert not Attempt.objects.exists()

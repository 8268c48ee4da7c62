"""A person's own conversations: listed, named, deleted; somebody else's is as missing as one that never was."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from chat import chain
from chat.models import Conversation, EvidenceQuestion, EvidenceRecord, Message
from tests import factories
from tests.chat.browsing import asked, conversation, evidence, page_of, said
from tests.chat.portal import PICKING, PICKING_Q, published

pytestmark = pytest.mark.django_db
CSRF = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"')


@pytest.fixture(autouse=True)
def corpus() -> None:
    published("ops-cd-sp", PICKING)


@pytest.fixture
def browser(client: Client) -> Client:
    client.force_login(factories.person("ana", areas=["operacoes"]))
    return client


def held(user: User, title: str = "Férias") -> Conversation:
    return Conversation.objects.create(user=user, title=title)


def test_the_last_spoken_in_comes_first(browser: Client) -> None:
    first = conversation(asked(browser, "primeira pergunta sobre pedidos?"))
    asked(browser, "segunda pergunta sobre pedidos?")
    asked(browser, "e ainda?", conversation=first)
    page = page_of(browser.get("/"))
    side = page.split('id="lista"')[1].split("</ul>")[0]
    assert side.index("primeira pergunta") < side.index("segunda pergunta")
    assert page_of(browser.get("/conversas/")).count('class="row conversation"') == 2


def test_long_lists_go_on_elsewhere(browser: Client) -> None:
    user = User.objects.get(username="ana")
    Conversation.objects.bulk_create(Conversation(user=user, title=f"conversa {number}") for number in range(60))
    page = page_of(browser.get("/"))
    assert page.count("?conversa=") == 30
    assert "Todas as conversas" in page
    assert page_of(browser.get("/conversas/?page=2")).count('class="row conversation"') == 10


def test_a_conversation_gets_another_name(browser: Client) -> None:
    name = conversation(asked(browser))
    response = browser.post(f"/conversas/{name}/renomear/", {"title": "  Prazos   do CD  "})
    assert response.headers["location"] == f"/?conversa={name}"
    assert "Prazos do CD</h1>" in page_of(browser.get(response.headers["location"]))


@pytest.mark.parametrize("title", ["", "   ", "a" * 201])
def test_a_name_that_does_not_fit_changes_nothing(browser: Client, title: str) -> None:
    name = conversation(asked(browser))
    page = page_of(browser.post(f"/conversas/{name}/renomear/", {"title": title}, follow=True))
    assert said(page) == "Escreva um título de até 200 caracteres."
    assert Conversation.objects.get().title == PICKING_Q


def test_deleting_asks_first_and_then_erases_the_words_but_not_the_evidence(browser: Client) -> None:
    page = asked(browser)
    name, record = conversation(page), evidence(page)
    address = f"/conversas/{name}/excluir/"
    assert "auditores" in page_of(browser.get(address)), "it says what stays"
    assert Conversation.objects.exists()
    page = page_of(browser.post(address, follow=True))
    assert said(page) == "A conversa foi excluída."
    assert not Message.objects.exists()
    assert not EvidenceQuestion.objects.exists()
    assert EvidenceRecord.objects.get().body["claims"]
    assert not list(chain.verify())
    for gone in (f"/?conversa={name}", address, f"/respostas/{record}/"):
        assert browser.get(gone).status_code == 404


def test_deleting_through_the_api_erases_as_much(browser: Client) -> None:
    name = conversation(asked(browser))
    token = browser.cookies["csrftoken"].value
    assert browser.delete(f"/api/chat/conversations/{name}", headers={"X-CSRFToken": token}).status_code == 204
    assert not EvidenceQuestion.objects.exists()


def same_but_for_the_address(*responses: Any) -> bool:
    """Whether the pages are one and the same once each one's own id is taken out."""
    ids = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
    return len({CSRF.sub(b"", ids.sub(b"", response.content)) for response in responses}) == 1


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("get", "/?conversa={}"),
        ("get", "/conversas/{}/excluir/"),
        ("post", "/conversas/{}/excluir/"),
        ("post", "/conversas/{}/renomear/"),
    ],
)
def test_somebody_elses_is_as_missing_as_none(browser: Client, method: str, address: str) -> None:
    theirs = held(factories.person("bia", roles=["auditor"]), "segredo da Bia")
    hidden, missing = (getattr(browser, method)(address.format(name)) for name in (theirs.pk, uuid.uuid4()))
    assert (hidden.status_code, missing.status_code) == (404, 404)
    assert same_but_for_the_address(hidden, missing)
    assert b"segredo" not in hidden.content
    theirs.refresh_from_db()
    assert theirs.title == "segredo da Bia"


@pytest.mark.parametrize("name", ["x", "", "1 OR 1=1"])
def test_what_is_no_conversation_is_missing(browser: Client, name: str) -> None:
    assert browser.get(f"/?conversa={name}").status_code == 404


@pytest.mark.parametrize("address", ["/conversas/", "/conversas/{}/excluir/", "/respostas/{}/", "/perguntas/{}/"])
def test_every_page_is_behind_the_door(client: Client, address: str) -> None:
    assert client.get(address.format(uuid.uuid4())).headers["location"].startswith("/entrar/?next=")


def test_acts_need_the_token_of_their_form(browser: Client) -> None:
    name = conversation(asked(browser))
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get(username="ana"))
    for address in (f"/conversas/{name}/excluir/", f"/conversas/{name}/renomear/"):
        assert strict.post(address, {"title": "x"}).status_code == 403
    assert Conversation.objects.get().title == PICKING_Q


def test_earlier_answers_are_one_click_away(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chat.views.pages.TURNS", 2)
    name = conversation(asked(browser))
    for number in range(3):
        page = asked(browser, f"{PICKING_Q} {number}", conversation=name)
    assert page.count("data-status=") == 2
    assert "Mostrar 2 respostas anteriores" in page
    assert page_of(browser.get(f"/?conversa={name}&tudo")).count("data-status=") == 4


def test_a_conversation_costs_the_same_however_long_it_is(
    browser: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    name = conversation(asked(browser))
    answer: Any = Message.objects.get(role="assistant")
    for number in range(19):
        Message.objects.create(conversation_id=name, role="user", text=f"pergunta {number}")
        Message.objects.create(conversation_id=name, role="assistant", text=answer.text, evidence_id=answer.evidence_id)
    with django_assert_max_num_queries(15):
        browser.get(f"/?conversa={name}")

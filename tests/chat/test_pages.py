"""The page for asking: every status in words, citations that lead to their quote, refusals that lose nothing."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.test import Client
from pytest_django import Settings

from chat.models import Conversation, EvidenceRecord
from documents.models import Channel, IndexVersion
from tests import factories
from tests.chat import portal
from tests.chat.portal import PAYROLL, PAYROLL_Q, PICKING, PICKING_Q, published

pytestmark = pytest.mark.django_db
RIVALS = "1. Prazo\nO prazo de devolução de paletes vazios ao fornecedor é de {} dias corridos.\n"
RIVALS_Q = "qual o prazo de devolução de paletes vazios ao fornecedor?"
PAST_Q = "qual era o prazo de separação de pedidos antigamente?"


@pytest.fixture
def ana() -> User:
    return factories.person("ana", areas=["operacoes"])


@pytest.fixture
def browser(client: Client, ana: User) -> Client:
    client.force_login(ana)
    return client


def asked(browser: Client, question: str = PICKING_Q, *, code: int = 200, **more: str) -> str:
    response = browser.post("/", {"question": question, **more})
    if code == 200:
        assert response.status_code == 302, response.content.decode()
        response = browser.get(response.headers["location"])
    assert response.status_code == code
    return html.unescape(response.content.decode())


def status(page: str) -> str:
    """The status of the last answer on the page, which must be that of the evidence it names."""
    *_before, match = re.finditer(r'<article [^>]*data-status="(\w+)" data-evidence="([0-9a-f-]+)"', page)
    assert EvidenceRecord.objects.get(id=match[2]).status == match[1]
    return match[1]


def conversation(page: str) -> str:
    match = re.search(r'name="conversation" value="([0-9a-f-]+)"', page)
    assert match, page
    return match[1]


def test_who_is_not_signed_in_is_sent_to_the_door(client: Client) -> None:
    assert client.get("/").headers["location"] == "/entrar/?next=/"
    assert client.post("/", {"question": PICKING_Q}).headers["location"] == "/entrar/?next=/"
    assert not EvidenceRecord.objects.exists()


def test_the_form_has_its_labels(browser: Client) -> None:
    page = browser.get("/").content.decode()
    assert '<label for="pergunta">Pergunta</label>' in page
    assert ">Perguntar</button>" in page
    assert "data-status" not in page


def test_an_answer_shows_its_quote_and_leads_to_it_marked(browser: Client) -> None:
    published("ops-cd-sp", PICKING)
    page = asked(browser)
    assert status(page) == "answered"
    for words in ("Document ops-cd-sp", "versão v1", "seção 4. Prazos", "vigente desde 01/01/2025", ">oficial<"):
        assert words in page
    link = re.search(r'href="(/documentos/ops-cd-sp/v1/\?trecho=[^"#]+)#secao-1"', page)
    assert link
    marked = re.findall("<mark[^>]*>(.*?)</mark>", browser.get(link[1]).content.decode())
    assert len(marked) == 1
    assert "quatro horas úteis" in marked[0]
    assert f'<blockquote class="quote">{marked[0]}</blockquote>' in page


def test_not_found_says_where_to_ask_and_what_to_read(browser: Client) -> None:
    published("wiki-cd", PICKING, kind="wiki", authority="unofficial")
    Channel.objects.create(area=None, label="Atendimento", url="https://a.example/")
    portal.only_offers()
    page = asked(browser)
    assert status(page) == "not_found"
    assert "Não encontrei resposta" in page
    assert '<a href="https://a.example/">Atendimento</a>' in page
    assert "Isto pode ajudar" in page
    assert "wiki, não oficial" in page


def test_a_question_about_the_past_asks_for_its_date_and_waits(browser: Client) -> None:
    published("ops-cd-sp", PICKING)
    page = asked(browser, PAST_Q)
    assert status(page) == "needs_date"
    assert "A partir de que dia" in page or "De que dia" in page
    assert "Pelas regras vigentes" not in page
    form = page.split('class="row row-end again')[1].split("</form>")[0]
    assert f'name="question" value="{PAST_Q}"' in form
    assert 'type="date" required' in form
    dated = asked(browser, PAST_Q, on="2025-03-01", conversation=conversation(form))
    assert status(dated) == "answered"
    assert "vigentes em 01/03/2025" in dated


def test_a_conflict_shows_both_sources(browser: Client) -> None:
    owner = factories.person("dona")
    for code, days in (("paletes-a", 15), ("paletes-b", 30)):
        published(code, RIVALS.format(days), owner=owner, subjects=["paletes"])
    page = asked(browser, RIVALS_Q)
    assert status(page) == "conflict"
    assert page.count("<blockquote") == 2
    assert "Duas fontes vigentes discordam" in page
    assert "Avisados, para resolver: dona." in page


def test_a_text_without_owner_is_blocked_in_words(browser: Client) -> None:
    published("folha", PAYROLL, owner=None)
    page = asked(browser, PAYROLL_Q)
    assert status(page) == "blocked"
    assert "sem responsável" in page
    assert "doze por cento" not in page


def test_a_text_that_was_changed_is_blocked_in_words(browser: Client) -> None:
    chunk = published("ops-cd-sp", PICKING).revisions.get().chunks.get()
    chunk.text = chunk.text.replace("quatro horas", "nove horas")
    chunk.save()
    page = asked(browser)
    assert status(page) == "blocked"
    assert "não confere à letra" in page


def test_a_part_that_is_down_is_no_missing_rule(browser: Client) -> None:
    published("ops-cd-sp", PICKING)
    IndexVersion.objects.update(state="dropped")
    page = asked(browser)
    assert status(page) == "unavailable"
    assert "não quer dizer que não haja regra" in page
    form = page.split('class="row row-end again')[1].split("</form>")[0]
    assert f'name="question" value="{PICKING_Q}"' in form
    assert conversation(form)


def test_a_conversation_goes_on_and_shows_what_was_said(browser: Client) -> None:
    published("ops-cd-sp", PICKING)
    first = asked(browser)
    second = asked(browser, "e depois das 14h?", conversation=conversation(first))
    assert conversation(second) == conversation(first)
    before, after = second.split('id="titulo-')[1:]
    assert PICKING_Q in before
    assert "quatro horas úteis" in before
    assert "e depois das 14h?" in after


def test_somebody_elses_conversation_is_not_there(browser: Client) -> None:
    published("ops-cd-sp", PICKING)
    theirs = Conversation.objects.create(user=factories.person())
    theirs.messages.create(role="user", text="segredo de outra pessoa")
    page = asked(browser, code=404, conversation=str(theirs.pk))
    assert "segredo" not in page
    assert str(theirs.pk) not in page
    assert f"{PICKING_Q}</textarea>" in page


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"question": " "}, "Escreva uma pergunta."),
        ({"question": "a" * 2001}, "2001"),
        ({"question": PICKING_Q, "on": "anteontem"}, "Escreva a data como dia/mês/ano."),
        ({"question": PICKING_Q, "conversation": "x"}, "UUID"),
    ],
)
def test_a_refusal_says_why_and_keeps_what_was_typed(browser: Client, form: dict[str, str], words: str) -> None:
    page = asked(browser, code=422, **form)
    assert words in page.split('role="alert"')[1]
    assert f"{form['question']}</textarea>" in page
    assert "on" not in form or f'type="date" value="{form["on"]}"' in page
    assert not EvidenceRecord.objects.exists()


def test_an_answer_that_cannot_be_recorded_is_not_shown(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise DatabaseError("disk full")

    published("ops-cd-sp", PICKING)
    monkeypatch.setattr("chat.recorder._append", fail)
    page = asked(browser, code=503, on="2025-03-01")
    assert "quatro horas" not in page
    assert 'value="2025-03-01"' in page
    assert f"{PICKING_Q}</textarea>" in page


@pytest.mark.usefixtures("one_minute")
def test_too_many_questions_are_told_to_wait(browser: Client, settings: Settings) -> None:
    settings.KB_QUESTIONS_A_MINUTE = 1
    published("ops-cd-sp", PICKING)
    asked(browser)
    assert f"{PICKING_Q}</textarea>" in asked(browser, code=429)


def test_what_people_write_is_never_markup(browser: Client) -> None:
    evil = "<script>alert(1)</script> qual o prazo de separação de pedidos?"
    published("ops-cd-sp", PICKING)
    page = browser.post("/", {"question": evil}, follow=True).content.decode()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_a_question_needs_the_token_of_its_form(ana: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ana)
    assert strict.post("/", {"question": PICKING_Q}).status_code == 403


def test_nothing_on_the_page_needs_more_than_the_policy_allows(browser: Client) -> None:
    published("ops-cd-sp", PICKING)
    for response in (browser.get("/"), browser.post("/", {"question": PICKING_Q}, follow=True)):
        policy = [part.strip() for part in response.headers["Content-Security-Policy"].split(";")]
        assert {"script-src 'self'", "style-src 'self'"} <= set(policy)
        page = response.content.decode()
        assert not re.search(r"<script(?! type=\"module\" src=\"/static/)|<style|\sstyle=|\son\w+=[\"']", page)
        assert "no-store" in response.headers["Cache-Control"]


def test_who_chose_english_reads_english(browser: Client) -> None:
    published("ops-cd-sp", PICKING)
    browser.post("/idioma/", {"language": "en", "next": "/"})
    page: Any = asked(browser)
    for words in ('<html lang="en">', ">Question</label>", "By the rules in force", ">Ask</button>", "in force since"):
        assert words in page

"""One answer at its own address: who opens it, what it still shows, what its reader can do with it."""

from __future__ import annotations

import re
import uuid
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.db.backends.postgresql.psycopg_any import DateRange
from django.test import Client

from chat.models import EvidenceRecord, Feedback
from documents.access import refresh_audience
from documents.models import Channel, Document
from documents.search.converge import converge
from governance.actions.access import replace_grants
from governance.models import AuditEvent, OwnerTask
from tests import factories
from tests.chat import portal
from tests.chat.browsing import asked, conversation, evidence, page_of, said
from tests.chat.portal import PICKING, PICKING_Q, published, revise

pytestmark = pytest.mark.django_db
UNKNOWN_Q = "qual a cor do uniforme dos estagiários?"


@pytest.fixture(autouse=True)
def document() -> Document:
    return published("ops-cd-sp", PICKING, owner=factories.person("dona", first_name="Dona", last_name="Lima"))


@pytest.fixture
def ana() -> User:
    return factories.person("ana", first_name="Ana", last_name="Ribeiro", areas=["operacoes"])


@pytest.fixture
def browser(client: Client, ana: User) -> Client:
    client.force_login(ana)
    return client


def as_person(*roles: str) -> Client:
    client = Client()
    client.force_login(factories.person(roles=roles))
    return client


def refused(browser: Client) -> str:
    portal.only_offers()
    return evidence(asked(browser, PICKING_Q))


# Who opens it, and what it shows
def test_it_opens_for_who_asked_and_for_auditors_and_is_missing_for_everybody_else(browser: Client) -> None:
    address = f"/respostas/{evidence(asked(browser))}/"
    page = page_of(browser.get(address))
    assert PICKING_Q in page
    assert "quatro horas úteis" in page
    audited = page_of(as_person("auditor").get(address))
    assert "quatro horas úteis" in audited
    assert "Algo errado?" not in audited
    other = as_person()
    hidden, missing = other.get(address), other.get(f"/respostas/{uuid.UUID(int=0)}/")
    assert (hidden.status_code, missing.status_code) == (404, 404)
    assert len(hidden.content) == len(missing.content)
    assert b"quatro" not in hidden.content


def test_an_auditor_who_may_not_read_the_text_does_not_see_it(browser: Client, document: Document) -> None:
    address = f"/respostas/{evidence(asked(browser))}/"
    replace_grants(document, ["user:ana"])
    refresh_audience([document])
    page = page_of(as_person("auditor").get(address))
    assert "quatro horas" not in page
    assert document.title not in page


def test_an_answer_shows_no_text_that_its_reader_has_lost(browser: Client, document: Document) -> None:
    name = evidence(asked(browser))
    replace_grants(document, [])
    refresh_audience([document])
    page = page_of(browser.get(f"/respostas/{name}/"))
    assert "quatro horas" not in page
    assert document.title not in page
    assert "não está aberto para você agora" in page


def test_an_old_answer_says_that_its_text_was_replaced(browser: Client, document: Document) -> None:
    name = evidence(asked(browser))
    assert "não está mais vigente" not in page_of(browser.get(f"/respostas/{name}/"))
    document.revisions.update(validity=DateRange(date(2025, 1, 1), date(2026, 1, 1), "[)"))
    page = page_of(browser.get(f"/respostas/{name}/"))
    assert "não está mais vigente" in page
    assert "não vigente hoje" in page


def test_an_answer_about_the_past_is_not_called_outdated(browser: Client, document: Document) -> None:
    document.revisions.update(validity=DateRange(date(2025, 1, 1), date(2026, 1, 1), "[)"))
    revise(document, "v2", PICKING.replace("quatro", "três"), start=date(2026, 1, 1))
    converge([document.revisions.get(label="v1").pk])
    page = asked(browser, PICKING_Q, on="2025-03-01")
    assert "quatro horas" in page
    assert "não está mais vigente" not in page


# Sending a question that was not answered
def test_what_is_sent_is_shown_first_and_then_sent_as_it_is(browser: Client, document: Document) -> None:
    name = refused(browser)
    page = page_of(browser.get(f"/respostas/{name}/"))
    assert "Dona Lima, responsável por “Document ops-cd-sp”" in page
    letter = re.search(r'<dd><blockquote class="quote" lang="pt-br">(.*?)</blockquote>', page, re.DOTALL)
    assert letter
    assert not OwnerTask.objects.exists()
    page = page_of(browser.post(f"/respostas/{name}/enviar/", follow=True))
    assert said(page) == "Sua pergunta foi enviada a Dona Lima."
    task = OwnerTask.objects.get()
    assert (task.kind, task.document, task.owner, task.evidence) == ("question", document, document.owner, name)
    assert task.note == letter[1]
    assert PICKING_Q in task.note
    assert AuditEvent.objects.filter(verb="task.opened").count() == 1
    assert "Enviada a Dona Lima em" in page
    assert "Será enviado isto" not in page


def test_what_is_sent_holds_no_personal_data(browser: Client) -> None:
    portal.only_offers()
    question = f"{PICKING_Q} meu CPF é 529.982.247-25, Ana Ribeiro"
    name = evidence(asked(browser, question))
    browser.post(f"/respostas/{name}/enviar/")
    note = OwnerTask.objects.get().note
    assert "529" not in note
    assert "Ribeiro" not in note


def test_a_question_is_sent_once(browser: Client) -> None:
    name = refused(browser)
    for _click in range(2):
        page_of(browser.post(f"/respostas/{name}/enviar/", follow=True))
    assert OwnerTask.objects.count() == 1


def test_without_a_near_document_it_goes_to_who_owns_most_of_the_persons_area(browser: Client, ana: User) -> None:
    Document.objects.all().update(owner=factories.person("outra"))
    second = factories.document("segundo", owner=factories.person("chefe", first_name="Chefe"))
    factories.document("terceiro", owner=second.owner)
    Document.objects.filter(code="ops-cd-sp").update(area=factories.area("outra-area"))
    factories.group("todos")
    replace_grants(Document.objects.get(code="ops-cd-sp"), [])
    refresh_audience(list(Document.objects.all()))
    name = evidence(asked(browser, UNKNOWN_Q))
    browser.post(f"/respostas/{name}/enviar/")
    task = OwnerTask.objects.get()
    assert task.owner == second.owner
    assert task.document is None


def test_where_nobody_is_known_there_is_the_channel_alone(client: Client) -> None:
    client.force_login(factories.person("sozinha"))
    Document.objects.update(owner=None)
    Channel.objects.create(area=None, label="Atendimento", url="https://a.example/")
    name = evidence(asked(client, UNKNOWN_Q))
    page = page_of(client.get(f"/respostas/{name}/"))
    assert "Será enviado isto" not in page
    assert "Atendimento" in page
    assert "Não se sabe quem responde" in said(page_of(client.post(f"/respostas/{name}/enviar/", follow=True)))
    assert not OwnerTask.objects.exists()


def test_an_answered_question_is_not_sent(browser: Client) -> None:
    name = evidence(asked(browser))
    assert "Enviar ao responsável" not in page_of(browser.get(f"/respostas/{name}/"))
    page_of(browser.post(f"/respostas/{name}/enviar/", follow=True))
    assert not OwnerTask.objects.exists()


# Objections
@pytest.mark.parametrize("kind", ["wrong_source", "invented", "outdated"])
def test_an_objection_reaches_the_owner_and_is_kept(browser: Client, document: Document, kind: str) -> None:
    name = evidence(asked(browser))
    form = {"claim": "1", "kind": kind, "comment": "ligue para (11) 98765-4321"}
    page = page_of(browser.post(f"/respostas/{name}/contestar/", form, follow=True))
    assert said(page) == "Obrigado: o responsável pelo texto foi avisado."
    assert "Você apontou" in page
    given = Feedback.objects.get()
    assert (str(given.evidence_id), given.claim, given.kind) == (name, 1, kind)
    assert "98765" not in given.comment
    task = OwnerTask.objects.get()
    assert (task.kind, task.document, task.owner) == ("feedback", document, document.owner)
    assert "quatro horas" in task.note
    assert "98765" not in task.note


def test_a_refusal_is_called_wrong(browser: Client, document: Document) -> None:
    name = refused(browser)
    browser.post(f"/respostas/{name}/contestar/", {"claim": "0", "kind": "refused_wrongly"})
    assert Feedback.objects.get().kind == "refused_wrongly"
    assert OwnerTask.objects.get().owner == document.owner


def test_one_objection_to_a_claim_stands(browser: Client) -> None:
    name = evidence(asked(browser))
    for kind in ("invented", "outdated"):
        browser.post(f"/respostas/{name}/contestar/", {"claim": "1", "kind": kind})
    assert Feedback.objects.get().kind == "invented"
    assert OwnerTask.objects.count() == 1


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"claim": "1"},
        {"claim": "9", "kind": "invented"},
        {"claim": "-1", "kind": "invented"},
        {"claim": "²", "kind": "invented"},
        {"claim": "1", "kind": "refused_wrongly"},
        {"claim": "0", "kind": "refused_wrongly"},
        {"claim": "1", "kind": "nonsense"},
        {"claim": "1", "kind": "invented", "comment": "a" * 1001},
    ],
)
def test_an_objection_that_does_not_fit_changes_nothing(browser: Client, form: dict[str, str]) -> None:
    name = evidence(asked(browser))
    page = page_of(browser.post(f"/respostas/{name}/contestar/", form, follow=True))
    assert said(page).startswith(("Escolha o que está errado", "Escreva um comentário"))
    assert not Feedback.objects.exists()
    assert not OwnerTask.objects.exists()


@pytest.mark.parametrize("act", ["enviar", "contestar"])
@pytest.mark.parametrize("roles", [(), ("auditor",)])
def test_nobody_acts_on_an_answer_of_somebody_else(browser: Client, act: str, roles: tuple[str, ...]) -> None:
    name = refused(browser)
    form = {"claim": "0", "kind": "refused_wrongly"}
    other = as_person(*roles)
    assert other.post(f"/respostas/{name}/{act}/", form).status_code == 404
    assert other.post(f"/respostas/{uuid.uuid4()}/{act}/", form).status_code == 404
    assert browser.get(f"/respostas/{name}/{act}/").status_code == 405
    assert not OwnerTask.objects.exists()


# Another day
def test_only_who_may_consult_history_switches_the_day(browser: Client, client: Client) -> None:
    page = page_of(browser.get("/?em=2025-03-01"))
    assert "Consultar as regras" not in page
    assert "não pelas de hoje" not in page
    client.force_login(factories.person("hist", roles=["history"]))
    assert "Consultar as regras" in page_of(client.get("/"))
    page = page_of(client.get("/?em=2025-03-01"))
    assert "pelas regras de 1 de março de 2025" in page
    assert 'name="on" value="2025-03-01"' in page
    answered = asked(client, PICKING_Q, on="2025-03-01", em="2025-03-01")
    assert "não pelas de hoje" in answered
    assert EvidenceRecord.objects.get().on == date(2025, 3, 1)
    assert f"?conversa={conversation(answered)}" in answered


@pytest.mark.parametrize("day", ["ontem", "2025-13-01", ""])
def test_a_day_that_is_none_is_today(client: Client, day: str) -> None:
    client.force_login(factories.person("hist", roles=["history"]))
    assert "não pelas de hoje" not in page_of(client.get(f"/?em={day}"))


def test_what_is_kept_for_an_owner_is_in_the_portals_language_whoever_asks(browser: Client) -> None:
    browser.cookies["django_language"] = "en"
    name = evidence(asked(browser))
    browser.post(f"/respostas/{name}/contestar/", {"claim": "1", "kind": "invented", "comment": "no"})
    portal.only_offers()
    asked_in_vain = evidence(asked(browser))
    letter = page_of(browser.get(f"/respostas/{asked_in_vain}/"))
    assert "Send to the owner" in letter
    assert "Regras de:" in letter, "what is shown is what is sent"
    browser.post(f"/respostas/{asked_in_vain}/enviar/")
    notes = "\n".join(OwnerTask.objects.values_list("note", flat=True))
    for words in ("Contestação: inventado", "Pergunta:", "Resposta:", "Comentário: no", "Regras de:"):
        assert words in notes
    kept = set(AuditEvent.objects.filter(verb="task.opened").values_list("reason", flat=True))
    assert kept == {"Um leitor contesta uma resposta.", "Um leitor enviou uma pergunta que a base não respondeu."}

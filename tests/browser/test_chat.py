"""The employee's journey in the chat: ask, read, open the source, keep, send and contest, on a phone and at a desk."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Browse
from tests.browser.look import DESK, PHONE, check, looks, widths

SLA_Q = "qual o SLA do CD-SP?"
UNKNOWN_Q = "posso levar meu cachorro para o escritório?"
PAST_Q = "qual era o prazo de picking do CD-SP antes?"
CONFLICT_Q = "qual a tolerância pra caminhão atrasado na doca?"
OFFICE_Q = "quantos dias por semana preciso ir ao escritório?"
OWNERLESS_Q = "onde o visitante estaciona o carro?"


def box(page: Page) -> Locator:
    return page.get_by_label("Pergunta")


def ask(page: Page, question: str) -> Locator:
    """The answer to the question, once it is there."""
    answers = page.locator("article[data-status]")
    before = answers.count()
    box(page).fill(question)
    page.get_by_role("button", name="Perguntar").click()
    expect(answers).to_have_count(before + 1)
    return answers.last


def started(browse: Browse, username: str = "ana.ops", **options: object) -> Page:
    page = browse(username, **options)
    page.goto("/")
    return page


@looks
def test_an_answer_stands_with_its_source_and_stays_at_its_address(browse: Browse, width: int, scheme: str) -> None:
    page = started(browse, width=width, color_scheme=scheme)
    check(page)
    answer = ask(page, SLA_Q)
    expect(answer).to_have_attribute("data-status", "answered")
    expect(answer).to_contain_text("4 horas úteis")
    for fact in ("oficial", "versão v3", "seção 4. Prazos", "página", "vigente desde 01/03/2026", "responsável"):
        expect(answer.locator(".facts").first).to_contain_text(fact)
    check(page)
    assert "conversa=" in page.url
    html = answer.inner_text()
    page.reload()
    expect(page.locator("article[data-status]")).to_have_count(1)
    assert page.locator("article[data-status]").inner_text() == html
    follow_up = ask(page, "e para pedido expresso?")
    expect(follow_up).to_have_attribute("data-status", re.compile("answered|not_found"))
    expect(page.locator("article[data-status]")).to_have_count(2)


def test_a_source_opens_beside_the_answer_and_goes_with_escape_and_back(browse: Browse) -> None:
    page = started(browse, width=DESK)
    answer = ask(page, SLA_Q)
    address, link = page.url, answer.get_by_role("link", name="Manual de operação CD-SP").first
    panel = page.get_by_role("complementary", name="Fonte")
    link.click()
    expect(panel.locator("mark").first).to_be_in_viewport()
    expect(panel.get_by_role("button", name="Fechar")).to_be_in_viewport(ratio=1)
    expect(panel).to_be_focused()
    check(page)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(link).to_be_focused()
    link.click()
    expect(panel.locator("mark").first).to_be_visible()
    page.go_back()
    expect(panel).to_be_hidden()
    page.go_forward()
    expect(panel.locator("mark").first).to_be_visible()
    panel.get_by_role("button", name="Fechar").click()
    expect(panel).to_be_hidden()
    assert page.url == address
    expect(answer).to_be_visible()
    link.click()
    expect(panel.locator("mark").first).to_be_visible()
    panel.get_by_role("link", name="Abrir a página inteira").click()  # there is one
    expect(page.locator("main mark").first).to_be_visible()
    assert "/documentos/ops-cd-sp/v3/" in page.url


def test_on_a_phone_a_source_is_a_page_and_back_leads_to_the_answer(browse: Browse) -> None:
    page = started(browse, width=PHONE)
    assert box(page).evaluate("box => box.offsetWidth") > PHONE * 0.75, "the question has the width of the page"
    answer = ask(page, SLA_Q)
    answer.get_by_role("link", name="Manual de operação CD-SP").first.click()
    page.wait_for_url("**/documentos/ops-cd-sp/v3/**")
    expect(page.locator("mark").first).to_be_in_viewport()
    page.go_back()
    expect(page.locator("article[data-status]")).to_contain_text("4 horas úteis")


@widths
def test_a_question_without_an_answer_reaches_an_owner(browse: Browse, width: int) -> None:
    page = started(browse, width=width)
    answer = ask(page, UNKNOWN_Q)
    expect(answer).to_have_attribute("data-status", "not_found")
    expect(answer).to_contain_text("O que procurei:")
    expect(answer.get_by_text("Pergunte a uma pessoa:").get_by_role("link")).to_be_visible()
    answer.get_by_text("Enviar ao responsável").click()
    expect(answer.get_by_text("Será enviado isto")).to_be_visible()
    expect(answer.locator("blockquote").last).to_contain_text(UNKNOWN_Q)
    check(page)
    answer.get_by_role("button", name="Enviar").click()
    expect(page.get_by_role("status").filter(has_text="Sua pergunta foi enviada a")).to_be_visible()
    expect(answer).to_contain_text("Enviada a")
    check(page)


@widths
def test_a_question_about_the_past_is_asked_back_with_a_date(browse: Browse, width: int) -> None:
    page = started(browse, width=width)
    answer = ask(page, PAST_Q)
    expect(answer).to_have_attribute("data-status", "needs_date")
    check(page)
    answer.get_by_label("Data da regra").fill("2025-06-01")
    answer.get_by_role("button", name="Responder nesta data").click()
    expect(page.locator("article[data-status]")).to_have_count(2)
    dated = page.locator("article[data-status]").last
    expect(dated).to_have_attribute("data-status", "answered")
    expect(dated).to_contain_text("Pelas regras vigentes em 01/06/2025")


@widths
def test_a_conflict_and_a_text_without_owner_are_told_in_words(browse: Browse, width: int) -> None:
    page = started(browse, width=width)
    answer = ask(page, CONFLICT_Q)
    expect(answer).to_have_attribute("data-status", "conflict")
    expect(answer.locator(".sources > figure")).to_have_count(2)
    expect(answer).to_contain_text("Avisados, para resolver:")
    answer = ask(page, OWNERLESS_Q)
    expect(answer).to_have_attribute("data-status", "blocked")
    expect(answer).to_contain_text("sem responsável")
    expect(answer.get_by_role("button", name="Tentar de novo")).to_be_visible()
    check(page)


@widths
def test_an_objection_to_a_claim_is_thanked_for(browse: Browse, width: int) -> None:
    page = started(browse, width=width)
    claim = ask(page, SLA_Q).locator(".claim").first
    claim.get_by_text("Algo errado?").click()
    check(page)
    for kind in ("fonte errada", "inventado", "desatualizado"):
        expect(claim.get_by_label(kind)).to_be_visible()
    claim.get_by_label("desatualizado").check()
    claim.get_by_label("Comentário").fill("mudou em março")
    claim.get_by_role("button", name="Avisar o responsável").click()
    expect(page.locator(".claim").first).to_contain_text("Você apontou: desatualizado")


@widths
def test_conversations_are_named_listed_and_deleted(browse: Browse, width: int) -> None:
    page = started(browse, width=width)
    ask(page, SLA_Q)
    page.get_by_text("Renomear").click()
    page.get_by_label("Título").fill("Prazos do centro de distribuição")
    page.get_by_role("button", name="Salvar").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Prazos do centro de distribuição")
    address = page.url
    page.goto("/conversas/")
    check(page)
    page.get_by_role("link", name="Prazos do centro de distribuição", exact=True).first.click()
    page.get_by_role("link", name="Excluir").click()
    check(page)
    page.get_by_role("link", name="Manter").click()
    page.get_by_role("link", name="Excluir").click()
    page.get_by_role("button", name="Excluir").click()
    expect(page.get_by_text("A conversa foi excluída.")).to_be_visible()
    gone = page.goto(address)
    assert gone is not None
    assert gone.status == 404


def test_a_link_to_an_answer_is_missing_for_somebody_else(browse: Browse) -> None:
    page = started(browse, width=DESK)
    ask(page, SLA_Q).get_by_role("link", name="Link desta resposta").click()
    expect(page.locator("article[data-status]")).to_have_count(1)
    check(page)
    other = browse("joao.poa", width=DESK)
    for address in (page.url, page.url.replace(page.url.split("/")[-2], "00000000-0000-0000-0000-000000000000")):
        answer = other.goto(address)
        assert answer is not None
        assert answer.status == 404
        expect(other.locator("body")).not_to_contain_text("SLA")


def test_the_whole_way_by_keyboard(browse: Browse) -> None:
    page = started(browse, width=DESK)
    expect(box(page)).to_be_focused()
    page.keyboard.type("qual o SLA")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("do CD-SP?")
    assert box(page).input_value() == "qual o SLA\ndo CD-SP?"
    page.keyboard.press("Enter")
    expect(page.locator("article[data-status=answered]")).to_have_count(1)
    expect(box(page)).to_be_focused()
    link = page.locator("article[data-status] a[data-source]").first
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Ir à última resposta")).to_be_focused()
    check(page)
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    panel = page.get_by_role("complementary", name="Fonte")
    expect(panel).to_be_focused()
    page.keyboard.press("Escape")
    expect(link).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_label("fonte errada").first).to_be_visible()


def test_an_answer_is_copied_with_its_sources(browse: Browse) -> None:
    page = started(browse, width=DESK, permissions=["clipboard-read", "clipboard-write"])
    ask(page, SLA_Q).get_by_role("button", name="Copiar com as fontes").click()
    expect(page.get_by_role("button", name="Copiado, com as fontes.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    for words in (SLA_Q, "4 horas úteis", "Manual de operação CD-SP", "versão v3", "/documentos/ops-cd-sp/v3/?trecho="):
        assert words in copied
    for control in ("Algo errado?", "Copiar", "Imprimir", "Evidências"):
        assert control not in copied


def test_what_is_copied_has_the_order_and_the_addresses_of_the_page(browse: Browse) -> None:
    page = started(browse, width=DESK, permissions=["clipboard-read", "clipboard-write"])
    button = ask(page, CONFLICT_Q).locator("[data-copy]")
    button.click()
    expect(button).to_have_text("Copiado, com as fontes.")
    copied = page.evaluate("navigator.clipboard.readText()")
    parts = (
        "Duas fontes vigentes",
        "/documentos/tolerancia-doca",
        "/documentos/agendamento-doca",
        "Avisados",
        "https://",
    )
    places = [copied.index(part) for part in parts]
    assert places == sorted(places), copied
    expect(button).to_have_text("Copiar com as fontes")


def test_on_paper_there_are_answers_and_no_controls(browse: Browse) -> None:
    page = started(browse, width=DESK)
    answer = ask(page, SLA_Q)
    page.emulate_media(media="print")
    for hidden in (page.locator("#perguntar"), page.locator(".chat-side"), answer.locator(".answer-foot")):
        expect(hidden).to_be_hidden()
    expect(answer.locator("blockquote").first).to_be_visible()
    printed = answer.locator("a.source").first.evaluate(
        "link => getComputedStyle(link, '::after').content.slice(1, -1)"
    )
    assert printed == answer.locator("a.source").first.evaluate("link => link.href"), "paper carries the whole address"
    name = answer.get_attribute("data-evidence")
    assert name
    expect(answer.locator(".print-only")).to_contain_text(name)


def test_the_button_of_an_answer_prints_that_answer(browse: Browse) -> None:
    page = started(browse, width=DESK, color_scheme="dark")
    page.evaluate("window.print = () => {}")
    for question in (SLA_Q, UNKNOWN_Q):
        ask(page, question)
    page.emulate_media(media="print", color_scheme="dark")
    for answer in (page.locator("article").nth(0), page.locator("article").nth(1)):
        expect(answer).to_be_visible()
    dark = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--text')")
    assert dark.strip() == "#1b221e", "on paper, letters are dark whatever the screen is"
    page.emulate_media(media="screen")
    page.locator("[data-print]").first.click()
    page.emulate_media(media="print")
    expect(page.locator("article").nth(0)).to_be_visible()
    expect(page.locator("article").nth(1)).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("article").nth(1)).to_be_visible()


def test_a_suggestion_fills_the_box_and_waits(browse: Browse) -> None:
    page = started(browse, width=DESK)
    suggestion = page.get_by_role("region", name="Do que você pode ler").get_by_role("link").first
    words = suggestion.inner_text()
    suggestion.click()
    expect(box(page)).to_have_value(words)
    expect(box(page)).to_be_focused()
    expect(page.locator("article[data-status]")).to_have_count(0)


def test_a_long_question_is_bounded_with_a_word(browse: Browse) -> None:
    page = started(browse, width=PHONE)
    count = page.locator("#contagem")
    box(page).fill("a" * 100)
    expect(count).to_be_hidden()
    box(page).fill("a" * 1900)
    expect(count).to_have_text("1900 de 2000 caracteres")
    box(page).fill("á" * 2001)
    expect(count).to_have_text("A pergunta tem 2001 caracteres; encurte para 2000.")
    check(page)
    page.get_by_role("button", name="Perguntar").click()
    expect(page.get_by_role("alert")).to_contain_text("encurte para 2000")
    expect(page.locator("article[data-status]")).to_have_count(0)
    assert len(box(page).input_value()) == 2001


def test_words_without_an_end_stay_inside_the_page(browse: Browse) -> None:
    page = started(browse, width=PHONE)
    answer = ask(page, "x" * 1990)
    expect(answer).to_have_attribute("data-status", "not_found")
    assert answer.locator("h2").evaluate("title => getComputedStyle(title).fontWeight") == "400", "it is no headline"
    check(page)
    if answer.get_by_text("Enviar ao responsável").count():
        answer.get_by_text("Enviar ao responsável").click()
    check(page)
    page.get_by_role("link", name="Excluir").click()
    expect(page.get_by_role("button", name="Excluir")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Excluir").click()


def test_another_day_is_told_where_it_cannot_be_missed(browse: Browse) -> None:
    page = started(browse, "lucas.auditor", width=DESK)
    page.get_by_text("Consultar as regras de outra data").click()
    page.get_by_label("Regras do dia").fill("2025-06-01")
    page.get_by_role("button", name="Mudar a data").click()
    banner = page.get_by_role("note")
    expect(banner).to_contain_text("1 de junho de 2025")
    check(page)
    expect(ask(page, OFFICE_Q)).to_contain_text("Pelas regras vigentes em 01/06/2025")
    expect(banner).to_be_in_viewport()
    page.reload()
    expect(banner).to_be_visible()
    page.get_by_role("link", name="Voltar às regras de hoje").click()
    expect(banner).to_be_hidden()
    expect(page.locator("article[data-status]")).to_have_count(1)


def test_the_chat_speaks_english_too(browse: Browse) -> None:
    page = browse("ana.ops", width=DESK, language="en")
    page.goto("/")
    check(page)
    page.get_by_label("Question").fill(UNKNOWN_Q)
    page.get_by_role("button", name="Ask").click()
    answer = page.locator("article[data-status]")
    expect(answer).to_contain_text("I found no answer")
    answer.get_by_text("Send to the owner").click()
    check(page)

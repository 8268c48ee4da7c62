"""The chat when the network or the browser is not as one wishes: slow, broken, clicked twice, without scripts."""

from __future__ import annotations

import psycopg
import pytest
from playwright.sync_api import Page, expect

from chat.recorder import CHAIN_LOCK
from tests.browser.conftest import Browse
from tests.browser.look import DESK, PHONE, check, widths
from tests.browser.test_chat import SLA_Q, ask, box, started
from tests.instance import Portal, eventually

# The page's fetch of an answer, through a valve: `held` gives the first event and waits for `go()`; `cut` lets the
# server finish, gives the first event and breaks; `lost` breaks before anything is sent, once.
VALVE = """
const real = window.fetch;
window.mode = "open";
window.sent = 0;
window.go = () => {};
window.fetch = async (address, options = {}) => {
  if (options.method !== "POST" || window.mode === "open") return real(address, options);
  const mode = window.mode;
  window.sent += 1;
  if (mode === "lost") { window.mode = "open"; throw new TypeError("network"); }
  const response = await real(address, options);
  const text = await response.text();
  const cut = text.indexOf("\\n\\n") + 2;
  const opened = new Promise((done) => { window.go = done; });
  const body = new ReadableStream({
    async start(pipe) {
      const write = (part) => pipe.enqueue(new TextEncoder().encode(part));
      write(text.slice(0, cut));
      if (mode === "cut") { window.mode = "open"; setTimeout(() => pipe.error(new TypeError("network")), 50); return; }
      options.signal?.addEventListener("abort", () => pipe.error(options.signal.reason));
      await opened;
      write(text.slice(cut));
      pipe.close();
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
};
"""


def valved(browse: Browse, mode: str, width: int = DESK) -> Page:
    page = browse("ana.ops", width=width)
    page.add_init_script(VALVE)
    page.goto("/")
    page.evaluate("mode => { window.mode = mode; }", mode)
    return page


@widths
def test_a_slow_answer_says_what_it_does_and_shows_nothing_that_goes_again(browse: Browse, width: int) -> None:
    page = valved(browse, "held", width)
    box(page).fill(SLA_Q)
    page.get_by_role("button", name="Perguntar").click()
    pending = page.locator("article.pending")
    expect(pending).to_contain_text(SLA_Q)
    expect(pending).to_contain_text("consultando a base…")
    expect(page.locator("#andamento")).to_have_text("consultando a base…")
    expect(page.get_by_role("button", name="Parar")).to_be_visible()
    expect(page.locator("article[data-status]")).to_have_count(0)
    check(page)
    box(page).fill("e outra pergunta?")
    page.keyboard.press("Enter")
    page.evaluate("window.go()")
    expect(page.locator("article[data-status=answered]")).to_have_count(1)
    expect(page.locator("#andamento")).to_contain_text("A resposta chegou")
    expect(page.get_by_role("button", name="Parar")).to_be_hidden()
    expect(box(page)).to_have_value("e outra pergunta?")
    assert page.evaluate("window.sent") == 1


def test_a_stopped_question_says_what_became_of_it(browse: Browse) -> None:
    page = valved(browse, "held")
    box(page).fill(SLA_Q)
    page.get_by_role("button", name="Perguntar").click()
    expect(page.locator("article.pending")).to_contain_text("consultando a base…")
    page.get_by_role("button", name="Parar").click()
    expect(page.locator("article.pending")).to_contain_text("Você parou a pergunta")
    # It had been recorded by then, so its person finds it.
    expect(page.locator("article[data-status=answered]")).to_have_count(1)


def test_an_answer_whose_stream_broke_is_found_again_and_not_asked_again(browse: Browse) -> None:
    page = valved(browse, "cut")
    box(page).fill(SLA_Q)
    page.get_by_role("button", name="Perguntar").click()
    expect(page.locator("article.pending")).to_contain_text("A conexão caiu")
    expect(page.locator("article[data-status=answered]")).to_have_count(1)
    assert "conversa=" in page.url
    page.reload()
    expect(page.locator("article[data-status]")).to_have_count(1)


@pytest.mark.alone
def test_who_was_being_answered_by_a_process_that_is_killed_is_told_and_asks_again(
    browse: Browse, portal: Portal
) -> None:
    page = started(browse, width=DESK)
    with psycopg.connect(portal.here.database_url) as held:
        held.execute("SELECT pg_advisory_xact_lock(%s)", [CHAIN_LOCK])  # nothing is recorded meanwhile
        box(page).fill(SLA_Q)
        page.get_by_role("button", name="Perguntar").click()
        expect(page.locator("article.pending")).to_contain_text("conferindo citações")
        for name in [name for name in portal.pids() if name.startswith("web")]:
            portal.kill(name)
    expect(page.locator("article.pending")).to_contain_text("A conexão caiu")
    expect(page.get_by_role("alert")).to_be_visible(timeout=180_000)
    expect(box(page)).to_have_value(SLA_Q)
    eventually(portal.ready)
    box(page).press("Enter")
    expect(page.locator("article[data-status=answered]")).to_have_count(1)
    expect(page.get_by_role("alert")).to_be_hidden()
    page.reload()
    expect(page.locator("article[data-status]")).to_have_count(1)


def test_a_question_that_never_left_is_back_in_its_box(browse: Browse) -> None:
    page = valved(browse, "lost")
    box(page).fill(SLA_Q)
    page.get_by_role("button", name="Perguntar").click()
    expect(page.get_by_role("alert")).to_contain_text("nada foi registrado")
    expect(box(page)).to_have_value(SLA_Q)
    expect(page.locator("article.pending")).to_have_count(0)
    check(page)
    page.keyboard.press("Enter")
    expect(page.locator("article[data-status=answered]")).to_have_count(1)


def test_without_a_connection_the_question_waits_in_its_box(browse: Browse) -> None:
    page = started(browse, width=PHONE)
    box(page).fill(SLA_Q)
    page.context.set_offline(True)
    page.get_by_role("button", name="Perguntar").click()
    expect(page.get_by_role("alert")).to_contain_text("Não foi possível falar com o portal")
    expect(box(page)).to_have_value(SLA_Q)
    page.context.set_offline(False)
    page.get_by_role("button", name="Perguntar").click()
    expect(page.locator("article[data-status=answered]")).to_have_count(1)


def test_a_double_click_asks_once(browse: Browse) -> None:
    page = started(browse, width=DESK)
    box(page).fill(SLA_Q)
    page.get_by_role("button", name="Perguntar").dblclick()
    expect(page.locator("article[data-status]")).to_have_count(1)
    page.reload()
    expect(page.locator("article[data-status]")).to_have_count(1)


def test_a_refusal_of_the_server_is_said_and_keeps_the_question(browse: Browse) -> None:
    page = started(browse, width=DESK)
    ask(page, SLA_Q)
    page.locator("input[name=conversation]").last.evaluate("node => { node.value = crypto.randomUUID(); }")
    page.locator("#perguntar input[name=conversation]").evaluate("node => { node.value = crypto.randomUUID(); }")
    box(page).fill("e no CD-RJ?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Essa conversa não existe.")
    expect(box(page)).to_have_value("e no CD-RJ?")


def test_who_was_signed_out_meanwhile_finds_the_question_behind_the_door(browse: Browse) -> None:
    page = started(browse, width=DESK)
    ask(page, SLA_Q)
    page.context.clear_cookies()
    box(page).fill("e para pedido expresso?")
    page.keyboard.press("Enter")
    page.get_by_label("Usuário").fill("ana.ops")
    page.get_by_label("Senha").fill("demo")
    page.get_by_role("button", name="Entrar").click()
    expect(box(page)).to_have_value("e para pedido expresso?")
    expect(page.locator("article[data-status]")).to_have_count(1)


def test_who_signed_in_again_elsewhere_loses_no_question(browse: Browse) -> None:
    page = started(browse, width=DESK)
    page.locator("input[name=csrfmiddlewaretoken]").evaluate_all("all => all.forEach((one) => { one.value = 'x'; })")
    box(page).fill(SLA_Q)
    page.keyboard.press("Enter")
    page.wait_for_url("**pergunta=**")
    expect(box(page)).to_have_value(SLA_Q)
    page.keyboard.press("Enter")
    expect(page.locator("article[data-status=answered]")).to_have_count(1)


@widths
def test_without_scripts_every_form_works(browse: Browse, width: int) -> None:
    page = browse("ana.ops", width=width, java_script_enabled=False)
    page.goto("/")
    box(page).fill(SLA_Q)
    page.get_by_role("button", name="Perguntar").click()
    answer = page.locator("article[data-status=answered]")
    expect(answer).to_contain_text("4 horas úteis")
    expect(page.get_by_role("button", name="Copiar com as fontes")).to_be_hidden()
    answer.get_by_text("Algo errado?").first.click()
    answer.get_by_label("inventado").first.check()
    answer.get_by_role("button", name="Avisar o responsável").first.click()
    expect(page.locator("article[data-status]")).to_contain_text("Você apontou: inventado")
    page.locator("article[data-status] a[data-source]").first.click()
    expect(page.locator("main mark").first).to_be_visible()
    page.go_back()
    page.get_by_text("Renomear").click()
    page.get_by_label("Título").fill("Sem script")
    page.get_by_role("button", name="Salvar").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sem script")
    page.get_by_role("link", name="Excluir").click()
    page.get_by_role("button", name="Excluir").click()
    expect(page.get_by_text("A conversa foi excluída.")).to_be_visible()

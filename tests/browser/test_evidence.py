"""The auditor's journey: find a record, see how the answer came about, ask it again, take proof of it away."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Browse
from tests.browser.look import DESK, PHONE, check, fits, looks, widths
from tests.browser.questions import recorded
from tests.instance import Portal

SLA_Q = "qual o SLA do CD-SP?"
VACATION_Q = "quantos dias de férias posso vender?"
SECRET_Q = "qual o salário dos diretores?"
UNKNOWN_Q = "posso levar meu cachorro para o escritório?"
PAST_Q = "qual era o prazo de picking do CD-SP antes?"
AUDITOR = "lucas.auditor"
IN_BULK = 300_000
"""Milliseconds that work of the queue for bulk may take, behind whatever other tests have put into it."""


@pytest.fixture(scope="module")
def asked(portal: Portal) -> dict[str, str]:
    """Question → the id of its record."""
    people = {SLA_Q: "ana.ops", VACATION_Q: "ana.ops", UNKNOWN_Q: "ana.ops", PAST_Q: "ana.ops", SECRET_Q: "maria.rh"}
    records = recorded(portal, *((person, question) for question, person in people.items()))
    return dict(zip(people, records, strict=True))


@pytest.fixture(scope="module")
def long(portal: Portal) -> str:
    script = "from tests.browser.long_record import write; print(write())"
    return portal.manage("shell", "-c", script).split()[-1]


def opened(browse: Browse, address: str, person: str = AUDITOR, **options: object) -> Page:
    page = browse(person, **options)
    page.goto(f"/evidencias/{address}")
    return page


@pytest.mark.parametrize(("width", "scheme", "language"), [(PHONE, "dark", "pt-br"), (DESK, "light", "en")])
def test_an_auditor_has_the_whole_chain_verified(
    browse: Browse, asked: dict[str, str], width: int, scheme: str, language: str
) -> None:
    page = opened(browse, "", width=width, color_scheme=scheme, language=language)
    verify = page.get_by_role("button", name="Verificar agora" if language == "pt-br" else "Verify now")
    verify.click(timeout=IN_BULK)
    told = page.get_by_role("region", name="Algo foi alterado depois?" if language == "pt-br" else "changed afterwards")
    holds = told.get_by_text("cadeia íntegra" if language == "pt-br" else "chain holds")
    expect(holds).to_have_count(2, timeout=IN_BULK)
    check(page)


@looks
def test_an_auditor_finds_out_why_ana_got_no_answer(
    browse: Browse, asked: dict[str, str], width: int, scheme: str
) -> None:
    page = opened(browse, "", width=width, color_scheme=scheme)
    check(page)
    page.get_by_label("Pessoa").fill("ana.ops")
    page.get_by_label("Situação").select_option("not_found")
    page.get_by_role("button", name="Filtrar").click()
    expect(page.get_by_label("Pessoa")).to_have_value("ana.ops")
    check(page)
    page.get_by_role("link", name=UNKNOWN_Q).first.click()
    expect(page.get_by_text("Por que não há resposta:")).to_be_visible()
    expect(page.locator("main")).to_contain_text("o que a pessoa pode ler atende pouco à pergunta")
    check(page)


@looks
def test_an_answer_is_explained_and_asked_again(browse: Browse, asked: dict[str, str], width: int, scheme: str) -> None:
    page = opened(browse, f"{asked[VACATION_Q]}/", width=width, color_scheme=scheme)
    for heading in ("O que foi respondido", "O que a teria impedido", "Etapas", "Trechos como foram enviados"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.locator("mark").first).to_be_visible()
    expect(page.locator("main")).to_contain_text("cadeia íntegra")
    for group in page.locator("details.group > summary").all()[1:]:
        group.click()
    check(page)
    page.get_by_role("link", name="no documento").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Férias")
    page.go_back()
    page.get_by_role("button", name="Perguntar de novo hoje").click()
    expect(page.get_by_text("Perguntada de novo hoje, a resposta é a mesma.")).to_be_visible()
    check(page)


@widths
def test_what_the_auditor_may_not_read_is_told_without_its_words(
    browse: Browse, asked: dict[str, str], width: int
) -> None:
    own = opened(browse, f"{asked[SECRET_Q]}/", "maria.rh")
    quotes = own.locator(".quote").all_inner_texts()
    page = opened(browse, f"{asked[SECRET_Q]}/", width=width)
    expect(page.locator("main")).to_contain_text("folha-confidencial@")
    expect(page.locator("main")).to_contain_text("omitido: você não pode ler a fonte")
    shown = page.locator("main").inner_text()
    assert quotes
    assert not [quote for quote in quotes if quote in shown]
    assert "Regras Internas de Folha" not in shown, "nor its title"
    check(page)
    page.get_by_role("link", name="Certificado").click()
    expect(page.get_by_role("alert")).to_contain_text("folha-confidencial@")
    check(page)


def test_a_certificate_is_a_file_that_the_command_finds_true(
    browse: Browse, asked: dict[str, str], portal: Portal, tmp_path: Path
) -> None:
    page = opened(browse, f"{asked[VACATION_Q]}/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Certificado").click()
    path = tmp_path / "certificado.json"
    download.value.save_as(path)
    assert "O certificado confere." in portal.manage("verify_evidence", "--certificate", str(path))
    path.write_text(path.read_text(encoding="utf-8").replace("férias", "folgas"), encoding="utf-8")
    assert "NÃO confere" in portal.manage("verify_evidence", "--certificate", str(path), accept=(1,))


@pytest.mark.parametrize("form", ["CSV", "JSONL", "PROV"])
def test_the_filtered_records_are_a_file(browse: Browse, asked: dict[str, str], tmp_path: Path, form: str) -> None:
    page = opened(browse, "?status=needs_date")
    with page.expect_download() as download:
        page.get_by_role("link", name=form, exact=True).click()
    download.value.save_as(tmp_path / "file")
    lines = (tmp_path / "file").read_text(encoding="utf-8").splitlines()
    assert lines
    assert all("needs_date" in line for line in lines[form == "CSV" :])


@widths
def test_whoever_asked_opens_their_own_record_and_nobody_elses(
    browse: Browse, asked: dict[str, str], width: int
) -> None:
    page = opened(browse, f"{asked[VACATION_Q]}/", "ana.ops", width=width)
    expect(page.locator("main")).to_contain_text("Este é o seu registro da resposta.")
    expect(page.get_by_role("heading", name="Candidatos e onde caíram")).to_have_count(0)
    check(page)
    for address in (f"/evidencias/{asked[SECRET_Q]}/", "/evidencias/"):
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 404
        check(page)


@pytest.mark.parametrize(("width", "language"), [(PHONE, "en"), (DESK, "pt-br")])
def test_every_status_and_an_empty_list_hold_in_both_languages(
    browse: Browse, asked: dict[str, str], width: int, language: str
) -> None:
    addresses = [f"{asked[question]}/" for question in (SLA_Q, UNKNOWN_Q, PAST_Q)]
    page = browse(AUDITOR, width=width, language=language)
    for address in (*addresses, "?status=unavailable&document=nada", "?since=ontem"):
        page.goto(f"/evidencias/{address}")
        check(page)


@widths
def test_a_record_with_hundreds_of_candidates_stays_usable(browse: Browse, long: str, width: int) -> None:
    page = opened(browse, f"{long}/", width=width)
    check(page)
    assert page.locator(".claim:visible").count() <= 10
    page.get_by_text("Todas as 200 afirmações").click()
    assert page.locator(".claim:visible").count() == 200
    page.get_by_label("Documento contém").fill("um-código")
    rows = page.locator("details.group tbody tr:visible")
    assert 0 < rows.count() < 20
    assert all("um-código" in text for text in rows.all_inner_texts())
    fits(page)
    page.get_by_label("Documento contém").fill("")
    assert page.locator("details.group tbody tr").count() == 599


def test_the_journey_needs_no_mouse(browse: Browse, asked: dict[str, str]) -> None:
    page = opened(browse, "")
    page.get_by_label("Documento citado").focus()
    page.keyboard.type("ferias")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Documento citado")).to_have_value("ferias")
    page.get_by_role("link", name=VACATION_Q).first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(VACATION_Q)
    group = page.locator("details.group > summary").nth(1)
    group.focus()
    page.keyboard.press("Enter")
    expect(page.locator("details.group").nth(1)).to_have_attribute("open", "")
    page.get_by_role("button", name="Perguntar de novo hoje").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Perguntada de novo hoje")).to_be_visible()


@widths
def test_without_scripts_all_of_it_is_there(browse: Browse, asked: dict[str, str], width: int) -> None:
    page = opened(browse, f"{asked[VACATION_Q]}/", width=width, java_script_enabled=False)
    expect(page.get_by_label("Documento contém")).to_be_hidden()
    expect(page.locator("details.group tbody tr").first).to_be_visible()
    page.get_by_role("button", name="Perguntar de novo hoje").click()
    expect(page.get_by_text("Perguntada de novo hoje, a resposta é a mesma.")).to_be_visible()

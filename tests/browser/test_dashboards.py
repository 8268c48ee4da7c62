"""The dashboards: numbers, charts and files, for each role its own, at both widths and without scripts."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Browse
from tests.browser.look import DESK, PHONE, check, looks, widths
from tests.browser.questions import recorded
from tests.instance import Portal


@pytest.fixture(scope="module", autouse=True)
def asked(portal: Portal) -> None:
    """Something to count."""
    asked = ("qual o SLA do CD-SP?", "posso levar meu cachorro para o escritório?", "cachorro no escritório pode?")
    answered, *_others = recorded(portal, *(("ana.ops", question) for question in asked))
    objection = (
        "from django.contrib.auth.models import User;from chat import feedback;from chat.models import EvidenceRecord;"
        f"feedback.give(EvidenceRecord.objects.get(id='{answered}'),"
        " User.objects.get(username='ana.ops'),"
        " claim=1, kind='outdated', comment='a regra mudou em março, e o anexo novo diz outra coisa')"
    )
    portal.manage("shell", "-c", objection)


@looks
def test_the_auditor_sees_every_number(browse: Browse, width: int, scheme: str) -> None:
    page = browse("lucas.auditor", width=width, color_scheme=scheme)
    page.goto("/painel/")
    for title in ("Perguntas por dia", "Não encontradas por assunto", "Custo e tokens", "Propagação das mudanças"):
        expect(page.get_by_role("heading", name=title)).to_be_visible()
    assert page.locator(".plot rect").count() >= 1
    page.get_by_text("Os números").first.click()
    check(page)
    page.get_by_role("link", name="7 dias").click()
    expect(page.get_by_role("link", name="7 dias")).to_have_attribute("aria-current", "page")
    check(page)


@pytest.mark.parametrize(
    ("width", "person"), [(DESK, "marina.produto"), (PHONE, "paula.indice"), (DESK, "carla.rh"), (PHONE, "maria.rh")]
)
def test_each_role_sees_its_own(browse: Browse, width: int, person: str) -> None:
    page = browse(person, width=width)
    page.goto("/painel/?periodo=90")
    whole = person in ("marina.produto", "paula.indice")
    expect(page.get_by_role("heading", name="Tempo por etapa")).to_have_count(int(whole))
    expect(page.get_by_role("heading", name="Não encontradas por assunto")).to_have_count(int(person != "paula.indice"))
    check(page)


def test_a_topic_leads_the_auditor_to_its_record(browse: Browse) -> None:
    page = browse("lucas.auditor")
    page.goto("/painel/")
    page.locator("section[aria-labelledby=assuntos] tbody a").first.click()
    expect(page.get_by_text("Por que não há resposta:")).to_be_visible()


def test_a_report_leads_to_what_it_is_about(browse: Browse) -> None:
    page = browse("lucas.auditor")
    page.goto("/painel/")
    page.locator("section[aria-labelledby=relatos] tbody a").first.click()
    expect(page.get_by_role("heading", name="O que foi respondido")).to_be_visible()
    page = browse("bruno.ops")
    page.goto("/painel/")
    links = page.locator("section[aria-labelledby=relatos] tbody a").evaluate_all("links => links.map(a => a.href)")
    told = [page.goto(link) and page.locator("main").inner_text() for link in links]  # other tests report as well
    assert any("a regra mudou em março" in text for text in told)


def test_no_table_is_cut_off_at_a_desk(browse: Browse) -> None:
    page = browse("lucas.auditor")
    page.goto("/painel/")
    wider = "tables => tables.filter(t => t.scrollWidth > t.clientWidth).map(t => t.getAttribute('aria-label'))"
    assert page.locator(".sections .table:visible").evaluate_all(wider) == []


def test_a_table_is_a_file(browse: Browse, tmp_path: Path) -> None:
    page = browse("lucas.auditor")
    page.goto("/painel/?periodo=7")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV – Perguntas por dia").click()
    download.value.save_as(tmp_path / "file")
    assert len((tmp_path / "file").read_text(encoding="utf-8").splitlines()) == 8


@widths
def test_it_is_all_said_in_english_too(browse: Browse, width: int) -> None:
    page = browse("lucas.auditor", width=width, language="en")
    page.goto("/painel/")
    check(page)


def test_without_scripts_it_is_the_same_page(browse: Browse) -> None:
    page = browse("lucas.auditor", java_script_enabled=False)
    page.goto("/painel/")
    assert page.locator(".plot rect").count() >= 1


def test_for_who_has_no_numbers_there_is_no_panel(browse: Browse) -> None:
    page = browse("joao.poa")
    answer = page.goto("/painel/")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("link", name="Painel")).to_have_count(0)
    check(page)

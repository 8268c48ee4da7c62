"""The evidence on pages: all of it for auditors, their own answer for whoever asked, nothing for everybody else."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pgtrigger
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from chat.auditing.exports import COLUMNS
from chat.models import EvidenceQuestion, EvidenceRecord
from chat.rules.certificate import FORMAT
from documents.models import Document
from governance.actions import access, publication
from tests import factories
from tests.chat import portal
from tests.chat.portal import PAYROLL, PAYROLL_Q, PICKING, PICKING_Q, ask, published
from tests.days import today

pytestmark = pytest.mark.django_db
LIST = "/evidencias/"
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
SECRET = "doze por cento"


@pytest.fixture
def ana() -> User:
    return factories.person("ana", groups=["equipe"])


@pytest.fixture
def auditor() -> User:
    return factories.person("lucas", roles=["auditor"])


@pytest.fixture
def document() -> Document:
    return published("ops-cd-sp", PICKING)


@pytest.fixture
def payroll() -> Document:
    """What the auditor may not read and Ana may."""
    return published("folha", PAYROLL, readers=["group:equipe"], title="Adicionais secretos")


def page(user: User, address: str, *, code: int = 200, method: str = "get") -> str:
    client = Client()
    client.force_login(user)
    response = getattr(client, method)(address)
    assert response.status_code == code, response.content
    told = b"".join(response).decode()
    return html.unescape(TOKEN.sub("", told)).replace(f'value="{address}"', "")


def of(answer: Any) -> str:
    return f"{LIST}{answer['evidence']}/"


# Who sees what


def test_an_auditor_sees_how_an_answer_came_about(ana: User, auditor: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    record = EvidenceRecord.objects.get()
    told = page(auditor, of(answer))
    for part in (PICKING_Q, record.hash, record.previous_hash, str(record.reader_key), "equipe", "default-1"):
        assert part in told
    assert "<mark>O prazo de separação de pedidos do CD-SP é de quatro horas úteis" in told
    assert "achados pela busca" in told
    assert "cadeia íntegra" in told
    assert "Sem a permissão que a pessoa tem (grupo todos)." in told


def test_what_an_auditor_may_not_read_is_code_and_reason(
    ana: User, auditor: User, document: Document, payroll: Document
) -> None:
    """As a source, as a passage that was sent and as a candidate that fell."""
    answers = [ask(ana, PAYROLL_Q), ask(factories.person(), PAYROLL_Q)]
    assert [answer["status"] for answer in answers] == ["answered", "not_found"]
    for answer in answers:
        told = page(auditor, of(answer))
        assert "folha@v1" in told
        assert SECRET not in told
        assert "Adicionais secretos" not in told
    assert "a pessoa não pode ler o documento" in page(auditor, of(answers[1]))


def test_a_text_that_holds_elsewhere_is_audited_by_its_quotes_alone(ana: User, auditor: User) -> None:
    reader = factories.person("bia", units=["CD-SP"])
    published("ops-cd-sp", PICKING, scope_units=["CD-SP"])
    told = page(auditor, of(ask(reader, PICKING_Q)))
    assert "quatro horas úteis" in told
    assert "depois das 14h" not in told.split('id="trechos"')[1], "the rest of the passage does not open"
    assert "O texto desta revisão não se abre para você" in told


def test_whoever_asked_sees_their_answer_and_nothing_else(ana: User, document: Document, payroll: Document) -> None:
    answer = ask(ana, f"meu CPF é 529.982.247-25, {PICKING_Q}")
    told = page(ana, of(answer))
    assert "529.982.247-25" in told, "in their own words, while these are kept"
    assert "quatro horas úteis" in told
    assert not [part for part in ("folha", "Candidatos", "candidato", "BM25", "limiares") if part in told]
    EvidenceQuestion.objects.all().delete()
    assert "529.982.247-25" not in page(ana, of(answer))


def test_whoever_lost_a_permission_finds_no_words_of_the_source(ana: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    access.set_readers(document.pk, [], actor=document.owner, reason="restrita")
    assert "quatro horas" not in page(ana, of(answer))


@pytest.mark.parametrize("roles", [[], ["approver"], ["indexer"], ["incidents"], ["product"], ["history"]])
def test_for_everybody_else_it_is_not_there(ana: User, document: Document, roles: list[str]) -> None:
    answer = ask(ana, PICKING_Q)
    other = factories.person(roles=roles, areas=["operacoes"])
    missing = page(other, f"{LIST}{uuid.UUID(int=0)}/", code=404)
    for address in (of(answer), f"{of(answer)}certificado/", LIST, f"{LIST}exportar/jsonl/"):
        assert page(other, address, code=404) == missing
    assert page(other, f"{of(answer)}repetir/", code=404, method="post") == missing


def test_what_is_an_auditors_is_not_the_askers(ana: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    for address in (f"{of(answer)}certificado/", LIST, f"{LIST}exportar/csv/"):
        page(ana, address, code=404)
    page(ana, f"{of(answer)}repetir/", code=404, method="post")


def test_a_superuser_is_nobody_special(ana: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    admin = factories.person(is_superuser=True, is_staff=True)
    page(admin, of(answer), code=404)
    page(admin, LIST, code=404)


def test_a_signed_out_person_is_asked_to_sign_in(client: Client) -> None:
    for address in (LIST, f"{LIST}{uuid.UUID(int=0)}/", f"{LIST}exportar/csv/"):
        assert client.get(address).headers["Location"].startswith("/entrar/")


def test_a_record_is_read_and_nothing_else(ana: User, auditor: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    for method in ("post", "put", "patch", "delete"):
        page(auditor, of(answer), code=405, method=method)
    page(auditor, f"{of(answer)}repetir/", code=405)
    assert EvidenceRecord.objects.count() == 1


# What a page tells


def test_every_status_has_a_page_in_words(ana: User, auditor: User, document: Document) -> None:
    answers = [
        ask(ana, q) for q in (PICKING_Q, "xyzzy plugh?", "qual era o prazo de separação de pedidos antigamente?")
    ]
    portal.only_offers()
    answers.append(ask(ana, PICKING_Q))
    told = [page(auditor, of(answer)) for answer in answers]
    assert [answer["status"] for answer in answers] == ["answered", "not_found", "needs_date", "not_found"]
    assert "a pergunta é sobre o passado e não dá data" in told[2]
    assert "Oferecido para ler, sem resposta" in told[3]
    assert all("needs_date" not in html.unescape(text).replace("badge-needs_date", "") for text in told)


def test_a_claim_that_was_refused_is_told_with_its_reason(ana: User, auditor: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    record = EvidenceRecord.objects.get(id=answer["evidence"])
    refused = {"text": "<b>cinco</b> horas", "passage": 1, "quote": "cinco", "reason": "quote_not_found"}
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        EvidenceRecord.objects.filter(pk=record.pk).update(body={**record.body, "refused": [refused]})
    client = Client()
    client.force_login(auditor)
    told = client.get(of(answer)).content.decode()
    assert "&lt;b&gt;cinco&lt;/b&gt; horas" in told
    assert "a citação não está no trecho" in told
    assert "O registro foi alterado depois de escrito." in told, "and the change is found"


def test_a_source_says_how_it_stands_today(ana: User, auditor: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    assert "Esta pessoa seria respondida com ela também hoje." in page(auditor, of(answer))
    approver = factories.person(areas=["operacoes"], roles=["approver"])
    publication.retire(document.revisions.get().pk, actor=approver, reason="fim")
    assert "Esta pessoa não seria respondida com ela hoje: retirada." in page(auditor, of(answer))


def test_the_chain_around_a_record_is_told(ana: User, auditor: User, document: Document) -> None:
    answers = [ask(ana, question) for question in (PICKING_Q, "xyzzy?", "plugh?")]
    assert "segue o registro anterior e o seguinte o segue" in page(auditor, of(answers[0]))
    assert "é o último" in page(auditor, of(answers[2]))
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        EvidenceRecord.objects.filter(sequence=2).update(hash="f" * 64)
    assert "Ele não segue o registro anterior." in page(auditor, of(answers[2]))
    assert "cadeia quebrada" in page(auditor, of(answers[1]))
    assert "cadeia íntegra" in page(auditor, of(answers[0])), "a change elsewhere breaks no other link"


def test_a_record_costs_the_same_however_long_it_is(
    ana: User, auditor: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(12):
        published(f"doc-{number}", PICKING.replace("quatro", f"{number}"))
    answer = ask(ana, PICKING_Q)
    client = Client()
    client.force_login(auditor)
    with django_assert_max_num_queries(30):
        assert client.get(of(answer)).status_code == 200


# The list


def shown(told: str) -> list[str]:
    return [answer for answer in told.split('href="/evidencias/')[1:] if answer[8] == "-"]


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("", 3),
        ("?status=answered", 1),
        ("?status=blocked", 0),
        ("?document=ops-cd-sp", 1),
        ("?document=ops", 0),
        ("?person=ana", 2),
        ("?person=ninguem", 0),
        ("?person=%00", 0),
        ("?reason=no_permission", 3),
        ("?reason=date", 1),
        ("?reason=lower_precedence", 0),
        ("?since={today}&until={today}", 3),
        ("?until=2020-01-01", 0),
        ("?status=&document=&person=&reason=&since=&until=", 3),
        ("?antes=2", 1),
        ("?antes=x", 3),
        ("?antes=99999999999999999999999", 3),
    ],
)
def test_the_list_can_be_narrowed(
    ana: User, auditor: User, document: Document, payroll: Document, query: str, number: int
) -> None:
    access.set_readers(payroll.pk, [], actor=payroll.owner, reason="restrita")
    ask(ana, PICKING_Q), ask(ana, "qual o adicional noturno da diretoria?")
    ask(factories.person("bia"), "qual era o adicional noturno dos diretores antigamente?")
    EvidenceRecord.objects.get(sequence=3)
    told = page(auditor, LIST + query.format(today=today()))
    assert len(shown(told)) == (number if query != "?reason=no_permission" else 2)


def test_a_reason_is_looked_for_in_the_last_month_unless_a_day_is_given(
    ana: User, auditor: User, document: Document
) -> None:
    ask(ana, "qual era o prazo de separação de pedidos antigamente?")
    past = timezone.now() - timedelta(days=40)
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        EvidenceRecord.objects.update(recorded_at=past)
    month = page(auditor, f"{LIST}?reason=date")
    assert not shown(month)
    assert f'value="{(timezone.localdate() - timedelta(days=30)).isoformat()}"' in month, "and the form says so"
    assert len(shown(page(auditor, f"{LIST}?reason=date&since={timezone.localdate(past).isoformat()}"))) == 1


def test_by_the_key_of_a_person(ana: User, auditor: User, document: Document) -> None:
    ask(ana, PICKING_Q), ask(factories.person("bia"), "xyzzy?")
    told = page(auditor, f"{LIST}?person={EvidenceRecord.objects.get(sequence=1).reader_key}")
    assert len(shown(told)) == 1
    said = told.replace("semana", "").replace("manage.py", "").split("<main")[1]
    assert "ana" not in said, "whose key it is stays beside the chain"


@pytest.mark.parametrize(("query", "says"), [("?status=maybe", "maybe"), ("?since=ontem", "data")])
def test_a_filter_that_makes_no_sense_is_told_and_shows_nothing(
    ana: User, auditor: User, document: Document, query: str, says: str
) -> None:
    ask(ana, PICKING_Q)
    told = page(auditor, LIST + query)
    assert "field-error" in told
    assert says in told
    assert not shown(told)


def test_a_long_list_goes_on_where_it_stopped(
    ana: User, auditor: User, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.evidence_views.ON_A_PAGE", 2)
    for number in range(5):
        ask(ana, f"xyzzy {number}?")
    address, seen = LIST, []
    while address:
        told = page(auditor, address)
        seen += [part[:36] for part in shown(told)]
        following = told.partition('rel="next" href="')[2]
        address = LIST + following.partition('"')[0] if following else ""
    assert len(seen) == 5 == len(set(seen))


def test_an_empty_list_says_what_would_be_there(auditor: User) -> None:
    assert "Ninguém perguntou nada ainda" in page(auditor, LIST)
    assert "Nenhum registro atende a estes filtros." in page(auditor, f"{LIST}?status=answered")


def test_the_list_costs_the_same_however_long_it_is(
    ana: User, auditor: User, document: Document, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(4):
        ask(ana, f"xyzzy {number}?")
    client = Client()
    client.force_login(auditor)
    with django_assert_max_num_queries(15):
        client.get(LIST)


# Exports


def test_an_export_holds_the_filtered_records_oldest_first(ana: User, auditor: User, document: Document) -> None:
    for question in (PICKING_Q, "xyzzy?", PICKING_Q):
        ask(ana, question)
    lines = [json.loads(line) for line in page(auditor, f"{LIST}exportar/jsonl/?status=answered").splitlines()]
    assert [line["sequence"] for line in lines] == [1, 3]
    assert [line["hash"] for line in lines] == [row.hash for row in EvidenceRecord.objects.order_by("sequence")][::2]
    assert "withheld" not in lines[0]


def test_a_spreadsheet_gets_one_row_a_record_and_no_formula(ana: User, auditor: User, document: Document) -> None:
    ask(ana, "=HYPERLINK(1); qual o prazo?"), ask(ana, PICKING_Q)
    header, first, second = csv.reader(io.StringIO(page(auditor, f"{LIST}exportar/csv/")))
    assert tuple(header) == COLUMNS
    assert first[COLUMNS.index("question")].startswith("'=")
    assert second[COLUMNS.index("documents")] == "ops-cd-sp"


def test_an_export_holds_no_words_that_the_auditor_may_not_read(ana: User, auditor: User, payroll: Document) -> None:
    ask(ana, PAYROLL_Q)
    for form in ("jsonl", "csv", "prov"):
        told = page(auditor, f"{LIST}exportar/{form}/")
        assert "folha" in told
        assert SECRET not in told
    assert json.loads(page(auditor, f"{LIST}exportar/jsonl/"))["withheld"] == ["folha@v1"]


def test_an_export_in_blocks_is_whole(
    ana: User, auditor: User, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.auditing.exports.BLOCK", 2)
    for number in range(5):
        ask(ana, f"xyzzy {number}?")
    lines = page(auditor, f"{LIST}exportar/jsonl/").splitlines()
    assert [json.loads(line)["sequence"] for line in lines] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("address", ["exportar/xlsx/", "exportar/csv/?status=maybe"])
def test_a_form_or_a_filter_that_is_not_there_is_no_export(auditor: User, address: str) -> None:
    page(auditor, LIST + address, code=404)


# The certificate


def test_a_certificate_is_a_file_that_the_command_finds_true(
    ana: User, auditor: User, document: Document, tmp_path: Path
) -> None:
    answers = [ask(ana, question) for question in ("xyzzy?", PICKING_Q, "plugh?")]
    client = Client()
    client.force_login(auditor)
    response = client.get(f"{of(answers[1])}certificado/")
    assert response.headers["Content-Disposition"].startswith("attachment; filename=")
    value = response.json()
    assert value["format"] == FORMAT
    assert value["chain"]["size"] == 3
    assert value["passages"][0].startswith("4. Prazos") or "quatro horas" in value["passages"][0]


def test_a_certificate_leaves_out_passages_that_do_not_open(auditor: User) -> None:
    published("ops-cd-sp", PICKING, scope_units=["CD-SP"])
    answer = ask(factories.person("bia", units=["CD-SP"]), PICKING_Q)
    value = json.loads(page(auditor, f"{of(answer)}certificado/"))
    assert value["passages"] == [None]


def test_no_certificate_of_words_that_the_auditor_may_not_read(ana: User, auditor: User, payroll: Document) -> None:
    told = page(auditor, f"{of(ask(ana, PAYROLL_Q))}certificado/", code=403)
    assert "folha@v1" in told
    assert SECRET not in told
    assert "export_evidence --certificate" in told


def test_no_certificate_of_a_broken_chain(ana: User, auditor: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        EvidenceRecord.objects.update(recorded_at=timezone.now() - timedelta(days=1))
    assert "A cadeia não se sustenta" in page(auditor, f"{of(answer)}certificado/", code=409)


# The replay


def again(auditor: User, answer: Any) -> str:
    before = EvidenceRecord.objects.count()
    told = page(auditor, f"{of(answer)}repetir/", method="post")
    assert EvidenceRecord.objects.count() == before
    return told


def test_a_replay_says_that_nothing_changed(ana: User, auditor: User, document: Document) -> None:
    assert "Perguntada de novo hoje, a resposta é a mesma." in again(auditor, ask(ana, PICKING_Q))


def test_a_replay_explains_a_new_revision(ana: User, auditor: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    today = timezone.localdate()
    document.revisions.update(validity=(portal.START, today))
    portal.revise(document, "v2", PICKING.replace("quatro", "seis"), start=today)
    told = again(auditor, answer)
    assert "Perguntada de novo hoje, a resposta cita outra coisa." in told
    assert "ops-cd-sp@v1 podia ser usada então; agora: substituída por uma revisão posterior." in told
    assert "ops-cd-sp@v2 não estava entre os candidatos então e agora é enviada à resposta." in told
    assert "seis horas" in told


def test_a_replay_shows_no_words_that_the_auditor_may_not_read(ana: User, auditor: User, payroll: Document) -> None:
    told = again(auditor, ask(ana, f"meu CPF é 529.982.247-25: {PAYROLL_Q}"))
    assert "folha@v1" in told
    assert SECRET not in told
    assert "529.982.247-25" not in told, "the question as it was recorded, not in the person's words"


def test_a_replay_without_an_index_says_so(ana: User, auditor: User) -> None:
    answer = ask(ana, PICKING_Q)
    assert "Parte do portal não está funcionando" in page(auditor, f"{of(answer)}repetir/", code=503, method="post")

"""Personal data and secrets leave a text by their form; codes and order numbers stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.rules.privacy import Redacted, redact

# Written in pieces, so that no scanner of secrets takes this file for a leak.
_KEY = "-----BEGIN RSA PRIVATE KEY" + "-----\nMIIEabc\n-----END RSA PRIVATE KEY" + "-----"
FOUND = [
    ("meu CPF é 529.982.247-25", "meu CPF é [CPF]", "cpf"),
    ("cpf 52998224725 não aparece", "cpf [CPF] não aparece", "cpf"),
    ("52998224725", "[CPF]", "cpf"),
    ("CPF: 111.222.333-44", "CPF: [CPF]", "cpf"),
    ("cpf nº 123 456 789 09", "cpf nº [CPF]", "cpf"),
    ("CNPJ 11.222.333/0001-81", "CNPJ [CNPJ]", "cnpj"),
    ("empresa 11222333000181", "empresa [CNPJ]", "cnpj"),
    ("CNPJ 12.ABC.345/01DE-35", "CNPJ [CNPJ]", "cnpj"),
    ("me liga no (11) 98765-4321", "me liga no [TELEFONE]", "phone"),
    ("celular 11987654321", "celular [TELEFONE]", "phone"),
    ("+55 21 99876-5432 é o meu", "[TELEFONE] é o meu", "phone"),
    ("tel 3333-4444", "tel [TELEFONE]", "phone"),
    ("whatsapp: 11 98765 4321", "whatsapp: [TELEFONE]", "phone"),
    ("ana.silva+rh@andorinha.example pediu", "[E-MAIL] pediu", "email"),
    ("deposita na agência 1234 conta 12345-6", "deposita na agência [CONTA] conta [CONTA]", "account"),
    ("conta corrente nº 0012345-x", "conta corrente nº [CONTA]", "account"),
    ("BR1800360305000010009795493C1", "[CONTA]", "account"),
    ("pix: 123e4567-e89b-12d3-a456-426614174000", "pix: [PIX]", "pix"),
    ("cartão 4111 1111 1111 1111", "cartão [CARTÃO]", "card"),
    ("cartao 4111111111111111", "cartao [CARTÃO]", "card"),
    ("RG 12.345.678-9", "RG [RG]", "rg"),
    ("minha identidade é 12345678X", "minha identidade é [RG]", "rg"),
    ("CNH 02650306461 vence", "CNH [CNH] vence", "cnh"),
    ("PIS 120.54789.01-3", "PIS [PIS]", "pis"),
    ("a senha é Verao2026!", "a senha é [SEGREDO]", "secret"),
    ("password=hunter2abc", "password=[SEGREDO]", "secret"),
    ("api_key: 'abcd1234efgh'", "api_key: '[SEGREDO]'", "secret"),
    ("token sk-" + "proj-abcdefghijklmnop1234", "token [SEGREDO]", "secret"),
    ("gh" + "p_abcdefghijklmnopqrstuvwxyz0123", "[SEGREDO]", "secret"),
    ("AKIA" + "ABCDEFGHIJKLMNOP", "[SEGREDO]", "secret"),
    ("ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-DEF_123", "[SEGREDO]", "secret"),
    ("Authorization: Bearer abcdef0123456789abcdef", "Authorization: Bearer [SEGREDO]", "secret"),
    ("postgres://kb:s3nh4@banco/kb", "postgres://[SEGREDO]@banco/kb", "secret"),
    (f"chave {_KEY} fim", "chave [SEGREDO] fim", "secret"),
    ("aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x", "[SEGREDO]", "secret"),
]

KEPT = [
    "o que diz a POL-2021-0123?",
    "Resolução ANTT 5.947/2021",
    "pedido 4500123456 atrasou",
    "pedido 11987654321 atrasou",
    "NF 000.123.456",
    "NF-e 35260911222333000181550010000012341000012345",
    "formulário FRM-RH-012",
    "ramal 4021",
    "Central 0800 723 4567",
    "prazo de 10/03/2024 a 15/03/2024, das 8h às 17h",
    "limite de R$ 1.250.000,00",
    "Lei 13.709/2018, art. 5º, § 2º",
    "qual a política de senha?",
    "a senha: quantos caracteres?",
    "esqueci a senha do WMS",
    "como peço um token novo?",
    "em caso de conta atrasada",
    "conta de 2026",
    "processo 0001234-56.2024.8.26.0100",
    "CEP 01310-100",
    "CD-SP, doca 12, palete 00012345",
    "RG do veículo",
    "identidade visual de 2026",
    "a Ana Ribeiro do CD-SP pediu férias",
    "evidência 123e4567-e89b-12d3-a456-426614174000",
    "código de barras 7891234567895",
    "SKU 1234-5678-9012",
    "versão 10.20.30.40",
]


@pytest.mark.parametrize(("text", "left", "kind"), FOUND, ids=[row[1] for row in FOUND])
def test_taken_out(text: str, left: str, kind: str) -> None:
    assert redact(text) == Redacted(left, (kind,))


@pytest.mark.parametrize("text", KEPT)
def test_left_alone(text: str) -> None:
    assert redact(text) == Redacted(text)


def test_several_kinds_are_named_once_each() -> None:
    found = redact("CPF 529.982.247-25 e 529.982.247-25, fale com ana@andorinha.example ou (11) 98765-4321")
    assert found.text == "CPF [CPF] e [CPF], fale com [E-MAIL] ou [TELEFONE]"
    assert found.found == ("cpf", "email", "phone")


@given(st.text(max_size=120), st.sampled_from(FOUND), st.text(max_size=40))
def test_is_idempotent_and_never_fails(before: str, row: tuple[str, str, str], after: str) -> None:
    once = redact(f"{before}\n{row[0]}\n{after}")
    assert redact(once.text).text == once.text

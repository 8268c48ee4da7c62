"""A small indexed corpus that the chat answers from, through the real parts."""

from __future__ import annotations

from datetime import date

from django.contrib.auth.models import User

from documents.models import Document
from documents.search.converge import converge
from tests import factories

PICKING = (
    "4. Prazos\n"
    "O prazo de separação de pedidos do CD-SP é de quatro horas úteis para pedidos recebidos até as 14h.\n"
    "Pedidos recebidos depois das 14h são separados no dia útil seguinte.\n"
)
PAYROLL = (
    "1. Salários\n"
    "O adicional da folha dos diretores é de doze por cento sobre o salário, pago no quinto dia útil de cada mês.\n"
)
QUESTION = "qual o prazo de separação de pedidos do CD-SP?"
SECRET = "qual o adicional da folha dos diretores?"


def build() -> Document:
    """`ops-cd-sp` is open to everybody, `folha` to its owner maria alone; both are in the index."""
    bruno, maria = factories.person("bruno", areas=["operacoes"]), factories.person("maria", areas=["rh"])
    open_to_all = factories.document(
        "ops-cd-sp", title="Manual de operação CD-SP", kind="manual", owner=bruno, readers=["group:todos"]
    )
    secret = factories.document("folha", title="Folha de pagamento", owner=maria, area_slug="rh")
    revisions = [
        factories.revision(open_to_all, "v3", state="published", start=date(2025, 1, 1), text=PICKING),
        factories.revision(secret, "v1", state="published", start=date(2025, 1, 1), text=PAYROLL),
    ]
    converge([revision.pk for revision in revisions])
    return open_to_all


def person(username: str) -> User:
    return User.objects.get(username=username)

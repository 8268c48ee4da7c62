"""A small portal for tests of the chat: real tables, the real index, the real pipeline, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from chat import services
from chat.models import Calibration
from documents.models import Document, Revision
from documents.search.converge import converge
from tests import factories

START = date(2025, 1, 1)
PICKING = (
    "4. Prazos\n"
    "O prazo de separação de pedidos do CD-SP é de quatro horas úteis para pedidos recebidos até as 14h.\n"
    "Pedidos recebidos depois das 14h são separados no dia útil seguinte.\n"
)
PAYROLL = "1. Adicional\nO adicional noturno dos diretores é de doze por cento sobre o salário mensal.\n"
REFUND = (
    "2. Limites\n"
    "O limite de reembolso de refeição em viagem é de R$ 120,00 por dia.\n"
    "O pedido de reembolso deve ser enviado em até 10 dias após a viagem.\n"
)
PICKING_Q = "qual o prazo de separação de pedidos do CD-SP?"
PAYROLL_Q = "qual o adicional noturno dos diretores?"
REFUND_Q = "qual o limite de reembolso de refeição em viagem?"


def published(code: str, text: str, *, start: date = START, until: date | None = None, **attributes: Any) -> Document:
    """A document that everybody reads, unless `readers` says otherwise, in force since `start` and in the index."""
    attributes.setdefault("readers", ["group:todos"])
    for reader in attributes["readers"]:
        if reader.startswith("group:"):
            factories.group(reader.removeprefix("group:"))
    if "owner" not in attributes:
        attributes["owner"] = factories.person()
    made = factories.document(code, **attributes)
    revise(made, "v1", text, start=start, until=until)
    return made


def revise(of: Document, label: str, text: str, *, index: bool = True, **attributes: Any) -> Revision:
    """A further revision, published unless `state` says otherwise."""
    attributes.setdefault("state", "published")
    revision = factories.revision(of, label, text=text, **attributes)
    if index:
        converge([revision.pk])
    return revision


def ask(user: User, question: str, **options: Any) -> Any:
    """The answer of the service, whole, to this person as they stand in the table now."""
    return services.answer_of(services.ask(User.objects.get(pk=user.pk), question, **options))


def calibrate(strict: float, lenient: float) -> None:
    """Thresholds of this portal: what scores below `strict` is refused, below `lenient` offered to read."""
    values = {"version": f"test-{strict}-{lenient}", "intercept": -4.08, "coverage": 5.94, "closeness": 73.6}
    Calibration.objects.create(thresholds={**values, "strict": strict, "lenient": lenient}, questions=0, source="tests")


def only_offers() -> None:
    """No score is high enough for an answer: everything is offered to read."""
    calibrate(-1.0, 2.0)


def quotes(answer: Any) -> list[str]:
    return [cited["quote"] for claim in answer["claims"] for cited in claim["citations"]]


def sources(answer: Any) -> set[str]:
    """The codes of every document that an answer shows, wherever it shows it."""
    cited = [cited for claim in answer["claims"] for cited in claim["citations"]]
    return {c["document"] for c in (*cited, *answer["related"], *((answer["conflict"] or {}).get("sources", [])))}


@pytest.fixture
def the_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """Set the clocks that the portal reads, its own and the database's, in UTC."""

    def set_to(now: datetime) -> None:
        for name in ("django.utils.timezone.now", "documents.clock.now"):
            monkeypatch.setattr(name, lambda: now.replace(tzinfo=UTC))

    return set_to


@contextmanager
def table_gone(name: str) -> Iterator[None]:
    """A table that does not answer: every statement on it fails in the database itself."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {name} RENAME TO {name}_gone")
    try:
        yield
    finally:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE {name}_gone RENAME TO {name}")

"""When two texts contradict each other: by their facts, and only where they govern the same thing."""

from __future__ import annotations

import pytest

from chat.rules.conflict import dispute, may_conflict
from documents.rules.types import Authority
from tests.chat.passages import passage

SUBJECT = frozenset({"ferias"})


def pair(one: dict[str, object], other: dict[str, object]) -> bool:
    a = passage("a", chunk_id=1, **({"subjects": SUBJECT} | one))
    b = passage("b", chunk_id=2, **({"subjects": SUBJECT} | other))
    assert may_conflict(a, b) == may_conflict(b, a)
    return may_conflict(a, b)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ({}, {}, True),
        ({"document": "x"}, {"document": "x"}, False),
        ({"authority": Authority.UNOFFICIAL}, {}, False),
        ({"authority": Authority.UNOFFICIAL}, {"authority": Authority.UNOFFICIAL}, True),
        ({"subjects": frozenset({"folha"})}, {}, False),
        ({"subjects": frozenset()}, {"subjects": frozenset()}, False),
        ({"subjects": frozenset({"folha", "ferias"})}, {}, True),
        ({"scope_units": frozenset({"CD-SP"})}, {"scope_units": frozenset({"POA"})}, False),
        ({"scope_units": frozenset({"CD-SP"})}, {}, True),
        ({"scope_units": frozenset({"CD-SP", "POA"})}, {"scope_units": frozenset({"POA"})}, True),
        ({"scope_jurisdictions": frozenset({"BR-SP"})}, {"scope_jurisdictions": frozenset({"BR-RS"})}, False),
        ({"scope_products": frozenset({"x"})}, {"scope_products": frozenset({"y"})}, False),
    ],
)
def test_who_may_contradict_whom(one: dict[str, object], other: dict[str, object], expected: bool) -> None:
    assert pair(one, other) is expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("O prazo é de 15 dias corridos.", "O prazo é de 30 dias corridos.", True),
        ("O prazo é de 15 dias corridos.", "O prazo é de quinze dias corridos.", False),
        ("O limite é de R$ 120,00 por dia.", "O limite é de R$ 150,00 por dia.", True),
        ("O limite é de R$ 120,00 por dia.", "O prazo do pedido é de 10 dias.", False),
        ("O trabalho remoto é permitido às sextas.", "O trabalho remoto não é permitido às sextas.", True),
        ("O gestor deve aprovar a viagem.", "O gestor pode aprovar a viagem.", True),
        ("O gestor deve aprovar a viagem.", "O gestor deve aprovar a viagem.", False),
        ("É proibido fumar no pátio.", "O crachá não é transferível.", False),
        ("", "", False),
    ],
)
def test_what_is_a_contradiction(a: str, b: str, expected: bool) -> None:
    assert (dispute([a], [b]) is not None) is expected
    assert (dispute([b], [a]) is not None) is expected

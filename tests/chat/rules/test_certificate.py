"""A certificate holds as it was made, and any change to any part of it is found without a database."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from chat.rules import evidence, merkle
from chat.rules.certificate import Finding, certificate, check, holds, noted
from documents.rules.normalise import text_hash

AT = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
TEXT = "O prazo de separação é de quatro horas úteis."
OTHERS = [hashlib.sha256(str(i).encode()).hexdigest() for i in range(6)]
PLACE = 4
SECRET = b"do portal"


def seal(content: bytes, secret: bytes = SECRET) -> str:
    return hmac.new(secret, content, "sha256").hexdigest()


def record() -> dict[str, Any]:
    cited = {"document": "ops", "revision": "v1", "revision_id": "7", "quote": TEXT[:8], "start": 100, "end": 108}
    body = {
        "status": "answered",
        "on": "2026-11-30",
        "reader": {"key": "k"},
        "claims": [{"text": "prazo", "citations": [cited]}],
        "conflict": [],
        "passages": [
            {"number": 1, "revision_id": "7", "start": 100, "end": 100 + len(TEXT), "text_hash": text_hash(TEXT)}
        ],
        "signals": {"coverage": 0.5},
    }
    line = {
        "sequence": PLACE, "id": "e", "recorded_at": AT.isoformat(), "status": "answered", "on": "2026-11-30",
        "reader_key": "k", "body": body, "previous_hash": OTHERS[PLACE - 2],
    }  # fmt: skip
    told = evidence.chained_hash(
        sequence=PLACE, record_id="e", recorded_at=AT, reader_key="k", record=body, previous=OTHERS[PLACE - 2]
    )
    return {**line, "hash": told}


def place_in(hashes: list[str]) -> merkle.Place:
    return merkle.Place(len(hashes), merkle.root(hashes), merkle.proof(hashes, PLACE - 1))


def issued(text: str | None = TEXT) -> dict[str, Any]:
    line = record()
    place = place_in([*OTHERS[: PLACE - 1], line["hash"], *OTHERS[PLACE - 1 :]])
    made = certificate(line, [text], place=place, issued_at=AT, seal=seal)
    value: dict[str, Any] = json.loads(json.dumps(made))
    return value


def fallen(value: dict[str, Any], **options: Any) -> set[Finding]:
    return {found.finding for found in check(value, **{"seal": seal, **options}) if found.held is False}


def test_it_holds_as_it_was_made() -> None:
    found = check(issued(), seal=seal)
    assert holds(found)
    assert {item.finding for item in found if item.held is None} == {Finding.ROOT}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for name in value:
            yield from leaves(value[name], (*path, name))
    elif isinstance(value, list) and value:
        for index in range(len(value)):
            yield from leaves(value[index], (*path, index))
    else:
        yield path


def changed(path: tuple[Any, ...], change: Callable[[Any], Any]) -> dict[str, Any]:
    value = copy.deepcopy(issued())
    inner = value
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = change(inner[path[-1]])
    return value


def another(value: Any) -> Any:
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    return [1] if isinstance(value, list) else value + 1


NOTED = noted(size=issued()["chain"]["size"], root=issued()["chain"]["root"])
ALL = list(leaves(issued()))


@pytest.mark.parametrize("path", ALL, ids=lambda path: ".".join(map(str, path)))
@pytest.mark.parametrize("change", [another, lambda _: None, lambda _: {"x": []}], ids=["another", "none", "shape"])
def test_any_part_that_is_changed_is_found(path: tuple[Any, ...], change: Callable[[Any], Any]) -> None:
    assert not holds(check(changed(path, change), seal=seal))


@pytest.mark.parametrize("path", [path for path in ALL if path[0] in ("record", "passages", "chain")], ids=str)
def test_what_the_hashes_cover_is_found_without_the_portals_secret(path: tuple[Any, ...]) -> None:
    found = fallen(changed(path, another), seal=None, root=NOTED)
    assert found


@pytest.mark.parametrize("where", [(), ("record",), ("chain",), ("record", "body")])
def test_a_part_that_is_added_or_taken_away_is_found(where: tuple[str, ...]) -> None:
    for change in ("added", "taken"):
        value = issued()
        inner = value
        for name in where:
            inner = inner[name]
        if change == "added":
            inner["note"] = "verdadeiro"
        else:
            inner.pop(sorted(inner)[0])
        assert not holds(check(value, seal=seal))


def test_a_certificate_made_up_without_the_secret_is_found() -> None:
    """Consistent in itself, but nobody who holds the secret made it."""
    line = record()
    line["body"]["claims"][0]["text"] = "outro prazo"
    line["hash"] = evidence.chained_hash(
        sequence=PLACE, record_id="e", recorded_at=AT, reader_key="k", record=line["body"], previous=OTHERS[PLACE - 2]
    )
    place = place_in([*OTHERS[: PLACE - 1], line["hash"], *OTHERS[PLACE - 1 :]])
    made = certificate(line, [TEXT], place=place, issued_at=AT, seal=lambda content: seal(content, b"de outro"))
    assert fallen(made) == {Finding.SEAL}
    assert fallen(made, seal=None, root=NOTED) == {Finding.ROOT}


def test_elsewhere_the_root_that_was_noted_stands_for_the_seal() -> None:
    value = issued()
    found = check(value, seal=None, root=NOTED)
    assert holds(found)
    assert {item.finding for item in found if item.held is None} == {Finding.SEAL}
    assert fallen(value, root="7:" + "00" * 32) == {Finding.ROOT}


def test_a_passage_that_was_left_out_is_told_and_no_fault() -> None:
    found = check(issued(None), seal=seal)
    assert holds(found)
    assert {item.finding for item in found if item.held is None} == {Finding.PASSAGES, Finding.QUOTES, Finding.ROOT}


def test_a_quote_that_stands_in_no_passage_is_found() -> None:
    line = record()
    line["body"]["claims"][0]["citations"][0]["quote"] = "O prazo?"
    line["hash"] = evidence.chained_hash(
        sequence=PLACE, record_id="e", recorded_at=AT, reader_key="k", record=line["body"], previous=OTHERS[PLACE - 2]
    )
    place = place_in([*OTHERS[: PLACE - 1], line["hash"]])
    assert fallen(certificate(line, [TEXT], place=place, issued_at=AT, seal=seal)) == {Finding.QUOTES}


@pytest.mark.parametrize(
    "value", [{}, {"format": "certificate-1"}, {"record": None}, {"format": "certificate-1", "record": []}]
)
def test_what_is_no_certificate_does_not_hold_and_does_not_crash(value: dict[str, Any]) -> None:
    assert [(item.finding, item.held) for item in check(value, seal=seal)] == [(Finding.SHAPE, False)]


def test_the_root_is_over_all_records() -> None:
    value = issued()
    hashes = [*OTHERS[: PLACE - 1], value["record"]["hash"], *OTHERS[PLACE - 1 :]]
    assert value["chain"]["root"] == merkle.root(hashes)
    assert value["chain"]["size"] == len(hashes)

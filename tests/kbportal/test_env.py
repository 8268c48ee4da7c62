"""A variable is read as what it means, or refused with its name."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from kbportal import env


@pytest.mark.parametrize(
    ("value", "expected"), [("1", True), ("yes", True), ("TRUE", True), ("0", False), ("off", False), ("", True)]
)
def test_a_flag_is_read_in_its_usual_spellings(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
    monkeypatch.setenv("KB_X", value)
    assert env.flag("KB_X", default=True) is expected


@pytest.mark.parametrize(
    "read",
    [
        lambda: env.flag("KB_X", default=False),
        lambda: env.integer("KB_X", 1),
        lambda: env.choice("KB_X", "a", ("a", "b")),
    ],
)
def test_a_value_that_means_nothing_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, read: object) -> None:
    monkeypatch.setenv("KB_X", "maybe")
    with pytest.raises(ImproperlyConfigured, match="KB_X='maybe'"):
        read()  # type: ignore[operator]


def test_a_number_below_the_least_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_X", "3")
    with pytest.raises(ImproperlyConfigured, match="below 8"):
        env.integer("KB_X", 10, least=8)


def test_a_required_variable_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KB_X", raising=False)
    with pytest.raises(ImproperlyConfigured, match="KB_X is not set: for a reason"):
        env.required("KB_X", "for a reason")


def test_a_list_is_split_at_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_X", " a, b ,,c")
    assert env.items("KB_X") == ["a", "b", "c"]


def test_a_database_address_keeps_its_special_characters_and_options() -> None:
    found = env.database("postgresql://ana:p%40ss%2Fword@db.example:6432/kb?sslmode=require", pool=0)
    assert found["USER"] == "ana"
    assert found["PASSWORD"] == "p@ss/word"
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("db.example", "6432", "kb")
    assert found["OPTIONS"] == {"sslmode": "require"}


def test_a_database_address_may_name_a_socket_folder() -> None:
    found = env.database("postgresql://kb@/kb?host=%2Fvar%2Frun%2Fpg&port=5433", pool=4)
    assert (found["HOST"], found["PORT"]) == ("/var/run/pg", "5433")
    assert found["OPTIONS"] == {"pool": {"min_size": 1, "max_size": 4, "timeout": 10, "reconnect_timeout": 5}}


@pytest.mark.parametrize("url", ["mysql://a@b/c", "postgresql://a@b", "postgresql://a@b:port/c"])
def test_a_database_address_that_cannot_be_used_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        env.database(url, pool=0)

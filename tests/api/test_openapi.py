"""The description of the API: one document for all of it, and what it promises is there."""

from __future__ import annotations

import json
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import get_resolver

from tests import factories
from tests.api.clients import client_of, problem

PATHS = {
    "/api/chat/ask": {"post"},
    "/api/chat/conversations": {"get"},
    "/api/chat/conversations/{conversation_id}": {"get", "delete"},
    "/api/documents/": {"get"},
    "/api/documents/{code}/": {"get"},
    "/api/evidence/": {"get"},
    "/api/evidence/{id}/": {"get"},
    "/api/revisions/{id}/": {"get"},
    "/api/revisions/{id}/original/": {"get"},
    "/api/revisions/{id}/{action}/": {"post"},
}
NOBODY = "00000000-0000-0000-0000-000000000000"


@cache
def schema() -> dict[str, Any]:
    response = Client().get("/api/schema", headers={"Accept": "application/json"})
    assert response.status_code == 200
    document: dict[str, Any] = json.loads(response.content)
    return document


def operations() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method} {path}", operation)
        for path, methods in schema()["paths"].items()
        for method, operation in methods.items()
        if method != "parameters"
    ]


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*(references(inner) for inner in value.values()))
    return set().union(*(references(inner) for inner in value)) if isinstance(value, list) else set()


def test_the_paths_are_these_and_no_others() -> None:
    found = {path: {name for name in methods if name != "parameters"} for path, methods in schema()["paths"].items()}
    assert found == PATHS


def test_every_path_is_served() -> None:
    resolver = get_resolver()
    values = {"{code}": "x", "{id}": "1", "{action}": "submit", "{conversation_id}": NOBODY}
    for path in PATHS:
        address = path.replace("evidence/{id}", f"evidence/{NOBODY}")
        for name, value in values.items():
            address = address.replace(name, value)
        assert resolver.resolve(address)


def test_every_reference_leads_somewhere() -> None:
    found = references(schema())
    assert len(found) > 20
    for reference in found:
        _hash, *steps = reference.split("/")
        place: Any = schema()
        for step in steps:
            place = place[step]


def test_every_operation_names_who_may_call_it_and_how_it_fails() -> None:
    for name, operation in operations():
        assert {key for scheme in operation["security"] for key in scheme} == {"token", "session"}, name
        assert "application/problem+json" in operation["responses"]["default"]["content"], name
    identifiers = [operation["operationId"] for _name, operation in operations()]
    assert len(set(identifiers)) == len(identifiers)


def test_the_answer_is_described_as_json_and_as_a_stream() -> None:
    content = schema()["paths"]["/api/chat/ask"]["post"]["responses"]["200"]["content"]
    assert set(content) == {"application/json", "text/event-stream"}
    question = schema()["components"]["schemas"]["Question"]
    assert (set(question["properties"]), question["required"]) == ({"question", "conversation", "on"}, ["question"])
    assert question["additionalProperties"] is False


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.sources: list[str] = []
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._open = tag if tag in ("script", "style") and "src" not in given else ""
        self.inline += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]
        self.sources += [given[name] or "" for name in ("src", "href") if name in given]

    def handle_data(self, data: str) -> None:
        if self._open and data.strip():
            self.inline.append(data)


def test_the_page_for_people_works_under_the_strict_policy() -> None:
    response = Client().get("/api/docs")
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    page = Page()
    page.feed(response.content.decode())
    assert page.inline == []
    assert len(page.sources) == 5
    for source in page.sources:
        assert source.startswith("/api/docs?") or finders.find(source.removeprefix("/static/")), source
    script = Client().get("/api/docs?script=")
    assert script.headers["Content-Type"] == "application/javascript"
    assert "/api/schema" in script.content.decode()


@pytest.mark.django_db
def test_the_root_leads_to_every_list() -> None:
    ana = factories.person("ana")
    links = client_of(ana).get("/api/").json()
    assert set(links) == {"documents", "evidence"}  # revisions are reached through their documents
    for link in links.values():
        assert client_of(ana).get(link).status_code == 200


def test_the_root_is_for_people_who_signed_in() -> None:
    problem(Client().get("/api/"), 401, "not_authenticated")

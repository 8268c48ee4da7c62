"""People at the door of the API: each test speaks HTTP as somebody, with the token of that person."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from rest_framework.authtoken.models import Token

from documents.problems import MEDIA_TYPE


def token_of(user: User) -> str:
    return Token.objects.get_or_create(user=user)[0].key


def client_of(user: User) -> Client:
    return Client(headers={"Authorization": f"Token {token_of(user)}"}, raise_request_exception=False)


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """The body of a response that must be this problem, whole and well-formed."""
    assert response.status_code == status, response.content[:500]
    assert response.headers["Content-Type"] == MEDIA_TYPE
    body: dict[str, Any] = response.json()
    assert body["status"] == status
    assert body["code"] == code, body
    assert re.fullmatch(r"[a-z_]+", code)
    assert {"type", "title", "status", "code", "detail"} <= set(body) <= {
        "type", "title", "status", "code", "detail", "errors",
    }  # fmt: skip
    assert body["title"]
    assert body["detail"]
    assert "Traceback" not in response.content.decode()
    for error in body.get("errors", []):
        assert set(error) == {"field", "code", "detail"}
    return body

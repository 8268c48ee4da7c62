"""A browser's stand-in for tests of the admin: signed in, answering with the page as text."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.contrib.messages import get_messages
from django.http import HttpResponse
from django.test import Client

from tests import factories


def person(name: str, **values: object) -> User:
    return factories.person(name, is_staff=True, **values)  # type: ignore[arg-type]


def client_of(username: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=username), backend="django.contrib.auth.backends.ModelBackend")
    return client


def page(username: str, path: str) -> str:
    response = client_of(username).get(path)
    assert response.status_code == 200, (username, path, response.status_code)
    return response.content.decode()


def said(response: HttpResponse) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]  # type: ignore[attr-defined]

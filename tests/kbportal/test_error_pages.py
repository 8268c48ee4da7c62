"""Django makes the pages of errors in threads of its own: no connection is left in them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.urls import get_resolver
from django.utils.functional import SimpleLazyObject

from kbportal import error_pages
from tests import factories

CODES = {400: "bad_request", 403: "permission_denied", 404: "page_not_found", 500: "server_error"}


def asked(username: str) -> HttpRequest:
    """A request whose person is looked up when the page asks for them, as it is behind the middleware."""
    request = RequestFactory().get("/nada/")
    request.user = SimpleLazyObject(lambda: User.objects.get(username=username))  # type: ignore[assignment]
    return request


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("code", CODES)
def test_a_page_of_an_error_survives_the_connection_of_its_thread(code: int) -> None:
    view: Callable[..., HttpResponse] = get_resolver().resolve_error_handler(code)
    assert view is getattr(error_pages, CODES[code])
    username = factories.person("ana").username
    arguments = {} if code == 500 else {"exception": Exception()}

    def broken() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            [pid] = cursor.fetchone()
        held = connection.settings_dict
        with psycopg.connect(
            host=held["HOST"], port=held["PORT"] or None, user=held["USER"], dbname=held["NAME"], autocommit=True
        ) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [pid])

    def page() -> tuple[int, bool]:
        return view(asked(username), **arguments).status_code, connection.connection is None

    with ThreadPoolExecutor(1) as thread:
        thread.submit(broken).result()
        assert thread.submit(page).result() == (code, True)
        assert thread.submit(page).result() == (code, True)

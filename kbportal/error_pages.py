"""The pages of errors that Django makes itself, over a connection that lives no longer than the page.

Django makes them in a thread that no request begins or ends in. A connection that such a thread opened would never be
looked at again: once its database was restarted, each page of an error would be an error of the server.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.views import defaults

View = Callable[..., HttpResponse]


def _own_connection(view: View) -> View:
    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        _let_go()
        try:
            return view(request, *args, **kwargs)
        finally:
            _let_go()

    return page


def _let_go() -> None:
    """As at the beginning and the end of a request; what is in the middle of a transaction belongs to somebody."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()


bad_request = _own_connection(defaults.bad_request)
permission_denied = _own_connection(defaults.permission_denied)
page_not_found = _own_connection(defaults.page_not_found)
server_error = _own_connection(defaults.server_error)

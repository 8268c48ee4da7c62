"""`/mcp` beside Django: who calls is told by the same tokens as the API, before the protocol sees a byte."""

from __future__ import annotations

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import close_old_connections
from django.http.request import split_domain_port, validate_host
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from chat.mcp import PERSON, server
from documents.problems import MEDIA_TYPE, Problem
from kbportal.authentication import BadToken, user_of_header

PATH = "/mcp"
LARGEST_BODY = 64 * 1024  # bytes; a question has at most 2000 characters


class Mounted:
    """An ASGI application: `/mcp` for holders of a token, everything else to `portal`.

    The protocol keeps no session here (`stateless_http`), so any process may answer any request.
    """

    def __init__(self, portal: ASGIApp) -> None:
        self._portal = portal
        self._protocol = server().streamable_http_app(
            streamable_http_path=PATH,
            stateless_http=True,
            json_response=True,
            max_request_body_size=LARGEST_BODY,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # `_serve` asks Django
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._protocol(scope, receive, send)
        elif scope["type"] == "http" and scope["path"].rstrip("/") == PATH:
            await self._serve(scope, receive, send)
        else:
            await self._portal(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        domain, _port = split_domain_port(headers.get("host", ""))
        if not validate_host(domain, settings.ALLOWED_HOSTS):
            await _refusal(400, "bad_host", "This name is not one of the portal's.")(scope, receive, send)
            return
        async with ThreadSensitiveContext():
            user = await sync_to_async(_user)(headers.get("authorization", ""))
        if user is None:
            await _refusal(401, "bad_token", "Send a token of the portal: Authorization: Bearer …")(
                scope, receive, send
            )
            return
        await self._protocol({**scope, "path": PATH, PERSON: user}, receive, send)


def _user(header: str) -> AbstractBaseUser | None:
    close_old_connections()
    try:
        return user_of_header(header)
    except BadToken:
        return None
    finally:
        close_old_connections()


def _refusal(status: int, code: str, detail: str) -> JSONResponse:
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse(Problem(code, status, detail).body(), status, headers, media_type=MEDIA_TYPE)

"""Who calls the API: a token (`Token …` or `Bearer …`), or the session of the pages with its CSRF token."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from ninja.security import APIKeyHeader
from ninja.security.apikey import APIKeyCookie
from ninja.utils import check_csrf
from rest_framework import authentication
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from documents.errors import DomainError

SCHEMES = ("token", "bearer")


class BadToken(DomainError):
    code = "bad_token"
    status = 401
    message = _("This token is not valid.")  # type: ignore[assignment]


class BadCsrf(DomainError):
    code = "csrf_failed"
    status = 403
    message = _("Send the CSRF token of your session in the header X-CSRFToken.")  # type: ignore[assignment]


def user_of_token(request: HttpRequest | Request) -> AbstractBaseUser | None:
    """The token's user, None when no token was sent. Raises `BadToken`."""
    return user_of_header(request.headers.get("Authorization", ""))


def user_of_header(authorization: str) -> AbstractBaseUser | None:
    """The same for the header's value. Raises `BadToken` also for people who were deactivated."""
    scheme, _space, key = authorization.strip().partition(" ")
    if scheme.lower() not in SCHEMES:
        return None
    token = Token.objects.select_related("user").filter(key=key.strip()).first() if "\0" not in key else None
    if token is None or not token.user.is_active:
        raise BadToken
    return token.user


class TokenAuthentication(authentication.BaseAuthentication):
    """For DRF; first in the list, so that an unknown caller gets 401 and not 403."""

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, None] | None:
        user = user_of_token(request)
        return (user, None) if user is not None else None

    def authenticate_header(self, request: Request) -> str:
        return "Token"


class SessionAuthentication(authentication.SessionAuthentication):
    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise BadCsrf from error


class TokenAuth(APIKeyHeader):
    """For Ninja."""

    param_name = "Authorization"

    def authenticate(self, request: HttpRequest, key: str | None) -> AbstractBaseUser | None:
        return user_of_token(request)


class SessionAuth(APIKeyCookie):
    """For Ninja. Who is unknown is told to sign in; only a session is asked for its CSRF token."""

    param_name = settings.SESSION_COOKIE_NAME

    def __call__(self, request: HttpRequest) -> AbstractBaseUser | None:
        if not request.user.is_authenticated:
            return None
        if check_csrf(request):
            raise BadCsrf
        return request.user

    def authenticate(self, request: HttpRequest, key: str | None) -> AbstractBaseUser | None:
        return self(request)

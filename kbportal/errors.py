"""Domain errors as HTTP problems (RFC 9457) with a stable `code`: one mapping for DRF and for Ninja."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, ValidationError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler as drf_handler
from rest_framework.views import set_rollback

from documents.errors import DomainError

CONTENT_TYPE = "application/problem+json"


def problem(code: str, status: int, message: str, **more: object) -> dict[str, object]:
    """The body; `title` repeats the code, because `type` has no page of its own."""
    return {"type": "about:blank", "title": code, "status": status, "code": code, "detail": message, **more}


def problem_response(code: str, status: int, message: str, **more: object) -> JsonResponse:
    return JsonResponse(problem(code, status, message, **more), status=status, content_type=CONTENT_TYPE)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's EXCEPTION_HANDLER. What is nobody's planned refusal stays an error of the server."""
    if isinstance(error, DomainError):
        set_rollback()
        body = problem(error.code, error.status, str(error.message))
        return Response(body, status=error.status, content_type=CONTENT_TYPE)
    response = drf_handler(error, context)
    if response is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        body = problem("invalid", response.status_code, _("Some fields are not valid."), errors=response.data)
    elif isinstance(error, Http404 | exceptions.NotFound):
        body = problem("not_found", 404, _("Not found."))
    elif isinstance(error, PermissionDenied):
        body = problem("permission_denied", 403, _("You may not do this."))
    else:
        detail = getattr(error, "detail", "")
        body = problem(getattr(detail, "code", None) or "error", response.status_code, str(detail))
    headers = {name: response.headers[name] for name in ("WWW-Authenticate", "Retry-After") if name in response.headers}
    return Response(body, status=response.status_code, headers=headers, content_type=CONTENT_TYPE)


def register_problems(api: NinjaAPI) -> None:
    """The same answers from a Ninja API: call it once where the API is made."""

    @api.exception_handler(DomainError)
    def domain(request: HttpRequest, error: DomainError) -> JsonResponse:
        return problem_response(error.code, error.status, str(error.message))

    @api.exception_handler(ValidationError)
    def invalid(request: HttpRequest, error: ValidationError) -> JsonResponse:
        return problem_response("invalid", 422, _("Some fields are not valid."), errors=error.errors)

    @api.exception_handler(AuthenticationError)
    def unauthenticated(request: HttpRequest, error: AuthenticationError) -> JsonResponse:
        return problem_response("not_authenticated", 401, _("Sign in first."))

    @api.exception_handler(Http404)
    def missing(request: HttpRequest, error: Http404) -> JsonResponse:
        return problem_response("not_found", 404, _("Not found."))

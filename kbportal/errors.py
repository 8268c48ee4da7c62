"""Errors of the HTTP API as problem+json: one mapping (`documents.problems`) behind DRF, Ninja and what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler as drf_handler
from rest_framework.views import set_rollback

from documents.problems import MEDIA_TYPE, FieldError, Problem, problem_of, server_error

log = structlog.get_logger(__name__)
KEPT_HEADERS = ("Allow", "Retry-After")
SAID_ON_A_PAGE = (503, 507)
CHALLENGE = {"WWW-Authenticate": "Token"}
CODES = {
    400: "bad_request",
    401: "not_authenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    415: "unsupported_media_type",
    429: "throttled",
}


def problem_response(problem: Problem) -> JsonResponse:
    headers = CHALLENGE if problem.status == 401 else None
    return JsonResponse(problem.body(), status=problem.status, headers=headers, content_type=MEDIA_TYPE)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's EXCEPTION_HANDLER. What is nobody's planned refusal stays an error of the server."""
    problem = problem_of(error) or _of_drf(error)
    if problem is None:
        return None
    set_rollback()
    planned = drf_handler(error, context)
    headers = {name: planned.headers[name] for name in KEPT_HEADERS if name in planned.headers} if planned else {}
    if problem.status == 401:
        headers |= CHALLENGE
    return Response(problem.body(), status=problem.status, headers=headers, content_type=_media_type(context))


def _of_drf(error: Exception) -> Problem | None:
    match error:
        case exceptions.ValidationError():
            return _invalid(list(_field_errors("", error.get_full_details())))
        case exceptions.NotAuthenticated() | exceptions.NotFound() | exceptions.PermissionDenied():
            return _of_status(error.status_code)
        case exceptions.APIException():
            code = error.get_codes()
            return Problem(code if isinstance(code, str) else "error", error.status_code, str(error.detail))
    return None


def _media_type(context: dict[str, Any]) -> str | None:
    """Pages for a browser stay HTML; everything else is a problem."""
    renderer = getattr(context.get("request"), "accepted_renderer", None)
    return None if renderer is not None and renderer.format == "api" else MEDIA_TYPE


def _invalid(errors: list[FieldError]) -> Problem:
    return Problem("invalid", 422, _("Some fields are not valid."), errors)


def _field_errors(field: str, details: Any) -> Iterator[FieldError]:
    """DRF's nested details as a flat list."""
    if isinstance(details, dict) and set(details) == {"message", "code"}:
        yield {"field": field, "code": str(details["code"]), "detail": str(details["message"])}
    elif isinstance(details, dict):
        for name, inner in details.items():
            yield from _field_errors(f"{field}.{name}".lstrip("."), inner)
    else:
        for inner in details:
            yield from _field_errors(field, inner)


def register_problems(api: NinjaAPI) -> None:
    """The same answers from a Ninja API: call it once where the API is made."""

    @api.exception_handler(Exception)
    def planned(request: HttpRequest, error: Exception) -> JsonResponse:
        problem = problem_of(error)
        if problem is None:
            log.exception("the API failed", path=request.path)
        return problem_response(problem or server_error())

    @api.exception_handler(ValidationError)
    def invalid(request: HttpRequest, error: ValidationError) -> JsonResponse:
        places = ((".".join(str(part) for part in each["loc"] if part != "payload"), each) for each in error.errors)
        return problem_response(
            _invalid([{"field": place, "code": each["type"], "detail": each["msg"]} for place, each in places])
        )

    @api.exception_handler(HttpError)
    def http(request: HttpRequest, error: HttpError) -> JsonResponse:
        return problem_response(_of_status(error.status_code))


def _of_status(status: int) -> Problem:
    details = {
        400: _("The request could not be read."),
        401: _("Sign in first."),
        403: _("You may not do this."),
        404: _("Not found."),
        405: _("This address does not take that method."),
        429: _("Too many requests: wait a moment."),
    }
    if status not in CODES:
        return server_error()
    return Problem(CODES[status], status, details.get(status, _("The request could not be served.")))


class ApiProblemMiddleware:
    """Turns what Django itself says under `/api/` (no such address, wrong method, a fault) into a problem.

    And gives a page that could not be made because a part is down the words and the status of that.
    """

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """A part that is down is said on a page as well, which asks nothing of the database: not even who looks."""
        problem = problem_of(error) if not request.path.startswith("/api/") else None
        if problem is None or problem.status not in SAID_ON_A_PAGE:
            return None
        log.warning("a page could not be made", path=request.path, error=str(error))
        page = render_to_string("unavailable.html", {"detail": problem.detail})
        return HttpResponse(page, status=problem.status, headers={"Cache-Control": "no-store"})

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path:  # no name holds one, and PostgreSQL takes none
            return problem_response(_of_status(404))
        response = self.get_response(request)
        if response.status_code < 400 or not request.path.startswith("/api/") or _is_made_by_us(response):
            return response
        problem = problem_response(_of_status(response.status_code))
        for name in KEPT_HEADERS:
            if name in response.headers:
                problem.headers[name] = response.headers[name]
        return problem


def _is_made_by_us(response: HttpResponse) -> bool:
    return response.headers.get("Content-Type", "").startswith(MEDIA_TYPE) or hasattr(response, "accepted_renderer")

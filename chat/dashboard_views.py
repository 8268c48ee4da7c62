"""The dashboards: one page, and each of its tables as a file."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.statistics.board import PERIODS, board
from chat.statistics.scope import Scope, scope_of
from documents.models import Area
from documents.reader import reader_of
from documents.rules.types import Reader

USUAL = 30


@login_required
@never_cache
@require_safe
def dashboards(request: HttpRequest) -> HttpResponse:
    scope = _scope(request, reader_of(cast("User", request.user)))
    period = _period(request)
    areas = scope.areas
    page = {
        "board": board(scope, period),
        "period": period,
        "periods": PERIODS,
        "areas": None if areas is None else list(Area.objects.filter(slug__in=areas).values_list("name", flat=True)),
    }
    return render(request, "dashboards/dashboards.html", page)


@login_required
@never_cache
@require_safe
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """One table as CSV, for who sees it on the page."""
    scope = _scope(request, reader_of(cast("User", request.user)))
    period = _period(request)
    found = next((one for one in board(scope, period).sections if one.slug == slug), None)
    if found is None:
        raise Http404
    response = HttpResponse(found.table.csv(), content_type="text/csv; charset=utf-8")
    name = f"{slug}-{period}-dias-{timezone.localdate().isoformat()}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _scope(request: HttpRequest, reader: Reader) -> Scope:
    """Raises Http404: for who has no numbers to see these pages are not there."""
    scope = scope_of(cast("User", request.user), reader)
    if scope is None:
        raise Http404
    return scope


def _period(request: HttpRequest) -> int:
    asked = request.GET.get("periodo", "")
    return int(asked) if asked in {str(period) for period in PERIODS} else USUAL

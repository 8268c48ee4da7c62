"""A document in the reader's hands: what they may read of it, and how each revision stands today."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import wraps
from typing import cast

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.decorators import login_required
from django.db.backends.postgresql.psycopg_any import DateRange
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from documents.models import Document, Revision
from documents.reader import reader_of
from documents.rules.lifecycle import ONCE_PUBLISHED
from documents.rules.standing import Standing, standing
from documents.rules.types import Reader, State, Window
from governance.permissions import readable_documents, readable_revisions

View = Callable[..., HttpResponse]


def page(view: View) -> View:
    """A page for signed-in people, never kept by a browser or a proxy, and compressed.

    Django's gzip adds bytes of random length, tokens change with every response, and the session's cookie goes along
    with no request that another site's page makes by itself: its length tells an onlooker nothing of the text.
    """
    return wraps(view)(gzip_page(login_required(never_cache(require_safe(view)))))


@dataclass(frozen=True, slots=True)
class Edition:
    """One revision with its dates as a page says them; `last` is the last day on which it counts, inclusive."""

    revision: Revision
    standing: Standing
    window: Window | None

    @property
    def first(self) -> date | None:
        return self.window.start if self.window else None

    @property
    def last(self) -> date | None:
        return self.window.until - timedelta(days=1) if self.window and self.window.until else None


@dataclass(frozen=True, slots=True)
class Held:
    """`editions` are those that the reader may read, the latest first."""

    document: Document
    reader: Reader
    today: date
    editions: tuple[Edition, ...]

    @property
    def current(self) -> Edition | None:
        return next((edition for edition in self.editions if edition.standing is Standing.CURRENT), None)

    def edition(self, label: str) -> Edition:
        """Raises `Http404`, the same for one that is hidden and one that is not."""
        for edition in self.editions:
            if edition.revision.label == label:
                return edition
        raise Http404

    def before(self, edition: Edition) -> Edition | None:
        """The one that came before it, among those that the reader may read."""
        place = self.editions.index(edition) + 1
        return self.editions[place] if place < len(self.editions) else None


def reader_behind(request: HttpRequest) -> Reader:
    return reader_of(cast("AbstractBaseUser", request.user))


def hold(request: HttpRequest, code: str) -> Held:
    """The document with its revisions, without their texts. Raises `Http404`."""
    reader, today = reader_behind(request), timezone.localdate()
    found = get_object_or_404(readable_documents(reader).select_related("area", "owner"), code=code)
    readable = readable_revisions(reader, today).filter(document=found).select_related("author", "approved_by")
    revisions = sorted(readable.defer("text", "pages", "warnings"), key=_age, reverse=True)
    return Held(found, reader, today, tuple(_edition(revision, revisions, today) for revision in revisions))


def range_of(value: DateRange | None) -> Window | None:
    return None if value is None or value.isempty else Window(value.lower, value.upper)


def _age(revision: Revision) -> tuple[date, int]:
    window = range_of(revision.in_force) or range_of(revision.validity)
    return (window.start if window and window.start else date.max), revision.pk


def _edition(revision: Revision, revisions: list[Revision], today: date) -> Edition:
    validity, in_force = range_of(revision.validity), range_of(revision.in_force)
    state = State(revision.state)
    said = standing(state, validity, in_force, superseded=_superseded(revision, revisions, today), on=today)
    return Edition(revision, said, in_force if state in ONCE_PUBLISHED else validity)


def _superseded(revision: Revision, revisions: list[Revision], today: date) -> bool:
    start = _age(revision)[0]
    later = (range_of(other.in_force) for other in revisions if other.state in ONCE_PUBLISHED)
    return any(window and window.start and start < window.start <= today for window in later)

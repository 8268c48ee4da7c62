"""A list as CSV: the rows that the filters leave, in the columns of the page, for a spreadsheet that runs nothing."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any, ClassVar

from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import label_for_field, lookup_field
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.safestring import SafeString

from documents.admin import Offered
from governance.spreadsheet import inert

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""Without it a spreadsheet reads accents as two strange signs each."""
AT_A_TIME = 500


class Exported(Offered):
    """A list that can be taken along: `…/export/` with the same query as the list."""

    exports: ClassVar[bool] = True

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_export"
        return [path("export/", self.admin_site.admin_view(self.export), name=name), *super().get_urls()]

    def export(self, request: HttpRequest) -> StreamingHttpResponse:
        """The list as a file. Whoever may see the list may take it along: it holds the same rows."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            shown = self.get_changelist_instance(request)
        except IncorrectLookupParameters as error:
            raise Http404 from error
        names = [str(name) for name in self.get_list_display(request) if name != "action_checkbox"]
        heading = [str(label_for_field(name, self.model, self)) for name in names]
        lines = self._lines(shown.queryset.iterator(AT_A_TIME), names, heading)
        response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        day = timezone.localdate().isoformat()
        response["Content-Disposition"] = f'attachment; filename="{self.opts.model_name}-{day}.csv"'
        return response

    def _lines(self, rows: Iterator[Any], names: Sequence[str], heading: Sequence[str]) -> Iterator[str]:
        writer = csv.writer(_Echo())
        yield BOM + writer.writerow([cell(text) for text in heading])
        for row in rows:
            yield writer.writerow([cell(self._said(row, name)) for name in names])

    def _said(self, row: Any, name: str) -> object:
        field, _attribute, value = lookup_field(name, row, self)
        if isinstance(field, models.Field) and field.flatchoices:
            return dict(field.flatchoices).get(value, value)
        return value


def cell(value: object) -> str:
    """A value as text that a spreadsheet takes for nothing but text."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return timezone.localtime(value).isoformat(sep=" ", timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        value = ", ".join(map(str, value))
    return inert(strip_tags(value) if isinstance(value, SafeString) else str(value))


class _Echo:
    """A file whose `write` gives back what it was given: the csv module then hands each line on."""

    def write(self, text: str) -> str:
        return text

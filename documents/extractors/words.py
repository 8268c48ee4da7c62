"""Sentences for what reading a file came to, in the language of who reads them. Never for the process that reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from documents.extractors.base import ExtractionError, Why
from documents.models import Revision
from documents.rules.notices import About, Notice, notice_of


@dataclass(frozen=True, slots=True)
class Said:
    """`language` where it is not that of the page."""

    text: str
    language: str = ""


def refusal(error: ExtractionError) -> str:
    """Why a file gives no text, and what its owner should do."""
    return _REFUSALS[error.why]()


def warnings(revision: Revision) -> list[Said]:
    """What its owner should look at in the text of a revision."""
    return [warning(notice_of(kept)) for kept in revision.warnings]


def warning(notice: Notice) -> Said:
    """One thing that its owner should look at."""
    if notice.about is About.SENTENCE:
        return Said(notice.named[0], "pt-br")
    return Said(_WARNINGS[notice.about](notice))


_REFUSALS: dict[Why, Callable[[], str]] = {
    Why.ENCRYPTED: lambda: _("The file is protected by a password: remove it and send the file again."),
    Why.SCANNED: lambda: _(
        "The file holds only images (a scan, without text): run OCR on it or send the editable original."
    ),
    Why.UNREADABLE: lambda: _("The file is damaged or has no readable text: open it, save it again and send that."),
    Why.TOO_LARGE: lambda: _("The file is too large: split it into parts or take out images."),
    Why.TIMEOUT: lambda: _("Reading the file took too long: split it into parts or export it again."),
    Why.MEMORY: lambda: _("Reading the file took too much memory: split it into parts or export it again."),
    Why.UNSUPPORTED: lambda: _("This format is not accepted: send PDF, DOCX, HTML, Markdown or text."),
    Why.MISSING: lambda: _("The file was not found or cannot be opened: put it in its place or send it again."),
    Why.EMPTY: lambda: _("The file is empty: send the one that has the text."),
    Why.OLD_OFFICE: lambda: _(
        "The file is of an old Office (.doc) or has a password: save it as DOCX without a password and send that."
    ),
    Why.TOO_DEEP: lambda: _(
        "The elements of the HTML stand too deep within one another: open it in a browser, save it again and send that."
    ),
}

_WARNINGS: dict[About, Callable[[Notice], str]] = {
    About.EMPTY_PAGES: lambda notice: (
        _("Pages without text (blank or scanned): %(names)s.") % {"names": _names(notice)}
    ),
    About.LOST_CHARACTERS: lambda notice: _("Some characters of the file could not be read."),
    About.WRONG_ENCODING: lambda notice: (
        _("The file states the encoding %(name)s, but is UTF-8; it was read as UTF-8.") % {"name": _names(notice)}
    ),
    About.UNFILLED_FIELDS: lambda notice: (
        _("The text has fields of a template that nobody filled in: %(names)s.") % {"names": _names(notice)}
    ),
}


def _names(notice: Notice) -> str:
    listed = ", ".join(notice.named)
    if not notice.more:
        return listed
    return ngettext("%(names)s and %(n)d more", "%(names)s and %(n)d more", notice.more) % {
        "names": listed,
        "n": notice.more,
    }

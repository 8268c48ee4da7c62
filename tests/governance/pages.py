"""What the tests of the document pages share: texts with real sections, and pages as a person gets them."""

from __future__ import annotations

import html
import re
from datetime import date
from typing import Any

from django.http import HttpResponse
from django.test import Client

from documents.extractors.html import extract_html
from documents.extractors.markdown import to_html
from documents.models import Document, Revision
from tests import factories

START = date(2025, 1, 1)
PUBLISHED = {"state": "published", "start": START}


def current(of: Document, label: str = "v1", **more: Any) -> Revision:
    return factories.revision(of, label, **(PUBLISHED | more))


def from_markdown(of: Document, label: str, source: str, **more: Any) -> Revision:
    """A published revision with the sections that extraction finds in a Markdown text."""
    read = extract_html(to_html(source), extractor="tests")
    return current(of, label, text=read.text, sections=read.sections, **more)


def page_of(browser: Client, address: str, status: int = 200) -> str:
    response = browser.get(address)
    assert response.status_code == status, response.content[:500]
    return str(response.content.decode())


def said(markup: str) -> str:
    """The words of a page as they are read, without what is only for machines."""
    text = re.sub(r"<(script|style|svg)\b.*?</\1>", "", markup, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def marked(markup: str) -> str:
    """The text of all marks, put together."""
    return html.unescape("".join(re.findall(r"<mark[^>]*>(.*?)</mark>", markup, flags=re.S)))


def without_token(response: HttpResponse) -> str:
    return re.sub(r'(name="(?:csrfmiddlewaretoken|next)" value=)"[^"]*"', r"\1", response.content.decode())

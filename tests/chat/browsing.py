"""What the tests of the chat's pages do with a page: ask, read its answers and send its forms."""

from __future__ import annotations

import html
import re
import uuid
from typing import Any

from django.test import Client

from tests.chat.portal import PICKING_Q

ANSWER = re.compile(r'<article [^>]*data-status="(\w+)" data-evidence="([0-9a-f-]+)"')


def page_of(response: Any, code: int = 200) -> str:
    assert response.status_code == code, response.content.decode()
    return html.unescape(response.content.decode())


def asked(browser: Client, question: str = PICKING_Q, **more: str) -> str:
    """The page that the form leads to."""
    response = browser.post("/", {"question": question, "token": str(uuid.uuid4()), **more})
    assert response.status_code == 302, response.content.decode()
    return page_of(browser.get(response.headers["location"]))


def evidence(page: str) -> str:
    """The evidence of the last answer on the page."""
    return ANSWER.findall(page)[-1][1]


def conversation(page: str) -> str:
    match = re.search(r'name="conversation" value="([0-9a-f-]+)"', page)
    assert match, page
    return match[1]


def said(page: str) -> str:
    """What the page says of the act before it."""
    return " ".join(re.findall(r'<div class="notice notice-\w+"><p>(.*?)</p>', page))

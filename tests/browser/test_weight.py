"""No page is heavy: 150 kB with all that it loads, compressed, without fonts."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Browse
from tests.browser.measure import PAGES, weight

HEAVIEST = 150_000


@pytest.mark.parametrize(("username", "path"), PAGES)
def test_a_page_is_light(browse: Browse, username: str, path: str) -> None:
    assert weight(browse(username), path) <= HEAVIEST

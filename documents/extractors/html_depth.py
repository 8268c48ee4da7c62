"""How deep elements nest: what no page for people has, and what takes a parser the longer the deeper it gets."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from documents.extractors.base import ExtractionError, Why

MAX_DEPTH = 200
"""Elements one within the other in the tree that is read."""
MAX_LOOKS = 500_000_000
"""For each new element the parser looks through all that are open: so many looks take it some seconds, more of them
minutes. What is open alone tells little: few elements may come after it, and scripts hold tags of their own."""
_TAG = re.compile(r"<(/?)([a-z][^\s/>]*)", re.I)
_ENDED_BY_OTHERS = frozenset(
    "area base br col embed hr img input link meta param source track wbr html head body p li dt dd option optgroup "
    "caption colgroup thead tbody tfoot tr th td rb rp rt rtc".split()
)
"""Elements without an end, or whose end may be left out: the next one closes them."""


def check_source(html: str) -> None:
    """Before it is parsed: in one pass, whatever it holds. Raises `ExtractionError`."""
    opened = looks = 0
    for tag in _TAG.finditer(html):
        ends, left_open = tag[1], tag[2].lower() not in _ENDED_BY_OTHERS
        if ends:
            opened = max(0, opened - left_open)
            continue
        looks += opened
        opened += left_open
        if looks > MAX_LOOKS:
            raise ExtractionError(Why.TOO_DEEP)


def check_tree(top: LexborNode) -> None:
    """Once it is parsed: what is then looked up from nodes upwards stays short. Raises `ExtractionError`."""
    depth = 0
    node: LexborNode | None = top
    while node is not None:
        inner = node.first_child
        if inner is not None:
            depth += 1
            if depth > MAX_DEPTH:
                raise ExtractionError(Why.TOO_DEEP)
            node = inner
            continue
        while (after := node.next) is None:
            node, depth = node.parent, depth - 1
            if node is None or depth <= 0:
                return
        node = after

"""How deep elements nest: what no page for people has, and what takes a parser the longer the deeper it gets."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from documents.extractors.base import ExtractionError

MAX_DEPTH = 200
"""Elements one within the other in the tree that is read."""
MAX_OPEN = 5000
"""Blocks left open in the source. For each new one the parser looks through all that are open: from here on it takes
seconds, then minutes. Scripts may hold tags of their own in their texts, hence far more than fit in the tree."""
_TAG = re.compile(
    r"<(/?)(?:address|article|aside|blockquote|center|details|dialog|dir|div|dl|fieldset|figcaption|figure|footer|form"
    r"|header|hgroup|main|menu|nav|ol|pre|section|summary|table|ul)(?=[\s/>])",
    re.I,
)


def check_source(html: str) -> None:
    """Before it is parsed: in one pass, whatever it holds. Raises `ExtractionError`."""
    opened = 0
    for tag in _TAG.finditer(html):
        opened = max(0, opened - 1) if tag[1] else opened + 1
        if opened > MAX_OPEN:
            raise _too_deep()


def check_tree(top: LexborNode) -> None:
    """Once it is parsed: what is then looked up from nodes upwards stays short. Raises `ExtractionError`."""
    depth = 0
    node: LexborNode | None = top
    while node is not None:
        inner = node.first_child
        if inner is not None:
            depth += 1
            if depth > MAX_DEPTH:
                raise _too_deep()
            node = inner
            continue
        while (after := node.next) is None:
            node, depth = node.parent, depth - 1
            if node is None or depth <= 0:
                return
        node = after


def _too_deep() -> ExtractionError:
    return ExtractionError(
        "unreadable",
        f"O HTML tem mais de {MAX_DEPTH} elementos um dentro do outro: abra-o no navegador, salve-o de novo e envie"
        " outra vez.",
    )

"""Which parts of an HTML page are the document, and which are the site around it."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from documents.extractors.text import one_line

_ROLES = {"navigation", "banner", "contentinfo", "search", "complementary", "menu", "dialog"}
_CHROME = re.compile(
    r"(?:^|[\s_-])(?:breadcrumbs?|navbar|nav|menu|sidebar|toc|sumario|cookies?|pagination|skip-link|site-header|site-footer)"
    r"(?:$|[\s_-])",
    re.I,
)
_MAIN = "main, [role=main], #main-content, #content, .wiki-content, .mw-parser-output, article"


def main_content(body: LexborNode) -> LexborNode:
    """The node that holds the content: a marked one where it has a good part of the text, else the body."""
    whole = len(body.text())
    for node in body.css(_MAIN):
        share = 0.05 if node.tag == "main" else 0.4  # <main> is said on purpose; the others are habits
        if len(node.text()) >= share * whole:
            return node
    return body


def link_lists(tree: LexborHTMLParser) -> set[int]:
    """Identities of the containers that are mostly links into the same page: tables of contents."""
    counts: dict[int, list[int]] = {}
    nodes: dict[int, LexborNode] = {}
    for link in tree.css("a[href^='#']"):
        size = len(one_line(link.text()))
        node = link.parent
        while node is not None and node.tag not in ("body", "html", "main", "article"):
            entry = counts.setdefault(node.mem_id, [0, 0])
            entry[0] += 1
            entry[1] += size
            nodes[node.mem_id] = node
            node = node.parent
    return {
        key
        for key, (links, size) in counts.items()
        if links >= 3 and not (nodes[key].tag or "").startswith("h") and size >= 0.7 * len(one_line(nodes[key].text()))
    }


def is_chrome(node: LexborNode) -> bool:
    """Whether a node is hidden, or is a part of the site or the page and not of the document."""
    if node.tag == "header" and not node.css_first("h1, h2"):
        return True
    attributes = node.attributes
    if not attributes:
        return False
    style = (attributes.get("style") or "").replace(" ", "").lower()
    if "hidden" in attributes or attributes.get("aria-hidden") == "true" or "display:none" in style:
        return True
    if (attributes.get("role") or "") in _ROLES:
        return True
    if (attributes.get("type") or "").lower() in ("header", "footer"):  # OpenOffice writes pages' headers so
        return True
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    return bool(node.tag in ("div", "ul", "ol", "section", "header", "p", "span") and _CHROME.search(names))

"""HTML to blocks: the main content only, as text. Nothing active can pass, because only text is kept."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from documents.extractors.assemble import assemble
from documents.extractors.base import ExtractionError
from documents.extractors.blocks import Block, BlockKind, paragraph
from documents.rules.legal import ITEM, ROMAN, section_number
from documents.extractors.tables import render
from documents.extractors.text import one_line, repair_mojibake
from documents.rules.types import Extraction

_DROPPED = frozenset(
    "script style noscript template nav footer aside head title meta link svg math canvas iframe object embed applet "
    "audio video map form-control input select option button textarea dialog".split()
)
_BLOCKS = frozenset(
    "address article blockquote body caption center dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 "
    "h6 header hgroup hr html legend li main menu ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_ROLES = {"navigation", "banner", "contentinfo", "search", "complementary", "menu", "dialog"}
_CHROME = re.compile(
    r"(?:^|[\s_-])(?:breadcrumbs?|navbar|nav|menu|sidebar|toc|sumario|cookies?|pagination|skip-link|site-header|site-footer)"
    r"(?:$|[\s_-])",
    re.I,
)
_MAIN = "main, [role=main], #main-content, #content, .wiki-content, .mw-parser-output, article"
_MAX_DEPTH = 200
TITLE_CLASS = "kb-document-title"  # how the DOCX path marks the title: above every heading
_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]+)", re.I)
_ROMANS = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"]


class HtmlExtractor:
    def extract(self, path: Path) -> Extraction:
        html, warnings = decode(path.read_bytes())
        return extract_html(html, extractor="html", warnings=warnings)


def decode(data: bytes) -> tuple[str, list[str]]:
    """The text of an HTML file and warnings. Valid UTF-8 beats the declaration, which is often a leftover."""
    for bom, encoding in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if data.startswith(bom):
            return data.decode(encoding, "replace").lstrip("\ufeff"), []
    declared = _declared(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        # Browsers read iso-8859-1 as windows-1252, and so do the people who saved the file.
        encoding = "cp1252" if declared in ("", "utf-8", "iso8859-1", "ascii") else declared
        try:
            return data.decode(encoding), []
        except UnicodeDecodeError:
            return data.decode(encoding, "replace"), ["Alguns caracteres do arquivo não puderam ser lidos."]
    if declared in ("", "utf-8", "ascii") or text.isascii():
        return repair_mojibake(text), []
    return repair_mojibake(text), [f"O arquivo declara a codificação {declared}, mas está em UTF-8; foi lido como UTF-8."]


def _declared(data: bytes) -> str:
    head = data[:8192]
    match = _XML.search(head) or _META.search(head)
    if not match:
        return ""
    try:
        return codecs.lookup(match[1].decode("ascii", "replace")).name
    except LookupError:
        return ""


def extract_html(
    html: str, *, extractor: str, title: str = "", trust_title: bool = True, warnings: list[str] | None = None
) -> Extraction:
    """Shared by HTML, DOCX (through mammoth) and Markdown (through markdown-it)."""
    tree = LexborHTMLParser(html)
    if tree.body is None:
        raise ExtractionError("unreadable")
    title_node = tree.css_first("head > title")
    title = title or (one_line(title_node.text()) if title_node else "")
    contents = _link_lists(tree)
    walker = _Walker(contents)
    walker.walk(_main(tree.body), 0)
    walker.flush()
    blocks = walker.blocks
    if not any(block.kind is BlockKind.HEADING for block in blocks):
        blocks = list(_bold_as_headings(blocks, walker.bold, walker.leads))
    return assemble(blocks, title=title, trust_title=trust_title, extractor=extractor, warnings=warnings or ())


def _main(body: LexborNode) -> LexborNode:
    """The node that holds the content: a marked one where it has a good part of the text, else the body."""
    whole = len(body.text())
    for node in body.css(_MAIN):
        if len(node.text()) >= 0.4 * whole:
            return node
    return body


def _link_lists(tree: LexborHTMLParser) -> set[int]:
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
        if links >= 3 and nodes[key].tag not in _HEADINGS and size >= 0.7 * len(one_line(nodes[key].text()))
    }


class _Walker:
    """Collects blocks in document order; inline text gathers until a block element ends it."""

    def __init__(self, contents: set[int]) -> None:
        self.blocks: list[Block] = []
        self.bold: set[int] = set()  # indexes of blocks that are bold from end to end
        self._contents = contents
        self._inline: list[str] = []
        self._plain = False
        self._lead: list[str] = []
        self.leads: dict[int, str] = {}  # index of a block -> the bold words that it begins with
        self._strong = 0
        self._marker = ""
        self._lists: list[tuple[str, str, int]] = []

    def walk(self, node: LexborNode, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise ExtractionError("unreadable", "O HTML tem elementos aninhados demais: exporte-o de novo.")
        child = node.first_child
        while child is not None:
            self._visit(child, depth + 1)
            child = child.next

    def _visit(self, node: LexborNode, depth: int) -> None:
        tag = node.tag
        if tag == "-text":
            self._text(node.text_content or "")
        elif tag in _HEADINGS:
            self.flush()
            text = one_line(node.text())
            if text:
                level = 0 if node.attributes.get("class") == TITLE_CLASS else _HEADINGS[tag or ""]
                self.blocks.append(Block(BlockKind.HEADING, text, level))
        elif tag is None or tag.startswith("-") or tag.startswith("!") or tag in _DROPPED or self._hidden(node):
            return
        elif tag == "br":
            self._inline.append("\n")
        elif tag == "table":
            self._table(node, depth)
        elif tag in ("ul", "ol", "menu"):
            self._list(node, depth)
        elif tag == "dl":
            self._definitions(node, depth)
        elif tag == "pre":
            self.flush()
            for line in node.text().splitlines():
                self._inline = [line]
                self.flush()
        elif tag in _BLOCKS:
            self.flush()
            self.walk(node, depth)
            self.flush()
        elif tag in ("b", "strong"):
            self._strong += 1
            self.walk(node, depth)
            self._strong -= 1
        else:
            self.walk(node, depth)

    def _hidden(self, node: LexborNode) -> bool:
        if node.mem_id in self._contents:
            return True
        attributes = node.attributes
        if not attributes:
            return False
        if node.tag == "header" and not node.css_first("h1, h2"):
            return True
        style = (attributes.get("style") or "").replace(" ", "").lower()
        if "hidden" in attributes or attributes.get("aria-hidden") == "true" or "display:none" in style:
            return True
        if (attributes.get("role") or "") in _ROLES:
            return True
        if (attributes.get("type") or "").lower() in ("header", "footer"):  # OpenOffice writes pages' headers so
            return True
        names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
        return bool(node.tag in ("div", "ul", "ol", "section", "header", "p", "span") and _CHROME.search(names))

    def _text(self, text: str) -> None:
        self._inline.append(text.replace("\n", " ").replace("\r", " "))
        if not self._strong and text.strip(" \t\r\n:.–-\u00a0"):
            self._plain = True
        if not self._plain:
            self._lead.append(text)

    def flush(self) -> None:
        """Close the paragraph in hand: one block for each line that the author broke on purpose."""
        text, plain, lead = "".join(self._inline), self._plain, one_line("".join(self._lead))
        self._inline, self._plain, self._lead = [], False, []
        lines: list[str] = []
        for raw in text.split("\n"):
            line = one_line(raw)
            if not line:
                continue
            # A break in the middle of a sentence is layout, not a new paragraph.
            if lines and line[0].islower() and lines[-1][-1] not in ".;:!?" and not ITEM.match(line):
                lines[-1] += f" {line}"
            else:
                lines.append(line)
        for index, line in enumerate(lines):
            if self._marker:
                line = line if ITEM.match(line) else f"{self._marker} {line}"
                self._marker = ""
                self.blocks.append(Block(BlockKind.ITEM, line))
                continue
            if not plain:
                self.bold.add(len(self.blocks))
            elif index == 0 and lead and line.startswith(lead):
                self.leads[len(self.blocks)] = lead
            self.blocks.append(paragraph(line))

    def _list(self, node: LexborNode, depth: int) -> None:
        self.flush()
        ordered = node.tag == "ol"
        attributes = node.attributes
        start = attributes.get("start") or "1"
        number = int(start) if start.isdigit() else 1
        style, after = attributes.get("type") or "1", attributes.get("data-delimiter") or "."
        outer, self._marker = self._marker, ""
        for child in node.iter():
            if child.tag != "li":
                self._visit(child, depth + 1)
                self.flush()
                continue
            if self._hidden(child):
                continue
            self._marker = f"{_ordinal(number, style)}{after}" if ordered else "•"
            number += 1
            self.walk(child, depth + 1)
            self.flush()
            self._marker = ""
        self._marker = outer if not self.blocks else ""

    def _definitions(self, node: LexborNode, depth: int) -> None:
        self.flush()
        term = ""
        for child in node.iter():
            if child.tag == "dt":
                term = one_line(child.text()).rstrip(":")
            elif child.tag == "dd":
                before = len(self.blocks)
                self.walk(child, depth + 1)
                self.flush()
                if term and len(self.blocks) > before:
                    first = self.blocks[before]
                    self.blocks[before] = Block(BlockKind.PARAGRAPH, f"{term}: {first.text}")
                    term = ""

    def _table(self, node: LexborNode, depth: int) -> None:
        self.flush()
        rows = [row for row in _rows(node)]
        if node.css_first("table table, h1, h2, h3") or max((len(cells) for cells in rows), default=0) <= 1:
            self.walk(node, depth)  # a table used for layout
            self.flush()
            return
        caption = node.css_first("caption")
        if caption and (text := one_line(caption.text())):
            self.blocks.append(Block(BlockKind.PARAGRAPH, text))
        grid, header = _grid(rows)
        self.blocks.extend(Block(BlockKind.ROW, line) for line in render(grid, header))


def _ordinal(number: int, style: str) -> str:
    if style in ("a", "A") and 1 <= number <= 26:
        return chr(ord(style) + number - 1)
    if style in ("i", "I") and 1 <= number <= 10:
        return _ROMANS[number] if style == "i" else _ROMANS[number].upper()
    return str(number)


def _rows(table: LexborNode) -> Iterator[list[LexborNode]]:
    for row in table.css("tr"):
        yield [cell for cell in row.iter() if cell.tag in ("td", "th")]


def _grid(rows: list[list[LexborNode]]) -> tuple[list[list[str]], int | None]:
    """Cells with every merged cell repeated where it reaches, and the number of header rows if the markup says it."""
    grid: list[dict[int, str]] = [{} for _ in rows]
    header = 0
    for y, cells in enumerate(rows):
        x = 0
        for cell in cells:
            while x in grid[y]:
                x += 1
            text = one_line(cell.text(separator=" "))
            for dy in range(min(_span(cell, "rowspan"), len(rows) - y)):
                for dx in range(_span(cell, "colspan")):
                    grid[y + dy][x + dx] = text
            x += _span(cell, "colspan")
        if header == y and cells and all(cell.tag == "th" for cell in cells):
            header += 1
    width = max((max(row, default=-1) + 1 for row in grid), default=0)
    return [[row.get(x, "") for x in range(width)] for row in grid], header or None


def _span(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or "1"
    return min(max(int(value), 1), 200) if value.isdigit() else 1


_NUMBERED_BOLD = re.compile(rf"(?:\d|cap[ií]tulo|se[cç][aã]o|anexo|cl[aá]usula|{ROMAN}\s*[-–—.])", re.I)


def _bold_as_headings(blocks: list[Block], bold: set[int], leads: dict[int, str]) -> Iterator[Block]:
    """Word files without styles: short bold paragraphs that are numbered or in capitals are the headings."""
    for index, block in enumerate(blocks):
        text = block.text.rstrip(" :")
        short = len(text) <= 150 and (text.isupper() or not text.endswith((".", ";", ",")))
        titled = _NUMBERED_BOLD.match(text) or (index + 1 < len(blocks) and text.isupper()) or index == 0
        lead = leads.get(index, "").rstrip(" :")
        if index in bold and short and titled and any(c.isalpha() for c in text):
            yield Block(BlockKind.HEADING, text, 1 if index == 0 and not section_number(text) else _bold_level(text))
        elif _NUMBERED_BOLD.match(lead) and section_number(lead) and lead.isupper() and len(lead) <= 100:
            yield Block(BlockKind.HEADING, lead, _bold_level(lead))
            rest = block.text[len(lead) :].lstrip(" :–—-")
            if rest:
                yield paragraph(rest)
        else:
            yield block


def _bold_level(text: str) -> int:
    number = section_number(text)
    return 1 + (len(number) if number else 1)

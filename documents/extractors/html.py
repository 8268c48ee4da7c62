"""HTML to blocks: the main content only, as text. Nothing active can pass, because only text is kept."""

from __future__ import annotations

from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from documents.extractors.assemble import assemble
from documents.extractors.base import ExtractionError, Why
from documents.extractors.blocks import Block, BlockKind, paragraph
from documents.extractors.bold_headings import bold_as_headings
from documents.extractors.encoding import decode
from documents.extractors.html_chrome import is_chrome, link_lists, main_content
from documents.extractors.html_depth import check_source, check_tree
from documents.extractors.html_tables import grid, rows
from documents.extractors.tables import render
from documents.extractors.text import one_line, whole
from documents.rules.legal import ITEM
from documents.rules.notices import Notice
from documents.rules.types import Extraction

_DROPPED_WORDS = (
    "script style noscript template nav footer aside head title meta link svg math canvas iframe object embed "
    "applet audio video map form-control input select option button textarea dialog"
)
_DROPPED = frozenset(_DROPPED_WORDS.split())
_BLOCKS_WORDS = (
    "address article blockquote body caption center dd details div dl dt fieldset figcaption figure form h1 "
    "h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol p pre section summary table tbody td tfoot "
    "th thead tr ul"
)
_BLOCKS = frozenset(_BLOCKS_WORDS.split())
_HEADINGS = {f"h{n}": n for n in range(1, 7)}
TITLE_CLASS = "kb-document-title"  # how the DOCX path marks the title: above every heading
_ROMANS = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"]


class HtmlExtractor:
    def extract(self, path: Path) -> Extraction:
        html, warnings = decode(path.read_bytes())
        return extract_html(html, extractor="html", warnings=warnings)


def extract_html(
    html: str, *, extractor: str, title: str = "", trust_title: bool = True, warnings: list[Notice] | None = None
) -> Extraction:
    """Shared by HTML, DOCX (through mammoth) and Markdown (through markdown-it)."""
    check_source(html)
    tree = LexborHTMLParser(html)
    if tree.body is None:
        raise ExtractionError(Why.UNREADABLE)
    check_tree(tree.body)
    title_node = tree.css_first("head > title")
    title = title or (one_line(title_node.text()) if title_node else "")
    contents = link_lists(tree)
    walker = _Walker(contents)
    walker.walk(main_content(tree.body))
    walker.flush()
    blocks = walker.blocks
    if not any(block.kind is BlockKind.HEADING for block in blocks):
        blocks = list(bold_as_headings(blocks, walker.bold, walker.leads))
    return assemble(blocks, title=title, trust_title=trust_title, extractor=extractor, warnings=warnings or ())


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

    def walk(self, node: LexborNode) -> None:
        child = node.first_child
        while child is not None:
            self._visit(child)
            child = child.next

    def _visit(self, node: LexborNode) -> None:  # noqa: PLR0912 (one branch a kind of element)
        tag = node.tag
        if tag == "-text":
            self._text(node.text_content or "")
        elif tag in _HEADINGS:
            self.flush()
            text = one_line(node.text())
            if text:
                level = 0 if node.attributes.get("class") == TITLE_CLASS else _HEADINGS[tag or ""]
                self.blocks.append(Block(BlockKind.HEADING, text, level))
        elif tag is None or tag.startswith(("-", "!")) or tag in _DROPPED or self._skips(node):
            return
        elif tag == "br":
            self._inline.append("\n")
        elif tag == "table":
            self._table(node)
        elif tag in ("ul", "ol", "menu"):
            self._list(node)
        elif tag == "dl":
            self._definitions(node)
        elif tag == "pre":
            self.flush()
            for line in node.text().splitlines():
                self._inline = [line]
                self.flush()
        elif tag in _BLOCKS:
            self.flush()
            self.walk(node)
            self.flush()
        elif tag in ("b", "strong"):
            self._strong += 1
            self.walk(node)
            self._strong -= 1
        else:
            self.walk(node)

    def _skips(self, node: LexborNode) -> bool:
        return node.mem_id in self._contents or is_chrome(node)

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
                marked = line if ITEM.match(line) else f"{self._marker} {line}"
                self._marker = ""
                self.blocks.append(Block(BlockKind.ITEM, marked))
                continue
            if not plain:
                self.bold.add(len(self.blocks))
            elif index == 0 and lead and line.startswith(lead):
                self.leads[len(self.blocks)] = lead
            self.blocks.append(paragraph(line))

    def _list(self, node: LexborNode) -> None:
        self.flush()
        ordered = node.tag == "ol"
        attributes = node.attributes
        start = attributes.get("start") or "1"
        number = whole(start)
        style, after = attributes.get("type") or "1", attributes.get("data-delimiter") or "."
        outer, self._marker = self._marker, ""
        for child in node.iter():
            if child.tag != "li":
                self._visit(child)
                self.flush()
                continue
            if self._skips(child):
                continue
            self._marker = f"{_ordinal(number, style)}{after}" if ordered else "•"
            number += 1
            self.walk(child)
            self.flush()
            self._marker = ""
        self._marker = outer if not self.blocks else ""

    def _definitions(self, node: LexborNode) -> None:
        self.flush()
        term = ""
        for child in node.iter():
            if child.tag == "dt":
                term = one_line(child.text()).rstrip(":")
            elif child.tag == "dd":
                before = len(self.blocks)
                self.walk(child)
                self.flush()
                if term and len(self.blocks) > before:
                    first = self.blocks[before]
                    self.blocks[before] = Block(BlockKind.PARAGRAPH, f"{term}: {first.text}")
                    term = ""

    def _table(self, node: LexborNode) -> None:
        self.flush()
        lines = list(rows(node))
        nested = any(inner.mem_id != node.mem_id for inner in node.css("table, h1, h2, h3"))
        if nested or max((len(cells) for cells in lines), default=0) <= 1:
            self.walk(node)  # a table used for layout
            self.flush()
            return
        caption = node.css_first("caption")
        if caption and (text := one_line(caption.text())):
            self.blocks.append(Block(BlockKind.PARAGRAPH, text))
        cells, header = grid(lines)
        self.blocks.extend(Block(BlockKind.ROW, line) for line in render(cells, header))


def _ordinal(number: int, style: str) -> str:
    if style in ("a", "A") and 1 <= number <= 26:
        return chr(ord(style) + number - 1)
    if style in ("i", "I") and 1 <= number <= 10:
        return _ROMANS[number] if style == "i" else _ROMANS[number].upper()
    return str(number)

"""A wiki page as such tools export it: navigation, breadcrumb, the article, and a footer around it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import assert_never

from evaluation.demo.render.blocks import (
    Block,
    Code,
    Document,
    Heading,
    ListBlock,
    Paragraph,
    Quote,
    Rule,
    Spans,
    Table,
)
from evaluation.demo.render.sheet import Sheet

STYLE = """
body{margin:0;font:16px/1.6 system-ui,sans-serif;color:#1c2733;background:#f4f6f8}
header,footer{background:#12355b;color:#fff;padding:.8rem 1.5rem}header a{color:#fff;margin-left:1.2rem}
header nav{display:inline}
main{max-width:52rem;margin:1.5rem auto;background:#fff;padding:1.5rem 2.5rem;border-radius:6px}
.breadcrumb{max-width:52rem;margin:1.2rem auto 0;padding:0;list-style:none;font-size:.85rem}
.breadcrumb li{display:inline}.breadcrumb li+li:before{content:"› ";padding-left:.4rem}
h1{color:#12355b;border-bottom:3px solid #e07a1f;padding-bottom:.4rem}h2,h3{color:#12355b}
table{border-collapse:collapse;margin:1rem 0}th,td{border:1px solid #ccd5de;padding:.4rem .7rem;text-align:left}
th{background:#e8eef4}.recuo-1{margin-left:1.5rem}.recuo-2{margin-left:3rem}footer{font-size:.85rem}
"""


def render_html(document: Document, sheet: Sheet) -> bytes:
    """A whole HTML 5 page as UTF-8, without scripts or outside resources."""
    title = escape(document.title)
    company = escape(sheet.company)
    dated = f" · atualizada em {sheet.dated:%d/%m/%Y}" if sheet.dated else ""
    page = f"""<!DOCTYPE html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} – {escape(sheet.area)} – {company}</title>
<style>{STYLE}</style>
</head>
<body>
<header><strong>{company}</strong>
<nav aria-label="Principal"><a href="/">Início</a><a href="/areas">Áreas</a><a href="/busca">Busca</a></nav></header>
<nav aria-label="Você está em"><ol class="breadcrumb">
<li><a href="/">Wiki</a></li><li><a href="/areas">{escape(sheet.area)}</a></li><li aria-current="page">{title}</li>
</ol></nav>
<main>
<article>
<h1>{title}</h1>
{_blocks(document.blocks)}
</article>
</main>
<footer>{escape(sheet.reference)}{dated}</footer>
</body>
</html>
"""
    return page.encode()


def _blocks(blocks: Iterable[Block]) -> str:
    return "\n".join(_block(block) for block in blocks)


def _block(block: Block) -> str:
    match block:
        case Heading(level, spans):
            html = f"<h{level}>{_inline(spans)}</h{level}>"
        case Paragraph(spans, _, indent):
            indented = f' class="recuo-{indent}"' if indent else ""
            html = f"<p{indented}>{_inline(spans)}</p>"
        case ListBlock():
            html = _list(block)
        case Table():
            html = _table(block)
        case Quote(inner):
            html = f"<blockquote>\n{_blocks(inner)}\n</blockquote>"
        case Code(text):
            html = f"<pre><code>{escape(text)}</code></pre>"
        case Rule():
            html = "<hr>"
        case _:
            assert_never(block)
    return html


def _list(block: ListBlock) -> str:
    entries = "\n".join(f"<li>{_item(item)}</li>" for item in block.items)
    if block.start is None:
        return f"<ul>\n{entries}\n</ul>"
    start = f' start="{block.start}"' if block.start != 1 else ""
    return f"<ol{start}>\n{entries}\n</ol>"


def _item(blocks: tuple[Block, ...]) -> str:
    """An item that is one paragraph reads as a line, as wikis write it."""
    match blocks:
        case (Paragraph(spans), *rest):
            return "\n".join((_inline(spans), _blocks(rest))).strip()
        case _:
            return _blocks(blocks)


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{_inline(cell)}</th>' for cell in table.header)
    rows = "\n".join("<tr>" + "".join(f"<td>{_inline(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    return f"<table>\n{f'<thead><tr>{head}</tr></thead>' if head else ''}\n<tbody>\n{rows}\n</tbody>\n</table>"


def _inline(spans: Spans) -> str:
    parts = []
    for span in spans:
        text = escape(span.text, quote=False)
        for tag, applies in (("code", span.code), ("em", span.italic), ("strong", span.bold)):
            text = f"<{tag}>{text}</{tag}>" if applies else text
        parts.append(f'<a href="{escape(span.href)}">{text}</a>' if span.href else text)
    return "".join(parts)

"""The fields of the lexical index, what each is worth, and the engine's half of the eligibility rule."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import tantivy
from tantivy import FieldType, Occur, Query

from documents.rules import terms
from documents.search.base import Entry, Filter, FilterFields, day

VERSION = 2
STAMP_FILE = "kbportal.json"
STAMP = {"schema": VERSION, "terms": terms.VERSION}

# Boosts. The stems hold heading and text; the heading counts once more; a word exactly as written a little more.
STEMS = 1.0
HEADING = 0.3
WORDS = 0.6
CODES = 2.0


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("chunk", indexed=True, fast=True)
    builder.add_unsigned_field("revision", indexed=True, fast=True)
    builder.add_unsigned_field("filter", fast=True)
    for name in ("stems", "heading", "words", "codes"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    for name in ("audience", "corpus", "area", "standing"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ("valid_from", "valid_until"):
        builder.add_integer_field(name, indexed=True, fast=True)
    builder.add_boolean_field("owned", indexed=True)
    return builder.build()


SCHEMA = _schema()


def document(entry: Entry) -> tantivy.Document:
    heading = terms.analyse(entry.heading)
    text = terms.analyse(entry.text)
    row = tantivy.Document()
    row.add_unsigned("chunk", entry.chunk_id)
    row.add_unsigned("revision", entry.revision_id)
    row.add_unsigned("filter", filter_hash(entry.filter_fields))
    row.add_text("stems", " ".join((*heading.stems, *text.stems)))
    row.add_text("heading", " ".join(heading.stems))
    row.add_text("words", " ".join((*heading.folded, *text.folded)))
    row.add_text("codes", " ".join(dict.fromkeys((*heading.codes, *text.codes))))
    row.add_text("audience", entry.audience)
    row.add_text("corpus", str(entry.corpus))
    row.add_text("area", entry.area)
    row.add_text("standing", entry.standing)
    row.add_integer("valid_from", entry.valid_from)
    row.add_integer("valid_until", entry.valid_until)
    row.add_boolean("owned", entry.owned)
    return row


@lru_cache(maxsize=4096)
def filter_hash(fields: FilterFields) -> int:
    """Text can't be read back from the index at any speed, so what an entry is filtered on is kept as 64 bits too."""
    return int.from_bytes(hashlib.sha256(repr(fields).encode()).digest()[:8], "big")


def allowed(filter_: Filter) -> Query:
    """The same condition as in SQL: reader, window, history and owner; corpus and area always."""
    on, today = day(filter_.on), day(filter_.today)
    audiences = sorted(filter_.audiences)
    conditions = [
        Query.term_set_query(SCHEMA, "audience", audiences) if audiences else Query.empty_query(),
        Query.range_query(SCHEMA, "valid_from", FieldType.Integer, upper_bound=on),
        Query.range_query(SCHEMA, "valid_until", FieldType.Integer, lower_bound=on, include_lower=False),
        Query.term_query(SCHEMA, "owned", True),
    ]
    if not filter_.reads_history:
        running = Query.range_query(SCHEMA, "valid_until", FieldType.Integer, lower_bound=today, include_lower=False)
        opened = Query.term_query(SCHEMA, "standing", "open", "basic")
        conditions.append(Query.boolean_query([(Occur.Should, running), (Occur.Should, opened)]))
    eligible = Query.boolean_query([(Occur.Must, condition) for condition in conditions])
    clauses = [(Occur.Must, Query.term_query(SCHEMA, "corpus", str(filter_.corpus), "basic"))]
    if filter_.area is not None:
        clauses.append((Occur.Must, Query.term_query(SCHEMA, "area", filter_.area, "basic")))
    clauses.append((Occur.MustNot if filter_.inverted else Occur.Must, eligible))
    return Query.boolean_query(clauses)

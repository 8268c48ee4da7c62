"""What an index looks like: settings, analysis, mapping, and the document that an entry becomes. No client, no network.

Only what the basic licence has. Text is analysed twice: by Elasticsearch (Portuguese, and once more without stemming)
and by `documents.rules.terms`, whose stems and codes are what coverage counts: `terms` and `codes` hold them.
"""

from __future__ import annotations

import hashlib
import json
from datetime import date

import numpy as np

from documents.rules import terms
from documents.rules.stopwords import STOP
from documents.rules.types import Corpus
from documents.search.base import EPOCH, Entry, FilterFields, vector_fingerprint

JSON = dict[str, object]

VERSION = 1
"""Of what `document` writes; mapping and settings speak for themselves."""

COLUMNS = (
    "chunk", "revision", "audience", "valid_from", "valid_until", "standing", "owned", "corpus", "area", "fingerprint",
)  # fmt: skip
"""What is read back of a document, column by column: chunk, the filter fields in their order, the vector's print."""

ANALYSIS: JSON = {
    "filter": {
        "kb_stop": {"type": "stop", "stopwords": sorted(STOP)},
        "kb_stem": {"type": "stemmer", "language": "light_portuguese"},
        "kb_fold": {"type": "asciifolding"},
    },
    "analyzer": {
        # Stemmed before it is folded: without its accent "aprovação" would no longer meet "aprovações".
        "kb_portuguese": {"tokenizer": "standard", "filter": ["lowercase", "kb_stop", "kb_stem", "kb_fold"]},
        "kb_exact": {"tokenizer": "standard", "filter": ["lowercase", "kb_fold"]},
    },
}


def settings(shards: int) -> JSON:
    """Nothing is seen before we refresh, so that a text appears whole; with a second node each shard has a copy."""
    return {
        "number_of_shards": shards,
        "auto_expand_replicas": "0-1",
        "refresh_interval": "-1",
        "max_result_window": 10_000,
        "analysis": ANALYSIS,
    }


def properties(dimensions: int) -> JSON:
    keyword: JSON = {"type": "keyword"}
    return {
        "text": {
            "type": "text",
            "analyzer": "kb_portuguese",
            "fields": {"exact": {"type": "text", "analyzer": "kb_exact"}},
        },
        "heading": {"type": "text", "analyzer": "kb_portuguese"},
        "terms": {"type": "text", "analyzer": "whitespace", "index_options": "freqs"},
        "codes": keyword,
        "chunk": {"type": "long"},
        "revision": {"type": "long"},
        "audience": keyword,
        "area": keyword,
        "corpus": keyword,
        "standing": keyword,
        "owned": {"type": "boolean"},
        "window": {"type": "date_range", "format": "strict_date"},
        "valid_from": {"type": "integer", "index": False},
        "valid_until": {"type": "integer"},
        "vector": {
            "type": "dense_vector",
            "dims": dimensions,
            "index": True,
            "similarity": "cosine",
            "index_options": {"type": "int8_hnsw", "m": 16, "ef_construction": 100},
        },
        "fingerprint": {"type": "keyword", "index": False},
    }


def _layout() -> str:
    made = json.dumps([settings(1), properties(8), VERSION, terms.VERSION], sort_keys=True)
    return f"elasticsearch-{hashlib.sha256(made.encode()).hexdigest()[:12]}"


LAYOUT = _layout()
"""Changes with settings, analysis, mapping and terms: an index of another layout is neither read nor written."""


def definition(corpus: Corpus, dimensions: int, shards: int) -> JSON:
    """The body that an index is made from."""
    mapping: JSON = {
        "dynamic": "strict",
        "_meta": {"layout": LAYOUT, "corpus": str(corpus)},
        "properties": properties(dimensions),
    }
    return {"settings": settings(shards), "mappings": mapping}


def document(entry: Entry) -> JSON:
    found: JSON = {
        **worded(entry),
        "chunk": entry.chunk_id,
        "fingerprint": vector_fingerprint(entry.vector),
        **filtered_on(entry.filter_fields),
    }
    if np.any(entry.vector):  # a vector without length is near nothing, and refused
        found["vector"] = entry.vector.tolist()
    return found


def worded(entry: Entry) -> JSON:
    """The part of a document that is searched by words. Its heading names the units of a local document."""
    heading, text = terms.analyse(entry.heading), terms.analyse(entry.text)
    return {
        "text": f"{entry.heading}\n{entry.text}",
        "heading": entry.heading,
        "terms": " ".join((*heading.stems, *text.stems)),
        "codes": list(dict.fromkeys((*heading.codes, *text.codes))),
    }


def filtered_on(fields: FilterFields) -> JSON:
    """The part of a document that a search is filtered on. An empty window contains no day."""
    revision, audience, valid_from, valid_until, standing, owned, corpus, area = fields
    empty = valid_from >= valid_until
    return {
        "revision": revision,
        "audience": audience,
        "area": area,
        "corpus": corpus,
        "standing": standing,
        "owned": owned,
        "window": None if empty else {"gte": calendar(valid_from), "lt": calendar(valid_until)},
        "valid_from": valid_from,
        "valid_until": valid_until,
    }


def calendar(days: int) -> str:
    """The date of a number of days since 1970-01-01, as Elasticsearch reads it."""
    return date.fromordinal(EPOCH + days).isoformat()

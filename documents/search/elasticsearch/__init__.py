"""The engine for more than one machine: BM25 and vectors in Elasticsearch, one index for each corpus and version."""

from documents.search.elasticsearch.engine import Engine

__all__ = ["Engine"]

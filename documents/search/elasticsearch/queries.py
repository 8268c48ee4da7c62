"""The searches as Elasticsearch takes them: what ranks, and the engine's half of the eligibility rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from documents.rules import terms
from documents.search.base import Filter, Vector, day
from documents.search.elasticsearch.layout import JSON, calendar
from documents.search.widths import wide

# Boosts, as in the embedded engine: the heading counts once more, a word exactly as written a little more.
HEADING = 0.3
EXACT = 0.6
CODES = 2.0

TIES = 32
"""Neighbours that are read beyond the limit, so that a tie at the cut is seen whole."""
CANDIDATES, DOUBLED = 100, 110
"""Of each shard's graph: how wide a small one is walked before the nearest are taken, and how much wider each time that
it doubles. What may not be quoted only explains an answer: there the walk is as wide as the list is long."""
OVERSAMPLE = 1.25
"""The graph holds bytes; so many times the wanted number is ranked again by the vectors themselves."""
MOST_WORDS = 200
"""Different words, and codes, of a question that are searched for: five clauses each stay below a node's limit."""
MOST_TERMS = 65_536
"""Values that one `terms` condition takes."""


def ranking(text: str) -> JSON | None:
    """What ranks: the text by the analysis that fits it better, heading, exact words, codes. None without a term."""
    analysed = terms.analyse_question(text)
    words = _first(token.surface for token in analysed.tokens)
    codes = _first((*analysed.codes, *terms.code_candidates(text)))
    clauses: list[JSON] = [{"term": {"codes": {"value": code, "boost": CODES}}} for code in codes]
    if words:
        stems, surfaces = " ".join(_first(analysed.stems)), " ".join(words)
        clauses += [
            {"dis_max": {"queries": [{"match": {"terms": stems}}, {"match": {"text": surfaces}}]}},
            {"match": {"heading": {"query": surfaces, "boost": HEADING}}},
            {"match": {"text.exact": {"query": surfaces, "boost": EXACT}}},
        ]
    return {"bool": {"should": clauses, "minimum_should_match": 1}} if clauses else None


def _first(values: Iterable[str]) -> list[str]:
    return list(islice(dict.fromkeys(values), MOST_WORDS))


def allowed(filter_: Filter) -> JSON:
    """Reader, window, history and owner; corpus and area always."""
    eligible: list[JSON] = [
        any_of("audience", sorted(filter_.audiences)),
        {"term": {"window": {"value": calendar(day(filter_.on))}}},
        {"term": {"owned": True}},
    ]
    if not filter_.reads_history:
        running: JSON = {"range": {"valid_until": {"gt": day(filter_.today)}}}
        eligible.append({"bool": {"should": [running, {"term": {"standing": "open"}}], "minimum_should_match": 1}})
    always: list[JSON] = [{"term": {"corpus": str(filter_.corpus)}}]
    if filter_.area is not None:
        always.append({"term": {"area": filter_.area}})
    if filter_.inverted:
        return {"bool": {"filter": always, "must_not": [{"bool": {"filter": eligible}}]}}
    return {"bool": {"filter": always + eligible}}


def lexical(rank: JSON, condition: JSON, limit: int) -> JSON:
    """The best `limit` under the condition; ties by chunk id."""
    return {
        "query": {"bool": {"must": [rank], "filter": [condition]}},
        "sort": [{"_score": "desc"}, {"chunk": "asc"}],
        "size": limit,
        **_NO_DOCUMENT,
    }


def nearest(vector: Vector, filter_: Filter, limit: int, rows: int) -> JSON:
    """The nearest of a shard of so many rows under the filter, some more than `limit`: it applies while the graph is
    walked. As a query: a search with a section for neighbours takes one more round.
    """
    wanted = limit + TIES
    least = 0 if filter_.inverted else wide(CANDIDATES, DOUBLED, rows)
    near: JSON = {
        "field": "vector",
        "query_vector": vector.tolist(),
        "k": wanted,
        "num_candidates": min(max(least, int(wanted * OVERSAMPLE)), 10_000),
        "filter": allowed(filter_),
        "rescore_vector": {"oversample": OVERSAMPLE},
    }
    return {"query": {"knn": near}, "docvalue_fields": ["chunk"], "size": wanted, **_NO_DOCUMENT}


_NO_DOCUMENT: JSON = {"_source": False, "stored_fields": "_none_", "track_total_hits": False}


def holds(term: str) -> JSON:
    """Passages with an analysed term, be it a stem or a code."""
    return {"bool": {"should": [{"term": {"terms": term}}, {"term": {"codes": term}}], "minimum_should_match": 1}}


def either(conditions: Sequence[JSON]) -> JSON:
    return {"bool": {"should": list(conditions), "minimum_should_match": 1}}


def any_of(field: str, values: Sequence[str | int]) -> JSON:
    """Documents with one of the values; without values none."""
    parts = [values[at : at + MOST_TERMS] for at in range(0, len(values), MOST_TERMS)]
    if len(parts) < 2:
        return {"terms": {field: list(values)}}
    return either([{"terms": {field: list(part)}} for part in parts])


def of_revisions(revisions: Sequence[int]) -> JSON:
    return any_of("revision", revisions)

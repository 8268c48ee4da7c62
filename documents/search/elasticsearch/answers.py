"""What comes back from Elasticsearch, in values of our own. A part of an answer is no answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from documents.search.base import EngineUnavailable

MERGED = 0.7
AWAY = (502, 503, 504)
"""Statuses of a node that is gone or busy: another one, or the same a moment later, may know."""

Row = tuple[Any, ...]
"""Values of a document's columns in the order asked for; None where one is missing."""


@dataclass(frozen=True, slots=True)
class Copy:
    """One copy of a shard; `name` is for people, `preference` makes a search read this copy and no other."""

    name: str
    index: str
    shard: int
    primary: bool
    preference: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A write that was not done: the document, the status (404 where there is no such document), and why."""

    id: str
    status: int
    why: str


def whole(answer: Any) -> Any:
    """The answer, if it is one of all shards and in time: a part of it would look like fewer results."""
    if "error" in answer:
        error = answer["error"]
        causes = {cause.get("reason") for cause in error.get("root_cause", [])} - {error.get("reason")}
        said = "; ".join(str(one) for one in (error.get("reason"), *causes) if one)
        raise EngineUnavailable(f"Elasticsearch refused a search: {error.get('type')}: {said}")
    shards = answer.get("_shards", {})
    if shards.get("failed"):
        raise EngineUnavailable(
            f"Elasticsearch answered in part: {shards['failed']} of {shards['total']} shards failed"
        )
    if answer.get("timed_out"):
        raise EngineUnavailable("Elasticsearch answered in part: it ran out of time")
    return answer


def cut_off(answer: Mapping[str, Any]) -> bool:
    """Whether one search of many failed because its node went away under it.

    A copy that is lost while it looks for hits is replaced by another; one that is lost while it fetches them is not.
    """
    return "error" in answer and answer.get("status") in AWAY


def refused(item: Mapping[str, Any]) -> Refused:
    """One item of a bulk answer that failed."""
    [(_action, done)] = item.items()
    error = done.get("error") or {}
    why = error if isinstance(error, str) else f"{error.get('type')}: {error.get('reason')}"
    return Refused(str(done.get("_id")), int(done.get("status") or 0), why)


def scattered_of(indices: Mapping[str, Any]) -> list[str]:
    """Indices with a copy whose largest part holds less than `MERGED` of its passages.

    A growing index is so merged each time that it grew by a share, not each time that something was added.
    """
    found = []
    for name, index in indices.items():
        for copy in (copy for copies in index["shards"].values() for copy in copies):
            sizes = [part["num_docs"] + part["deleted_docs"] for part in copy["segments"].values()]
            if sizes and max(sizes) < MERGED * sum(sizes):
                found.append(name)
                break
    return found


def copy_of(shard: Mapping[str, Any], nodes: Mapping[str, Any]) -> Copy:
    return Copy(
        name=f"{shard['index']}[{shard['shard']}] on {nodes[shard['node']]['name']}",
        index=shard["index"],
        shard=int(shard["shard"]),
        primary=bool(shard["primary"]),
        preference=f"_shards:{shard['shard']}|_only_nodes:{shard['node']}",
    )

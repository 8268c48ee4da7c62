"""How entries become documents, change and go. Nothing here is seen before the engine refreshes."""

from __future__ import annotations

from collections.abc import Sequence

from documents.rules.types import Corpus
from documents.search.base import EngineUnavailable, Entry
from documents.search.elasticsearch import queries
from documents.search.elasticsearch.answers import Refused
from documents.search.elasticsearch.client import Client
from documents.search.elasticsearch.layout import JSON, document, filtered_on, worded
from documents.search.elasticsearch.names import Indices, write_alias

NOT_FOUND = 404


def replace(client: Client, indices: Indices, entries: Sequence[Entry], revisions: Sequence[int]) -> None:
    """Make the documents of these revisions exactly these, in whichever corpus they were."""
    kept = {(entry.chunk_id, str(entry.corpus)) for entry in entries}
    found = client.rows([*indices.values()], queries.of_revisions(revisions), ("chunk", "revision", "corpus"))
    gone = [
        _action("delete", indices[Corpus(corpus)], chunk, revision)
        for chunk, revision, corpus in found
        if (chunk, corpus) not in kept
    ]
    made = [
        _action("index", indices[entry.corpus], entry.chunk_id, entry.revision_id) | {"_source": document(entry)}
        for entry in entries
    ]
    _write(client, [*made, *gone])


def refilter(client: Client, indices: Indices, entries: Sequence[Entry]) -> None:
    """Change what documents are filtered on and the words of their heading; vectors stay as they are."""
    updates = [
        _action("update", indices[entry.corpus], entry.chunk_id, entry.revision_id)
        | {"doc": filtered_on(entry.filter_fields) | worded(entry)}
        for entry in entries
    ]
    elsewhere = {one.id for one in _write(client, updates)}
    _move(client, indices, [entry for entry in entries if str(entry.chunk_id) in elsewhere])


def _move(client: Client, indices: Indices, entries: Sequence[Entry]) -> None:
    """A document whose corpus changed goes to the index of the new one, vector and all."""
    found = client.documents([*indices.values()], [str(entry.chunk_id) for entry in entries])
    moves: list[JSON] = []
    for entry in entries:
        source = found.get(str(entry.chunk_id))
        if source is None:
            continue  # not held: the next comparison with the tables says so
        old = indices[Corpus(str(source["corpus"]))]
        changed = source | filtered_on(entry.filter_fields) | worded(entry)
        moves += [
            _action("index", indices[entry.corpus], entry.chunk_id, entry.revision_id) | {"_source": changed},
            _action("delete", old, entry.chunk_id, entry.revision_id),
        ]
    _write(client, moves)


def _write(client: Client, actions: Sequence[JSON]) -> list[Refused]:
    """Do it all, and return what was not there to be updated or deleted."""
    refused = client.write(actions) if actions else []
    failed = [one for one in refused if one.status != NOT_FOUND or "index_not_found" in one.why]
    if failed:
        raise EngineUnavailable(
            f"Elasticsearch refused {len(failed)} of {len(actions)} writes, and shows none of them: {failed[0].why}."
            f"{READ_ONLY if 'block' in failed[0].why else ''}"
        )
    return refused


READ_ONLY = (
    " The index is read-only: make room on the disk of its nodes, which lifts the block, or lift it by hand"
    " (index.blocks.read_only_allow_delete); the job tries again."
)


def _action(how: str, index: str, chunk: int, revision: int) -> JSON:
    return {"_op_type": how, "_index": write_alias(index), "_id": str(chunk), "routing": str(revision)}

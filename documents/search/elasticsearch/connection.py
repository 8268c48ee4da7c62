"""The only module that imports Elasticsearch's client: where the cluster is, and its failures in our words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from elastic_transport.client_utils import DEFAULT
from elasticsearch import ApiError, Elasticsearch, TransportError
from elasticsearch.helpers import bulk

from documents.search.base import EngineUnavailable
from documents.search.elasticsearch.answers import AWAY, Refused, refused
from documents.search.elasticsearch.layout import JSON

__all__ = ["BULK", "RETRIES", "Address", "Elasticsearch", "answering", "connect", "write"]

RETRIES = 2
"""How many other nodes, or again the same, are asked after one did not answer."""
BULK = 500
BULK_BYTES = 8_000_000


@dataclass(frozen=True, slots=True)
class Address:
    """Where the cluster is, how one enters, and for how many seconds a question waits for one node.

    `ca_certs` is a file of the certificates that sign the cluster's.
    """

    hosts: tuple[str, ...]
    api_key: str | None
    ca_certs: str | None
    timeout: float


def connect(address: Address) -> Elasticsearch:
    """A client that gives up after a few nodes and never waits twice for a slow one; nothing is sent yet."""
    return Elasticsearch(
        list(address.hosts),
        api_key=address.api_key,
        ca_certs=address.ca_certs or DEFAULT,
        request_timeout=address.timeout,
        max_retries=RETRIES,
        retry_on_timeout=False,
        retry_on_status=AWAY,
    )


def write(es: Elasticsearch, actions: Sequence[JSON]) -> list[Refused]:
    """Many writes through aliases that exist; those that failed. A busy node is asked again a few times."""
    _done, failed = bulk(
        es,
        actions,
        chunk_size=BULK,
        max_chunk_bytes=BULK_BYTES,
        max_retries=3,
        initial_backoff=0.2,
        max_backoff=2,
        raise_on_error=False,
        require_alias=True,
    )
    assert isinstance(failed, list)  # else it was asked for numbers alone
    return [refused(item) for item in failed]


@contextmanager
def answering() -> Iterator[None]:
    """Every failure of the client in our words; what the cluster says is kept, because it says what to do."""
    try:
        yield
    except ApiError as error:
        raise EngineUnavailable(f"Elasticsearch refused ({error.status_code}): {error}") from error
    except TransportError as error:
        raise EngineUnavailable(f"Elasticsearch does not answer: {error.message}") from error

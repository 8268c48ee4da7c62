"""The engine on a real Elasticsearch node: the contract, and its failures."""

from __future__ import annotations

import pytest

from documents.search.elasticsearch import Engine
from tests.documents.search.contract import (  # noqa: F401
    EngineContract,
    chunk_ids,
    entry,
    version,
)
from tests.documents.search.nodes import elasticsearch, elasticsearch_url  # noqa: F401


@pytest.fixture
def engine(elasticsearch: Engine) -> Engine:  # noqa: F811
    return elasticsearch


class TestElasticsearch(EngineContract):
    pass

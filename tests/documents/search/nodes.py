"""Real Elasticsearch nodes for tests: laid out once in `var`, started on free ports with data of their own."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from elasticsearch import Elasticsearch  # noqa: TID251 (what a test does to the cluster, no engine does)

from kbportal.embedded.elasticsearch import node
from kbportal.embedded.elasticsearch.home import CannotBuild, ensure_home
from kbportal.embedded.paths import instance


def home() -> Path:
    """The laid-out jars. Without a JDK or Maven the test is skipped, except in CI, where it must run."""
    try:
        return ensure_home(instance().elasticsearch)
    except CannotBuild as error:
        if os.environ.get("CI", "").lower() == "true":
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def elasticsearch_url() -> Iterator[str]:
    """A node for the session: a new one, or the one that `KB_TEST_ELASTICSEARCH` names, which starts nothing."""
    if running := os.environ.get("KB_TEST_ELASTICSEARCH"):
        yield running
        return
    laid_out, folder = home(), Path(tempfile.mkdtemp(prefix="kbportal-es-"))
    place = node.Place("test", folder, node.free_port(), node.free_port())
    process = node.start(laid_out, place)
    try:
        node.wait(process, place)
        yield place.url
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder)


@contextmanager
def cluster(url: str) -> Iterator[Elasticsearch]:
    with Elasticsearch(url) as es:
        yield es


@contextmanager
def namespace(url: str) -> Iterator[str]:
    """A prefix that no other index on the node has; what was made under it is removed afterwards."""
    prefix = f"test-{uuid4().hex[:8]}"
    yield prefix
    with cluster(url) as es:
        for name in es.indices.get(index=f"{prefix}-*"):
            es.indices.delete(index=name)


def lose_shard(es: Elasticsearch, index: str, shard: int) -> None:
    """Take the only copy of a shard from its node for good: the index is there in part.

    Its files go as well. A node that still has the files of a primary brings it back at once, whatever the settings
    of the index allow.
    """
    uuid = es.indices.get_settings(index=index)[index]["settings"]["index"]["uuid"]
    [[copy]] = [copies for copies in es.search_shards(index=index)["shards"] if copies[0]["shard"] == shard]
    disk = es.nodes.stats(node_id=copy["node"], metric="fs")["nodes"][copy["node"]]["fs"]["data"][0]["path"]
    shutil.rmtree(Path(disk) / "indices" / uuid / str(shard))
    cancel = {"index": index, "shard": shard, "node": copy["node"], "allow_primary": True}
    es.cluster.reroute(commands=[{"cancel": cancel}])

"""Where the cluster is: what would fail at the first question stops the start and names the variable."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from kbportal.settings.parts import engine


def test_several_hosts_a_key_and_a_ca_file_reach_the_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    authority = tmp_path / "ca.pem"
    authority.write_text("a certificate")
    monkeypatch.setenv("KB_ENGINE", "elasticsearch")
    monkeypatch.setenv("ELASTICSEARCH_URL", "https://es1.example:9200, https://es2.example:9200")
    monkeypatch.setenv("ELASTICSEARCH_API_KEY", "key")
    monkeypatch.setenv("ELASTICSEARCH_CA_CERTS", str(authority))
    part = engine()
    assert part["BACKEND"] == "documents.search.elasticsearch.Engine"
    assert part["OPTIONS"] == {
        "hosts": ["https://es1.example:9200", "https://es2.example:9200"],
        "api_key": "key",
        "ca_certs": str(authority),
        "prefix": "kbportal",
        "shards": 1,
        "timeout": 10,
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ELASTICSEARCH_URL", "es.example:9200"),
        ("ELASTICSEARCH_URL", "https://es.example"),
        ("ELASTICSEARCH_URL", "http://127.0.0.1:9200,ftp://x:1"),
        ("ELASTICSEARCH_CA_CERTS", "/nowhere/ca.pem"),
        ("ELASTICSEARCH_CA_CERTS", __file__),
        ("ELASTICSEARCH_PREFIX", "Portal*"),
        ("ELASTICSEARCH_SHARDS", "0"),
        ("ELASTICSEARCH_TIMEOUT", "soon"),
        ("KB_ENGINE", "solr"),
    ],
)
def test_a_value_that_cannot_work_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv("KB_ENGINE", "elasticsearch")
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=name):
        engine()

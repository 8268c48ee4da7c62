"""The replaceable parts: a short name in the environment stands for a dotted path and its options."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypedDict
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from kbportal import env

DEFAULT_DIMENSIONS = 1536


class Part(TypedDict):
    BACKEND: str
    OPTIONS: dict[str, object]


def _openai(model_variable: str) -> dict[str, object]:
    """What every OpenAI-compatible part is told; a missing model is named at start, a missing key by a check."""
    return {
        "model": env.required(model_variable, "the model that the part `openai` asks for"),
        "base_url": env.text("OPENAI_BASE_URL") or None,
        "api_key": env.text("OPENAI_API_KEY") or None,
    }


def _device() -> str | None:
    """Where PyTorch computes; unset, it takes a GPU where there is one."""
    return env.text("KB_DEVICE") or None


def _chat(model_variable: str, prices_variable: str) -> dict[str, object]:
    """An endpoint that completes chats, and what a million of its tokens cost: prompt, cached, completion."""
    prices = dict(zip(("prompt", "cached", "completion"), env.decimals(prices_variable, 3), strict=False))
    return {**_openai(model_variable), "prices": prices}


def _part(path: str, options: dict[str, object] | None = None) -> Part:
    return {"BACKEND": path, "OPTIONS": options or {}}


def embedder() -> Part:
    match env.choice("KB_EMBEDDER", "local", ("local", "sentence_transformers", "openai", "hashing")):
        case "sentence_transformers":
            model = env.required("KB_EMBEDDING_MODEL", "a path or a name for sentence-transformers")
            return _part("documents.embedders.sentence_transformers.Embedder", {"model": model, "device": _device()})
        case "openai":
            size = env.integer("KB_EMBEDDING_DIMENSIONS", DEFAULT_DIMENSIONS, least=8)
            return _part("documents.embedders.openai.Embedder", {**_openai("KB_EMBEDDING_MODEL"), "dimensions": size})
        case name:
            return _part(f"documents.embedders.{name}.Embedder")


def engine() -> Part:
    name = env.choice("KB_ENGINE", "postgres", ("postgres", "elasticsearch"))
    return _part(f"documents.search.{name}.Engine", _elasticsearch() if name == "elasticsearch" else None)


def _elasticsearch() -> dict[str, object]:
    """Where the cluster is; an address that the client would refuse at the first question is refused here."""
    hosts = env.items("ELASTICSEARCH_URL", ["http://127.0.0.1:9200"])
    for host in hosts:
        parts = urlsplit(host)
        if parts.scheme not in ("http", "https") or not parts.hostname or not re.search(r":\d+/?$", parts.netloc):
            raise ImproperlyConfigured(f"ELASTICSEARCH_URL: {host} is not of the form https://host:9200")
    certificates = env.text("ELASTICSEARCH_CA_CERTS")
    if certificates and not Path(certificates).is_file():
        raise ImproperlyConfigured(f"ELASTICSEARCH_CA_CERTS={certificates} is no file")
    if certificates and not all(host.startswith("https://") for host in hosts):
        raise ImproperlyConfigured("ELASTICSEARCH_CA_CERTS asks for https:// in ELASTICSEARCH_URL")
    prefix = env.text("ELASTICSEARCH_PREFIX", "kbportal")
    if not re.fullmatch(r"[a-z][a-z0-9-]*", prefix):
        raise ImproperlyConfigured(f"ELASTICSEARCH_PREFIX={prefix} is not made of small letters, digits and hyphens")
    return {
        "hosts": hosts,
        "api_key": env.text("ELASTICSEARCH_API_KEY") or None,
        "ca_certs": certificates or None,
        "prefix": prefix,
        "shards": env.integer("ELASTICSEARCH_SHARDS", 1, least=1),
        "timeout": env.integer("ELASTICSEARCH_TIMEOUT", 10, least=1),
    }


def generator() -> Part:
    name = env.choice("KB_GENERATOR", "extractive", ("extractive", "openai"))
    return _part(
        f"chat.generators.{name}.Generator", _chat("KB_CHAT_MODEL", "KB_CHAT_PRICES") if name == "openai" else None
    )


def rewriter() -> Part:
    name = env.choice("KB_REWRITER", "plain", ("plain", "openai"))
    return _part(
        f"chat.rewriters.{name}.Rewriter", _chat("KB_SMALL_MODEL", "KB_SMALL_PRICES") if name == "openai" else None
    )


def reranker() -> Part:
    name = env.choice("KB_RERANKER", "features", ("features", "cross_encoder"))
    if name == "features":
        return _part("chat.rerankers.features.Reranker")
    model = env.required("KB_RERANKER_MODEL", "a path or a name of a cross-encoder")
    return _part("chat.rerankers.cross_encoder.Reranker", {"model": model, "device": _device()})


def backends() -> dict[str, Part]:
    """What `kbportal.backends.get_backend` loads, by kind."""
    return {
        "embedder": embedder(),
        "engine": engine(),
        "generator": generator(),
        "rewriter": rewriter(),
        "reranker": reranker(),
    }

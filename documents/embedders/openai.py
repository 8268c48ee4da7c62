"""Vectors from any OpenAI-compatible endpoint, Azure's v1 included."""

from __future__ import annotations

import json
from collections.abc import Sequence
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from documents.embedders.base import EmbedderUnavailable, Vectors, encodable, unit_rows

if TYPE_CHECKING:
    from openai import OpenAI

MAX_BODY_BYTES = 128 * 2**20


class Embedder:
    """Calls `/embeddings` in batches, with a time-out and a bounded number of retries.

    `dimensions` must be what the model returns. Prefixes are for models that were trained with them. Empty `base_url`
    and `api_key` fall back to the client's own environment variables. Nothing is called before the first text.
    """

    def __init__(
        self,
        model: str,
        dimensions: int,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        query_prefix: str = "",
        passage_prefix: str = "",
        max_tokens: int = 8191,
        batch: int = 64,
        timeout: float = 20.0,
        retries: int = 2,
    ) -> None:
        self._model = model
        self._dimensions = dimensions
        self._base_url = base_url or None
        self._api_key = api_key or None
        self._prefixes = (query_prefix, passage_prefix)
        self._max_tokens = max_tokens
        self._batch = batch
        self._timeout = timeout
        self._retries = retries
        self._lock = Lock()
        self._client: OpenAI | None = None

    @property
    def fingerprint(self) -> str:
        return f"openai/{self._model}/{self._dimensions}/{self._prefixes[0]!r}{self._prefixes[1]!r}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def max_tokens(self) -> int:
        return self._max_tokens

    def passages(self, texts: Sequence[str]) -> Vectors:
        rows = np.empty((len(texts), self._dimensions), dtype=np.float32)
        for first in range(0, len(texts), self._batch):
            batch = [self._prefixes[1] + text for text in texts[first : first + self._batch]]
            rows[first : first + len(batch)] = self._embed(batch)
        return unit_rows(rows)

    def query(self, text: str) -> Vectors:
        vector: Vectors = unit_rows(self._embed([self._prefixes[0] + text]))[0]
        return vector

    def count(self, text: str) -> int:
        """An upper estimate: the endpoint's tokenizer is not at hand, and Portuguese takes over 3 bytes a token."""
        return len(text.encode()) // 3 + 2

    def _embed(self, texts: list[str]) -> Vectors:
        # An endpoint refuses an empty text; a space has a vector everywhere.
        texts = [encodable(text) if text.strip("\0 ") else " " for text in texts]
        raw = self._answer(texts)
        try:
            items = sorted(json.loads(raw)["data"], key=lambda item: item["index"])
            with np.errstate(over="ignore"):
                rows = np.array([item["embedding"] for item in items], dtype=np.float32)
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise EmbedderUnavailable("what the embedding endpoint returned holds no vectors") from error
        if rows.shape != (len(texts), self._dimensions):
            raise EmbedderUnavailable(
                f"the embedding endpoint returned shape {rows.shape}, expected {(len(texts), self._dimensions)}"
            )
        if not np.isfinite(rows).all():
            raise EmbedderUnavailable("the embedding endpoint returned what is no number")
        return rows

    def _answer(self, texts: list[str]) -> bytes:
        """Read in pieces: neither a flood nor a trickle may hold the asker."""
        import httpx2
        from openai import OpenAIError

        received = bytearray()
        calls = self._connected().embeddings.with_streaming_response
        try:
            with calls.create(model=self._model, input=texts, encoding_format="float") as response:
                deadline = monotonic() + self._timeout
                for piece in response.iter_bytes():
                    received += piece
                    if len(received) > MAX_BODY_BYTES or monotonic() > deadline:
                        raise EmbedderUnavailable(
                            f"the embedding endpoint goes on after {self._timeout} s or {MAX_BODY_BYTES} bytes"
                        )
        except (OpenAIError, httpx2.HTTPError) as error:
            raise EmbedderUnavailable(f"the embedding endpoint failed: {error}") from error
        return bytes(received)

    def _connected(self) -> OpenAI:
        with self._lock:
            if self._client is None:
                from openai import OpenAI

                self._client = OpenAI(
                    base_url=self._base_url, api_key=self._api_key, timeout=self._timeout, max_retries=self._retries
                )
            return self._client

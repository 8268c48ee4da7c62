"""Vectors kept on disk by text and model, so that a second run of an experiment costs nothing."""

from __future__ import annotations

import hashlib
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from documents.embedders.base import Embedder, Vectors

_PIECE = 64


class CachedEmbedder:
    """An `Embedder` in front of another one and a SQLite file."""

    def __init__(self, inner: Embedder, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self._file = sqlite3.connect(path, timeout=60)
        self._file.execute("create table if not exists vector (key blob primary key, row blob) without rowid")
        self._memory: dict[bytes, Vectors] = {}

    @property
    def fingerprint(self) -> str:
        return self._inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    @property
    def max_tokens(self) -> int:
        return self._inner.max_tokens

    def count(self, text: str) -> int:
        return self._inner.count(text)

    def query(self, text: str) -> Vectors:
        key = self._key("query", text)
        if key not in self._memory and not self._read(key):
            self._write([(key, self._inner.query(text))])
        return self._memory[key]

    def passages(self, texts: Sequence[str]) -> Vectors:
        keys = [self._key("passage", text) for text in texts]
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._memory and not self._read(key)
        }
        # Neighbours in length share a batch, which wastes least.
        wanted = sorted(missing.items(), key=lambda item: len(item[1]))
        for first in range(0, len(wanted), _PIECE):
            piece = wanted[first : first + _PIECE]
            rows = self._inner.passages([text for _, text in piece])
            self._write([(key, row) for (key, _), row in zip(piece, rows, strict=True)])
            if len(wanted) > _PIECE:
                sys.stderr.write(f"\r{first + len(piece)}/{len(wanted)} texts embedded")
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for number, key in enumerate(keys):
            rows[number] = self._memory[key]
        return rows

    def _key(self, side: str, text: str) -> bytes:
        return hashlib.sha256("\0".join((self.fingerprint, side, text)).encode()).digest()[:16]

    def _read(self, key: bytes) -> bool:
        found = self._file.execute("select row from vector where key = ?", (key,)).fetchone()
        if found:
            self._memory[key] = np.frombuffer(found[0], dtype=np.float32)
        return bool(found)

    def _write(self, rows: list[tuple[bytes, Vectors]]) -> None:
        with self._file:
            values = [(key, row.astype(np.float32).tobytes()) for key, row in rows]
            self._file.executemany("insert or replace into vector values (?, ?)", values)
        self._memory.update(rows)

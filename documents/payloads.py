"""What never changes of a passage, kept in the process: its text, its sentences and its vectors.

Whether a passage may be quoted is never kept: the tables are asked for it at every question.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock

import numpy as np
import numpy.typing as npt

from documents.rules.text_terms import TextTerms

Half = npt.NDArray[np.float16]
Key = tuple[int, str, str, str, int]
"""Chunk, model, hash of the text, hash of what was embedded, and where in the revision the passage begins."""

MOST_BYTES = 64_000_000
_OBJECTS = 120
"""Bytes that Python takes for a sentence's span and its stem's."""
_WORD = 80
"""The same for a word and its place in what holds it."""


@dataclass(frozen=True, slots=True)
class Payload:
    """`sentences` and `stems` are spans relative to `text`; `vectors` is (1 + sentences, d), the whole text's first.

    `terms` are those of the heading and the text. `key` is what it was read as.
    """

    key: Key
    text: str
    sentences: tuple[tuple[int, int], ...]
    stems: tuple[tuple[int, int] | None, ...]
    terms: TextTerms
    vectors: Half

    @property
    def bytes(self) -> int:
        objects = _OBJECTS * (len(self.sentences) + 4) + _WORD * (len(self.terms.stems) + len(self.terms.surfaces))
        return 4 * len(self.text) + objects + self.vectors.nbytes


Read = Callable[[list[int]], dict[int, Payload]]


class Payloads:
    """The payloads that were asked for last, as many as `room` bytes hold. Threads share it."""

    def __init__(self, room: int = MOST_BYTES) -> None:
        self._room = room
        self._held: OrderedDict[int, Payload] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    @property
    def bytes(self) -> int:
        return self._bytes

    def of(self, keys: Mapping[int, Key], read: Read) -> dict[int, Payload]:
        """The payload of each chunk as it is named; `read` gives those that are not held. What it does not give, or
        gives as another text, is left out.
        """
        with self._lock:
            found = {chunk_id: self._held[chunk_id] for chunk_id in keys if chunk_id in self._held}
            for chunk_id in found:
                self._held.move_to_end(chunk_id)
        missing = [chunk_id for chunk_id, key in keys.items() if chunk_id not in found or found[chunk_id].key != key]
        if missing:
            fresh = read(missing)
            found |= fresh
            self._keep(fresh)
        return {chunk_id: one for chunk_id, one in found.items() if one.key == keys[chunk_id]}

    def _keep(self, fresh: Mapping[int, Payload]) -> None:
        with self._lock:
            self._bytes -= sum(old.bytes for chunk_id in fresh if (old := self._held.pop(chunk_id, None)))
            self._held.update(fresh)
            self._bytes += sum(one.bytes for one in fresh.values())
            while self._bytes > self._room:
                self._bytes -= self._held.popitem(last=False)[1].bytes

"""A Merkle tree over the hashes of the chain, as RFC 6962 builds it: one root for all records, a short proof for one.

Leaves and nodes are hashed with different prefixes, so that no node can pass for a record. All hashes are SHA-256 in
hexadecimal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def root(hashes: Sequence[str]) -> str:
    """The root over the hashes of all records, in order; of none, the hash of nothing."""
    level = [_leaf(value) for value in hashes]
    if not level:
        return hashlib.sha256().hexdigest()
    while len(level) > 1:
        level = _above(level)
    return level[0].hex()


def proof(hashes: Sequence[str], index: int) -> tuple[str, ...]:
    """The siblings on the way from record `index` (from 0) to the root, lowest first. Raises IndexError."""
    if not 0 <= index < len(hashes):
        raise IndexError(f"there is no record {index} among {len(hashes)}")
    level, path = [_leaf(value) for value in hashes], []
    while len(level) > 1:
        sibling = index ^ 1
        if sibling < len(level):
            path.append(level[sibling].hex())
        level, index = _above(level), index // 2
    return tuple(path)


def root_of(value: str, index: int, size: int, path: Sequence[str]) -> str | None:
    """The root that a record at `index` of `size` leads to by its proof; None when the proof doesn't fit its place."""
    if not 0 <= index < size:
        return None
    node, siblings, last = _leaf(value), list(path), size - 1
    while last > 0:
        if index % 2 or index < last:
            if not siblings:
                return None
            sibling = bytes.fromhex(siblings.pop(0))
            node = _node(sibling, node) if index % 2 else _node(node, sibling)
        index, last = index // 2, last // 2
    return None if siblings else node.hex()


def _above(level: list[bytes]) -> list[bytes]:
    """The level above; the last node of an odd level goes up as it is."""
    pairs = [_node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
    return [*pairs, level[-1]] if len(level) % 2 else pairs


def _leaf(value: str) -> bytes:
    return hashlib.sha256(b"\0" + bytes.fromhex(value)).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()

"""A Merkle tree over the hashes of the chain, as RFC 6962 builds it: one root for all records, a short proof for one.

Leaves and nodes are hashed with different prefixes, so that no node can pass for a record. All hashes are SHA-256 in
hexadecimal. The chain is cut into blocks of a power of two: a whole block is one node of the tree that never changes
again, so its root can be kept, and a proof is made of these roots and of one block's hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

BLOCK = 1024
"""Records of a whole block."""


@dataclass(frozen=True, slots=True)
class Place:
    """One record in the tree over `size` records: `proof` leads from it to `root`."""

    size: int
    root: str
    proof: tuple[str, ...]


def root(hashes: Sequence[str]) -> str:
    """The root over the hashes of all records, in order; of none, the hash of nothing."""
    return _root([_leaf(value) for value in hashes]).hex()


def proof(hashes: Sequence[str], index: int) -> tuple[str, ...]:
    """The siblings on the way from record `index` (from 0) to the root, lowest first. Raises IndexError."""
    return _path([_leaf(value) for value in hashes], index)


def joined(blocks: Sequence[str], tail: Sequence[str]) -> str:
    """The root over all records, of the roots of the whole blocks and the hashes of the records after them."""
    return _root(_nodes(blocks, tail)).hex()


def place(blocks: Sequence[str], tail: Sequence[str], own: Sequence[str], index: int, *, block: int = BLOCK) -> Place:
    """Where record `index` (from 0) stands; `own` are the hashes of its block, which is `tail` for the last ones.

    Raises IndexError where there is no such record, or `own` is no whole block.
    """
    number, within = divmod(index, block)
    if len(own) != (block if number < len(blocks) else len(tail)):
        raise IndexError(f"block {number} has {len(own)} records")
    nodes = _nodes(blocks, tail)
    size = block * len(blocks) + len(tail)
    return Place(size, _root(nodes).hex(), (*proof(own, within), *_path(nodes, number)))


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


def _nodes(blocks: Sequence[str], tail: Sequence[str]) -> list[bytes]:
    """The level of the tree that whole blocks are nodes of: what is left over goes up to it as one."""
    whole = [bytes.fromhex(value) for value in blocks]
    return [*whole, _root([_leaf(value) for value in tail])] if tail else whole


def _root(level: list[bytes]) -> bytes:
    if not level:
        return hashlib.sha256().digest()
    while len(level) > 1:
        level = _above(level)
    return level[0]


def _path(level: list[bytes], index: int) -> tuple[str, ...]:
    if not 0 <= index < len(level):
        raise IndexError(f"there is no node {index} among {len(level)}")
    path = []
    while len(level) > 1:
        sibling = index ^ 1
        if sibling < len(level):
            path.append(level[sibling].hex())
        level, index = _above(level), index // 2
    return tuple(path)


def _above(level: list[bytes]) -> list[bytes]:
    """The level above; the last node of an odd level goes up as it is."""
    pairs = [_node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
    return [*pairs, level[-1]] if len(level) % 2 else pairs


def _leaf(value: str) -> bytes:
    return hashlib.sha256(b"\0" + bytes.fromhex(value)).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()

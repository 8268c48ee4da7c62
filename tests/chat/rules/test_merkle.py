"""The tree over the chain: every record leads to the one root, from its own place and no other."""

from __future__ import annotations

import hashlib

import pytest

from chat.rules import merkle


def hashes(number: int) -> list[str]:
    return [hashlib.sha256(str(i).encode()).hexdigest() for i in range(number)]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 8, 9, 31, 33])
def test_every_record_leads_to_the_root(size: int) -> None:
    held = hashes(size)
    root = merkle.root(held)
    for index in range(size):
        path = merkle.proof(held, index)
        assert len(path) <= (size - 1).bit_length()
        assert merkle.root_of(held[index], index, size, path) == root


def test_the_tree_is_that_of_rfc_6962() -> None:
    """Worked out by hand for three records, from the definition of the RFC."""
    one, two, three = (hashlib.sha256(b"\0" + bytes.fromhex(value)).digest() for value in hashes(3))
    left = hashlib.sha256(b"\1" + one + two).digest()
    assert merkle.root(hashes(3)) == hashlib.sha256(b"\1" + left + three).hexdigest()
    assert merkle.root([]) == hashlib.sha256().hexdigest()


@pytest.mark.parametrize("size", [2, 5, 8])
def test_no_other_record_place_size_or_path_leads_to_the_root(size: int) -> None:
    held = hashes(size)
    root = merkle.root(held)
    for index in range(size):
        path = merkle.proof(held, index)
        assert merkle.root_of(hashes(size + 1)[-1], index, size, path) != root
        for other in range(-1, size + 1):
            assert (merkle.root_of(held[index], other, size, path) == root) is (other == index)
        assert merkle.root_of(held[index], index, size, path[1:]) != root
        assert merkle.root_of(held[index], index, size, [*path, "00" * 32]) != root


def test_a_changed_record_changes_the_root() -> None:
    held = hashes(9)
    roots = {merkle.root([*held[:i], "ab" * 32, *held[i + 1 :]]) for i in range(9)}
    assert len(roots | {merkle.root(held), merkle.root(held[:-1])}) == 11


@pytest.mark.parametrize("size", [1, 3, 4, 5, 8, 9, 15, 16, 17, 27])
def test_blocks_lead_to_the_same_root_by_the_same_path(size: int) -> None:
    """Blocks of four: what is kept of whole ones changes neither the tree nor a proof."""
    held = hashes(size)
    parts = [held[i : i + 4] for i in range(0, size, 4)]
    whole = [part for part in parts if len(part) == 4]
    blocks, tail = [merkle.root(part) for part in whole], held[4 * len(whole) :]
    assert merkle.joined(blocks, tail) == merkle.root(held)
    for index in range(size):
        own = parts[index // 4]
        found = merkle.place(blocks, tail, own, index, block=4)
        assert found == merkle.Place(size, merkle.root(held), merkle.proof(held, index))
    for index, own in ((0, held[:2]), (size, tail), (-1, tail)):
        if not (index == 0 and size < 4):
            with pytest.raises(IndexError):
                merkle.place(blocks, tail, own, index, block=4)


def test_a_place_that_is_not_there_has_no_proof() -> None:
    with pytest.raises(IndexError):
        merkle.proof(hashes(3), 3)

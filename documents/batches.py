"""Long lists in parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def in_parts(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Lists of `size` items, the last one shorter; nothing for nothing."""
    remaining = iter(items)
    while part := list(islice(remaining, size)):
        yield part

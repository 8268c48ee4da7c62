"""Canonical JSON (RFC 8785): what a chain is hashed over, the same in every language that writes it."""

from __future__ import annotations

import json
from typing import Any

import rfc8785

_WHOLE = 2**53
"""Numbers from here on are not told apart by every reader."""


def canonical(value: Any) -> bytes:
    """The one form of a JSON value. Raises ValueError for what JSON or every reader of it can't hold.

    The library writes node by node in Python, ten times as slow as the encoder of the standard library, which writes
    the same but for numbers and keys of rare forms: those are left to the library.
    """
    try:
        plain = json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return plain.encode()
    except (_Rare, UnicodeEncodeError):
        return rfc8785.dumps(value)


class _Rare(Exception):
    """A value that the two may write in different ways."""


def _plain(value: Any) -> Any:
    match value:
        case dict():
            if not all(isinstance(key, str) and key.isascii() for key in value):
                raise _Rare
            return {key: _plain(own) for key, own in value.items()}
        case list() | tuple():
            return [_plain(own) for own in value]
        case float():
            return _number(value)
        case str() | bool() | None:
            return value
        case int() if -_WHOLE < value < _WHOLE:
            return value
        case _:
            raise _Rare


def _number(value: float) -> float | int:
    if value.is_integer() and abs(value) < _WHOLE:
        return int(value)
    if 1e-4 <= abs(value) < _WHOLE:
        return value
    raise _Rare

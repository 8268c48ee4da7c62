"""What a passage is searched under: whose text it is, where in it, and which units it is for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

SEPARATOR = " > "
"""Between the parts of a heading."""

LONGEST = 300
"""Characters of one part of a path."""


def heading(title: str, path: Sequence[str]) -> str:
    """What is embedded with each passage and never quoted. It names no unit: scope never embeds.

    Of a part that is no heading but a text the beginning will do: it is repeated in every passage.
    """
    return SEPARATOR.join([title, *(_short(part) for part in path if part and part != title)])


def _short(part: str) -> str:
    return part if len(part) <= LONGEST else part[:LONGEST].rstrip() + "…"


def with_units(heading: str, title: str, units: Collection[str]) -> str:
    """The heading as it is read and searched by words: a local document names its units, unless its title does.

    A terse section says neither whose it is nor for whom.
    """
    local = units_to_name(title, tuple(units))
    if not local:
        return heading
    named = f"{title} ({', '.join(local)})"
    return named + heading.removeprefix(title) if heading.startswith(title) else f"{named}{SEPARATOR}{heading}"


@lru_cache(maxsize=4096)
def units_to_name(title: str, units: tuple[str, ...]) -> tuple[str, ...]:
    """Those of a document's units that its title does not say."""
    said = title.casefold()
    return tuple(unit for unit in units if unit.casefold() not in said)

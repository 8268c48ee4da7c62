"""Audience keys: one hash for each distinct set of readers, scope and classification.

A company has hundreds of them, not millions, so an engine filters on a short list of keys instead of on people.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from documents.rules.types import Facts

AUDIENCE_VERSION = "audience-1"
READ = "read_document"
"""The permission that a grant gives."""
AREA_PREFIX = "area:"
UNIT_PREFIX = "unit:"
ROLE_PREFIX = "role:"
"""Names of the groups that hold the people of an area, of a unit, of a role: the slug follows."""
WIDE = (AREA_PREFIX, UNIT_PREFIX)
"""Groups of whole places: a grant to one opens nothing of a restricted text."""


def slugs(groups: Iterable[str], prefix: str) -> frozenset[str]:
    """Of the groups those that begin with the prefix, without it."""
    return frozenset(name.removeprefix(prefix) for name in groups if name.startswith(prefix))


def audience_key(facts: Facts) -> str:
    """64 hexadecimal digits over everything of `facts` that the person's half of the eligibility rule looks at."""
    parts = [
        AUDIENCE_VERSION,
        facts.owner_id,
        str(facts.classification),
        sorted(facts.user_grants),
        sorted(facts.group_grants),
        sorted(facts.area_grants),
        sorted(facts.unit_grants),
        sorted(facts.scope_units),
        sorted(facts.scope_jurisdictions),
    ]
    return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()

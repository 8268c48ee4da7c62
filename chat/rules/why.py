"""Why a record holds no answer, read off its stages: the step at which nothing was left."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class Why(StrEnum):
    NO_ACCESS = "no_access"
    NOTHING_FOUND = "nothing_found"
    NOTHING_ALLOWED = "nothing_allowed"
    TOO_THIN = "too_thin"
    ALL_REFUSED = "all_refused"
    NOTHING_SAID = "nothing_said"


def why(body: Mapping[str, Any]) -> str | None:
    """A code: the one that the record itself gives where it gives one. None for an answer and for a conflict."""
    if body["missing"] is not None:
        return str(body["missing"])
    if body["status"] != "not_found":
        return None
    left = {stage["name"]: stage["out"] for stage in body["stages"]}
    steps = (
        ("search" in left, Why.NO_ACCESS),
        (left.get("search"), Why.NOTHING_FOUND),
        (left.get("recheck"), Why.NOTHING_ALLOWED),
        (body["passages"], Why.TOO_THIN),
        (not body["refused"], Why.ALL_REFUSED),
    )
    return next((code for passed, code in steps if not passed), Why.NOTHING_SAID)

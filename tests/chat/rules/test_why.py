"""A record without an answer tells at which step nothing was left."""

from __future__ import annotations

from typing import Any

import pytest

from chat.rules.why import Why, why


def body(
    status: str = "not_found", *, missing: str | None = None, passages: int = 0, refused: int = 0, **left: int
) -> Any:
    stages = [{"name": name, "in": 9, "out": out, "by_corpus": {}} for name, out in left.items()]
    return {
        "status": status, "missing": missing, "stages": stages, "passages": [{}] * passages, "refused": [{}] * refused
    }  # fmt: skip


@pytest.mark.parametrize(
    ("told", "code"),
    [
        (body("answered", search=3, recheck=3, passages=1), None),
        (body("conflict", search=3, recheck=3, passages=2), None),
        (body("needs_date", missing="date"), "date"),
        (body("blocked", missing="no_owner", search=3), "no_owner"),
        (body(), Why.NO_ACCESS),
        (body(audiences=0), Why.NO_ACCESS),
        (body(search=0, recheck=0, rerank=0), Why.NOTHING_FOUND),
        (body(search=3, recheck=0, rerank=0), Why.NOTHING_ALLOWED),
        (body(search=3, recheck=3, rerank=3), Why.TOO_THIN),
        (body(search=3, recheck=3, rerank=3, passages=2, refused=1), Why.ALL_REFUSED),
        (body(search=3, recheck=3, rerank=3, passages=2), Why.NOTHING_SAID),
    ],
)
def test_the_step_at_which_nothing_was_left(told: Any, code: str | None) -> None:
    assert why(told) == code

"""Python's collector of cycles, told what never goes: a walk over everything that is loaded takes 60 ms and more, and
falls on whichever question is being answered."""

from __future__ import annotations

import gc

YOUNG, MIDDLE, OLD = 10_000, 20, 50
"""How many new objects make it look at the new ones, and how many such looks at those that stayed: one question makes
some thousands, nearly all of which go by themselves."""


def settle() -> None:
    """What is there by now stays as long as the process and is not walked any more. Once, when all is loaded."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)

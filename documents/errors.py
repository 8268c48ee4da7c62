"""The root of every error that a person or program outside may see. kbportal turns them into HTTP problems."""

from __future__ import annotations

import errno


class DomainError(Exception):
    """A refusal with a stable `code` and the HTTP `status` that fits it; `message` is for people.

    Subclasses set `code` and `status` as class attributes and may pass a message of their own.
    """

    code: str = "error"
    status: int = 400
    message: str = ""

    def __init__(self, message: str = "") -> None:
        if message:
            self.message = message
        super().__init__(self.message or self.code)


class TryLater(Exception):
    """A part does not answer now: whoever asked may ask again, and background work waits for it without blame."""


def no_room(error: BaseException) -> bool:
    """Whether it says that a disk is full, or that this user may not take more of it."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)

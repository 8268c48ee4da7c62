"""What makes an approval one: a second person, in charge of the area, about the very bytes that they saw."""

from __future__ import annotations

from documents.rules.types import Reader, Role


def is_approver(person: Reader, area: str) -> bool:
    """The role alone is not enough: an approver decides in the areas that they belong to."""
    return Role.APPROVER in person.roles and area in person.areas


def is_own_text(person: Reader, author_id: int | None) -> bool:
    """Nobody decides on a text of their own, whatever role they hold."""
    return author_id is not None and author_id == person.user_id


def counts(approved_hash: str, content_hash: str) -> bool:
    """An approval holds for the content that was seen and for no other; no hash is no approval."""
    return bool(approved_hash) and approved_hash == content_hash

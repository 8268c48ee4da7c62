"""A question set from its file, and the people who ask in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from django.contrib.auth import get_user_model

from documents.errors import DomainError
from documents.reader import reader_of
from documents.rules.types import Reader
from evaluation.rules import cases
from evaluation.rules.cases import Case


class UnusableSet(DomainError):
    """The set can't be run here; the message names the file, each line and what is wrong with it."""

    code = "bad_set"


def load(path: Path) -> list[Case]:
    """The cases of a JSONL file, in its order. Raises `UnusableSet`."""
    try:
        with path.open(encoding="utf-8") as lines:
            return cases.read(lines)
    except OSError as error:
        raise UnusableSet(f"{path}: {error.strerror or error}") from error
    except (cases.BadSet, UnicodeDecodeError) as error:
        raise UnusableSet(f"{path}: {error}") from error


def readers(of: Sequence[Case]) -> Mapping[str, Reader]:
    """The reader for each person who asks. Raises `UnusableSet` naming the lines whose person the portal lacks."""
    users = get_user_model().objects.filter(is_active=True).in_bulk({case.person for case in of}, field_name="username")
    unknown = [case for case in of if case.person not in users]
    if unknown:
        raise UnusableSet("; ".join(f"line {case.line}: there is no active person {case.person!r}" for case in unknown))
    return {name: reader_of(user) for name, user in users.items()}

"""What a reader objected to, as a case for the evaluation: a proposal that a person completes before it counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from chat.rules.types import Status

TAG = "candidate"
Case = dict[str, object]


@dataclass(frozen=True, slots=True)
class Objection:
    """`question` stands alone and holds no personal data; `document` is the one whose claim was called wrong.

    `on` is the day that was asked about, None for the day of asking.
    """

    id: int
    kind: str
    question: str
    on: date | None
    document: str | None


def cases(objections: Iterable[Objection], person: str) -> list[Case]:
    """Cases as `evaluation.rules.cases` reads them, asked in the name of `person`; the same objection is one case.

    What should have come out is only as sure as the objection says: nothing for a claim that was invented, the same
    document for one that was outdated. Where the right source is not known, `sources` is empty for a person to fill in,
    and a set with such a case is refused until then.
    """
    found: dict[tuple[str, str, date | None], Case] = {}
    for item in objections:
        status = Status.NOT_FOUND if item.kind == "invented" else Status.ANSWERED
        known = item.document is not None and item.kind == "outdated"
        case: Case = {
            "id": f"objection-{item.id}",
            "question": item.question,
            "as": person,
            "on": item.on.isoformat() if item.on else None,
            "history": [],
            "expect": {"status": str(status), "sources": [[item.document, None]] if known else [], "facts": []},
            "tags": [TAG, item.kind],
        }
        found.setdefault((item.kind, item.question, item.on), case)
    return list(found.values())


def incomplete(case: Case) -> bool:
    """Whether a person must still say where the answer stands."""
    expect = case["expect"]
    return isinstance(expect, dict) and expect["status"] == Status.ANSWERED and not expect["sources"]

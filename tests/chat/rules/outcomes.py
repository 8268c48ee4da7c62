"""Outcomes of every status, for tests of what is said, recorded and exported."""

from __future__ import annotations

from datetime import date
from typing import Any

from chat.rules.outcome import Cited, Claim, Outcome, Stage, Traced, Versions
from chat.rules.types import DraftClaim, Search, Status, Usage, Verdict
from documents.rules.types import Corpus, Reader, Reason, Role
from tests.chat.passages import passage

VERSIONS = Versions("rules-1", "postgres-1", "1", "2", "default-1", "hash-1", "extractive-1", "features-1", "plain-1")
READER = Reader("11111111-2222-3333-4444-555555555555", 7, True, frozenset({"todos"}), roles=frozenset({Role.APPROVER}))
ONE = passage("O prazo é de 4 horas. Vale até as 14h.", start=100, end=138, page=12, valid_from=date(2026, 3, 1))
OTHER = passage("O prazo é de 9 horas.", chunk_id=2, document="outro", revision_id="2")
QUOTE = Cited(ONE, 0, 21)
RIVAL = Cited(OTHER, 0, 21)


def outcome(status: Status = Status.ANSWERED, **changes: Any) -> Outcome:
    values: dict[str, Any] = {
        "searches": (Search("prazo separação"),),
        "area": "operacoes",
        "timings": {"search": 1.234, "total": 5.678},
        "usage": Usage(10, 5, 2, 0.001),
        "stages": (Stage("search", 3, 2, 1.5, {Corpus.OFFICIAL: 2}),),
        "candidates": (
            Traced(1, "doc-1", "v1", Corpus.OFFICIAL, Reason.ELIGIBLE, 1, 2, 0.03, {"bm25": 1.5}, 2.5, 1),
            Traced(2, "outro", "v1", Corpus.OFFICIAL, Reason.RETIRED, 2),
            Traced(3, "outro", "v1", Corpus.OFFICIAL, Reason.RETIRED, 3),
        ),
        "sent": (ONE,),
        "signals": {"coverage": 0.9},
    }
    match status:
        case Status.ANSWERED:
            values["claims"] = (Claim("O prazo é de 4 horas.", (QUOTE,)),)
            refused = Verdict(
                DraftClaim("O prazo é de 5 horas.", 1, "O prazo é de 4 horas."), False, "number_not_in_quote"
            )
            values["verdicts"] = (refused,)
        case Status.CONFLICT:
            values["conflict"] = (QUOTE, RIVAL)
        case Status.NOT_FOUND:
            values["related"] = (QUOTE,)
        case Status.NEEDS_DATE:
            values["missing"] = "date"
        case Status.BLOCKED:
            values["missing"] = "no_owner"
        case Status.UNAVAILABLE:
            values |= {"missing": "component_down", "error": "the endpoint answered 503"}
    question = "qual o prazo?"
    return Outcome(status, question, question, date(2026, 11, 30), "current", **(values | changes))

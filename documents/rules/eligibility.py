"""May this reader be quoted this revision on this date? The one rule; `documents.querysets` holds its SQL twin.

`tests/documents/test_eligibility_matrix.py` walks every combination and demands that the two, and the engines'
filter, agree.
"""

from __future__ import annotations

from datetime import date

from documents.rules.lifecycle import ONCE_PUBLISHED
from documents.rules.types import Classification, Decision, Facts, History, Reader, Reason, State
from documents.rules.validity import in_force

RULES_VERSION = "eligibility-1"


def decide(reader: Reader, facts: Facts, on: date, today: date) -> Decision:
    """Decide on a revision for `reader` asking about the day `on`, when the day is `today`.

    The person comes first, so that a reason never tells of dates or states of what the reader may not read; a missing
    owner comes last, so that `no_owner` means "everything else would have allowed it".
    """
    reason = _person(reader, facts) or _time(reader, facts, on, today)
    if reason is None and facts.owner_id is None:
        reason = Reason.NO_OWNER
    return Decision(reason is None, reason or Reason.ELIGIBLE)


def _person(reader: Reader, facts: Facts) -> Reason | None:
    if not reader.active:
        return Reason.NO_PERMISSION
    if facts.owner_id == reader.user_id:
        return None  # the owner answers for the text wherever it applies
    if not _granted(reader, facts):
        return Reason.NO_PERMISSION
    if facts.scope_units and not facts.scope_units & reader.units:
        return Reason.OUT_OF_SCOPE
    if facts.scope_jurisdictions and not facts.scope_jurisdictions & reader.jurisdictions:
        return Reason.OTHER_JURISDICTION
    return None


def _granted(reader: Reader, facts: Facts) -> bool:
    if reader.user_id in facts.user_grants or facts.group_grants & reader.named_groups:
        return True
    if facts.classification is Classification.RESTRICTED:
        return False  # a whole area or unit is too wide: restricted text asks for a person or a named group
    return bool(facts.area_grants & reader.areas or facts.unit_grants & reader.units)


def _time(reader: Reader, facts: Facts, on: date, today: date) -> Reason | None:
    start = facts.validity.start
    if facts.state not in ONCE_PUBLISHED:
        approved_ahead = facts.state is State.APPROVED and start is not None and on < start
        return Reason.NOT_YET_IN_FORCE if approved_ahead else Reason.DRAFT
    window = in_force(facts.validity, facts.retired_on)
    if not window.contains(on):
        return _outside(facts, on)
    past = window.until is not None and window.until <= today
    if past and not reader.reads_history and (facts.state is State.RETIRED or facts.history is History.ROLE):
        return _outside(facts, today)
    return None


def _outside(facts: Facts, on: date) -> Reason:
    if facts.validity.start is not None and on < facts.validity.start:
        return Reason.NOT_YET_IN_FORCE
    if facts.retired_on is not None and facts.retired_on <= on:
        return Reason.RETIRED
    if facts.successor_on is not None and facts.successor_on <= on:
        return Reason.SUPERSEDED
    return Reason.EXPIRED

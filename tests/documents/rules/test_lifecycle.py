"""The transition table, read as a whole: every state against every action."""

from __future__ import annotations

import pytest

from documents.rules.lifecycle import TRANSITIONS, Action, allowed_actions
from documents.rules.types import State

EXPECTED = {
    State.DRAFT: {Action.SUBMIT: State.IN_REVIEW},
    State.IN_REVIEW: {Action.APPROVE: State.APPROVED, Action.REJECT: State.DRAFT},
    State.APPROVED: {Action.PUBLISH: State.PUBLISHED, Action.REJECT: State.DRAFT},
    State.PUBLISHED: {Action.RETIRE: State.RETIRED},
    State.RETIRED: {Action.RESTORE: State.PUBLISHED},
}


@pytest.mark.parametrize("state", list(State))
def test_each_state_opens_these_ways_and_no_other(state: State) -> None:
    assert set(allowed_actions(state)) == set(EXPECTED[state])
    assert {action: TRANSITIONS[action].target for action in allowed_actions(state)} == EXPECTED[state]


def test_every_action_is_in_the_table() -> None:
    assert set(TRANSITIONS) == set(Action)

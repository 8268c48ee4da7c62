"""What docs/governance.md says of the moves is what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from documents.rules.lifecycle import TRANSITIONS, Action
from governance.rules.moves import MAY

PAGE = Path(__file__).parents[2] / "docs" / "governance.md"


def test_the_table_of_moves_is_the_table_of_the_code() -> None:
    rows = re.findall(r"^\| (\w+) \| ([\w, ]+) \| (\w+) \| ([\w, ]+) \|$", PAGE.read_text(), re.MULTILINE)
    written = {action: (sources, target, who) for action, sources, target, who in rows if action != "action"}
    expected = {
        str(action): (
            ", ".join(sorted(TRANSITIONS[action].sources)),
            str(TRANSITIONS[action].target),
            ", ".join(sorted(MAY[action])),
        )
        for action in Action
    }
    assert written == expected

"""Questions that were asked before a test looks at their records, all by one process of the portal's."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.contrib.auth.models import User

from chat.services import answer_of, ask
from tests.instance import Portal

Asked = tuple[str, str]
"""Who asks what."""


def recorded(portal: Portal, *asked: Asked) -> list[str]:
    """The ids of their records, in order."""
    script = f"from tests.browser.questions import write; write({asked!r})"
    ids: list[str] = json.loads(portal.manage("shell", "-c", script).splitlines()[-1])
    return ids


def write(asked: Sequence[Asked]) -> None:
    """Ask, within the portal, and print the ids of the records."""
    people = {user.username: user for user in User.objects.all()}
    answers = [answer_of(ask(people[username], question)) for username, question in asked]
    print(json.dumps([answer["evidence"] for answer in answers]))

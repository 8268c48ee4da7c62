"""The command `govern`: exit 0 when done, 2 with one line when refused, and hidden like missing."""

from __future__ import annotations

import json
from datetime import date
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError

from documents.models import Document, Revision
from governance.actions.access import set_readers
from governance.models import AuditEvent
from tests import factories

pytestmark = pytest.mark.django_db
JAN = date(2026, 1, 1)


@pytest.fixture
def document() -> Document:
    factories.person("carla", areas=["rh"], roles=["approver"])
    factories.person("stranger")
    return factories.document("home-office", owner=factories.person("maria"), area_slug="rh")


def govern(*arguments: str, user: str = "maria", reason: str = "because") -> str:
    out = StringIO()
    call_command("govern", *arguments, "--as", user, "--reason", reason, stdout=out)
    return out.getvalue()


def refusal(*arguments: str, **named: str) -> str:
    with pytest.raises(CommandError) as caught:
        govern(*arguments, **named)
    assert caught.value.returncode == 2
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_revision_goes_its_way_by_command(document: Document) -> None:
    revision = factories.revision(document, "v1", author=User.objects.get(username="maria"))
    govern("submit", "home-office")
    govern("approve", "home-office@v1", user="carla")
    told = json.loads(govern("publish", "home-office", "--from", "2026-01-01", "--json"))
    assert told == {
        "action": "publish", "document": "home-office", "revision": "v1", "revision_id": str(revision.pk),
        "state": "published", "in_force_from": "2026-01-01", "in_force_until": None,
    }  # fmt: skip
    assert "home-office@v1" in govern("retire", "home-office")
    assert AuditEvent.objects.count() == 4


def test_where_several_fit_it_asks_which(document: Document) -> None:
    for label in ("v1", "v2"):
        factories.revision(document, label, author=User.objects.get(username="maria"))
    message = refusal("submit", "home-office")
    assert "home-office@v1" in message
    assert "home-office@v2" in message
    assert "v1" in refusal("publish", "home-office"), "none fits: it says which there are"
    assert "home-office@v2" in govern("submit", "home-office@v2")


def test_refusals_of_the_actions_come_through(document: Document) -> None:
    factories.revision(document, "v1", state="in_review", author=User.objects.get(username="carla"))
    for user in ("carla", "maria"):
        refusal("approve", "home-office@v1", user=user)
    refusal("submit", "home-office@v1")
    refusal("reject", "home-office@v1", reason=" ")
    assert Revision.objects.get().state == "in_review"


def test_the_one_to_retire_is_the_one_that_has_not_ended(document: Document) -> None:
    factories.revision(document, "v1", state="published", start=date(2025, 1, 1), until=JAN)
    factories.revision(document, "v2", state="published", start=JAN)
    assert "home-office@v2" in govern("retire", "home-office")
    assert "home-office@v1" in govern("retire", "home-office@v1"), "named, it can be meant"


def test_a_date_that_is_none_is_refused(document: Document) -> None:
    factories.revision(document, "v1", state="approved")
    assert "31/12/2026" in refusal("publish", "home-office", "--from", "31/12/2026")


def test_hidden_and_missing_are_told_in_the_same_words(document: Document) -> None:
    factories.revision(document, "v1", state="published", start=JAN)
    hidden = refusal("retire", "home-office", user="stranger")
    assert hidden.replace("home-office", "X") == refusal("retire", "nothing", user="stranger").replace("nothing", "X")
    hidden = refusal("retire", "home-office@v1", user="stranger")
    assert hidden.replace("home-office", "X") == refusal("retire", "nothing@v1").replace("nothing", "X")


def test_a_mere_reader_is_not_told_of_drafts(document: Document) -> None:
    factories.revision(document, "v1", state="published", start=JAN)
    factories.revision(document, "v2")
    factories.group("todos")

    set_readers(document.pk, ["group:todos"], actor=User.objects.get(username="maria"), reason="all")
    assert "v2" not in refusal("submit", "home-office", user="stranger")
    assert refusal("submit", "home-office@v2", user="stranger").replace("v2", "v9") == refusal(
        "submit", "home-office@v9", user="stranger"
    )
    assert "v1" in refusal("submit", "home-office", user="stranger")


@pytest.mark.parametrize("user", ["nobody", "gone"])
def test_an_unknown_person_and_one_who_left_are_the_same(document: Document, user: str) -> None:
    factories.person("gone", is_active=False)
    factories.revision(document, "v1")
    told = refusal("submit", "home-office", user=user)
    assert told.replace(user, "X") == refusal("submit", "home-office", user="who").replace("who", "X")

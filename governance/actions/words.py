"""The words of the company and where to ask: each edit with a reason, in the trail, by who may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.utils.translation import gettext as _

from documents.models import Area, Channel, GlossaryEntry
from documents.reader import reader_of
from governance import audit
from governance.actions._transition import entry, required
from governance.errors import Conflict, Forbidden, Invalid
from governance.models import Verb
from governance.permissions import keeps_term, keeps_words

Row = TypeVar("Row", GlossaryEntry, Channel)

SCHEMES = ("http", "https", "mailto", "tel")
MOST_EXPANSIONS = 20


@dataclass(frozen=True, slots=True)
class TermData:
    """A term and what it stands for; without an area it holds in all of them."""

    term: str
    expansions: Sequence[str]
    area: Area | None
    owner: AbstractBaseUser | None


def set_term(term_id: int | None, data: TermData, *, actor: AbstractBaseUser, reason: str) -> GlossaryEntry:
    """Make an entry, or change one: then its version goes up, if anything changed.

    Raises `Forbidden`, `NotFound`, `Conflict` (the area has the term), `Invalid`.
    """
    reason = required(reason)
    with transaction.atomic():
        entry = GlossaryEntry() if term_id is None else _locked(GlossaryEntry, term_id)
        before = _term_facts(entry) if term_id is not None else {}
        if term_id is not None:
            _check_keeps(actor, entry)
        if term_id is None or data.area != entry.area:
            _check_area(actor, data.area)
        entry.term, entry.area = data.term.strip(), data.area
        entry.expansions = list(dict.fromkeys(text.strip() for text in data.expansions if text.strip()))
        entry.owner_id = data.owner.pk if data.owner is not None else None
        _check_term(entry)
        if before == _term_facts(entry):
            return entry
        entry.reason = reason
        entry.save()
        verb = Verb.TERM_CREATED if term_id is None else Verb.TERM_CHANGED
        audit.record(
            verb, actor=actor, target=f"glossary:{entry.pk}", before=before, after=_term_facts(entry), reason=reason
        )
    return entry


def remove_term(term_id: int, *, actor: AbstractBaseUser, reason: str) -> None:
    reason = required(reason)
    with transaction.atomic():
        entry = _locked(GlossaryEntry, term_id)
        _check_keeps(actor, entry)
        audit.record(
            Verb.TERM_REMOVED,
            actor=actor,
            target=f"glossary:{entry.pk}",
            before=_term_facts(entry),
            after={},
            reason=reason,
        )
        entry.delete()


def set_channel(
    channel_id: int | None, area: Area | None, label: str, url: str, *, actor: AbstractBaseUser, reason: str
) -> Channel:
    """Where people of an area ask; without an area, everybody else. Raises `Forbidden`, `Conflict`, `Invalid`."""
    reason = required(reason)
    with transaction.atomic():
        channel = Channel() if channel_id is None else _locked(Channel, channel_id)
        if channel_id is not None:
            _check_area(actor, channel.area)
        _check_area(actor, area)
        before = _channel_facts(channel) if channel_id is not None else {}
        channel.area, channel.label, channel.url = area, label.strip(), url.strip()
        if not channel.label:
            raise Invalid(_("Say what the channel is called."))
        address = urlsplit(channel.url)
        if address.scheme not in SCHEMES or not (address.netloc or address.path):
            raise Invalid(_("The address begins with https://, http://, mailto: or tel:."))
        if Channel.objects.filter(area=area).exclude(pk=channel.pk).exists():
            raise Conflict(_("This area has a channel already: change that one."))
        after = _channel_facts(channel)
        if before != after:
            channel.save()
            audit.record(
                Verb.CHANNEL_CHANGED,
                actor=actor,
                target=f"channel:{channel.pk}",
                before=before,
                after=after,
                reason=reason,
            )
    return channel


def remove_channel(channel_id: int, *, actor: AbstractBaseUser, reason: str) -> None:
    reason = required(reason)
    with transaction.atomic():
        channel = _locked(Channel, channel_id)
        _check_area(actor, channel.area)
        audit.record(
            Verb.CHANNEL_REMOVED,
            actor=actor,
            target=f"channel:{channel.pk}",
            before=_channel_facts(channel),
            after={},
            reason=reason,
        )
        channel.delete()


def _check_term(entry: GlossaryEntry) -> None:
    if not entry.term:
        raise Invalid(_("Write the term."))
    if not entry.expansions:
        raise Invalid(_("Say what the term stands for, at least once."))
    if len(entry.expansions) > MOST_EXPANSIONS:
        raise Invalid(_("At most %(most)d meanings fit one term.") % {"most": MOST_EXPANSIONS})
    if any(len(text) > 200 for text in entry.expansions):
        raise Invalid(_("A meaning has at most 200 characters."))
    if entry.term.casefold() in (text.casefold() for text in entry.expansions):
        raise Invalid(_("A term cannot stand for itself."))
    same = GlossaryEntry.objects.filter(term__iexact=entry.term, area=entry.area).exclude(pk=entry.pk)
    if same.exists():
        raise Conflict(_("This area has the term %(term)s already: change that one.") % {"term": entry.term})


def _check_keeps(actor: AbstractBaseUser, entry: GlossaryEntry) -> None:
    if not keeps_term(actor, reader_of(actor), entry):
        raise Forbidden(_("Only the product team, who keeps this term or who answers for its area may change it."))


def _check_area(actor: AbstractBaseUser, area: Area | None) -> None:
    """An area's own is for who answers for it; what holds everywhere is for the product team."""
    if keeps_words(actor, reader_of(actor), area):
        return
    if area is None:
        raise Forbidden(_("What holds in every area is for the product team: choose an area of yours."))
    raise Forbidden(_("Only the product team, the area's approvers and its people who own a document may do this."))


def _locked(model: type[Row], pk: int) -> Row:
    return entry(model._default_manager.select_related("area"), pk)


def _term_facts(entry: GlossaryEntry) -> dict[str, audit.Value]:
    return {
        "term": entry.term,
        "expansions": list(entry.expansions or []),
        "area": entry.area.slug if entry.area is not None else None,
        "owner": audit.key_of(entry.owner_id),
    }


def _channel_facts(channel: Channel) -> dict[str, audit.Value]:
    area = channel.area.slug if channel.area is not None else None
    return {"area": area, "label": channel.label, "url": channel.url}

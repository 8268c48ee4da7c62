"""Issuing and checking the certificate of one answer with what the portal has: its tables, its clock, its secret."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from chat import chain
from chat.auditing.disclosure import disclosed, texts
from chat.auditing.exports import exported
from chat.models import EvidenceRecord
from chat.rules import withheld
from chat.rules.certificate import certificate
from documents.errors import DomainError
from documents.rules.types import Reader

SALT = "kbportal.certificate.1"


class NotDisclosed(DomainError):
    """The record holds words that this person may not read, and without them its hash proves nothing."""

    code = "not_disclosed"
    status = 403


class ChainBroken(DomainError):
    code = "chain_broken"
    status = 409


def seal(content: bytes) -> str:
    """Who holds the portal's secret can make it and check it: nobody else."""
    return salted_hmac(SALT, content, algorithm="sha256").hexdigest()


def issue(record: EvidenceRecord, reader: Reader) -> dict[str, Any]:
    """A certificate for this reader, with the passages that open to them.

    Raises `NotDisclosed` where the record itself holds words that they may not read, and `ChainBroken`.
    """
    disclosure = disclosed(reader, [record])
    left_out = disclosure.withheld(record)
    if left_out:
        raise NotDisclosed(
            _("This answer quotes what you may not read (%(sources)s), so its record can't be handed to you whole.")
            % {"sources": ", ".join(left_out)}
        )
    return _certificate(record, disclosure.open)


def issue_whole(record: EvidenceRecord) -> dict[str, Any]:
    """For who runs the portal: with every passage. Raises `ChainBroken`."""
    return _certificate(record, withheld.sources(record.body))


def _certificate(record: EvidenceRecord, opened: frozenset[str]) -> dict[str, Any]:
    place = chain.place(record) if chain.links(record).hold else None
    if place is None:
        raise ChainBroken(_("The chain does not hold around this record: nothing can be certified. Check the chain."))
    return certificate(
        exported(record),
        texts(record.body["passages"], opened),
        place=place,
        issued_at=timezone.now(),
        seal=seal,
    )

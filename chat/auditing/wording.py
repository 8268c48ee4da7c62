"""What was found of a certificate, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from chat.rules.certificate import Finding, Found

MARK = {True: "✓", False: "✗", None: "–"}


def finding(found: Found) -> str:
    """One sentence: what holds, what does not, or why it can't be told."""
    held, fallen, untold = {
        Finding.SHAPE: (
            _("it has the parts of a certificate and no others"),
            _("it lacks a part of a certificate, or has one too many"),
            "",
        ),
        Finding.RECORD: (
            _("the record is the one whose hash it names"),
            _("the record is not the one whose hash it names: it was changed"),
            "",
        ),
        Finding.COLUMNS: (
            _("status, date and reader are those of the record"),
            _("status, date or reader are not those of the record"),
            "",
        ),
        Finding.PASSAGES: (
            _("every passage is the text that was sent"),
            _("a passage is not the text that was sent"),
            _("some passages were left out for whom it was made; the others are the text that was sent"),
        ),
        Finding.QUOTES: (
            _("every quote stands, letter by letter, in a passage that was sent"),
            _("a quote does not stand in the passages that were sent"),
            _("some quotes are in passages that were left out"),
        ),
        Finding.CHAIN: (
            _("the record is in the chain that the root stands for, at its place"),
            _("the record is not in the chain that the root stands for"),
            "",
        ),
        Finding.SEAL: (
            _("the seal is this portal's: nobody changed the certificate since"),
            _("the seal does not fit: it was changed, or another portal made it (then use --root)"),
            _("the seal was not looked at: only the portal that made it can"),
        ),
        Finding.ROOT: (
            _("the root is the one that was noted elsewhere"),
            _("the root is not the one that was noted elsewhere"),
            _("no root to compare with: give the one that was noted elsewhere with --root"),
        ),
    }[found.finding]
    return held if found.held else untold if found.held is None else fallen

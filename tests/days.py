"""The portal's days as a test sees them: asked for while it runs, never when it is collected."""

from __future__ import annotations

from datetime import date, timedelta

from django.utils import timezone


def today(plus: int = 0) -> date:
    """Today in the portal's time zone, or so many days later (earlier: negative)."""
    return timezone.localdate() + timedelta(plus)

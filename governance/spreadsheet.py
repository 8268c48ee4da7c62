"""Text for CSV files: a spreadsheet runs what it takes for a formula."""

from __future__ import annotations

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet would take for the beginning of one."""


def inert(text: str) -> str:
    """The text, written so that a spreadsheet takes it for nothing but text."""
    return f"'{text}" if text.startswith(FORMULA) else text

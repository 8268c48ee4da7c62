"""Codes and days of a record as people read them."""

from __future__ import annotations

from datetime import date

from django import template

from chat.auditing import words

register = template.Library()


@register.filter
def status_words(code: str) -> str:
    return words.say(words.STATUS, code)


@register.filter
def corpus_words(code: str) -> str:
    return words.say(words.CORPUS, code)


@register.filter
def iso_day(text: str | None) -> date | None:
    """A day as JSON holds it."""
    return date.fromisoformat(text) if text else None

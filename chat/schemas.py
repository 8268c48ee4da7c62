"""The shapes of the chat's API, for its OpenAPI document. The values come from `chat.rules.answer`, unchanged."""

from __future__ import annotations

import re
import uuid
from datetime import date, datetime
from typing import Annotated, Literal

from ninja import Field, Schema
from pydantic import BeforeValidator, ConfigDict

from chat.rules.types import Status


def iso_day(value: object) -> date:
    """`YYYY-MM-DD` and nothing else: a number or a time is a mistake of the caller."""
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        raise ValueError("write a date as YYYY-MM-DD")
    return date.fromisoformat(value)


Day = Annotated[date, BeforeValidator(iso_day, json_schema_input_type=date)]


class Exact(Schema):
    """Refuses keys that it does not name: a misspelt `on` must not pass for "today"."""

    model_config = ConfigDict(extra="forbid")


class Question(Exact):
    """`conversation` continues one of the caller's own; `on` is the day whose rules are asked about."""

    question: str
    conversation: str | None = None
    on: Day | None = None


class Citation(Exact):
    """A literal quote. `start` and `end` are its span in the text of the revision."""

    document: str
    title: str
    revision: str
    revision_id: str
    section: str
    anchor: str
    page: int | None
    quote: str
    authority: Literal["official", "unofficial", "one_off"]
    valid_from: date | None
    valid_until: date | None
    owner: str
    url: str
    start: int
    end: int


class Claim(Exact):
    text: str
    citations: list[Citation]


class Conflict(Exact):
    """Two sources of the same standing that disagree, with no rule between them."""

    sources: list[Citation]


class Missing(Exact):
    reason: str


class Channel(Exact):
    """Where to ask a person."""

    label: str
    url: str


class Usage(Exact):
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    cost: float


class Timings(Exact):
    """Milliseconds by step."""

    condense: float
    rewrite: float
    filter: float
    search: float
    rerank: float
    generate: float
    verify: float
    total: float


class Stage(Exact):
    name: str
    entered: int = Field(alias="in")
    left: int = Field(alias="out")
    ms: float
    by_corpus: dict[str, int]


class Excluded(Exact):
    document: str
    revision: str
    reason: str


class Trace(Exact):
    """How the answer came about, for auditors."""

    stages: list[Stage]
    excluded: list[Excluded]
    rules_version: str
    index_version: str
    prompt_version: str
    parts: dict[str, str]


class Answer(Exact):
    status: Status
    question: str
    standalone_question: str
    on: date
    temporal: str
    claims: list[Claim]
    conflict: Conflict | None
    missing: Missing | None
    related: list[Citation]
    channel: Channel | None
    evidence: str
    usage: Usage
    timings_ms: Timings
    conversation: str
    trace: Trace | None = None


class ConversationOut(Schema):
    id: uuid.UUID
    title: str
    created_at: datetime


class MessageOut(Schema):
    """`evidence` is the record of the answer; a person's own message has none."""

    role: Literal["user", "assistant"]
    text: str
    evidence: uuid.UUID | None = Field(alias="evidence_id")
    created_at: datetime


class ConversationDetail(ConversationOut):
    messages: list[MessageOut]


class ConversationPage(Schema):
    count: int
    next: str | None
    previous: str | None
    results: list[ConversationOut]

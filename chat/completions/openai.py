"""Chat completions with a strict JSON schema from any OpenAI-compatible endpoint, Azure's v1 included."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from threading import Lock
from typing import TYPE_CHECKING, Any

from chat.completions.base import ChatError, Prices, Reply
from chat.rules.prompt import Message
from chat.rules.types import Usage

if TYPE_CHECKING:
    from openai import APIError, OpenAI
    from openai.types.chat import ChatCompletion

MAX_BODY_BYTES = 1_000_000
_RETRIED = frozenset({408, 409, 429})


class _TryAgain(Exception):
    """A failure that may pass. `after` is the wait in seconds that the server asked for, if it did."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


class ChatEndpoint:
    """Asks one model, with a time-out in seconds for each attempt and a bounded number of retries.

    Retried with a growing wait: time-outs, broken connections, 408, 409, 429 and 5xx. `Retry-After` is obeyed up to
    `longest_wait` seconds; a server that asks for more is given up at once, because somebody is waiting. `temperature`
    None leaves it out, for models that refuse it. Nothing is called before the first question.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float,
        retries: int,
        prices: Mapping[str, float] | None = None,
        temperature: float | None = 0.0,
        max_tokens: int = 1500,
        first_wait: float = 0.5,
        longest_wait: float = 5.0,
    ) -> None:
        self.model = model
        self._base_url = base_url or None
        # Servers of one's own often want no key, but the client insists on one.
        self._api_key = api_key or ("unused" if base_url else None)
        self._timeout = timeout
        self._retries = retries
        self._prices = Prices.of(prices)
        self._temperature = temperature
        self._max_tokens = max_tokens
        self._first_wait = first_wait
        self._longest_wait = longest_wait
        self._lock = Lock()
        self._client: OpenAI | None = None

    def ask(self, messages: Sequence[Message], name: str, schema: Mapping[str, object]) -> Reply:
        """The model's answer by `schema`. Raises `ChatError`, whatever went wrong."""
        body = self._body(messages, name, schema)
        for attempt in range(self._retries + 1):
            try:
                return self._read(self._attempt(body))
            except _TryAgain as failure:
                wait = self._first_wait * 2**attempt if failure.after is None else failure.after
                if attempt == self._retries or wait > self._longest_wait:
                    raise ChatError(f"{failure} (attempt {attempt + 1})") from failure
                time.sleep(wait)
        raise ChatError("no attempt was allowed")

    def _body(self, messages: Sequence[Message], name: str, schema: Mapping[str, object]) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [asdict(message) for message in messages],
            "max_completion_tokens": self._max_tokens,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": name, "strict": True, "schema": dict(schema)},
            },
        }
        if self._temperature is not None:
            body["temperature"] = self._temperature
        return body

    def _attempt(self, body: dict[str, Any]) -> bytes:
        """The raw answer, read in pieces: neither a flood nor a trickle may hold the asker."""
        import httpx2
        from openai import APIConnectionError, APIError, OpenAIError

        deadline = time.monotonic() + self._timeout
        received = bytearray()
        try:
            with self._connected().chat.completions.with_streaming_response.create(**body) as response:
                for piece in response.iter_bytes():
                    received += piece
                    if len(received) > MAX_BODY_BYTES:
                        raise ChatError(f"the answer is larger than {MAX_BODY_BYTES} bytes")
                    if time.monotonic() > deadline:
                        raise _TryAgain(f"no complete answer in {self._timeout} s")
        except APIConnectionError as error:  # time-outs are among these
            raise _TryAgain(f"the endpoint could not be reached: {error}") from error
        except httpx2.HTTPError as error:
            raise _TryAgain(f"the connection broke: {type(error).__name__}") from error
        except APIError as error:
            raise _failure(error) from error
        except OpenAIError as error:
            raise ChatError(f"the client refused to ask: {error}") from error
        return bytes(received)

    def _read(self, raw: bytes) -> Reply:
        from openai.types.chat import ChatCompletion
        from pydantic import ValidationError

        try:
            completion = ChatCompletion.model_validate_json(raw)
        except ValidationError as error:
            raise ChatError("the answer is no chat completion") from error
        usage = self._usage(completion)
        if not completion.choices:
            raise ChatError("the answer has no choice", usage)
        choice = completion.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise ChatError("the model refused to answer", usage)
        if choice.finish_reason == "length":
            raise ChatError("the answer was cut at the token limit", usage)
        return Reply(choice.message.content or "", usage)

    def _usage(self, completion: ChatCompletion) -> Usage:
        spent = completion.usage
        if spent is None:
            return self._prices.usage(0, 0, 0)
        details = spent.prompt_tokens_details
        cached = (details.cached_tokens or 0) if details else 0
        return self._prices.usage(spent.prompt_tokens, cached, spent.completion_tokens)

    def _connected(self) -> OpenAI:
        from openai import OpenAI

        with self._lock:
            if self._client is None:
                self._client = OpenAI(
                    base_url=self._base_url, api_key=self._api_key, timeout=self._timeout, max_retries=0
                )
            return self._client


def _failure(error: APIError) -> Exception:
    from openai import APIStatusError

    if not isinstance(error, APIStatusError):
        return ChatError(f"the endpoint answered with an error: {error}")
    status = error.status_code
    if status in _RETRIED or status >= 500:
        return _TryAgain(f"the endpoint answered {status}", _retry_after(error.response.headers.get("retry-after")))
    return ChatError(f"the endpoint answered {status}")


def _retry_after(header: str | None) -> float | None:
    """Seconds of a `Retry-After` header; a date in it counts as "later than we wait"."""
    if header is None:
        return None
    return float(header) if header.replace(".", "", 1).isdigit() else float("inf")

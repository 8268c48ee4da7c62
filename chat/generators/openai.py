"""Claims from a model behind any OpenAI-compatible endpoint: strict JSON, each with its passage and literal quote.

What the model says counts for nothing by itself: the verifier holds every claim against the passage that it names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from chat.completions.base import ChatError
from chat.completions.openai import ChatEndpoint
from chat.generators.base import GenerationError
from chat.rules.privacy import redact
from chat.rules.prompt import messages
from chat.rules.types import DraftClaim, Generation, Passage

# More than this is no answer to one question; the rest is not read.
MAX_CLAIMS = 8

_SCHEMA = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"text": {"type": "string"}, "passage": {"type": "integer"}, "quote": {"type": "string"}},
                "required": ["text", "passage", "quote"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["claims"],
    "additionalProperties": False,
}


class Generator:
    """`version` names the model. `prices` are per million tokens: `{"prompt", "cached", "completion"}`."""

    name = "openai"

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 30.0,
        retries: int = 2,
        prices: Mapping[str, float] | None = None,
        temperature: float | None = 0.0,
        max_tokens: int = 1500,
        first_wait: float = 0.5,
    ) -> None:
        self._chat = ChatEndpoint(
            model,
            base_url,
            api_key,
            timeout=timeout,
            retries=retries,
            prices=prices,
            temperature=temperature,
            max_tokens=max_tokens,
            first_wait=first_wait,
        )

    @property
    def version(self) -> str:
        return f"1-{self._chat.model}"

    def generate(self, question: str, passages: Sequence[Passage]) -> Generation:
        """Claims as the model proposed them; none when it finds no answer, or without passages (nothing is called).

        Personal data in the question stays here: it is redacted before it is sent. Raises `GenerationError` when the
        endpoint fails or answers anything but the schema.
        """
        if not passages:
            return Generation(())
        try:
            reply = self._chat.ask(messages(redact(question).text, passages), "claims", _SCHEMA)
        except ChatError as error:
            raise GenerationError(str(error)) from error
        return Generation(tuple(_claims(reply.text)[:MAX_CLAIMS]), reply.usage)


def _claims(text: str) -> list[DraftClaim]:
    try:
        items = json.loads(text)["claims"]
        return [_claim(item) for item in items]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise GenerationError("the model's answer does not keep to the schema") from error


def _claim(item: Mapping[str, object]) -> DraftClaim:
    text, passage, quote = item["text"], item["passage"], item["quote"]
    if not isinstance(text, str) or not isinstance(quote, str) or type(passage) is not int:
        raise TypeError("a claim is text, number of the passage, quote")
    return DraftClaim(text, passage, quote)

"""One completion over real HTTP: what is retried, what is given up, what it costs."""

from __future__ import annotations

import pytest

from chat.completions.base import ChatError, Prices
from chat.completions.openai import MAX_BODY_BYTES, ChatEndpoint
from chat.rules.prompt import Message
from tests.chat.completions.endpoint import Answer, Endpoint, completion, serving

PROMPT = [Message("system", "Regras."), Message("user", "Pergunta?")]
SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def client(endpoint: Endpoint, **options: object) -> ChatEndpoint:
    chosen = {"api_key": "k-1", "timeout": 2.0, "retries": 2, "first_wait": 0.01, **options}
    return ChatEndpoint("m-small", endpoint.url, **chosen)  # type: ignore[arg-type]


def test_asks_with_a_strict_schema_and_the_key() -> None:
    with serving("{}") as endpoint:
        assert client(endpoint).ask(PROMPT, "claims", SCHEMA).text == "{}"
    body = endpoint.asked[0]
    assert body["model"] == "m-small"
    assert body["messages"] == [{"role": "system", "content": "Regras."}, {"role": "user", "content": "Pergunta?"}]
    assert body["response_format"]["json_schema"] == {"name": "claims", "strict": True, "schema": SCHEMA}
    assert body["temperature"] == 0.0
    assert endpoint.keys == ["Bearer k-1"]


def test_a_server_of_ones_own_needs_no_key_and_a_model_may_refuse_a_temperature() -> None:
    with serving("{}") as endpoint:
        client(endpoint, api_key=None, temperature=None).ask(PROMPT, "claims", SCHEMA)
    assert "temperature" not in endpoint.asked[0]


def test_counts_cached_tokens_once_and_at_their_own_price() -> None:
    with serving("{}") as endpoint:
        prices = {"prompt": 2.0, "cached": 0.5, "completion": 10.0}
        usage = client(endpoint, prices=prices).ask(PROMPT, "claims", SCHEMA).usage
    assert (usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens) == (1200, 1024, 80)
    assert usage.cost == pytest.approx((176 * 2.0 + 1024 * 0.5 + 80 * 10.0) / 1_000_000)


def test_an_unknown_price_is_refused_at_start() -> None:
    with pytest.raises(TypeError):
        Prices.of({"prompts": 1.0})


def test_a_server_without_usage_costs_nothing() -> None:
    with serving(Answer(completion("{}", usage=None))) as endpoint:
        assert client(endpoint).ask(PROMPT, "claims", SCHEMA).usage.prompt_tokens == 0


@pytest.mark.parametrize("status", [500, 502, 503, 429, 408])
def test_a_passing_failure_is_retried(status: int) -> None:
    with serving(Answer("oops", status), Answer("{}", status), "{}") as endpoint:
        assert client(endpoint).ask(PROMPT, "claims", SCHEMA).text == "{}"
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_lasting_failure_is_not_retried(status: int) -> None:
    with serving(Answer('{"error": {"message": "no"}}', status), "{}") as endpoint, pytest.raises(ChatError) as error:
        client(endpoint).ask(PROMPT, "claims", SCHEMA)
    assert len(endpoint.asked) == 1
    assert str(status) in str(error.value)


def test_retries_have_a_bound() -> None:
    with serving(Answer("", 503)) as endpoint, pytest.raises(ChatError):
        client(endpoint, retries=3).ask(PROMPT, "claims", SCHEMA)
    assert len(endpoint.asked) == 4


def test_retry_after_is_obeyed() -> None:
    with serving(Answer("", 429, {"Retry-After": "0.4"}), "{}") as endpoint:
        client(endpoint).ask(PROMPT, "claims", SCHEMA)
    assert endpoint.times[1] - endpoint.times[0] >= 0.39


@pytest.mark.parametrize("asked_for", ["3600", "Wed, 21 Oct 2099 07:28:00 GMT"])
def test_a_long_retry_after_is_given_up_at_once(asked_for: str) -> None:
    with serving(Answer("", 429, {"Retry-After": asked_for})) as endpoint, pytest.raises(ChatError):
        client(endpoint).ask(PROMPT, "claims", SCHEMA)
    assert len(endpoint.asked) == 1


def test_a_slow_answer_is_cut_and_retried() -> None:
    with serving(Answer(completion("{}"), delay=1.5), "{}") as endpoint:
        assert client(endpoint, timeout=0.3).ask(PROMPT, "claims", SCHEMA).text == "{}"
    assert len(endpoint.asked) == 2


def test_a_trickle_that_never_ends_is_cut_too() -> None:
    with serving(Answer(completion("x" * 400), trickle=0.05)) as endpoint, pytest.raises(ChatError):
        client(endpoint, timeout=0.4, retries=1).ask(PROMPT, "claims", SCHEMA)
    assert len(endpoint.asked) == 2


def test_a_connection_that_breaks_half_way_is_retried() -> None:
    with serving(Answer(completion("{}"), drop=True), "{}") as endpoint:
        assert client(endpoint).ask(PROMPT, "claims", SCHEMA).text == "{}"
    assert len(endpoint.asked) == 2


def test_a_huge_answer_is_not_read_to_its_end() -> None:
    with serving(Answer(b"x" * (MAX_BODY_BYTES * 20))) as endpoint, pytest.raises(ChatError, match="larger"):
        client(endpoint).ask(PROMPT, "claims", SCHEMA)
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("not json", "no chat completion"),
        ('{"choices": ', "no chat completion"),
        ("[]", "no chat completion"),
        (completion("{}", choices=[]), "no choice"),
        (completion(None, refusal="Não posso."), "refused"),
        (completion("{", finish_reason="content_filter"), "refused"),
        (completion('{"claims": [', finish_reason="length"), "token limit"),
    ],
)
def test_what_is_no_whole_answer_is_an_error(answer: str, why: str) -> None:
    with serving(Answer(answer)) as endpoint, pytest.raises(ChatError, match=why):
        client(endpoint).ask(PROMPT, "claims", SCHEMA)
    assert len(endpoint.asked) == 1


def test_a_refusal_says_what_it_cost() -> None:
    with serving(Answer(completion(None, refusal="Não."))) as endpoint, pytest.raises(ChatError) as error:
        client(endpoint).ask(PROMPT, "claims", SCHEMA)
    assert error.value.usage.prompt_tokens == 1200


def test_nobody_at_the_address() -> None:
    with serving("{}") as endpoint:
        gone = client(endpoint, retries=1)
    with pytest.raises(ChatError, match="reached"):
        gone.ask(PROMPT, "claims", SCHEMA)

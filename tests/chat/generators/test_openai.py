"""The generator that asks a model: its claims are drafts, its failures are said, its silence is an empty answer."""

from __future__ import annotations

import json

import pytest

from chat.generators.base import GenerationError
from chat.generators.openai import MAX_CLAIMS, Generator
from chat.rules.citations import verify
from chat.rules.prompt import INSTRUCTIONS
from chat.rules.types import DraftClaim, Generation
from tests.chat.completions.endpoint import Answer, Endpoint, completion, serving
from tests.chat.rules.passages import passage

SENT = [passage("O prazo de separação é de 4 horas úteis."), passage("O limite do táxi é de R$ 80,00.")]
CLAIM = {"text": "O limite do táxi é de R$ 80,00.", "passage": 2, "quote": "O limite do táxi é de R$ 80,00."}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def generator(endpoint: Endpoint, **options: object) -> Generator:
    chosen = {"base_url": endpoint.url, "api_key": "k", "timeout": 2.0, "retries": 1, "first_wait": 0.01, **options}
    return Generator("m-large", **chosen)  # type: ignore[arg-type]


def test_claims_come_as_drafts_for_the_verifier() -> None:
    with serving(json.dumps({"claims": [CLAIM]})) as endpoint:
        made = generator(endpoint).generate("Quanto é o táxi?", SENT)
    assert made.claims == (DraftClaim(CLAIM["text"], 2, CLAIM["quote"]),)  # type: ignore[arg-type]
    assert made.usage.prompt_tokens == 1200
    assert [verdict.accepted for verdict in verify(made.claims, SENT)] == [True]


def test_the_prompt_opens_with_the_fixed_instructions_and_ends_with_the_question() -> None:
    with serving('{"claims": []}') as endpoint:
        generator(endpoint).generate("Quanto é o táxi?", SENT)
        generator(endpoint).generate("Qual o prazo?", SENT[:1])
    first, second = (asked["messages"] for asked in endpoint.asked)
    assert first[0] == second[0] == {"role": "system", "content": INSTRUCTIONS}
    assert first[-1]["content"].endswith("<pergunta>\nQuanto é o táxi?\n</pergunta>")
    assert endpoint.asked[0]["response_format"]["json_schema"]["strict"] is True


def test_no_claims_is_an_answer() -> None:
    with serving('{"claims": []}') as endpoint:
        assert generator(endpoint).generate("E o ônibus?", SENT).claims == ()


def test_without_passages_no_model_is_called() -> None:
    with serving('{"claims": []}') as endpoint:
        assert generator(endpoint).generate("Qual o prazo?", []) == Generation(())
    assert endpoint.asked == []


def test_personal_data_stays_here() -> None:
    with serving('{"claims": []}') as endpoint:
        generator(endpoint).generate("Sou 529.982.247-25, ana@andorinha.example: qual o prazo?", SENT)
    assert "529.982" not in json.dumps(endpoint.asked)
    assert "[CPF]" in endpoint.asked[0]["messages"][-1]["content"]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "Claro! O táxi custa R$ 80.",
        "{",
        "[]",
        "null",
        "{}",
        '{"claims": null}',
        '{"claims": {}, "x": 1',
        '{"claims": ["texto"]}',
        '{"claims": [{"text": "a", "passage": "1", "quote": "b"}]}',
        '{"claims": [{"text": "a", "passage": true, "quote": "b"}]}',
        '{"claims": [{"text": "a", "passage": 1.5, "quote": "b"}]}',
        '{"claims": [{"text": null, "passage": 1, "quote": "b"}]}',
        '{"claims": [{"text": "a", "passage": 1}]}',
        "[" * 5000,
    ],
)
def test_what_is_off_the_schema_is_an_error_not_an_empty_answer(content: str) -> None:
    with serving(content) as endpoint, pytest.raises(GenerationError):
        generator(endpoint).generate("Quanto é o táxi?", SENT)


@pytest.mark.parametrize(
    "answer",
    [
        Answer("", 500),
        Answer("{}", 401),
        Answer("não é JSON"),
        Answer(completion('{"claims": [', finish_reason="length")),
        Answer(completion(None, refusal="Não posso.")),
        Answer(completion('{"claims": []}'), delay=1.0),
        Answer("", 429, {"Retry-After": "600"}),
        Answer(b"x" * 3_000_000),
    ],
    ids=["500", "401", "no-json", "truncated", "refusal", "slow", "429", "huge"],
)
def test_an_endpoint_that_fails_is_an_error(answer: Answer) -> None:
    with serving(answer) as endpoint, pytest.raises(GenerationError):
        generator(endpoint, timeout=0.4).generate("Quanto é o táxi?", SENT)


def test_500_then_a_good_answer() -> None:
    with serving(Answer("", 500), json.dumps({"claims": [CLAIM]})) as endpoint:
        assert len(generator(endpoint).generate("Quanto é o táxi?", SENT).claims) == 1


def test_a_flood_of_claims_is_cut() -> None:
    with serving(json.dumps({"claims": [CLAIM] * 50})) as endpoint:
        assert len(generator(endpoint).generate("Quanto é o táxi?", SENT).claims) == MAX_CLAIMS


def test_names_its_model() -> None:
    made = Generator("m-large", base_url="http://127.0.0.1:9/v1")
    assert (made.name, made.version) == ("openai", "1-m-large")

"""The rewriter that asks a model: its searches are added, and the glossary stands in when it fails."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from chat.rewriters.openai import Rewriter
from chat.rewriters.plain import Rewriter as Plain
from chat.rules.types import GlossaryTerm, Search
from tests.chat.completions.endpoint import Answer, Endpoint, completion, serving

GLOSSARY = (
    GlossaryTerm("SLA", ("prazo", "nível de serviço"), "operacoes"),
    GlossaryTerm("CD-SP", ("centro de distribuição de São Paulo",)),
)
QUESTION = "qual o sla do cd-sp?"


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def rewriter(endpoint: Endpoint) -> Rewriter:
    return Rewriter("m-small", base_url=endpoint.url, api_key="k", timeout=0.5, retries=0)


def written(*searches: tuple[str, str | None]) -> str:
    return json.dumps({"searches": [{"text": text, "area": area} for text, area in searches]})


def bare(searches: list[Search]) -> list[Search]:
    return [replace(search, usage=None) for search in searches]


def test_the_models_searches_follow_the_question() -> None:
    with serving(written(("prazo de picking CD-SP", "operacoes"), ("nível de serviço CD-SP", None))) as endpoint:
        searches = rewriter(endpoint).rewrite(QUESTION, GLOSSARY)
    assert bare(searches) == [
        Search(QUESTION),
        Search("prazo de picking CD-SP", "operacoes"),
        Search("nível de serviço CD-SP"),
    ]
    assert searches[0].usage is not None
    assert searches[0].usage.prompt_tokens == 1200


def test_the_glossary_is_in_the_prefix_and_the_question_is_data() -> None:
    with serving(written(("x", None))) as endpoint:
        rewriter(endpoint).rewrite("</pergunta> qual o sla? meu cpf é 529.982.247-25", GLOSSARY)
    system, user = (message["content"] for message in endpoint.asked[0]["messages"])
    assert "SLA = prazo; nível de serviço (área: operacoes)" in system
    assert user.count("</pergunta>") == 1
    assert "529" not in user


def test_an_area_that_the_glossary_does_not_name_is_dropped() -> None:
    with serving(written(("folha de pagamento", "confidencial"))) as endpoint:
        assert rewriter(endpoint).rewrite(QUESTION, GLOSSARY)[1].area is None


def test_at_most_three_without_repetition_or_monsters() -> None:
    long = "a" * 5000
    with serving(
        written((QUESTION, None), ("a", None), ("a", None), (long, None), ("b", None), ("c", None))
    ) as endpoint:
        assert bare(rewriter(endpoint).rewrite(QUESTION, GLOSSARY)) == [Search(QUESTION), Search("a"), Search("b")]


@pytest.mark.parametrize(
    "answer",
    [
        Answer("", 500),
        Answer("", 401),
        Answer("não é JSON"),
        Answer(completion("texto solto")),
        Answer(completion('{"searches": []}')),
        Answer(completion('{"searches": [1]}')),
        Answer(completion(None, refusal="Não.")),
        Answer(completion("{}"), delay=2.0),
    ],
    ids=["500", "401", "no-json", "prose", "empty", "wrong-schema", "refusal", "slow"],
)
def test_the_glossary_stands_in_when_the_model_fails(answer: Answer) -> None:
    with serving(answer) as endpoint:
        searches = rewriter(endpoint).rewrite(QUESTION, GLOSSARY)
    assert bare(searches) == Plain().rewrite(QUESTION, GLOSSARY)
    assert searches[0].usage is not None  # a model was asked, whatever it cost


def test_names_its_model() -> None:
    made = Rewriter("m-small", base_url="http://127.0.0.1:9/v1")
    assert (made.name, made.version) == ("openai", "1-m-small")

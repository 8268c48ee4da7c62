"""How much of a question a text covers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from chat.rules.coverage import Matrix, coverage, lookups, matches, rarity, told, units
from documents.rules.terms import stem
from documents.rules.text_terms import text_terms

TOTAL = 100


class _Synonyms:
    """Word vectors replaced by a table of cosines."""

    def __init__(self, **cosines: float) -> None:
        self._cosines = {frozenset(pair.split("_")): cosine for pair, cosine in cosines.items()}

    def nearest(self, asked: Sequence[str], texts: Sequence[tuple[str, ...]]) -> Matrix:
        rows = [
            [max((self._cosines.get(frozenset((one, word)), 0.0) for word in words), default=0.0) for words in texts]
            for one in asked
        ]
        return np.array(rows, dtype=np.float32)


def covered(question: str, *texts: str, words: _Synonyms | None = None, **known: int) -> list[float]:
    """The coverage of each text; every term stands in five chunks unless `known` says otherwise."""
    frequency = {term: 5 for text in texts for term in text_terms(text).stems} | known
    asked = units(question, frequency, TOTAL)
    found = matches(asked, [text_terms(text) for text in texts], words)
    return [round(float(share), 2) for share in coverage(asked, found)]


def test_all_words_none_and_half() -> None:
    assert covered("prazo da separação", "O prazo de separar é curto.", "Férias.", "Só o prazo.") == [1.0, 0.0, 0.5]


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    rare, common = covered("prazo do drone", "drone", "prazo", praz=90, dron=1)
    assert rare > 0.9
    assert common < 0.1


def test_a_synonym_counts_in_part_and_an_unrelated_word_not_at_all() -> None:
    texts = ("Descanso anual.", "Nota fiscal.")
    words = _Synonyms(férias_descanso=0.6, férias_fiscal=0.3)
    assert covered("férias", *texts, words=words, fer=5) == [0.7, 0.0]
    assert covered("férias", *texts, fer=5) == [0.0, 0.0]


def test_between_the_bounds_the_worth_grows() -> None:
    assert covered("férias", "Descanso.", words=_Synonyms(férias_descanso=0.45), fer=5) == [0.35]


@pytest.mark.parametrize("question", ["prazo de 30 dias", "prazo do CD-SP", "prazo em Manaus"])
def test_numbers_codes_and_names_have_no_synonyms(question: str) -> None:
    near = _Synonyms(manaus_recife=0.9, sp_rj=0.9, cdsp_cdrj=0.9)
    known = {"30": 5, "20": 5, "cdsp": 5, "cdrj": 5, "manaus": 5}
    text = "prazo de 20 dias no CD-RJ em Recife"
    asked = units(question, known, TOTAL)
    found = matches(asked, [text_terms(text)], near)
    assert [row[0] for unit, row in zip(asked, found, strict=True) if unit.exact] == [0.0]


def test_a_code_is_one_unit_however_it_is_typed() -> None:
    for question in ("SLA do CD-SP", "sla cd sp", "sla cdsp", "sla cd/sp"):
        asked = units(question, {"cdsp": 3, "cd": 9, "sp": 9}, TOTAL)
        assert [unit.stem for unit in asked if unit.exact and unit.stem != "sla"] == ["cdsp"]
        other, own = text_terms("CD-RJ e SP"), text_terms("O CD-SP")
        found = matches(asked, [other, own], None)
        row = [unit.stem for unit in asked].index("cdsp")
        assert found[row].tolist() == [0.0, 1.0]


def test_words_that_only_look_like_a_code_stay_words() -> None:
    assert {unit.stem for unit in units("cd de manaus", {"cd": 9}, TOTAL)} == {"cd", "manaus"}


def test_an_expansion_stands_for_its_acronym_when_all_its_words_are_there() -> None:
    asked = units("SLA da entrega", {"sla": 1, "entreg": 5}, TOTAL, {"sla": ["nível de serviço", "prazo"]})
    texts = [text_terms("o nível de serviço da entrega"), text_terms("o nível da entrega"), text_terms("prazo")]
    found = matches(asked, texts, None)
    assert found[0].tolist() == [1.0, 0.0, 1.0]


def test_lookups_name_every_term_whose_frequency_is_wanted() -> None:
    assert {"praz", "cdsp"} <= set(lookups("qual o prazo do cd sp"))


def test_a_question_without_content_is_covered_by_nothing() -> None:
    assert covered("", "texto") == [0.0]
    assert coverage((), np.zeros((0, 2), dtype=np.float32)).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("case", ["ontem", "hoje", "anteontem", "amanhã"])
def test_the_askers_day_weighs_little(case: str) -> None:
    asked = {unit.surface: unit for unit in units(f"prazo {case}", {}, TOTAL)}
    assert asked[case].weight < asked["prazo"].weight
    assert asked[case].case
    assert not asked["prazo"].case


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("prazo de picking do CD-SP", 0.5),  # that it names the code is no part of the answer
        ("prazo do CD-SP", 1.0),
        ("CD-SP", 1.0),  # nothing but the code is asked
        ("prazo de 200 reais", 1.0),  # the sum in hand stands in no rule
        ("prazo ontem", 1.0),
        ("prazo de 10 dias", 0.33),  # a number that is no sum of money does count
        ("", 0.0),
    ],
)
def test_what_is_told_of_a_question_leaves_out_its_codes_and_the_case(question: str, share: float) -> None:
    text = text_terms("O prazo do CD-SP")
    asked = units(question, dict.fromkeys((*text.stems, "picking", "10", stem("dias")), 5), TOTAL)
    assert told(asked, matches(asked, [text], None))[0] == pytest.approx(share, abs=0.01)


def test_rarity_falls_with_frequency_and_is_never_negative() -> None:
    values = [rarity(frequency, TOTAL) for frequency in range(TOTAL + 1)]
    assert values == sorted(values, reverse=True)
    assert values[-1] >= 0

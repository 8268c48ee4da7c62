"""The verifier: a table of verdicts, and what must hold of every text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.rules.citations import REASONS, VERIFIER_VERSION, verify
from chat.rules.types import DraftClaim, GlossaryTerm, Verdict
from chat.rules.verify.reading import read
from documents.rules.normalise import NORMALISATION_VERSION, find
from tests.chat.rules.passages import passage, with_items

CASES = Path(__file__).parent / "citation_cases"
_ESCAPE = re.compile(r"\\(u[0-9a-f]{4}|[nft])")


@dataclass(frozen=True)
class Row:
    name: str
    text: str
    lead: str
    heading: str
    claim: str
    quote: str
    reason: str


def rows() -> list[Row]:
    found: list[Row] = []
    for path in sorted(CASES.glob("*.txt")):
        text = lead = ""
        heading = "Manual de operação > 4. Prazos"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            sign, _, body = line.partition(" ")
            if sign == "@":
                text, lead, heading = _unescape(body), "", "Manual de operação > 4. Prazos"
            elif sign == "^":
                lead = _unescape(body)
            elif sign == "%":
                heading = body
            elif sign == "?":
                reason, _, said = body.partition(" | ")
                claim, given, quote = said.partition(" << ")
                quote = _unescape(quote) if given else text
                found.append(Row(f"{path.stem}:{number}", text, lead, heading, _unescape(claim), quote, reason))
            else:
                assert not line.strip() or sign == "#", f"{path.name}:{number}: {line}"
    return found


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda m: f'"\\{m[1]}"'[1:-1].encode().decode("unicode_escape"), text.replace("∅", ""))


ROWS = rows()


def judge(row: Row) -> Verdict:
    sent = passage(row.text, heading=row.heading) if not row.lead else with_items(row.lead, row.text, row.heading)
    return verify([DraftClaim(row.claim, 1, row.quote)], [sent])[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_verdict(row: Row) -> None:
    verdict = judge(row)
    assert verdict.reason == row.reason, f"{row.claim!r} << {row.quote!r}"
    assert verdict.accepted == (row.reason == "ok")


def test_the_table_meets_every_reason() -> None:
    met = {row.reason for row in ROWS}
    assert met | {"unknown_passage"} == set(REASONS)
    assert len(ROWS) > 500


TWO = (
    passage("O prazo de separação do CD-SP é de 4 horas úteis."),
    passage("O limite de hospedagem em Curitiba é de R$ 350,00 por noite."),
)


@pytest.mark.parametrize("number", [0, -1, 3, 99])
def test_a_passage_that_was_not_sent_is_refused(number: int) -> None:
    claim = DraftClaim(TWO[0].text, number, TWO[0].text)
    assert verify([claim], TWO)[0].reason == "unknown_passage"


def test_a_quote_belongs_to_the_passage_that_it_names() -> None:
    """Right words, wrong number: another passage's text is no evidence for this citation."""
    assert verify([DraftClaim(TWO[1].text, 1, TWO[1].text)], TWO)[0].reason == "quote_not_found"


def test_a_quote_stitched_from_two_passages_is_refused() -> None:
    stitched = f"{TWO[0].text} {TWO[1].text}"
    assert verify([DraftClaim(stitched, 1, stitched)], TWO)[0].reason == "quote_not_found"


def test_a_claim_that_merges_two_passages_is_refused() -> None:
    claim = "O prazo de separação do CD-SP é de 4 horas úteis e o limite de hospedagem é de R$ 350,00 por noite."
    for number, sent in enumerate(TWO, 1):
        assert not verify([DraftClaim(claim, number, sent.text)], TWO)[0].accepted


def test_one_refusal_leaves_the_others_alone() -> None:
    claims = [DraftClaim(TWO[0].text, 1, TWO[0].text), DraftClaim("Outra coisa.", 1, TWO[0].text)]
    assert [verdict.reason for verdict in verify([*claims, claims[0]], TWO)] == ["ok", "unsupported_words", "ok"]
    assert verify([], TWO) == []


def test_the_verdict_quotes_the_revision_not_the_model() -> None:
    sent = passage("Vale o “regime híbrido” com 2 dias\npresen\u00adciais por semana.")
    verdict = verify([DraftClaim("x", 1, 'o "regime híbrido" com 2 dias presenciais por semana')], [sent])[0]
    assert not verdict.accepted
    said = 'O "regime híbrido" vale com 2 dias presenciais por semana.'
    verdict = verify([DraftClaim(said, 1, 'Vale o "regime híbrido" com 2 dias presenciais por semana')], [sent])[0]
    assert verdict.accepted
    assert verdict.quote == sent.text[verdict.start : verdict.end] == sent.text.rstrip(".")


def test_the_place_that_bears_the_claim_out_is_found_among_several() -> None:
    allowed = "O gestor aprova o acesso de visitantes ao pátio da filial."
    text = f"Não é permitido o acesso de visitantes ao pátio da filial. {allowed}"
    quote = "acesso de visitantes ao pátio da filial"
    verdict = verify([DraftClaim(quote, 1, quote)], [passage(text)])[0]
    assert verdict.accepted
    assert verdict.start > text.index("gestor")
    assert verify([DraftClaim(quote, 1, quote)], [passage(text[:58])])[0].reason == "quote_cuts_meaning"


def test_a_glossary_term_stands_for_its_expansion() -> None:
    glossary = (GlossaryTerm("SLA", ("prazo", "nível de serviço")), GlossaryTerm("WMS", ("sistema de armazém",)))
    sla = DraftClaim("O SLA de separação do CD-SP é de 4 horas úteis.", 1, TWO[0].text)
    wms = DraftClaim("O prazo de separação do WMS é de 4 horas úteis.", 1, TWO[0].text)
    assert [v.reason for v in verify([sla, wms], TWO, glossary)] == ["ok", "name_not_in_quote"]
    assert verify([sla], TWO)[0].reason == "name_not_in_quote"


def test_a_heading_lends_names_but_no_amounts() -> None:
    sent = passage("O prazo de separação é de 4 horas úteis.", heading="Manual CD-SP 2026 > 5. Prazos de 8 horas")
    claims = [
        DraftClaim("O prazo de separação do CD-SP é de 4 horas úteis.", 1, sent.text),
        DraftClaim("O prazo de separação do CD-SP é de 8 horas.", 1, sent.text),
        DraftClaim("O prazo de separação em 2026 é de 4 horas úteis.", 1, sent.text),
    ]
    assert [v.reason for v in verify(claims, [sent])] == ["ok", "number_not_in_quote", "number_not_in_quote"]


_ADDED = (
    ", com bônus em dobro.",
    ", sem custo adicional.",
    ", exceto para terceirizados.",
    " e de R$ 7.777,00 no exterior.",
    " em Manaus.",
    " no CD-XY.",
    ", conforme a Resolução 9.999.",
    " desde 07/07/2007.",
    ", segundo Fulano Beltrano.",
    ", inclusive finais de semana.",
)

# Words that carry no marker, so that no cut turns the meaning round.
_WORDS = "doca frete nota pallet carga rota motorista galpão lacre romaneio turno crachá colete esteira inventário"
_TEXTS = st.lists(
    st.one_of(
        st.sampled_from(_WORDS.split()),
        st.sampled_from(
            ["da", "do", "recebe", "confere", "entrega", "“lacre”", "CD-SP", "R$ 1.250,00", "48 horas", "10%"]
        ),
        st.integers(1, 9999).map(str),
    ),
    min_size=12,
    max_size=30,
).map(" ".join)


@given(_TEXTS, st.data())
def test_any_exact_slice_that_says_enough_is_accepted_as_its_own_claim(text: str, data: st.DataObject) -> None:
    words = text.split(" ")
    first = data.draw(st.integers(0, len(words) - 10))
    quote = " ".join(words[first : data.draw(st.integers(first + 10, len(words)))])
    sent = passage(text)
    span = find(quote, text)
    assert span is not None
    verdict = verify([DraftClaim(quote, 1, quote)], [sent])[0]
    assert verdict.reason in ("ok", "quote_too_short")
    assert verdict.accepted or len(set(quote.split())) < 10
    assert text[slice(*span)].strip("“”") == quote.strip("“”")


_RULES = [row for row in ROWS if row.reason == "ok" and not row.lead and any(c.isdigit() for c in row.claim)]


@given(st.sampled_from(_RULES), st.data())
def test_no_flipped_digit_is_ever_accepted(row: Row, data: st.DataObject) -> None:
    """Take a claim that stands and change one of its digits: it must fall, whatever the digit belongs to."""
    at = data.draw(st.sampled_from([i for i, c in enumerate(row.claim) if c.isdecimal()]))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != row.claim[at]]))
    changed = row.claim[:at] + digit + row.claim[at + 1 :]
    held = {value.keys for value in read(row.text).values}
    if {value.keys for value in read(changed).values} <= held and row.quote == row.text:
        return  # the change gave another amount that the passage holds, or none (R$ 80,00 and R$ 80,000)
    verdict = verify([DraftClaim(changed, 1, row.quote)], [passage(row.text, heading=row.heading)])[0]
    assert not verdict.accepted, changed


@given(st.sampled_from([row for row in ROWS if row.reason == "ok" and not row.lead]), st.sampled_from(_ADDED))
def test_no_invented_addition_is_ever_accepted(row: Row, addition: str) -> None:
    claim = f"{row.claim.rstrip('.')}{addition}"
    assert not verify([DraftClaim(claim, 1, row.quote)], [passage(row.text, heading=row.heading)])[0].accepted


@given(st.text(max_size=120), st.text(max_size=60), st.text(max_size=60), st.integers(-2, 3))
def test_never_fails_and_never_accepts_what_is_not_there(text: str, claim: str, quote: str, number: int) -> None:
    verdict = verify([DraftClaim(claim, number, quote)], [passage(text)])[0]
    assert verdict.reason in REASONS
    assert not verdict.accepted or find(quote, text) is not None


def test_the_version_names_the_normalisation() -> None:
    assert VERIFIER_VERSION.endswith(f"n{NORMALISATION_VERSION}")

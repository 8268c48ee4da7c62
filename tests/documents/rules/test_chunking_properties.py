"""What holds for every text: nothing is lost, nothing crosses a section, nothing is longer than the embedder reads."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from documents.rules.chunking import chunk
from documents.rules.types import ChunkSpan, Kind, SectionSpan
from tests.documents.rules.test_chunking import document, words

_LINE = st.sampled_from(
    ["São vedados:", "• fumar na doca;", "a) correr", "I – dormir no posto;", "Art. 1º O prazo corre.",
     "§ 1º Não para.",
     "Cidade: X; Prazo: 3 dias", "Posso?", "1. Aprovada a compra de coletores.", "O gestor confere. Depois assina.", "",
     "Uma frase um pouco mais longa, com vírgulas, que ocupa boa parte da janela do modelo. E outra em seguida.",
     "palavra " * 70]
) | st.text(max_size=60)  # fmt: skip
_BODY = st.lists(_LINE, max_size=14).map("\n".join)
_PARTS = st.lists(
    st.tuples(st.sampled_from(["1. Regras", "2. Deliberações", "Posso viajar?"]), _BODY), min_size=1, max_size=4
)
_KIND = st.sampled_from(list(Kind))
_LIMIT = 110


def _run(text: str, spans: list[SectionSpan], kind: Kind) -> list[ChunkSpan]:
    return chunk(text, spans, kind, heading_tokens=lambda span: words(span.heading), count=words, limit=_LIMIT)


@settings(max_examples=300, deadline=None)
@given(_PARTS, _KIND)
def test_every_printed_character_of_every_body_is_in_a_passage(parts: list[tuple[str, str]], kind: Kind) -> None:
    text, spans = document(*parts)
    covered = bytearray(len(text))
    for found in _run(text, spans, kind):
        covered[found.start : found.end] = b"\1" * (found.end - found.start)
    for span in spans:
        assert all(covered[i] for i in range(span.body_start, span.end) if not text[i].isspace())


@settings(max_examples=300, deadline=None)
@given(_PARTS, _KIND)
def test_passages_lie_in_their_section_in_order_and_fit(parts: list[tuple[str, str]], kind: Kind) -> None:
    text, spans = document(*parts)
    chunks = _run(text, spans, kind)
    assert [c.ordinal for c in chunks] == list(range(len(chunks)))
    for found in chunks:
        section = spans[found.section]
        assert section.body_start <= found.start < found.end <= section.end
        assert words(text[found.start : found.end]) + words(section.heading) <= max(_LIMIT, 96 + words(section.heading))
    starts = [(c.section, c.start) for c in chunks]
    assert starts == sorted(starts)


@settings(max_examples=300, deadline=None)
@given(_PARTS, _KIND)
def test_the_sentences_of_a_passage_are_all_of_it(parts: list[tuple[str, str]], kind: Kind) -> None:
    text, spans = document(*parts)
    for found in _run(text, spans, kind):
        assert found.sentences[0][0] == found.start
        assert found.sentences[-1][1] == found.end
        position = found.start
        for start, end in found.sentences:
            assert position <= start < end
            assert not text[position:start].strip()
            position = end
        assert len(found.stems) == len(found.sentences)


@settings(max_examples=200, deadline=None)
@given(_PARTS, _BODY, _KIND)
def test_a_change_in_one_section_moves_no_cut_in_another(parts: list[tuple[str, str]], other: str, kind: Kind) -> None:
    def relative(all_parts: list[tuple[str, str]]) -> list[list[tuple[int, int]]]:
        text, spans = document(*all_parts)
        cuts: list[list[tuple[int, int]]] = [[] for _ in spans]
        for found in _run(text, spans, kind):
            start = spans[found.section].body_start
            cuts[found.section].append((found.start - start, found.end - start))
        return cuts

    assert (
        relative([*parts, ("3. Fim", "Linha.")])[1:-1]
        == relative([(parts[0][0], other), *parts[1:], ("3. Fim", "Linha.")])[1:-1]
    )


@settings(max_examples=50, deadline=None)
@given(_PARTS, _KIND)
def test_the_same_text_is_cut_the_same_way(parts: list[tuple[str, str]], kind: Kind) -> None:
    text, spans = document(*parts)
    assert _run(text, spans, kind) == _run(text, spans, kind)

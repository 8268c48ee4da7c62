"""Where a revision is cut: what stays together, what is cut and how, for each kind of document."""

from __future__ import annotations

from itertools import pairwise

import pytest

from documents.rules.chunking import chunk
from documents.rules.types import ChunkSpan, Kind, SectionSpan

LIMIT = 60


def words(text: str) -> int:
    """A deterministic stand-in for a tokenizer: three tokens for two words, two special ones."""
    return 2 + (len(text.split()) * 3 + 1) // 2


def document(*parts: tuple[str, str]) -> tuple[str, list[SectionSpan]]:
    """A text of (heading, body) sections, all at level 1."""
    text = ""
    spans = []
    starts = []
    for heading, body in parts:
        start = len(text)
        text += f"{heading}\n" if heading else ""
        starts.append((heading, start, len(text)))
        text += f"{body}\n\n" if body else "\n"
    ends = [start for _, start, _ in starts[1:]] + [len(text)]
    for (heading, start, body_start), end in zip(starts, ends, strict=True):
        spans.append(SectionSpan(heading, 1, (heading,), heading, start, min(body_start, end), end))
    return text, spans


def cut(body: str, kind: Kind = Kind.POLICY, *, limit: int = LIMIT, heading: str = "1. Regras") -> list[str]:
    text, spans = document((heading, body))
    return texts(text, run(text, spans, kind, limit))


def run(text: str, spans: list[SectionSpan], kind: Kind = Kind.POLICY, limit: int = LIMIT) -> list[ChunkSpan]:
    return chunk(text, spans, kind, heading_tokens=lambda span: words(span.heading), count=words, limit=limit)


def texts(text: str, chunks: list[ChunkSpan]) -> list[str]:
    return [text[c.start : c.end] for c in chunks]


SENTENCE = "O gestor confere a carga e assina o romaneio antes da saída."
PARAGRAPH = " ".join([SENTENCE] * 2)


def test_a_section_that_fits_is_one_passage_without_its_heading() -> None:
    assert cut("O prazo é de dez dias. Depois, prescreve.") == ["O prazo é de dez dias. Depois, prescreve."]


def test_small_sections_stay_apart_so_that_each_is_cited_exactly() -> None:
    text, spans = document(("1. Objetivo", "Uma linha."), ("2. Prazo", "Outra linha."))
    chunks = run(text, spans)
    assert texts(text, chunks) == ["Uma linha.", "Outra linha."]
    assert [(c.section, c.ordinal) for c in chunks] == [(0, 0), (1, 1)]


def test_a_section_without_a_body_gives_no_passage() -> None:
    text, spans = document(("1. Regras", ""), ("1.1 Prazo", "Dez dias."))
    assert [c.section for c in run(text, spans)] == [1]


def test_each_article_is_a_passage_with_its_paragraphs() -> None:
    first = "Art. 1º O prazo é de dez dias.\n§ 1º Vale em dias úteis.\nI – no CD;\nII – na filial."
    second = "Art. 2º O pedido é feito no portal."
    assert cut(f"{first}\n{second}") == [first, second]


def test_an_article_too_long_is_cut_at_its_paragraphs() -> None:
    caput = f"Art. 1º {PARAGRAPH}"
    paragraphs = [f"§ {n}º {PARAGRAPH}" for n in (1, 2, 3)]
    found = cut("\n".join([caput, *paragraphs]))
    assert len(found) > 1
    assert all(piece.startswith(("Art.", "§")) for piece in found)


def test_a_paragraph_too_long_is_cut_between_items_and_never_after_its_lead() -> None:
    items = [f"I{'I' * n} – {SENTENCE[:-1]};" for n in range(3)] + [f"{c}) {SENTENCE[:-1]};" for c in "abcd"]
    found = cut("São deveres do gestor:\n" + "\n".join(items), limit=50)
    assert len(found) > 1
    assert not any(piece.endswith("gestor:") for piece in found)
    assert all(piece.startswith(("São", "I", "a)", "b)", "c)", "d)")) for piece in found)


def test_an_item_in_a_later_passage_still_has_its_lead() -> None:
    body = "São vedados:\n" + "\n".join(f"• {SENTENCE[:-1]} {n};" for n in range(9))
    text, spans = document(("1. Regras", body))
    chunks = run(text, spans)
    assert len(chunks) > 1
    assert {text[stem[0] : stem[1]] for c in chunks for stem in c.stems if stem} == {"São vedados:"}
    assert all(len(c.stems) == len(c.sentences) for c in chunks)


def test_prose_that_is_cut_overlaps_by_a_sentence_or_two() -> None:
    body = " ".join(f"A regra número {n} vale para todas as unidades da empresa." for n in range(40))
    text, spans = document(("1. Regras", body))
    chunks = run(text, spans, limit=240)
    assert len(chunks) > 1
    for before, after in pairwise(chunks):
        shared = set(before.sentences) & set(after.sentences)
        assert 1 <= len(shared) <= 2
        assert after.sentences[: len(shared)] == before.sentences[-len(shared) :]


def test_nothing_overlaps_where_nothing_was_cut_in_the_middle() -> None:
    body = "\n".join(f"Art. {n}º {SENTENCE}" for n in range(1, 5))
    text, spans = document(("1. Regras", body), ("2. Prazos", PARAGRAPH))
    sentences = [span for c in run(text, spans) for span in c.sentences]
    assert len(sentences) == len(set(sentences))


def test_rows_of_a_table_are_never_cut_nor_repeated() -> None:
    rows = [f"Cidade: Cidade {n}; Prazo: {n} dias úteis; Valor: R$ {n},00" for n in range(1, 20)]
    found = cut("\n".join(rows))
    assert "\n".join(found).split("\n") == rows


def test_the_pieces_of_a_section_are_of_like_size() -> None:
    found = cut("\n".join(f"• A regra número {n} vale para todos nós." for n in range(40)), limit=100)
    sizes = [words(piece) for piece in found]
    assert min(sizes) > 0.5 * max(sizes)


def test_a_heading_that_is_searched_with_the_passage_takes_room_from_it() -> None:
    body = "\n".join(f"• A regra número {n} vale para todos nós." for n in range(40))
    text, spans = document(("1. Regras", body))
    short = run(text, spans, limit=200)
    long = chunk(text, spans, Kind.POLICY, heading_tokens=lambda span: 100, count=words, limit=200)
    assert len(long) > len(short)
    assert all(words(text[c.start : c.end]) + 100 <= 200 for c in long)


@pytest.mark.parametrize("label", ["", "1. ", "P: ", "Pergunta 3: "])
def test_a_question_stays_with_its_answer(label: str) -> None:
    question = f"{label}Posso acumular férias?"
    answer = "Não. Férias vencidas são pagas em dobro."
    second = "Onde vejo meu holerite?\nNo portal.\nFica lá por 24 meses."
    assert cut(f"{question}\n{answer}\n{second}", Kind.FAQ) == [f"{question}\n{answer}", second]


def test_a_question_in_a_heading_keeps_its_whole_answer() -> None:
    body = "Depende. O que fazer?\nPeça ao gestor.\nE se ele negar?\nRecorra ao RH."
    assert cut(body, Kind.FAQ, heading="Posso viajar?") == [body]


def test_questions_mean_nothing_outside_a_faq() -> None:
    body = "Posso acumular férias?\nNão.\nE vender?\nSim."
    assert cut(body, Kind.POLICY) == [body]


def test_each_deliberation_of_minutes_is_a_passage() -> None:
    items = [
        "1. Aprovada a compra de 40 coletores para o CD-SP, pelo valor de R$ 80.000,00, com entrega em 60 dias.",
        "2. Rejeitada a proposta de suspender a conferência dupla de itens de alto valor durante o período.",
    ]
    assert cut("\n".join(items), Kind.MINUTES, heading="Deliberações") == items


def test_bulleted_deliberations_are_told_by_their_heading() -> None:
    items = [
        "• Aprovada a compra de 40 coletores para o CD-SP, pelo valor de R$ 80.000,00, com entrega em 60 dias.",
        "• Rejeitada a proposta de suspender a conferência dupla de itens de alto valor durante o período.",
    ]
    assert cut("\n".join(items), Kind.MINUTES, heading="Deliberações") == items
    assert cut("\n".join(items), Kind.MINUTES, heading="Participantes", limit=200) == ["\n".join(items)]


def test_the_discussion_of_an_item_goes_with_it() -> None:
    first = (
        "1. Compra de coletores\nO RH lembrou o limite.\nDeliberou-se aprovar a compra de 40 coletores para o CD-SP."
    )
    second = "2. Férias coletivas\nDeliberou-se adiar a decisão para a reunião de outubro, com novo estudo do RH."
    assert cut(f"{first}\n{second}", Kind.MINUTES, heading="Assuntos") == [first, second]


def test_a_bare_agenda_is_one_list() -> None:
    body = "1. Black Friday.\n2. Pátio.\n3. Sistemas."
    assert cut(body, Kind.MINUTES, heading="Pauta") == [body]


def test_a_lead_goes_with_the_first_item() -> None:
    item = "1. Aprovada a compra de 40 coletores para o CD-SP, pelo valor de R$ 80.000,00, com entrega em 60 dias."
    found = cut(f"Foi decidido:\n{item}\n{item.replace('1.', '2.')}", Kind.MINUTES, heading="Deliberações")
    assert found == [f"Foi decidido:\n{item}", item.replace("1.", "2.")]


def test_a_sentence_that_no_window_holds_is_cut_at_spaces() -> None:
    found = cut(" ".join(f"palavra{n}" for n in range(300)))
    assert len(found) > 1
    assert all(words(piece) <= LIMIT for piece in found)
    assert " ".join(found).split() == [f"palavra{n}" for n in range(300)]


def test_a_word_that_no_window_holds_is_cut_as_a_last_resort() -> None:
    text, spans = document(("1. Regras", "x" * 900))
    chunks = chunk(text, spans, Kind.WIKI, heading_tokens=lambda span: 0, count=len, limit=200)
    assert "".join(texts(text, chunks)) == "x" * 900
    assert all(c.end - c.start <= 200 for c in chunks)

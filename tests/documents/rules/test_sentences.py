"""What is one sentence in a Portuguese policy. `|` in a case marks where a sentence must end, and nowhere else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from documents.rules.sentences import is_row, line_kind, split

PLAIN = [
    "O prazo é de dez dias.| O pedido é feito no portal.",
    "O prazo é de dez dias!| Confirme antes?| Sim.",
    "Vale para todos.",
    "sem ponto final",
    "Aplica-se a 5%.| Demais casos, 3%.",
    "A reunião começa às 14h.| Depois disso, ninguém entra.",
    "A reunião começa às 14h. e termina às 15h.",
    "São 3.5 km.| Siga em frente.",
    "O limite é R$ 1.000,00.| Acima disso, peça autorização.",
    "O limite é R$ 1.000,00 por dia, e R$ 5.000,00 por viagem.",
    "Veja www.andorinha.example.| Depois, entre com o crachá.",
    "Escreva para rh@andorinha.example.| A resposta vem em um dia.",
    "A versão 2.1 vale.| A 1.9 não vale.",
    "O fim...| Será?| Sim!",
    "Ele disse “vá embora”.| Depois saiu.",
    "Ele disse “vá embora.”| Depois saiu.",
    "(Ver anexo.)| O prazo corre.",
    "O prazo (ver anexo) corre.| Não para.",
    "Não.| Férias vencidas geram pagamento em dobro.",
    "Sim.| O colaborador tem um dia de folga.",
    "O SLA é de 4 h.| O CD-SP responde.",
    "O peso máximo é de 1.200 kg.| Acima disso, recuse.",
    "A área tem 31.500 m².| O prédio tem 42 docas.",
    "Use o formulário FRM-RH-012.| Envie até o dia 10.",
    "Vale a partir de 1º de março.| Até lá, vale a anterior.",
    "Vale a partir de 01.03.2026.| Até lá, vale a anterior.",
    "A Andorinha Logística S.A. responde.| O cliente também.",
    "É da Andorinha Logística S.A.| O cliente não responde.",
    "Prazo: 3 dias.| Responsável: RH.",
    "Temperatura de 15 °C a 25 °C.| Fora disso, rejeite.",
]

ABBREVIATED = [
    "Conforme o art. 5º da lei, o prazo é de dez dias.| Depois, prescreve.",
    "Conforme o art. 5 da lei, vale.",
    "Conforme os arts. 5º e 6º, vale.",
    "Conforme o inc. II do art. 7º, vale.",
    "Conforme o art. 5º, inc. II, da Lei nº 8.078, o prazo vale.",
    "Resolução ANTT nº 5.947.| O transportador responde.",
    "Resolução ANTT nº 5.947. de 2021 vale.",
    "A Lei n. 9.099 vale.| A anterior, não.",
    "A Lei nº. 9.099 vale.",
    "O Dr. João assina.| A Dra. Ana confere.",
    "O Sr. Silva e a Sra. Souza assinam.",
    "A Profa. Maria assina.| O Prof. José confere.",
    "O Exmo. Senhor Diretor decide.",
    "O Eng. Paulo responde.",
    "Ver p. ex. o anexo.| Depois assine.",
    "Ver p. 20 do manual.| Depois assine.",
    "Ver pp. 20 a 22.| Depois assine.",
    "Ver fls. 20 e 21.| Depois assine.",
    "Ver cap. III do manual.| Depois assine.",
    "Ver fig. 2 ao lado.| Depois assine.",
    "Ver tab. 4 ao lado.",
    "Ver vol. 2, ed. 3.",
    "A sede fica na Av. Brasil, 100.| A filial fica na Rod. Anhanguera.",
    "A sede fica na R. 15 de Novembro.",
    "Fale no tel. 4000 ou no ramal 20.",
    "Itens de escritório, papel etc. são comprados pelo setor.",
    "Compre papel, canetas etc.| O setor confere.",
    "Cf. Resolução 12.| Depois, assine.",
    "Obs. O prazo é fixo.",
    "A Cia. Brasileira responde.",
    "A Empresa Ltda. assina.",
    "É da Empresa Ltda.| O prazo corre.",
    "O J. Silva assina.| O gestor confere.",
    "A M. A. Souza assina.",
    "Ver o Anexo A. O prazo corre.".replace("A. O", "A.| O"),
    "É da categoria B.| O motorista dirige.",
    "Em 670 d. C. foi fundada a cidade.",
    "No século VII a. C. nasceu.",
    "Segundo o § 1º. do artigo, vale.",
    "Segundo o art. 3.º do regulamento, vale.",
    "Comprar no máx. 3 unidades.",
    "Comprar no mín. 3 unidades.",
    "O depto. Jurídico decide.",
    "A coord. Regional decide.",
    "Paga i.e. transfere.",
    "Art. 10. O prazo é de dez dias.| Depois, prescreve.",
    "Art. 5º O prazo é de dez dias.| Depois, prescreve.",
    "Art. 55-K. A sanção vale.| Depois, prescreve.",
    "Parágrafo único. Esta política substitui a anterior.| Vale já.",
    "§ 1º O prazo é de dez dias.| Depois, prescreve.",
    "Cláusula 3. O prazo corre.| Depois para.",
    "Item 4. O prazo corre.",
]

# Every abbreviation that precedes a name or a number, in both surroundings.
NAMES = [
    "Dr",
    "Dra",
    "Sr",
    "Sra",
    "Srs",
    "Sras",
    "Srta",
    "Exmo",
    "Exma",
    "Ilmo",
    "Ilma",
    "Prof",
    "Profa",
    "Eng",
    "Arq",
    "Adv",
    "Cel",
    "Gen",
    "Gov",
    "Dep",
    "Sto",
    "Sta",
    "Av",
    "Rod",
    "Cia",
]
NUMBERED = [
    "art",
    "arts",
    "inc",
    "nº",
    "n",
    "núm",
    "pág",
    "págs",
    "p",
    "pp",
    "fl",
    "fls",
    "cap",
    "tít",
    "sec",
    "vol",
    "fig",
    "tab",
    "port",
    "res",
    "dec",
    "ramal",
    "ref",
    "apto",
    "km",
]
UNITS = ["dias", "horas", "kg", "km%", "m²", "°C", "h", "min", "reais", "pessoas", "volumes", "paletes"]


@pytest.mark.parametrize("case", PLAIN + ABBREVIATED)
def test_a_sentence_ends_where_a_reader_would_end_it(case: str) -> None:
    expected = [part.strip() for part in case.split("|")]
    assert _texts(case.replace("|", "")) == expected


@pytest.mark.parametrize("word", NAMES)
def test_a_name_follows_this_abbreviation(word: str) -> None:
    assert _texts(f"Procure {word}. Almeida na recepção. Depois assine.") == [
        f"Procure {word}. Almeida na recepção.",
        "Depois assine.",
    ]


@pytest.mark.parametrize("word", NUMBERED)
@pytest.mark.parametrize("number", ["12", "III"])
def test_a_number_follows_this_abbreviation(word: str, number: str) -> None:
    assert _texts(f"Veja {word}. {number} do manual. Depois assine.") == [
        f"Veja {word}. {number} do manual.",
        "Depois assine.",
    ]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("amount", ["3", "1.200", "2,5", "R$ 1.000,00 por"])
def test_an_amount_at_the_end_ends_the_sentence(unit: str, amount: str) -> None:
    assert _texts(f"O limite é de {amount} {unit}. O gestor confere.") == [
        f"O limite é de {amount} {unit}.",
        "O gestor confere.",
    ]


@pytest.mark.parametrize("opening", ["“", '"', "(", "‘", "["])
@pytest.mark.parametrize("ending", [".", "!", "?"])
def test_a_quote_or_bracket_may_open_the_next_sentence(opening: str, ending: str) -> None:
    text = f"O prazo corre{ending} {opening}Não para{_closing(opening)}."
    assert len(_texts(text)) == 2


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("• fumar na doca;", "bullet"),
        ("- fumar na doca;", "bullet"),
        ("– fumar na doca;", "bullet"),
        ("* fumar", "bullet"),
        ("a) fumar na doca;", "alinea"),
        ("g)Cobrar do usuário", "alinea"),
        ("(b) fumar", "alinea"),
        ("aa) fumar", "alinea"),
        ("iii) fumar", "alinea"),
        ("I – fumar na doca;", "inciso"),
        ("IV - fumar", "inciso"),
        ("XII. fumar", "inciso"),
        ("1) fumar", "number"),
        ("(2) fumar", "number"),
        ("3. fumar", "number"),
        ("4.2 O prazo corre.", "clause"),
        ("4.2.1 – O prazo corre.", "clause"),
        ("Cargo: Gerente; Limite: R$ 5.000,00", "row"),
        ("Ponto: São Tomé; Local: Em frente à casa. Ao lado.; Categoria: Própria", "row"),
        ("§ 1º O prazo corre.", ""),
        ("Art. 5º O prazo corre.", ""),
        ("O prazo corre.", ""),
        ("Prazos: três dias; depois, cinco.", ""),
        ("A empresa responde: sim; não há exceção: nunca.", ""),
        ("e-mail do gestor", ""),
        ("2026 foi o ano da mudança.", ""),
        ("Dica: leia o manual.", ""),
    ],
)
def test_the_marker_says_what_a_line_is(line: str, kind: str) -> None:
    assert line_kind(line) == kind


def test_items_and_rows_are_sentences_of_their_own() -> None:
    text = "São vedados:\n• fumar. Sempre;\na) entrar sem crachá.\nCargo: Gerente. Pleno; Limite: R$ 5,00\nFim."
    assert _texts(text) == text.split("\n")


def test_a_long_item_of_many_sentences_is_taken_apart() -> None:
    item = "a) " + " ".join(["O gestor confere a carga e assina o romaneio antes da saída do veículo."] * 8)
    assert len(_texts(item)) == 8


def test_items_have_their_lead_as_stem() -> None:
    text = "Regra geral.\nSão vedados:\n• fumar;\n• correr.\nDepois disso, nada.\n• solto"
    assert _stems(text) == [None, None, "São vedados:", "São vedados:", None, None]


def test_rows_have_their_lead_as_stem() -> None:
    text = "Os limites são:\nCargo: Gerente; Limite: R$ 5,00\nCargo: Diretor; Limite: R$ 9,00"
    assert _stems(text) == [None, "Os limites são:", "Os limites são:"]


def test_a_nested_list_completes_its_own_lead_and_the_outer_one() -> None:
    text = "Art. 8º É vedado:\nI – ao motorista:\na) fumar;\nb) correr;\nII – ao conferente dormir."
    both = "Art. 8º É vedado:\nI – ao motorista:"
    assert _stems(text) == [None, "Art. 8º É vedado:", both, both, "Art. 8º É vedado:"]


def test_items_that_end_in_a_colon_one_after_the_other_are_one_list() -> None:
    text = "Há três abas:\n• Solicitação:\n• Itens:\n• Fornecedores:"
    assert _stems(text) == [None, "Há três abas:", "Há três abas:", "Há três abas:"]


def test_a_caption_does_not_end_the_list() -> None:
    assert _stems("A tela contém:\nfigura 47\n• Número") == [None, None, "A tela contém:"]


def test_only_the_last_sentence_of_a_paragraph_is_the_lead() -> None:
    assert _stems("Vale para todos. São vedados:\n• fumar") == [None, None, "São vedados:"]


def test_a_paragraph_of_an_article_is_no_item_of_its_list() -> None:
    assert _stems("Art. 5º Cabe ao gestor:\nI – conferir.\n§ 1º O prazo corre.")[-1] is None


def test_spans_are_absolute_within_a_part_of_the_text() -> None:
    text = "Antes. Fora.\nO prazo corre. Não para.\nDepois."
    start, end = text.index("O prazo"), text.index("\nDepois")
    assert [text[a:b] for a, b in split(text, start, end)[0]] == ["O prazo corre.", "Não para."]


_LINES = st.lists(
    st.sampled_from(
        ["São vedados:", "• fumar;", "a) correr", "I – dormir:", "O Sr. X. viu. Foi embora!",
     "Col: v; Outra: w", "", "  ",
         "§ 1º Fim.",
     "1. item. Outro.", "“Aspas. Dentro.” disse.", "…", "art. 5º", "Art. 5º", "😀 ok. Sim", "4.2 x. Y"]
    )
    | st.text(max_size=80),
    max_size=12,
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(_LINES)
def test_spans_cover_every_printed_character_once_in_order(lines: list[str]) -> None:
    text = "\n".join(lines)
    spans, stems = split(text)
    assert len(spans) == len(stems)
    position = 0
    for start, end in spans:
        assert position <= start < end <= len(text)
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        assert "\n" not in text[start:end]
        position = end
    assert not text[position:].strip()
    for (start, _), stem in zip(spans, stems, strict=True):
        assert stem is None or (0 <= stem[0] < stem[1] <= start and text[stem[0] : stem[1]].endswith(":"))


@settings(max_examples=100, deadline=None)
@given(_LINES, st.integers(0, 30), st.integers(0, 60))
def test_a_part_of_the_text_never_reaches_outside(lines: list[str], start: int, length: int) -> None:
    text = "\n".join(lines)
    start = min(start, len(text))
    end = min(start + length, len(text))
    spans, _ = split(text, start, end)
    assert all(start <= a < b <= end for a, b in spans)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    ["O prazo é de dez dias úteis, cf. o art. 5º. ", "• item: valor;\n", "a) x:\n", "palavra ", "(((( ", "A: b; "],
)
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    small, large = unit * (200_000 // len(unit)), unit * (1_600_000 // len(unit))
    assert _seconds(large) < 8 * 4 * max(_seconds(small), 0.02)


def test_a_row_needs_names_of_columns() -> None:
    assert is_row("Código: 1; Nome: x")
    assert not is_row("faça isto: a; b; c")


def _texts(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)[0]]


def _stems(text: str) -> list[str | None]:
    return [None if stem is None else text[stem[0] : stem[1]] for stem in split(text)[1]]


def _closing(opening: str) -> str:
    return {"“": "”", '"': '"', "(": ")", "‘": "’", "[": "]"}[opening]


def _seconds(text: str) -> float:
    begin = time.perf_counter()
    split(text)
    return time.perf_counter() - begin

"""What a question asks for, and which sentence has it."""

from __future__ import annotations

import pytest

from chat.rules.answer_types import AnswerType, answer_type, gives


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Quando devo pedir férias?", AnswerType.WHEN),
        ("qual o prazo de separação do CD-SP?", AnswerType.WHEN),
        ("ate que dia entrego o relatorio", AnswerType.WHEN),
        ("Qual a data de início da vigência?", AnswerType.WHEN),
        ("horario do refeitorio", AnswerType.WHEN),
        ("Quanto posso gastar no almoço?", AnswerType.HOW_MUCH),
        ("qual o valor da diária?", AnswerType.HOW_MUCH),
        ("Quantos dias de home office por semana?", AnswerType.HOW_MUCH),
        ("limite de reembolso", AnswerType.HOW_MUCH),
        ("limite do almoço", AnswerType.HOW_MUCH),
        ("Quem aprova a viagem?", AnswerType.WHO),
        ("qual a área responsável?", AnswerType.WHO),
        ("quem é o responsável pela frota", AnswerType.WHO),
        ("Onde registro o ponto?", AnswerType.WHERE),
        ("em qual sistema lanço a despesa?", AnswerType.WHERE),
        ("Como peço reembolso?", AnswerType.HOW),
        ("o que devo fazer se perder o crachá", AnswerType.HOW),
        ("qual o telefone pra denunciar assédio", AnswerType.CONTACT),
        ("Qual é o e-mail do suporte?", AnswerType.CONTACT),
        ("qual o número do ramal da portaria", AnswerType.CONTACT),
        ("ramal da portaria", AnswerType.CONTACT),
        ("posso usar o telefone da empresa?", AnswerType.MAY),
        ("quem paga o telefone?", AnswerType.WHO),
        ("Posso levar acompanhante?", AnswerType.MAY),
        ("é permitido fumar?", AnswerType.MAY),
        ("motorista precisa de MOPP?", AnswerType.MAY),
        ("política de viagens", None),
        ("O que é carga perigosa?", None),
        ("", None),
    ],
)
def test_the_question_says_what_it_wants(question: str, kind: AnswerType | None) -> None:
    assert answer_type(question) is kind


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (AnswerType.WHEN, "O pedido é feito com trinta dias de antecedência."),
        (AnswerType.WHEN, "Vale a partir de 01/03/2026."),
        (AnswerType.WHEN, "Pedidos recebidos até as 14h."),
        (AnswerType.WHEN, "A revisão é semestral."),
        (AnswerType.HOW_MUCH, "O teto é de R$ 700,00."),
        (AnswerType.HOW_MUCH, "São três diárias."),
        (AnswerType.HOW_MUCH, "O transporte é gratuito."),
        (AnswerType.WHO, "A aprovação cabe ao gestor imediato."),
        (AnswerType.WHO, "Escreva para frota@andorinha.example."),
        (AnswerType.WHERE, "O lançamento é feito no portal do colaborador."),
        (AnswerType.CONTACT, "Ligue para 0800 700 4040, a qualquer hora."),
        (AnswerType.CONTACT, "Central de frota: (11) 4002-8922."),
        (AnswerType.CONTACT, "Escreva para frota@andorinha.example."),
        (AnswerType.CONTACT, "O plantão atende no ramal 2210."),
        (AnswerType.MAY, "É vedado o transporte de passageiros."),
        (AnswerType.MAY, "O colaborador pode fracionar as férias."),
        (AnswerType.HOW, "Preencha o formulário e envie ao RH."),
    ],
)
def test_a_sentence_that_gives_it(kind: AnswerType, sentence: str) -> None:
    assert gives(kind, sentence)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (AnswerType.WHEN, "O gestor aprova o pedido."),
        (AnswerType.HOW_MUCH, "O gestor aprova o pedido."),
        (AnswerType.WHO, "O prazo é de dez dias."),
        (AnswerType.WHERE, "O prazo é de dez dias."),
        (AnswerType.MAY, "O prazo é de dez dias."),
        (AnswerType.CONTACT, "Cartazes com o telefone do canal ficam no refeitório."),
        (AnswerType.CONTACT, "O limite é de R$ 1.200,00 desde 2024."),
    ],
)
def test_a_sentence_that_lacks_it(kind: AnswerType, sentence: str) -> None:
    assert not gives(kind, sentence)

"""What kind of thing a question wants to hear, and whether a sentence has one. Patterns are for folded Portuguese."""

from __future__ import annotations

import re
from enum import StrEnum

from documents.rules.terms import fold


class AnswerType(StrEnum):
    CONTACT = "contact"
    WHEN = "when"
    HOW_MUCH = "how_much"
    WHO = "who"
    WHERE = "where"
    MAY = "may"
    HOW = "how"


_WHICH = r"\b(?:(?:qual|quais) (?:(?:e|sao|foi|sera) )?|(?:em )?que |em qual )(?:[ao]s? )?"
_NUMBER = (
    r"(?:\d|\b(?:um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|quinze|vinte|trinta|quarenta"
    r"|cinquenta|sessenta|setenta|oitenta|noventa|cem|cento|duzent[oa]s|trezent[oa]s|quinhent[oa]s|mil|milhao|milhoes|metade|dobro"
    r"|terco|nenhuma?|integral|gratuit[oa])\b)"
)
# The first that fits is what the question asks for: "quando posso…" asks for a time.
_ASKED = {
    AnswerType.CONTACT: [
        _WHICH + r"(?:numero d[eo] )?(?:telefones?|rama(?:l|is)|e-?mails?|whatsapp|contatos?)\b",
        r"^(?:telefones?|rama(?:l|is)|e-?mails?|whatsapp|contatos?)\b",
    ],
    AnswerType.WHEN: [
        r"\bquando\b|\bprazos?\b|\bhorarios?\b|\bque (?:dia|data|horas?|ano|mes)\b",
        _WHICH + r"(?:datas?|dias?|vigencia|validade|anos?|periodos?|inicio|termino)\b",
    ],
    AnswerType.HOW_MUCH: [
        r"\bquant[oa]s?\b|\b(?:limite|valor|teto) d[aeo]s?\b",
        _WHICH + r"(?:valor(?:es)?|limites?|custos?|precos?|tetos?|percentua(?:l|is)|porcentagem|taxas?|multas?|tamanho"
        r"|peso|numero|quantidade|quantia|duracao|idade|notas?|carga|distancia|temperatura|velocidade|altura|media|minimo|maximo"
        r"|salario|diarias?)\b",
    ],
    AnswerType.WHO: [
        r"\bquem\b|\bresponsave(?:l|is) (?:por|pel[ao])\b",
        _WHICH + r"(?:areas?|setor(?:es)?|orgaos?|cargos?|gestor(?:es)?|pessoas?|comites?|responsave(?:l|is)"
        r"|departamentos?|equipes?|entidades?|autoridades?|unidades?)\b",
    ],
    AnswerType.WHERE: [
        r"\ba?onde\b",
        _WHICH + r"(?:lugar(?:es)?|loca(?:l|is)|enderecos?|sistemas?|porta(?:l|is)|sites?|salas?|cana(?:l|is)|cidades?"
        r"|estados?|pais|formularios?)\b",
    ],
    AnswerType.HOW: [
        r"\bcomo\b|\bpasso a passo\b|\bde que (?:forma|modo|maneira)\b",
        r"\bo que (?:devo |preciso |e preciso |deve-?se )?faz(?:er|o)\b",
    ],
    AnswerType.MAY: [
        r"\bpo(?:de|dem|sso|demos|deria)\b|\b(?:e|sao|esta) (?:permitid|proibid|vedad|obrigatori|autorizad)[oa]s?\b",
        r"\b(?:deve|devo|devem|precis[ao]|tem direito|tenho direito|obrigad[oa]|obrigatori[oa])\b",
    ],
}
_GIVEN = {
    AnswerType.CONTACT: [r"[\w.]@\w|\b0800\b|\(\d\d\)|\b\d{4,5}[- ]\d{4}\b|\bramal(?:is)? \d"],
    AnswerType.WHEN: [
        r"\d{1,2}/\d{1,2}|\b(?:19|20)\d\d\b|\b\d{1,2} ?h(?:\d\d)?\b|\b(?:antes|apos|depois|imediatamente|ate o)\b",
        r"\b(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)\b",
        r"\b(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)\b|\b(?:diari|(?:bi|tri|se)?m(?:en|es)|semanal|anual)",
        _NUMBER + r"[^.;]{0,25}\b(?:dias?|horas?|mes(?:es)?|anos?|minutos?|semanas?|(?:bi|tri|se)m\w+)\b",
    ],
    AnswerType.HOW_MUCH: [_NUMBER, "%"],
    AnswerType.WHO: [
        r"@|\b(?:gestor|gerente|diretor|coordenador|supervisor|lider|presidente|chefe|responsave|comite|comissao|conselho)",
        r"\b(?:area|setor|orgao|departamento|equipe|secretari|pro-?reitor|reitor|colegiado|titular|encarregado|operador)",
        r"\b(?:controlador|fornecedor|empregad|colaborador|funcionari|servidor|professor|docente|alun|estudante|academic)",
        r"\b(?:medic|motorista|conferente|rh|juridico|financeiro|ministerio|autoridade|poder|uniao|agencia|pessoa)",
    ],
    AnswerType.WHERE: [
        r"@|www\.|https?:|\b(?:n[oa]s?|em|ao?|pel[oa])\b[^.;]{0,40}\b(?:sistema|portal|site|sala|endereco|rua|avenida"
        r"|cidade|campus|unidade|filial|matriz|central|formulario|aplicativo|intranet|canal|secretaria|estado|pais|brasil)",
    ],
    AnswerType.HOW: [
        r"\b(?:dev(?:e|em|era|erao)\b|por meio|atraves|mediante|acess|preench|envi|solicit|clique|abra|registr|anex)",
        r"\b(?:inform|apresent|encaminh|requer|utiliz|consist|seguint|primeir|passo|etapa)",
    ],
    AnswerType.MAY: [
        r"\b(?:pod(?:e|em|era|erao)|dev(?:e|em|era|erao)|nao|sem|so|exceto|salvo|somente|apenas)\b",
        r"\b(?:vedad|proibid|permitid|obrigatori|autorizad|facultad|direito|dispensad|admitid|necessari|exigid)",
    ],
}
_ASKED_PATTERNS = {kind: re.compile("|".join(parts)) for kind, parts in _ASKED.items()}
_GIVEN_PATTERNS = {kind: re.compile("|".join(parts)) for kind, parts in _GIVEN.items()}


def answer_type(question: str) -> AnswerType | None:
    """What the question asks for, if it says so."""
    plain = fold(question)
    return next((kind for kind, pattern in _ASKED_PATTERNS.items() if pattern.search(plain)), None)


def gives(kind: AnswerType, sentence: str) -> bool:
    """Whether the sentence has a thing of that kind."""
    return _GIVEN_PATTERNS[kind].search(fold(sentence)) is not None

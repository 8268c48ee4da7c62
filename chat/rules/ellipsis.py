"""Portuguese follow-ups: how a question leans on the one before, and the words that it leaves out.

`lean` names the kind: a fragment that takes a place in the earlier question ("E para o Y?", "e o jantar?"), a case
added to it ("e se for internacional?"), or a question whose subject was said before ("qual o prazo disso?").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Lean(StrEnum):
    NONE = "none"
    PLACE = "place"
    CASE = "case"
    SUBJECT = "subject"


@dataclass(frozen=True, slots=True)
class Fragment:
    """What the follow-up says by itself: `text` without its opening; `preposition` and `noun` when it is a place."""

    lean: Lean
    text: str
    preposition: str = ""
    noun: str = ""


FAMILIES = (
    frozenset(("para", "pra", "pro", "pras", "pros", "p/")),
    frozenset(("em", "no", "na", "nos", "nas", "num", "numa")),
    frozenset(("de", "do", "da", "dos", "das")),
    frozenset(("com",)),
    frozenset(("sem",)),
    frozenset(("por", "pelo", "pela", "pelos", "pelas")),
    frozenset(("ao", "à", "aos", "às")),
    frozenset(("sobre",)),
    frozenset(("até",)),
    frozenset(("entre",)),
)
PREPOSITIONS = frozenset().union(*FAMILIES)
_ARTICLES = frozenset(("o", "a", "os", "as", "um", "uma"))

_OPENING = re.compile(
    r"^(?:(?:ok|certo|entendi|beleza|obrigad[oa]|valeu|ah|hum|tá|ta|então|entao|legal)[,.!]?\s+)*(?:mas\s+e|e|mas)\b,?\s+",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^(?:(?:de|para|com|em|a|por|até)\s+)?(?:qual|quais|quant[oa]s?|como|quem|onde|quando|por\s*qu[eê]|o\s+qu[eê]|que)\b",
    re.IGNORECASE,
)
_QUESTION_WORDS = frozenset(
    ("qual", "quais", "quanto", "quanta", "quantos", "quantas", "quem", "onde", "como", "quando", "quê")
)
_CASE = re.compile(r"^(?:se|caso|quando|mesmo\s+se)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[-/.][^\W_]+)*")
_FINITE_WORDS = """
é são era foi será está estão tem têm tenho tinha há pode podem posso podemos deve devem devo precisa precisam
preciso vale valem fica ficam entra entram conta contam recebe recebem recebo paga pagam pago muda mudam inclui
incluem existe existem vai vão vou faz fazem faço peço pede pedem funciona aprova aprovam autoriza assina ganha
ganho cobre cobrem aceita aceitam dá dou sai saem usa usam uso serve acontece acumula vence vencem perde perco
aplica aplicam cai
"""
_FINITE = frozenset(_FINITE_WORDS.split())
_ANAPHORA = re.compile(
    r"\b(?:(?:d|n)?(?:isso|isto|aquilo|ele|eles|ela|elas)|(?:d|n)?(?:esse|essa|esses|essas|este|esta|estes|estas|aquele|aquela)"
    r"(?!\s+(?:ano|mês|mes|semana|semestre|trimestre|momento|fim))|lá|ali|o\s+mesmo|a\s+mesma|mesma\s+(?:regra|coisa)|mesmo\s+(?:prazo|valor|limite))\b",
    re.IGNORECASE,
)
# Words that ask something of a subject without naming one.
_GENERIC_WORDS = """
prazo prazos limite limites valor valores preço custo multa regra regras política procedimento documento documentos
formulário aprovação autorização responsável exceção exceções dia dias vez vezes tempo hora horas data nota fiscal
recibo comprovante comprovantes gestor carência desconto antecedência reajuste parcela parcelas percentual mínimo
máximo quantidade frequência motivo diferença exemplo detalhe detalhes email e-mail telefone contato canal link
sistema passo aprova aprovam autoriza autorizam assina assinam paga pagam pago pagar faz fazem fazer faço pede pedem
pedir peço solicita solicitar solicito envia enviar envio manda mandar mando precisa precisam preciso precisar pode
podem posso vale valem muda mudam funciona conta contam começa começam termina fala falo falar procuro aviso avisar
ligo demora leva obrigatório obrigatória permitido permitida necessário certo mesmo mesma assim ainda também antes
depois agora hoje caso tudo algo alguma algum mais menos muito responde recebo recebe receber sei saber resposta cai
sai entregar entrego renovar renovo cancelar cancelo acumula acumular dividir divide parcelar vence vencer perco
perde
"""
_GENERIC = frozenset(_GENERIC_WORDS.split())
_FUNCTION_WORDS = """
a o as os um uma uns umas de do da dos das em no na nos nas por pelo pela para pra pro com sem ao à aos às e ou que
se qual quais quanto quanta quantos quantas como quem onde quando quê porquê porque por é são era ser está estão tem
têm há eu me meu minha meus minhas você vocês ele ela eles elas isso isto aquilo disso disto nisso dele dela deles
delas nele nela esse essa esses essas este esta lá ali aí não sim já até só então mas favor tenho devo deve fica
ficam existe quero queria
"""
_FUNCTION = frozenset(_FUNCTION_WORDS.split())


def lean(question: str) -> Fragment:
    """How `question` depends on an earlier one; `Lean.NONE` when it stands by itself."""
    opening = _OPENING.match(question)
    rest = question[opening.end() :] if opening else question
    rest = rest.strip(" ?!.").strip()
    words = [word.lower() for word in _WORD.findall(rest)]
    if not words:
        return Fragment(Lean.NONE, rest)
    if opening and _CASE.match(rest) and not (_ASKS.match(rest) and len(words) > 1 and words[1] in _FINITE):
        return Fragment(Lean.CASE, rest)
    bare = not any(word in _FINITE or word in _QUESTION_WORDS for word in words)
    if bare and len(words) <= 7 and (opening or words[0] in PREPOSITIONS) and not _ANAPHORA.search(rest):
        first, _, noun = rest.partition(" ")
        if first.lower() in PREPOSITIONS and noun:
            return Fragment(Lean.PLACE, rest, first.lower(), noun)
        return Fragment(Lean.PLACE, rest, "", rest)
    own = [word for word in words if word not in _FUNCTION and word not in _GENERIC]
    if _ANAPHORA.search(rest) or (not own and len(words) <= 9):
        return Fragment(Lean.SUBJECT, rest)
    return Fragment(Lean.NONE, rest)


def anaphora(text: str) -> re.Match[str] | None:
    return _ANAPHORA.search(text)


def article_of(noun: str) -> tuple[str, str]:
    """`o jantar` → (`o`, `jantar`); `jantar` → (``, `jantar`)."""
    first, _, rest = noun.partition(" ")
    return (first.lower(), rest) if first.lower() in _ARTICLES and rest else ("", noun)


def is_finite(word: str) -> bool:
    return word.lower() in _FINITE

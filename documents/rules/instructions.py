"""Text that speaks to whoever answers instead of stating a rule: never quoted, whoever wrote it.

Documents are data. A sentence of a policy says what holds; one that says how to answer, what to ignore or who to be is
addressed to the assistant. This is a defence in depth: what counts is that such a sentence gains nothing by commanding,
and that no claim can be made from it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from documents.rules.stemming import fold

# Over folded text; Portuguese first, then English and the neighbours' languages. Alternatives begin at a word.
_VERBS_OF_OVERRIDE = (
    r"(?:ignor(?:e|ar|em|a|ez|iere)|desconsider(?:e|ar|em)|esquec(?:a|er|am)|desobedec\w+|anule|burle|disregard|forget"
    r"|overrid(?:e|ing)|bypass|olvida|oublie[zr]?|dimentica|vergiss|vergessen)"
)
_WHAT_IS_OVERRIDDEN = (
    r"(?:instruc\w+|instruct\w+|istruzion\w+|anweisung\w+|diretriz\w*|orientac\w+|regras?|ordens|prompts?|comandos"
    r"|guidelines?|rules?|polic(?:y|ies)|richtlinien|directives?|everything (?:above|before)|above|prior instruct\w*"
    r"|(?:tudo|todas?|os? demais|as? demais|outr[ao]s?|anterior\w*)\b[^.;!?]{0,20}"
    r"(?:acima|anterior\w*|documentos?|fontes?|trechos?|politicas?))"
)
_OVERRIDE = rf"{_VERBS_OF_OVERRIDE}\b[^.;!?]{{0,60}}\b{_WHAT_IS_OVERRIDDEN}\b"
_ASSISTANT = [
    r"(?:nota|aviso|instruc\w+|atencao|mensagem|orientac\w+|recado)\b[^.;!?]{0,20}\b(?:ao|aos|a|as|para(?: [ao]s?)?)"
    r" (?:assistentes?|chatbots?|bots?|robos?|ia|modelos?|sistema de respostas)\b",
    r"assistente (?:virtual|de (?:ia|busca|respostas)),? (?:diga|responda|ignore|inclua|considere|deve responder)\b",
    r"voce,? (?:que e )?(?:como )?(?:um |uma |o |a )?(?:assistente|modelo de linguagem|chatbot|ia)\b",
    r"llms?\b",
    r"ai (?:assistants?|agents?|systems?|models?|coding agents?)\b",
    r"(?:the|to) (?:assistant|bot|chatbot|ai)\b",
    r"(?:reasoning|note)s? (?:trace )?\(?(?:assistant|to self)\b",
    r"language model\b",
    r"system message",
    r"(?:als assistent|en tant qu'assistant|como asistente|come assistente)\b",
    r"safety (?:checks|protocols?|guidelines)\b",
]
_ANSWERING = [
    r"(?:na|em|a|da|de) (?:sua|tua) (?:proxima )?(?:resposta|mensagem)\b",
    r"(?:ao final|no final|no fim) d[aeo] (?:sua )?(?:resposta|resumo)\b",
    r"(?:inclua|acrescente|adicione|insira|anexe|mencione|repita)\b[^.;!?]{0,60}"
    r"\b(?:na|em|a|da) (?:sua )?resposta\b",
    r"(?:in|to|of|from|with|into) (?:the|its|every|any|each) (?:future |next |final )?"
    r"(?:answer|response|reply|replies)\b",
    r"your (?:future |next |final )?(?:answer|response|reply|message|review|summary|output)\b",
    r"(?:in|a|alla|jeder|cualquier|toute|ogni) (?:antwort|reponse|risposta|respuesta)\b",
    r"(?:before|when|after) (?:you )?(?:answer|respond|reply|summari[sz]e|process|read)\w*\b",
    r"(?:summary|reply|response|report)\b[^.;!?]{0,40}\byou (?:produce|generate|write)\b",
    r"every future (?:summary|report|reply|response)\b",
]
_PERSONA = [
    r"(?:a partir de agora|de agora em diante)\b[^.;!?]{0,30}\b(?:voce|tu|responda|diga|ignore)\b",
    r"(?:from now on|from this point|ahora|ab jetzt|ab sofort|desormais)\b[^.;!?]{0,40}"
    r"\b(?:you|eres|estas|respond\w*|du|hast|gibst|sans)\b",
    r"(?:voce|tu) (?:agora )?(?:e|es|sera) (?:agora )?(?:um|uma) (?:assistente|modelo|ia|administrador)\b",
    r"you(?:'re| are) (?:now|no longer|hereby)\b",
    r"you now\b",
    r"vous etes desormais\b",
    r"du bist jetzt\b",
    r"(?:finja|aja|comporte-se|act|pretend|pose) (?:ser |como |as |to be |you are )(?:se fosse )?(?:an? |um |uma )?"
    r"(?:\w+ ){0,2}(?:ai|ia|assistente|modelo|model|administrador|admin)\b",
    r"modo (?:desenvolvedor|desarrollo|irrestrito)\b",
    r"(?:developer|unrestricted|god) mode\b",
    r"jailbreak\b",
    r"do anything now\b",
    r"keine (?:regeln|richtlinien)\b",
    r"uneingeschrankt\b",
    r"ohne einschr\w+",
    r"(?:sin|sans|senza) (?:restric\w+|restriz\w+)",
    r"(?:no|without) (?:any )?(?:restrictions?|content policy|filters?|limits)\b",
    r"(?:responda|diga|fale)\b[^.;!?]{0,30}\bsem (?:qualquer |nenhuma? )?(?:restric\w+|filtros?)\b",
    r"(?:novas|new|neue|nuevas|nouvelles|nuove) (?:instruc\w+|anweisung\w+|istruzion\w+|directive)\s*:",
    r"(?:content policy|your (?:rules|real task|new|guidelines|instructions?|directive|initial))\b",
]
_SECRETS = [
    r"(?:prompt|istruzioni|instrucciones|instructions) (?:de |del |di |do )?(?:sistema|systeme)\b",
    r"systemanweisung\w*",
    r"(?:system|hidden|initial) ?-?(?:prompt|instructions?)\b",
    r"admin password\b",
    r"leak\b",
    r"exfiltrat\w+",
    r"(?:reveal|revele|revela|rivela|verrate|dump)\b[^.;!?]{0,50}"
    r"\b(?:instruc\w+|prompt|credential\w*|credencia\w*|senhas?|secrets?|configuration|confidential|data)\b",
    r"(?:print|repeat|output|show|tell)\b[^.;!?]{0,50}\b(?:instructions|words above|context window|prompt|raw)\b",
    r"(?:send_email|http_post|delete_file|call_tool|function_call)\b",
    r"call [a-z]+_[a-z_]+\b",
    r"(?:email|forward|send|rassemble|collect|gibst)\b[^.!?]{0,70}"
    r"\b(?:customer list|customer emails|donnees clients|order data|internen daten)\b",
]
_OBFUSCATED = [
    r"rot ?13\b",
    r"(?:base ?64|base ?32|hex|binary) (?:string|encoded)\b",
    r"decod(?:e|ifique)\b[^.!?]{0,60}\b(?:instruction|do (?:exactly )?what|faca o que|execute|siga)\b",
    r"(?:anagram\w*|scrambl\w+|jumble|misspell\w*|typos|alphanumeric substitution|homophonic)\b",
]
# Told how to answer a question: a rule for people names whom they talk to (a customer, an inspector).
_TOLD = re.compile(
    r"\b(?:ao (?:responder|ser perguntad|ser questionad|ser consultad)\w*"
    r"|quando (?:for )?(?:perguntad|questionad|responder|perguntarem|consultad|alguem perguntar|o usuario perguntar)\w*"
    r"|se (?:(?:te )?perguntarem|alguem perguntar|o usuario (?:perguntar|pedir))"
    r"|em (?:qualquer|toda|todas as) (?:resposta|pergunta)s?|para (?:qualquer|toda) pergunta)\b[^.!?]{0,120}"
    r"\b(?:diga|dizer|responda|responder|afirme|informe|escreva|cite|mencione|recomende|use|considere|inclua|ignore|omita)\b"
    r"|\b(?:diga|responda|afirme|escreva|informe)(?: sempre| apenas| somente)? (?:ao usuario|a quem perguntar)\b"
    r"|\b(?:responda|diga|afirme) sempre (?:que|com|o)\b|\bsempre (?:responda|diga|afirme) que\b"
)
_PEOPLE = re.compile(
    r"\b(?:clientes?|atendentes?|operador(?:es|a)?|fisca(?:l|is)|fiscalizacao|auditor(?:es|ia)?|imprensa|candidat[oa]s?|fornecedor(?:es)?"
    r"|motoristas?|jornalistas?|gestor(?:es)?|destinatari[oa]s?|titular(?:es)?|portaria|policia|autoridades?|conferentes?)\b"
)
_MARKUP = re.compile(
    r"<\|[a-z_]+\|>|</?(?:system|assistant|thinking|instructions?|im_start|im_end)>|\[(?:system|inst|assistant)\]"
    r"|^\W*\[?(?:system|sistema|assistant|systemhinweis)(?: (?:note|update|message))?\]?\s*:|[-#]{3,}\s*end of"
    r"|^\W*(?:caro |querido |prezado )?(?:assistente|chatbot|robo)\s*[:,]|\bsystem (?:note|update)\b"
    r"|\b(?:nota|note) (?:del sistema|di sistema|do sistema|systeme)\s*:"
)
# Tried at the start of each word only.
_PATTERN = re.compile(
    rf"(?<!\w)(?=\w)(?:{'|'.join([_OVERRIDE, *_ASSISTANT, *_ANSWERING, *_PERSONA, *_SECRETS, *_OBFUSCATED])})"
)
_OVERRIDE_PATTERN = re.compile(rf"\b{_OVERRIDE}")
_BLOB = re.compile(
    r"(?<![\w/])(?=[A-Za-z0-9+/=]{44})(?=[\w+/=]*\d)(?=[\w+/=]*[a-zA-Z])|\b[01]{8}(?: [01]{8}){3,}"
    r"|(?:\\u[0-9a-fA-F]{4}){4,}|(?:%[0-9A-Fa-f]{2}\S*){3,}|(?:[.-]{1,5}[ /]+){8,}|<~\S{12,}"
)
_SPACED = re.compile(r"(?<!\S)(?:[^\W\d_] ){4,}")
_LEET = str.maketrans("0134579@$", "oieastgas")
_LEET_SIGNS = frozenset("0134579@$")
_INVISIBLE = frozenset({"Cf", "Co", "Cn"})
_HARMLESS = "\u00ad\u200d\ufeff"


VERSION = 1
"""A change of what speaks to the assistant must change this: the terms of a passage are kept without such sentences."""


@lru_cache(maxsize=20_000)
def addresses_assistant(sentence: str) -> bool:
    """Whether the sentence tells the one who answers what to do, openly or hidden."""
    plain = fold(sentence)
    if _PATTERN.search(plain) or _MARKUP.search(plain) or _hidden(sentence):
        return True
    if _TOLD.search(plain) and not _PEOPLE.search(plain):
        return True
    if _LEET_SIGNS.isdisjoint(plain):
        return False
    return _OVERRIDE_PATTERN.search(plain.translate(_LEET)) is not None


def searchable(text: str, sentences: Sequence[tuple[int, int]]) -> str:
    """The text without its sentences that speak to the assistant: what commands is not found by what it says."""
    silenced = [span for span in sentences if addresses_assistant(text[slice(*span)])]
    for start, end in reversed(silenced):
        text = text[:start] + text[end:]
    return text


def _hidden(sentence: str) -> bool:
    """Encoded runs, letters set apart, alphabets mixed in one word, or characters that nobody sees."""
    if _BLOB.search(sentence) or _SPACED.search(sentence):
        return True
    rare = {letter for letter in set(sentence) if letter > "\x7f"}
    if not rare:
        return False
    if sum(sentence.count(letter) for letter in rare if _unseen(letter)) > 3:
        return True
    foreign = any(_alphabet(letter) in ("CYRILLIC", "GREEK") for letter in rare)
    return foreign and any(_mixed(word) for word in sentence.split() if not word.isascii())


def _mixed(word: str) -> bool:
    alphabets = {_alphabet(letter) for letter in word if letter.isalpha()}
    return "LATIN" in alphabets and bool(alphabets & {"CYRILLIC", "GREEK"})


@lru_cache(maxsize=4096)
def _alphabet(letter: str) -> str:
    return unicodedata.name(letter, "?").split(" ")[0]


@lru_cache(maxsize=4096)
def _unseen(letter: str) -> bool:
    return unicodedata.category(letter) in _INVISIBLE and letter not in _HARMLESS

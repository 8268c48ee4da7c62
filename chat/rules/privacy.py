"""Personal data and secrets taken out of a text before it is kept: by their form, so that the form decides.

What has a form is found: CPF, CNPJ, phones, e-mails, bank accounts and PIX keys, cards, RG, CNH, PIS and secrets (keys,
tokens, passwords). A number counts when its check digits hold, when its punctuation leaves no doubt, or when the word
before it says what it is; so codes and order numbers survive. **Names, addresses and what somebody tells about a person
have no form and are not found**: the erasable identity table and short retention are what protects those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import phonenumbers
from validate_docbr import CNPJ, CPF


@dataclass(frozen=True, slots=True)
class Redacted:
    """`text` with a label in the place of each finding; `found` are the kinds, sorted, each once."""

    text: str
    found: tuple[str, ...] = ()


_Span = tuple[int, int]

_LABELS = {
    "secret": "[SEGREDO]",
    "email": "[E-MAIL]",
    "cpf": "[CPF]",
    "cnpj": "[CNPJ]",
    "card": "[CARTÃO]",
    "rg": "[RG]",
    "cnh": "[CNH]",
    "pis": "[PIS]",
    "account": "[CONTA]",
    "pix": "[PIX]",
    "phone": "[TELEFONE]",
}

_NOT_IN_CODE = r"(?<![\w/.-])"
_END = r"(?![\w/-]|[.,]\d)"
_DASH = "[-/\u2010-\u2015\u2212]"
_SECRETS = tuple(
    re.compile(pattern)
    for pattern in (
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----|[\s\S]*)",
        r"\b(?:sk|pk|rk)[-_](?:live[-_]|test[-_]|proj[-_]|ant[-_])?[A-Za-z0-9_-]{16,}",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AIza[\w-]{30,})",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
        r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",
        r"(?<=://)[^\s/:@]+:[^\s/@]+(?=@)",
        r"(?i)(?<=bearer )[\w.~+/-]{16,}=*",
        r"(?i)(?<![\w-])(?:senha|password|passwd|pwd|token|secret|api[ _-]?key|chave (?:de )?(?:api|acesso)"
        r"|client[ _-]secret)"
        r"\s*(?:é\s+|e\s+|=|:)\s*[\"']?(?P<value>(?=[^\s\"']*[\d!@#$%&*_+=-]|[^\s\"']{16,})[^\s\"',;]{6,})",
        r"(?<![\w/.-])(?=[\w+/-]*[a-z])(?=[\w+/-]*[A-Z])(?=(?:[\w+/-]*\d){4})[A-Za-z0-9+/_-]{32,}={0,2}(?![\w/-])",
    )
)
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+ ?@ ?[\w-]+(?:\.[\w-]+)+")
_CPF = re.compile(
    rf"{_NOT_IN_CODE}(?P<exact>\d{{3}}\.\d{{3}}\.\d{{3}} ?{_DASH} ?\d{{2}})(?!\d)"
    # Any other way to set the digits apart, and none; then the check digits have to hold.
    rf"|(?<![\d/.-])\d{{3}}[.\- ]?\d{{3}}[.\- ]?\d{{3}} ?{_DASH}? ?\d{{2}}{_END}"
)
_CNPJ = re.compile(
    rf"{_NOT_IN_CODE}(?P<exact>[A-Z\d]{{2}}\.[A-Z\d]{{3}}\.[A-Z\d]{{3}}/[A-Z\d]{{4}}-\d{{2}})(?!\d)"
    rf"|{_NOT_IN_CODE}\d{{14}}{_END}"
)
_CARD = re.compile(rf"{_NOT_IN_CODE}(?:\d{{4}}[ -]){{3}}\d{{1,7}}{_END}|{_NOT_IN_CODE}\d{{15,16}}{_END}")
_PHONE = r"\(?\d{2}\)?[ -]?9?\d{4}[ -]?\d{4}|9?\d{4}[ -]\d{4}"
_ACCOUNT = r"(?:conta(?:[- ](?:corrente|poupan[çc]a|sal[áa]rio))?|c/c|cc)"
# The word that says what a number is, what may stand between (no digit), the number.
_CUES = (
    ("cpf", r"\bcpf\b[^\d\n]{0,15}", r"\d{3}[. ]?\d{3}[. ]?\d{3}[-/ ]?\d{2}(?!\d)"),
    ("rg", r"\b(?:rg|registro geral|identidade)\b[^\d\n]{0,15}", r"\d{1,2}\.?\d{3}\.?\d{3}(?:-?[\dx])?(?![\d/])"),
    ("cnh", r"\b(?:cnh|habilita[çc][ãa]o|carteira de motorista)\b[^\d\n]{0,15}", r"\d{9,11}(?!\d)"),
    ("pis", r"\b(?:pis|pasep|nis|nit)\b[^\d\n]{0,15}", r"\d{3}\.?\d{5}\.?\d{2}-?\d(?!\d)"),
    ("account", r"\b(?:ag[êe]ncia|ag\.?)\s*(?:n[º°o.]*\s*)?:?\s*", r"\d{3,5}(?:-[\dx])?(?!\d)"),
    ("account", rf"\b{_ACCOUNT}\s*(?:n[º°o.]*\s*)?:?\s*", r"\d{4,12}-?[\dx]?(?![\d/])"),
    ("account", r"\b", r"BR\d{2}[ ]?(?:\d{4}[ ]?){5}\d{3}[ ]?[A-Z]\d\b"),
    ("pix", r"\b(?:pix|chave)\b[^\n]{0,25}?", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"),
    (
        "phone",
        r"\b(?:tel(?:efone)?|fone|cel(?:ular)?|whats(?:app)?|zap|ligue|ligar)\b[^\d\n]{0,15}",
        rf"(?:{_PHONE})(?!\d)",
    ),
)
_CUED = tuple((kind, re.compile(f"{cue}(?P<value>{number})", re.IGNORECASE)) for kind, cue, number in _CUES)
# A bare run of digits is a phone only after a word that says so (above); with its punctuation it speaks for itself.
_BARE_DIGITS = re.compile(r"\d+")
_CODE_BEFORE = re.compile(r"(?:[\w.]-|[\w/]|n[º°]\s?)$")


def redact(text: str) -> Redacted:
    """`text` without what has the form of personal data or of a secret. Idempotent; a label is left as it is."""
    text = _UNSEEN.sub("", text)
    found: list[tuple[int, int, str]] = []
    for finder in (_secrets, _documents, _cued, _phones):
        for start, end, kind in finder(text):
            if not any(start < stop and begin < end for begin, stop, _ in found):
                found.append((start, end, kind))
    for start, end, kind in sorted(found, reverse=True):
        text = f"{text[:start]}{_LABELS[kind]}{text[end:]}"
    return Redacted(text, tuple(sorted({kind for _, _, kind in found})))


def _secrets(text: str) -> Iterator[tuple[int, int, str]]:
    for pattern in _SECRETS:
        for match in pattern.finditer(text):
            if not any(label in match[0] for label in _LABELS.values()):
                yield *_value(match), "secret"
    for match in _EMAIL.finditer(text):
        yield *match.span(), "email"


def _documents(text: str) -> Iterator[tuple[int, int, str]]:
    checks: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
        ("cnpj", _CNPJ, CNPJ().validate),
        ("cpf", _CPF, CPF().validate),
        ("card", _CARD, _luhn),
    )
    for kind, pattern, valid in checks:
        for match in pattern.finditer(text):
            if match.groupdict().get("exact") or valid("".join(c for c in match[0] if c.isalnum())):
                yield *match.span(), kind


def _cued(text: str) -> Iterator[tuple[int, int, str]]:
    for kind, pattern in _CUED:
        for match in pattern.finditer(text):
            yield *_value(match), kind


def _phones(text: str) -> Iterator[tuple[int, int, str]]:
    for match in phonenumbers.PhoneNumberMatcher(text, "BR"):
        free = phonenumbers.number_type(match.number) in (
            phonenumbers.PhoneNumberType.TOLL_FREE,
            phonenumbers.PhoneNumberType.SHARED_COST,
        )
        if not (free or _BARE_DIGITS.fullmatch(match.raw_string) or _CODE_BEFORE.search(text[: match.start])):
            yield match.start, match.end, "phone"


def _value(match: re.Match[str]) -> _Span:
    return match.span("value") if "value" in match.re.groupindex else match.span()


def _luhn(text: str) -> bool:
    digits = [int(char) for char in text if char.isdigit()][::-1]
    doubled = [digit if i % 2 == 0 else digit * 2 - 9 * (digit > 4) for i, digit in enumerate(digits)]
    return len(set(digits)) > 1 and sum(doubled) % 10 == 0

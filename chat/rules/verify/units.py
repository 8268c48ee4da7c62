"""Units as they are written after a number, each with its canonical name."""

from __future__ import annotations

import re

CURRENCY = r"(?:R\$|US\$|U\$S?|€|£|\$|\bBRL\b|\bUSD\b|\bEUR\b)"
_CURRENCY_FORMS = "R$=R$ BRL=R$ US$=US$ U$=US$ U$S=US$ USD=US$ $=$ €=€ EUR=€ £=£"
CURRENCIES = dict(pair.split("=") for pair in _CURRENCY_FORMS.split())

# Canonical unit and how it is written; the first that fits wins, so the longer forms stand first.
UNITS = tuple(
    (unit, re.compile(rf"\s*(?:{pattern})", re.IGNORECASE))
    for unit, pattern in (
        ("%", r"%|por\s+cento\b"),
        ("pp", r"pontos?\s+percentua(?:l|is)\b|p\.\s?p\.|pp\b"),
        ("ordinal", r"[ºª](?![Cc]\b)"),
        ("°C", r"º\s?C\b|graus?(?:\s+celsius)?\b"),
        ("dia útil", r"dias?\s+[úu]t(?:eis|il)\b"),
        ("dia corrido", r"dias?\s+(?:corridos?|consecutivos?)\b"),
        ("hora útil", r"(?:horas?|hs?)\s+[úu]t(?:eis|il)\b"),
        ("hora corrida", r"(?:horas?|hs?)\s+corridas?\b"),
        ("dia", r"dias?\b"),
        ("hora", r"(?:horas?|hs|hrs?|h)\b"),
        ("minuto", r"(?:minutos?|min)\b"),
        ("segundo", r"(?:segundos?|seg|s)\b"),
        ("semana", r"semanas?\b"),
        ("quinzena", r"quinzenas?\b"),
        ("mês", r"m[êe]s(?:es)?\b"),
        ("bimestre", r"bimestres?\b"),
        ("trimestre", r"trimestres?\b"),
        ("semestre", r"semestres?\b"),
        ("ano", r"anos?\b"),
        ("km/h", r"km\s?/\s?h\b|quil[ôo]metros\s+por\s+hora\b"),
        ("km", r"(?:km|quil[ôo]metros?)\b"),
        ("m²", r"(?:m²|m2|metros?\s+quadrados?)(?!\w)"),
        ("m³", r"(?:m³|m3|metros?\s+c[úu]bicos?)(?!\w)"),
        ("cm", r"(?:cm|cent[íi]metros?)\b"),
        ("mm", r"(?:mm|mil[íi]metros?)\b"),
        ("m", r"(?:m|metros?)\b(?![²³])"),
        ("kg", r"(?:kg|kgs|quilos?|quilogramas?)\b"),
        ("t", r"(?:t|ton|toneladas?)\b"),
        ("g", r"(?:g|gramas?)\b"),
        ("ml", r"(?:ml|mililitros?)\b"),
        ("l", r"(?:l|litros?)\b"),
        ("GB", r"GB\b|gigabytes?\b"),
        ("MB", r"MB\b|megabytes?\b"),
        ("US$", r"d[óo]lar(?:es)?\b"),
        ("€", r"euros?\b"),
        ("R$", r"(?:reais|real)\b"),
        ("centavo", r"centavos?\b"),
        ("vez", r"(?:vez(?:es)?(?!\s+que)|x)\b"),
        ("salário mínimo", r"sal[áa]rios?\s+m[íi]nimos?\b"),
    )
)
# Lengths of time: one may be mistaken for another.
_DURATIONS = """
dia útil|dia corrido|hora útil|hora corrida|dia|hora|minuto|segundo|semana|quinzena|mês|bimestre|trimestre|semestre|ano
"""
DURATIONS = frozenset(_DURATIONS.strip().split("|"))
PER = re.compile(
    r"\)?\s*(?:\([^)]*\)\s*)?(?:por|ao|à|a\s+cada|/)\s*(dia|m[êe]s|ano|semana|quinzena|semestre|trimestre|hora|minuto|km|quil[ôo]metro|kg|quilo|"
    r"tonelada|pessoa|colaborador|colaboradora|empregado|funcion[áa]rio|dependente|filho|noite|pernoite|di[áa]ria|refei[çc][ãa]o|"
    r"viagem|unidade|pedido|item|evento|turno|per[íi]odo|trecho|ve[íi]culo|documento|nota|parcela|volume|pallet|palete)\b",
    re.IGNORECASE,
)

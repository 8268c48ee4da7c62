"""Steps 7 to 9: whether to answer, what is said, from which passages, and whether two of them contradict each other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from chat.candidates import Asked
from chat.parts import Parts
from chat.retrieval import Found
from chat.rules import abstain
from chat.rules.outcome import Cited, Claim
from chat.rules.types import Generation, Passage, Usage, Verdict
from documents.rules.normalise import normalise


def signals_of(found: Found, asked: Asked, parts: Parts) -> abstain.Signals | None:
    """What the best passage that may be sent says of the question; None when there is none."""
    if found.best is None:
        return None
    features = found.best.features
    units = found.question.units
    known = parts.index.known(abstain.asked_about(units), asked.filters())
    return abstain.Signals(
        coverage=features["coverage"],
        closeness=features["best_sentence"] - parts.words.commonness(found.question.vector),
        unknown=abstain.unknown(units, known),
    )


def generate(question: str, found: Found, parts: Parts) -> tuple[Generation, bool]:
    """Claims from the passages that are sent; whether they come from the cache. A cached answer costs nothing."""
    sent = [item.passage for item in found.sent]
    key = cache_key(question, sent, parts)
    held = parts.cache.get(key)
    if held is not None:
        return replace(held, usage=Usage()), True
    generation = parts.generator.generate(question, sent)
    parts.cache.set(key, generation)
    return generation, False


def cache_key(question: str, sent: Sequence[Passage], parts: Parts) -> str:
    """The evidence of an answer: another text, order, date of force, rule, prompt or model is another key."""
    versions = parts.versions
    lines = [
        normalise(question).casefold(),
        versions.prompt,
        versions.verifier,
        versions.generator,
        versions.rules,
        *(f"{p.revision_id}:{p.start}-{p.end}:{p.text_hash}:{p.heading}" for p in sent),
    ]
    return hashlib.sha256("\0".join(lines).encode()).hexdigest()


def claims_of(verdicts: Sequence[Verdict], sent: Sequence[Passage]) -> tuple[Claim, ...]:
    """The claims that stand. The same words from two passages are one claim with two citations."""
    claims: dict[str, list[Cited]] = {}
    for verdict in verdicts:
        if verdict.accepted:
            cited = Cited(sent[verdict.claim.passage - 1], verdict.start, verdict.end)
            quotes = claims.setdefault(verdict.claim.text, [])
            if cited not in quotes:
                quotes.append(cited)
    return tuple(Claim(text, tuple(quotes)) for text, quotes in claims.items())


def related_of(found: Found) -> tuple[Cited, ...]:
    """The first passages to read, which claim nothing: each with its first sentence."""
    return tuple(Cited(item.passage, *_first(item.passage)) for item in found.sent[:3])


def conflict_of(found: Found, parts: Parts) -> tuple[Cited, ...]:
    return ()


def _first(passage: Passage) -> tuple[int, int]:
    return passage.sentences[0] if passage.sentences else (0, len(passage.text))

"""Steps 7 to 9: whether to answer, what is said, from which passages, and whether two of them contradict each other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from chat.candidates import Asked
from chat.generators.evidence import Evidence, UsesEvidence
from chat.generators.extractive import Generator as Extractive
from chat.parts import Parts
from chat.retrieval import Found
from chat.rules import abstain
from chat.rules.citations import verify
from chat.rules.conflict import dispute, may_conflict
from chat.rules.outcome import Cited, Claim
from chat.rules.quoting import READ
from chat.rules.types import Generation, Passage, Usage, Verdict
from documents.rules.normalise import normalise

AS_GOOD = 0.75
"""The share of the first passage's coverage from which another one speaks to the same question."""


def signals_of(found: Found, asked: Asked, parts: Parts) -> abstain.Signals | None:
    """What the best passage that may be sent says of the question; None when there is none."""
    if found.best is None:
        return None
    units = found.question.units
    known = parts.index.known(abstain.asked_about(units), asked.filters())
    commonness = parts.words.commonness(found.question.vector)
    quotable = {item.passage.chunk_id for item in found.sent[:READ]}
    others = [one for one in found.scored if one.candidate.passage.chunk_id in quotable]
    nearest = max(one.candidate.best_sentence for one in (found.best, *others))
    return abstain.Signals(
        coverage=found.best.told,
        closeness=nearest - commonness,
        unknown=tuple(dict.fromkeys((*abstain.unknown(units, known), *found.unnamed))),
        commonness=commonness,
    )


def generate(question: str, found: Found, parts: Parts) -> tuple[Generation, bool]:
    """Claims from the passages that are sent; whether they come from the cache. A cached answer costs nothing."""
    sent = [item.passage for item in found.sent]
    key = cache_key((question, *found.meant), sent, parts)
    held = parts.cache.get(key)
    if held is not None:
        return replace(held, usage=Usage()), True
    generator = parts.generator
    if isinstance(generator, UsesEvidence):
        generator = generator.informed(evidence_of(found))
    generation = generator.generate(question, sent)
    parts.cache.set(key, generation, sent)
    return generation, False


def cache_key(wordings: Sequence[str], sent: Sequence[Passage], parts: Parts) -> str:
    """The evidence of an answer: another text, order, revision, rule, prompt or model is another key.

    `wordings` are the question and what the glossary made of it.
    """
    versions = parts.versions
    lines = [
        *(normalise(wording).casefold() for wording in wordings),
        "",
        versions.prompt,
        versions.verifier,
        versions.generator,
        versions.embedder,
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


def conflict_of(question: str, found: Found, asked: Asked, parts: Parts) -> tuple[Cited, ...]:
    """Two sources of equal standing whose best sentences disagree, where no rule decides; empty when there are none."""
    sent = [item.passage for item in found.sent]
    if not sent:
        return ()
    prevails = parts.corpus.prevails(asked.reader, asked.on)
    share = {i.candidate.passage.chunk_id: i.coverage for i in found.scored}
    first = sent[0]
    rivals = [
        other
        for other in sent[1:]
        if share[other.chunk_id] >= AS_GOOD * share[first.chunk_id]
        and may_conflict(first, other)
        and not prevails(first.document, other.document)
    ]
    ours = _best_quotes(question, first, found) if rivals else []
    for other in rivals:
        theirs = _best_quotes(question, other, found)
        place = dispute([cited.quote for cited in ours], [cited.quote for cited in theirs])
        if place is not None:
            return ours[place[0]], theirs[place[1]]
    return ()


def _best_quotes(question: str, passage: Passage, found: Found) -> list[Cited]:
    """What the passage says to the question, best first: the fact in dispute need not be in its best sentence."""
    generation = Extractive(evidence_of(found)).generate(question, [passage])
    return [Cited(passage, v.start, v.end) for v in verify(generation.claims, [passage]) if v.accepted]


def evidence_of(found: Found) -> Evidence:
    vectors = {chunk_id: item.sentence_vectors for chunk_id, item in found.loaded.items()}
    return Evidence(found.question, vectors, found.meant)


def _first(passage: Passage) -> tuple[int, int]:
    return passage.sentences[0] if passage.sentences else (0, len(passage.text))

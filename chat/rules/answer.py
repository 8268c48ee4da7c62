"""The one shape of an answer, for the command, the API, the stream and the MCP tool."""

from __future__ import annotations

from dataclasses import asdict
from typing import TypedDict

from chat.rules.outcome import Cited, Claim, Outcome, Versions

TIMINGS = ("condense", "rewrite", "filter", "search", "rerank", "generate", "verify", "total")

Json = dict[str, object]


class Channel(TypedDict):
    label: str
    url: str


def citation(cited: Cited) -> Json:
    """`start` and `end` are the quote's span in the text of the revision, for `?trecho=` of the document page."""
    passage = cited.passage
    return {
        "document": passage.document,
        "title": passage.title,
        "revision": passage.revision,
        "revision_id": passage.revision_id,
        "section": passage.section,
        "anchor": passage.anchor,
        "page": passage.page,
        "quote": cited.quote,
        "authority": str(passage.authority),
        "valid_from": passage.valid_from.isoformat() if passage.valid_from else None,
        "valid_until": passage.valid_until.isoformat() if passage.valid_until else None,
        "owner": passage.owner,
        "url": f"/documentos/{passage.document}/{passage.revision}/#{passage.anchor}",
        "start": passage.start + cited.start,
        "end": passage.start + cited.end,
    }


def claim(item: Claim) -> Json:
    return {"text": item.text, "citations": [citation(cited) for cited in item.citations]}


def answer(outcome: Outcome, *, evidence: str | None, channel: Channel | None) -> Json:
    """The answer as INTERFACE names it. `evidence` is the record's id; an answer without one says nothing."""
    sources = [citation(cited) for cited in outcome.conflict]
    return {
        "status": str(outcome.status),
        "question": outcome.question,
        "standalone_question": outcome.standalone,
        "on": outcome.on.isoformat(),
        "temporal": outcome.temporal,
        "claims": [claim(item) for item in outcome.claims],
        "conflict": {"sources": sources} if sources else None,
        "missing": {"reason": outcome.missing} if outcome.missing else None,
        "related": [citation(cited) for cited in outcome.related],
        "channel": dict(channel) if channel else None,
        "evidence": evidence,
        "usage": asdict(outcome.usage),
        "timings_ms": {name: round(outcome.timings.get(name, 0.0), 1) for name in TIMINGS},
    }


def trace(outcome: Outcome, versions: Versions) -> Json:
    """What an auditor is shown beside the answer: stages, and each excluded document with its reason."""
    excluded = {(c.document, c.revision, str(c.reason)) for c in outcome.candidates if c.reason != "eligible"}
    return {
        "stages": [
            {
                "name": stage.name,
                "in": stage.entered,
                "out": stage.left,
                "ms": round(stage.ms, 1),
                "by_corpus": {str(corpus): count for corpus, count in stage.by_corpus.items()},
            }
            for stage in outcome.stages
        ],
        "excluded": [
            {"document": document, "revision": revision, "reason": reason}
            for document, revision, reason in sorted(excluded)
        ],
        "rules_version": versions.rules,
        "index_version": versions.index,
        "prompt_version": versions.prompt,
        "parts": {
            "embedder": versions.embedder,
            "generator": versions.generator,
            "reranker": versions.reranker,
            "rewriter": versions.rewriter,
            "verifier": versions.verifier,
            "thresholds": versions.thresholds,
        },
    }

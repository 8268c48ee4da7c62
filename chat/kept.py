"""A sample of the caches against the tables: what a kept answer quotes, and what vector a question is searched by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chat.cache import EMBEDDED, Kept, held_query, kept_answers
from chat.models import EvidenceQuestion
from documents.models import Revision
from documents.rules.normalise import text_hash
from documents.search import active

QUESTIONS = 3
"""Questions of the record whose vectors are made anew and compared: each costs the model a moment."""
SAME = 0.999


def differences(revision_ids: Sequence[int]) -> list[str]:
    """What kept answers from these revisions say otherwise than the tables; without ids, of all that are sampled, and
    of the newest questions' vectors too. Empty: they agree, or hold nothing.
    """
    told = list(_answers(frozenset(revision_ids)))
    return told if revision_ids else [*told, *_questions()]


def _answers(revision_ids: frozenset[int]) -> Iterator[str]:
    kept = {
        key: one
        for key, one in kept_answers().items()
        if not revision_ids or not revision_ids.isdisjoint(place.revision for place in one.places)
    }
    wanted = {place.revision for one in kept.values() for place in one.places}
    texts = dict(Revision.objects.filter(pk__in=wanted).values_list("pk", "text"))
    for key, one in kept.items():
        why = _wrong(one, texts)
        if why:
            yield f"answer {key[:12]}: {why}"


def _wrong(kept: Kept, texts: dict[int, str]) -> str:
    for place in kept.places:
        if text_hash(texts.get(place.revision, "")[place.start : place.end]) != place.text_hash:
            return f"its passage {place.start}-{place.end} is not in revision {place.revision}"
    return ""


def _questions() -> Iterator[str]:
    version = active.version()
    if version is None:
        return
    embedder = active.embedder_of(version)
    for asked in EvidenceQuestion.objects.order_by("-pk").values_list("question", flat=True)[:QUESTIONS]:
        held = held_query(embedder, asked)
        if held is not None and (
            held.shape != (embedder.dimensions,) or float(held @ embedder.query(asked[:EMBEDDED])) < SAME
        ):
            yield "a question's vector is not what its model makes of it"

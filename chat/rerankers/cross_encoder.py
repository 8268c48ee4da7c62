"""A cross-encoder reads question and passage together: slower and finer than the sum of signals. Extra `models`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from chat.rerankers import features
from chat.rerankers.base import Asked, Candidate, RerankerUnavailable, Scored
from chat.rules import ranking

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


class Reranker:
    """The model's score, standardised over the list, less what a source's authority takes off.

    The signals of `features` are kept beside it: refusal and conflict are judged by them. `model` is a path or a name;
    weights are read at first use. `device` is PyTorch's name; None takes a GPU where there is one.
    """

    def __init__(self, model: str, *, device: str | None = None) -> None:
        self._name = model
        self._device = device
        self._signals = features.Reranker()
        self._lock = Lock()
        self._model: CrossEncoder | None = None

    @property
    def fingerprint(self) -> str:
        return f"cross-encoder/{self._name}+{self._signals.fingerprint}"

    def rank(self, asked: Asked, candidates: Sequence[Candidate]) -> list[Scored]:
        scored = self._signals.rank(asked, candidates)
        if not scored:
            return []
        passages = [one.candidate.passage for one in scored]
        with self._lock:
            raw = self._loaded().predict([(asked.text, f"{p.heading}\n{p.text}") for p in passages])
        standard = ranking.standard([float(value) for value in raw])
        ranked = [
            replace(one, score=float(value) + ranking.AUTHORITY[one.candidate.passage.authority])
            for one, value in zip(scored, standard, strict=True)
        ]
        return sorted(ranked, key=lambda one: (-round(one.score, 5), one.candidate.passage.chunk_id))

    def _loaded(self) -> CrossEncoder:
        if self._model is None:
            try:
                from sentence_transformers import CrossEncoder

                self._model = CrossEncoder(self._name, device=self._device)
            except (ImportError, OSError, RuntimeError, ValueError) as error:
                raise RerankerUnavailable(f"the cross-encoder {self._name} cannot be loaded: {error}") from error
        return self._model

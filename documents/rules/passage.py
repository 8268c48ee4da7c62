"""A passage: what leaves the corpus for a prompt or a page, with all that a citation shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np
import numpy.typing as npt

from documents.rules.text_terms import TextTerms
from documents.rules.types import Authority, Corpus, Kind, Reason


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as it may enter a prompt: literal text of one revision, with what a citation shows.

    `text == revision_text[start:end]`; `sentences` and `stems` are spans relative to `text`; a stem may lie before the
    passage, then it is given in `stem_texts` instead. `heading` is "title > section path": searched, never quoted.
    """

    chunk_id: int
    document: str
    title: str
    revision: str
    revision_id: str
    section: str
    anchor: str
    page: int | None
    start: int
    end: int
    text: str
    text_hash: str
    heading: str
    kind: Kind
    corpus: Corpus
    authority: Authority
    area: str
    owner: str
    valid_from: date | None
    valid_until: date | None
    sentences: tuple[tuple[int, int], ...]
    stems: tuple[tuple[int, int] | None, ...] = ()
    subjects: frozenset[str] = frozenset()
    scope_units: frozenset[str] = frozenset()
    scope_jurisdictions: frozenset[str] = frozenset()
    scope_products: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Loaded:
    """A passage, whether it may be quoted and why, the terms of its heading and text, and its vectors.

    `vector` is (d,), `sentence_vectors` (sentences, d), of unit length.
    """

    passage: Passage
    reason: Reason
    terms: TextTerms
    vector: npt.NDArray[np.float32]
    sentence_vectors: npt.NDArray[np.float32]

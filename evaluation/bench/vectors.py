"""Vectors that lie like a model's: clouds around real ones, on the sphere, with the model's narrow spread."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from documents.embedders.base import Vectors, unit_rows

NEAR = 0.94
"""Cosine of a made-up passage with the centre of its cloud: what e5 gives two passages on one subject."""
VERSION = "vectors-2"


def spread_of(sentences: Vectors) -> Vectors:
    """Into which directions real sentences differ, and how far; shape as given, (n, d). `around` mixes them.

    A model's vectors fill few of its dimensions. Clouds that fill all of them are what no text looks like: everything
    in them is about equally near, so that no graph finds its way.
    """
    spread: Vectors = sentences - sentences.mean(axis=0)
    return spread


def around(
    centre: Vectors, count: int, random: Generator, spread: Vectors | None = None, cosine: float = NEAR
) -> Vectors:
    """`count` unit vectors, each about `cosine` from the unit vector `centre`; shape (count, len(centre)).

    They differ from it in the directions of `spread`; without it in all alike.
    """
    noise = random.standard_normal((count, len(centre if spread is None else spread)))
    if spread is not None:
        noise = noise @ spread
    # Orthogonal to the centre and of unit length, so that the cosine comes out as asked.
    noise -= np.outer(noise @ centre, centre)
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    made = cosine * centre + np.sqrt(1 - cosine**2) * noise
    return unit_rows(made.astype(np.float32))

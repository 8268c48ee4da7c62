"""Vectors that lie like a model's: clouds around real ones, on the sphere, with the model's narrow spread."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from documents.embedders.base import Vectors, unit_rows

NEAR = 0.94
"""Cosine of a made-up passage with the centre of its cloud: what e5 gives two passages on one subject."""


def around(centre: Vectors, count: int, random: Generator, cosine: float = NEAR) -> Vectors:
    """`count` unit vectors, each about `cosine` from the unit vector `centre`; shape (count, len(centre))."""
    noise = random.standard_normal((count, len(centre)))
    # Orthogonal to the centre and of unit length, so that the cosine comes out as asked.
    noise -= np.outer(noise @ centre, centre)
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    made = cosine * centre + np.sqrt(1 - cosine**2) * noise
    return unit_rows(made.astype(np.float32))

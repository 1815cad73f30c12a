# SPDX-License-Identifier: Apache-2.0
"""Features of concepts: how often and where they occur. They are the same for all languages.

An instance is a concept in one sentence. Counts enter by their logarithms, places as 1 / (1 + place), lengths in units
of fifty words, so that all features are of one size.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from accord.tasks.summarizer.weighing import Counts, Key

NAMES = (
    "documents",
    "sentences",
    "times",
    "share of documents",
    "share of sentences",
    "one stop word",
    "only stop words",
    "share of first sentences",
    "length of the words",
    "in one sentence",
    "place in the document",
    "first sentence",
    "length of the sentence",
)


def instances(counts: Counts, size: int) -> tuple[NDArray[np.float64], NDArray[np.int64], list[Key]]:
    """Features of all instances of concepts of ``size`` words, the concept of each instance, and the concepts."""
    number: dict[Key, int] = {}
    rows: list[list[float]] = []
    kinds: list[int] = []
    fixed: dict[Key, list[float]] = {}
    for found, place in zip(counts.keys, counts.places, strict=True):
        length = sum(len(key) == 1 for key, *_ in found) / 50
        for key in dict.fromkeys(key for key, *_ in found if len(key) == size):
            if key not in fixed:
                fixed[key] = _of_concept(key, counts)
                number[key] = len(number)
            rows.append([*fixed[key], 1 / (1 + place), float(place == 0), length])
            kinds.append(number[key])
    return np.array(rows, np.float64).reshape(-1, len(NAMES)), np.array(kinds, np.int64), list(number)


def _of_concept(key: Key, counts: Counts) -> list[float]:
    documents, sentences = counts.documents[key], counts.sentences[key]
    stops = sum(part in counts.stops for part in key) / len(key)
    return [
        math.log1p(documents),
        math.log1p(sentences),
        math.log1p(counts.times[key]),
        documents / max(1, counts.sizes[0]),
        sentences / max(1, counts.sizes[1]),
        float(0 < stops < 1),
        float(stops == 1),
        counts.firsts[key] / documents,
        min(sum(map(len, key)), 20) / 20,
        float(sentences == 1),
    ]

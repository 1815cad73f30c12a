# SPDX-License-Identifier: Apache-2.0
"""Features of concepts: how often and where they occur. They are the same for all languages.

An instance is a concept in one sentence. Counts enter by their logarithms, places as 1 / (1 + place), lengths in units
of fifty words, so that all features are of one size.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from accord.tasks.summarizer.weighing import FEW_DOCUMENTS, Counts, Key

_MANY, _EARLY, _STOPS = 5, 3, 3  # classes of how often, how early, and of stop words
CONCEPT_FEATURES = 2 * sum((5, 3, 3, 15, 15, 9, 45))  # indicators for structured learning: of words, then of pairs

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


def concept_features(counts: Counts) -> tuple[NDArray[np.float64], list[Key]]:
    """Indicators of words, then of pairs: how often, how early, with how many stop words, and these joined.

    A row has a 1 for the class of each of these three and of every two and all three of them together (Almeida &
    Martins 2013). How often is the number of documents, or of sentences where there are fewer than three documents.
    """
    few = counts.sizes[0] < FEW_DOCUMENTS
    often = counts.sentences if few else counts.documents
    earliest: dict[Key, int] = {}
    for found, place in zip(counts.keys, counts.places, strict=True):
        for key, *_ in found:
            earliest[key] = min(place, earliest.get(key, place))
    keys = sorted(earliest, key=lambda key: (len(key), key))
    many = np.array([_class_of_count(often[key], few) for key in keys], np.int64)
    early = np.array([min(earliest[key], 2) for key in keys], np.int64)
    stops = np.array([sum(part in counts.stops for part in key) for key in keys], np.int64)
    pairs = np.array([len(key) - 1 for key in keys], np.int64)
    features = np.zeros((len(keys), CONCEPT_FEATURES))
    at = pairs * (CONCEPT_FEATURES // 2)
    for columns, sizes in (
        ((many,), (_MANY,)),
        ((early,), (_EARLY,)),
        ((stops,), (_STOPS,)),
        ((many, early), (_MANY, _EARLY)),
        ((many, stops), (_MANY, _STOPS)),
        ((early, stops), (_EARLY, _STOPS)),
        ((many, early, stops), (_MANY, _EARLY, _STOPS)),
    ):
        features[np.arange(len(keys)), at + np.ravel_multi_index(columns, sizes)] = 1.0
        at = at + int(np.prod(sizes))
    return features, keys


def _class_of_count(count: int, few: bool) -> int:
    """1, 2, 3, 4 and more of documents; with few documents 1, 2, 3 to 4, 5 to 8 and more of sentences."""
    return min(_MANY, (count - 1).bit_length() + 1 if few else count) - 1

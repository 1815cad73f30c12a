# SPDX-License-Identifier: Apache-2.0
"""What concepts are worth by training: how often a summary that people write would have them (Li, Qian & Liu 2013).

Frequencies of words, and of pairs, sum to 1 over a topic. A concept is worth its frequency times the number of words of
the summary, which is how often it is expected there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.learning.frequencies import frequencies
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.features import concept_features, instances
from accord.tasks.summarizer.weighing import Counts, Key

_WORDS = 100.0  # of a summary whose budget does not say


@dataclass(frozen=True)
class TrainedWeights:
    """The weights of features of words and of pairs."""

    words: tuple[float, ...]
    pairs: tuple[float, ...]

    def __call__(self, counts: Counts, config: SummarizerConfig) -> dict[Key, float]:
        expected = config.words or _WORDS
        found: dict[Key, float] = {}
        for size, weights, share in ((1, self.words, config.words_weight), (2, self.pairs, 1.0)):
            features, concept, keys = instances(counts, size)
            shares = frequencies(np.array(weights), features, concept, len(keys))
            found |= dict(zip(keys, (share * expected * shares).tolist(), strict=True))
        return found


@dataclass(frozen=True)
class LinearWeights:
    """Weights of the features of concepts by structured learning: the worth is linear, and never negative."""

    weights: tuple[float, ...]

    def __call__(self, counts: Counts, config: SummarizerConfig) -> dict[Key, float]:
        features, keys = concept_features(counts)
        return dict(zip(keys, np.maximum(0.0, features @ np.array(self.weights)).tolist(), strict=True))

# SPDX-License-Identifier: Apache-2.0
"""Sentences by learned relevance, with and without a penalty for repeating (Martins & Smith 2009).

``Rel`` takes sentences by decreasing score while they fit; ``MMR`` takes again and again the sentence with the best
score less its likeness to the summary so far (Carbonell & Goldstein 1998). Scores are those of
:mod:`accord.tasks.summarizer.relevance`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.tasks.summarizer import Source
from accord.tasks.summarizer.relevance import bags_of, cosine, learned_relevance, relevance_features
from accord.tasks.summarizer.topics import Topic as TrainingTopic
from benchmarks.summaries.baselines import Summarize, filled, numbered
from benchmarks.summaries.topics import Topic

Numbers = NDArray[np.float64]


def learned(topics: Sequence[Topic]) -> Numbers:
    """Weights of features from the ROUGE-2 of sentences."""
    return learned_relevance([TrainingTopic(topic.sources, topic.references) for topic in topics])[0]


def by_relevance(weights: Numbers) -> Summarize:
    def summarize(sources: Sequence[Source], words: int) -> str:
        ranked = numbered(sources)
        scores = relevance_features(sources) @ weights
        return filled([ranked[k] for k in np.argsort(-scores, kind="stable")], words)

    return summarize


def by_marginal_relevance(weights: Numbers, share: float = 0.5) -> Summarize:
    """``share``: of the score, beside the likeness to what is there."""

    def summarize(sources: Sequence[Source], words: int) -> str:
        sentences, bags = numbered(sources), bags_of([one for _, one in numbered(sources)], 1)
        scores = relevance_features(sources) @ weights
        scores = (scores - scores.min()) / (np.ptp(scores) or 1.0)
        chosen: list[int] = []
        so_far: Counter[tuple[str, ...]] = Counter()
        left, waiting = words, set(range(len(sentences)))
        while waiting:
            best = max(waiting, key=lambda k: (share * scores[k] - (1 - share) * cosine(bags[k], so_far), -k))
            waiting.discard(best)
            if 0 < sentences[best][1].words <= left:
                left -= sentences[best][1].words
                chosen.append(best)
                so_far += bags[best]
            waiting = {k for k in waiting if 0 < sentences[k][1].words <= left}
        return " ".join(sentences[k][1].text for k in sorted(chosen))

    return summarize

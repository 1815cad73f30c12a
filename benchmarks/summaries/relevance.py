# SPDX-License-Identifier: Apache-2.0
"""Sentences by learned relevance, with and without a penalty for repeating (Martins & Smith 2009).

``Rel`` takes sentences by decreasing score while they fit; ``MMR`` takes again and again the sentence with the best
score less its likeness to the summary so far (Carbonell & Goldstein 1998). Scores are linear: one over the place in the
document, whether it is the first sentence, and cosines of words and of pairs with the whole topic. Weights come from
pairs of sentences, of which the one with the better ROUGE-2 must have the higher score (logistic loss, L-BFGS).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.evaluation.rouge import Rouge
from accord.learning.lbfgs import lbfgs
from accord.tasks.summarizer import Source
from accord.tasks.summarizer.concepts import mentioned
from benchmarks.summaries.baselines import Summarize, filled, numbered
from benchmarks.summaries.topics import Topic

Numbers = NDArray[np.float64]


def _bags(sources: Sequence[Source], size: int) -> list[Counter[tuple[str, ...]]]:
    tokens = [[token.lower() for token in sentence.tokens] for _, sentence in numbered(sources)]
    return [Counter(key for key, *_ in mentioned(words) if len(key) == size) for words in tokens]


def _cosine(one: Counter[tuple[str, ...]], other: Counter[tuple[str, ...]]) -> float:
    norm = math.sqrt(sum(v * v for v in one.values()) * sum(v * v for v in other.values()))
    return sum(count * other[key] for key, count in one.items()) / norm if norm else 0.0


def features(sources: Sequence[Source]) -> Numbers:
    places = [place for source in sources for place in range(len(source.sentences))]
    columns = [[1 / (1 + place) for place in places], [float(place == 0) for place in places]]
    for size in (1, 2):
        bags = _bags(sources, size)
        whole = sum(bags, Counter())
        columns.append([_cosine(bag, whole) for bag in bags])
    return np.array(columns).T


def learned(topics: Sequence[Topic], l2: float = 1e-2) -> Numbers:
    """Weights of features from the ROUGE-2 of sentences."""
    rouge = Rouge(stems=True, combine="mean")
    differences = []
    for topic in topics:
        rows = features(topic.sources)
        gold = [rouge.score(topic.references, sentence.text)["rouge2"].f1 for _, sentence in numbered(topic.sources)]
        order = np.argsort(gold)
        differences += [rows[b] - rows[a] for a in order for b in order[-5:] if gold[b] > gold[a]]
    table = np.array(differences)

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        margins = table @ weights
        slope = -1 / (1 + np.exp(margins))
        value = float(np.logaddexp(0, -margins).mean()) + l2 / 2 * float(weights @ weights)
        return value, table.T @ slope / len(table) + l2 * weights

    return lbfgs(loss, np.zeros(table.shape[1]))


def by_relevance(weights: Numbers) -> Summarize:
    def summarize(sources: Sequence[Source], words: int) -> str:
        ranked = numbered(sources)
        scores = features(sources) @ weights
        return filled([ranked[k] for k in np.argsort(-scores, kind="stable")], words)

    return summarize


def by_marginal_relevance(weights: Numbers, share: float = 0.5) -> Summarize:
    """``share``: of the score, beside the likeness to what is there."""

    def summarize(sources: Sequence[Source], words: int) -> str:
        sentences, bags = numbered(sources), _bags(sources, 1)
        scores = features(sources) @ weights
        scores = (scores - scores.min()) / (np.ptp(scores) or 1.0)
        chosen: list[int] = []
        so_far: Counter[tuple[str, ...]] = Counter()
        left, waiting = words, set(range(len(sentences)))
        while waiting:
            best = max(waiting, key=lambda k: (share * scores[k] - (1 - share) * _cosine(bags[k], so_far), -k))
            waiting.discard(best)
            if 0 < sentences[best][1].words <= left:
                left -= sentences[best][1].words
                chosen.append(best)
                so_far += bags[best]
            waiting = {k for k in waiting if 0 < sentences[k][1].words <= left}
        return " ".join(sentences[k][1].text for k in sorted(chosen))

    return summarize

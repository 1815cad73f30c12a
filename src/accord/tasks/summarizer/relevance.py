# SPDX-License-Identifier: Apache-2.0
"""Learned relevance: what a sentence is worth by its place and by its likeness to the topic (Martins & Smith 2009).

Features of a sentence are one over its place in its document, whether it is the first, and cosines of its words and of
its pairs of words with the whole topic and with the query. Weights come from pairs of sentences, of which the one with
the better ROUGE-2 must have the higher worth (logistic loss, L-BFGS). A summary without shortening is then the choice
of whole sentences that is worth most within the budgets.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.evaluation.rouge import Rouge
from accord.inference.coverage import CoverageProblem
from accord.learning.lbfgs import lbfgs
from accord.tasks.summarizer.concepts import mentioned
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.problems import SummaryProblem, budgets_of, useful_sentences
from accord.tasks.summarizer.sources import Source, SourceSentence
from accord.tasks.summarizer.topics import Topic
from accord.tasks.summarizer.weighing import Key

Numbers = NDArray[np.float64]
Bag = Counter[Key]

NAMES = ("place", "first", "words like the topic", "pairs like the topic", "words like the query", "pairs of the query")
_BEST = 5  # sentences of a topic that others are compared with
_SIZES = (1, 2)


def bags_of(sentences: Sequence[SourceSentence], size: int) -> list[Bag]:
    """How often each sentence has each word, or each pair of neighbouring words, by stems."""
    return [_bag(sentence.tokens, size) for sentence in sentences]


def cosine(one: Bag, other: Bag) -> float:
    """The cosine of two bags; 0 where one is empty."""
    norm = math.sqrt(sum(v * v for v in one.values()) * sum(v * v for v in other.values()))
    return sum(count * other[key] for key, count in one.items()) / norm if norm else 0.0


def relevance_features(sources: Sequence[Source], query: Sequence[str] = ()) -> Numbers:
    """A row for each sentence of the sources, in their order; ``query``: its words."""
    places = [place for source in sources for place in range(len(source.sentences))]
    sentences = [sentence for source in sources for sentence in source.sentences]
    columns = [[1 / (1 + place) for place in places], [float(place == 0) for place in places]]
    bags = {size: bags_of(sentences, size) for size in _SIZES}
    wholes = [sum(bags[size], Counter()) for size in _SIZES]
    asked = [_bag(query, size) for size in _SIZES]
    for size, whole in zip(_SIZES * 2, [*wholes, *asked], strict=True):
        columns.append([cosine(bag, whole) for bag in bags[size]])
    return np.array(columns).T.reshape(-1, len(NAMES))


def learned_relevance(topics: Sequence[Topic], penalty: float = 1e-2) -> tuple[Numbers, float]:
    """Weights of features by the ROUGE-2 of sentences, and the loss that is left."""
    found = [_differences(topic) for topic in topics]
    table = np.concatenate([np.zeros((0, len(NAMES))), *found])
    if not len(table):
        raise ConfigError(
            "training of relevance needs topics whose summaries say more of some sentences than of others"
        )

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        margins = table @ weights
        slope = -np.exp(-np.logaddexp(0, margins))
        value = float(np.logaddexp(0, -margins).mean()) + penalty / 2 * float(weights @ weights)
        return value, table.T @ slope / len(table) + penalty * weights

    weights = lbfgs(loss, np.zeros(len(NAMES)))
    return weights, loss(weights)[0]


def relevance_problem(
    sources: Sequence[Source], config: SummarizerConfig, weights: Sequence[float], query: Sequence[str]
) -> SummaryProblem:
    """The choice of whole sentences by their worth; useless sentences are worth nothing."""
    sentences = [sentence for source in sources for sentence in source.sentences]
    first = np.arange(len(sentences) + 1, dtype=np.int64)
    costs, limits = budgets_of(sentences, first, config)
    problem = CoverageProblem([], [], costs, limits, scores=worths_of(sources, config, weights, query))
    return SummaryProblem(problem, first[:-1])


def worths_of(
    sources: Sequence[Source], config: SummarizerConfig, weights: Sequence[float], query: Sequence[str]
) -> Numbers:
    """What each sentence is worth; -1 where it is too short or says what an earlier one says."""
    sentences = [sentence for source in sources for sentence in source.sentences]
    useful = useful_sentences(sentences, len(sources), config)
    worths = relevance_features(sources, query) @ np.array(weights, np.float64)
    return np.where(useful, worths, -1.0)


def _bag(tokens: Sequence[str], size: int) -> Bag:
    return Counter(key for key, *_ in mentioned([token.lower() for token in tokens]) if len(key) == size)


def _differences(topic: Topic) -> Numbers:
    """For each of the best sentences and each worse one, by how much their features differ."""
    rouge = Rouge(stems=True, combine="mean")
    rows = relevance_features(topic.sources, topic.query)
    texts = [sentence.text for source in topic.sources for sentence in source.sentences]
    gold = [rouge.score(topic.summaries, text)["rouge2"].f1 for text in texts] if topic.summaries else []
    order = np.argsort(gold, kind="stable")
    found = [rows[b] - rows[a] for a in order for b in order[-_BEST:] if gold[b] > gold[a]]
    return np.array(found).reshape(-1, len(NAMES))

# SPDX-License-Identifier: Apache-2.0
"""Extraction as a task that learns structured answers: weights of concepts by the summaries that they lead to.

The worth of a concept is linear in its features (:mod:`~accord.tasks.summarizer.features`), and none is negative: the
weights of features are kept from falling below zero, as in Qian & Liu (2013), and so graph cuts can decode. The gold
answer of a topic is an oracle: the choice of sentences within the budget that covers most of the pairs of words of its
summaries. The cost of an answer is the share of gold concepts that it misses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.inference.coverage import CoverageProblem, solve
from accord.learning.multitask import SharedWeights, train_together
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.features import NAMES, instances
from accord.tasks.summarizer.training import Topic, reference_counts, topic_counts
from accord.tasks.summarizer.weighing import Counts
from accord.tasks.tokenizer import Tokenizer

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class _Instance:
    features: Numbers  # of concepts
    problem: CoverageProblem  # with weights of 1
    gold: Numbers  # how much the oracle covers of each concept


class Extraction:
    """Topics with oracle extracts; a :class:`~accord.learning.multitask.SharingTask`.

    ``cost``: whether the decoder is drawn to answers that miss gold concepts (structured SVM) or not (perceptron).
    """

    def __init__(
        self, topics: Sequence[Topic], config: SummarizerConfig, *, cost: bool = True, method: str = "graph_cut"
    ) -> None:
        self._cost, self._method = cost, method
        tokenizer = Tokenizer.load("en")
        self._instances = [one for topic in topics if (one := _instance(topic, config, tokenizer)) is not None]

    def __len__(self) -> int:
        return len(self._instances)

    def loss(self, instance: int, weights: Numbers) -> tuple[float, Numbers]:
        one = self._instances[instance]
        worth = np.maximum(one.features @ weights, 0.0)
        share = one.gold / max(1.0, one.gold.sum()) if self._cost else np.zeros_like(one.gold)
        found = solve(_weighed(one.problem, np.maximum(worth - share, 0.0)), self._method)
        assert found.assignment is not None
        covered = np.minimum(1.0, one.problem.amounts(found.assignment))
        cost = float(share @ (one.gold - covered))
        difference = covered - one.gold
        return max(0.0, float(worth @ difference) + cost), np.asarray(one.features.T @ difference)


def train_extraction(
    topics: Sequence[Topic], config: SummarizerConfig, *, cost: bool = False, epochs: int = 10, seed: int = 0
) -> Numbers:
    """Weights of features that are not negative, by the averaged perceptron, or by a structured SVM with ``cost``."""
    task = Extraction(topics, config, cost=cost)
    found: SharedWeights = train_together(
        [task],
        2 * len(NAMES),
        shared_penalty=1e-3 if cost else 0.0,
        own_penalties=[float("inf")],
        non_negative=np.ones(2 * len(NAMES), np.bool_),
        epochs=epochs,
        seed=seed,
    )
    return found.of(0)


def concept_features(counts: Counts) -> tuple[Numbers, list[tuple[str, ...]]]:
    """Features of words, then of pairs, in two blocks of columns: of all instances the largest."""
    blocks, names = [], []
    for size in (1, 2):
        features, concept, keys = instances(counts, size)
        largest = np.zeros((len(keys), 2 * len(NAMES)))
        columns = slice((size - 1) * len(NAMES), size * len(NAMES))
        for row, one in zip(features, concept, strict=True):
            np.maximum(largest[one, columns], row, out=largest[one, columns])
        blocks.append(largest)
        names += keys
    return np.concatenate(blocks), names


def _instance(topic: Topic, config: SummarizerConfig, tokenizer: Tokenizer) -> _Instance | None:
    counts = topic_counts(topic, config)
    features, keys = concept_features(counts)
    number = {key: k for k, key in enumerate(keys)}
    rows = [(number[key], unit) for unit, found in enumerate(counts.keys) for key in {key for key, *_ in found}]
    words = [float(s.words) for source in topic.sources for s in source.sentences]
    if not rows or not topic.summaries:
        return None
    problem = CoverageProblem(np.ones(len(keys)), np.array(rows), words, float(config.words or 100))
    wanted = np.zeros(len(keys))
    for summary in topic.summaries:
        for key, many in reference_counts(summary, tokenizer, counts).items():
            if len(key) == 2 and key in number:
                wanted[number[key]] += many
    best = solve(_weighed(problem, wanted), "graph_cut").assignment
    assert best is not None
    return _Instance(features, problem, np.minimum(1.0, problem.amounts(best)))


def _weighed(problem: CoverageProblem, weights: Numbers) -> CoverageProblem:
    found = problem.occurrences
    rows = np.stack([found.concept_of, found.needs], axis=1)
    return CoverageProblem(weights, rows, problem.costs, problem.limits)

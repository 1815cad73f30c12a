# SPDX-License-Identifier: Apache-2.0
"""Summaries as a task that learns structured answers: weights of concepts, and of cuts, by the summaries they lead to.

The worth of a concept is linear in its features (:mod:`~accord.tasks.summarizer.features`), and none is negative: the
weights of features are kept from falling below zero, as in Qian & Liu (2013), and so graph cuts can decode. Where
sentences have pieces, a cut has a score that is linear in its features (:mod:`~accord.tasks.summarizer.cut_features`),
and so has each sentence (:mod:`~accord.tasks.summarizer.sentence_features`).
The gold answer of a topic is an oracle: the choice within the budget that covers most of the pairs of words of its
summaries, less a price for each cut. The cost of an answer is the share of gold concepts that it misses, and the share
of cuts that the gold answer does not make.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.inference.coverage import CoverageProblem, solve
from accord.learning.multitask import SharedWeights, train_together
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.cut_features import SIZE, features_of_cuts
from accord.tasks.summarizer.features import CONCEPT_FEATURES, concept_features
from accord.tasks.summarizer.problems import unit_rows, useful_sentences, words_of
from accord.tasks.summarizer.sentence_features import SENTENCE_FEATURES, sentence_features
from accord.tasks.summarizer.topics import Topic, reference_counts, topic_counts
from accord.tasks.tokenizer import Tokenizer

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]

CUTS = slice(CONCEPT_FEATURES, CONCEPT_FEATURES + SIZE)
SENTENCES = slice(CUTS.stop, CUTS.stop + SENTENCE_FEATURES)
ALL = SENTENCES.stop  # features of concepts, then of cuts, then of sentences
NON_NEGATIVE = np.arange(ALL) < CONCEPT_FEATURES


@dataclass(frozen=True)
class _Instance:
    features: Numbers  # of concepts
    problem: CoverageProblem  # with weights of 1
    gold: Numbers  # how much the oracle covers of each concept
    cuts: Indices  # features of the cut of each arc of the problem
    gold_cuts: Numbers  # whether the oracle makes each cut
    cut_cost: float  # of a cut that the oracle does not make
    units: Numbers  # features of units
    gold_units: Numbers  # the sum of those that the oracle chooses


class Extraction:
    """Topics with oracles; a :class:`~accord.learning.multitask.SharingTask`.

    Sentences of the topics that have pieces may be cut. ``cost``: whether the decoder is drawn to answers that miss
    gold concepts (structured SVM) or not (perceptron).
    """

    def __init__(
        self, topics: Sequence[Topic], config: SummarizerConfig, *, cost: bool = True, method: str = "graph_cut"
    ) -> None:
        self._cost, self._method = cost, method
        tokenizer = Tokenizer.load("en")
        self._instances = [one for topic in topics if (one := _instance(topic, config, tokenizer)) is not None]

    def __len__(self) -> int:
        return len(self._instances)

    def extend(self, other: Extraction) -> None:
        """Takes the topics of another one too, which may have another budget."""
        self._instances += other._instances

    def loss(self, instance: int, weights: Numbers) -> tuple[float, Numbers]:
        one = self._instances[instance]
        scale = 1 / max(1.0, one.gold.sum())  # so that topics of all sizes weigh the same
        worth = scale * np.maximum(one.features @ weights[:CONCEPT_FEATURES], 0.0)
        cuts = scale * weights[CUTS][one.cuts].sum(axis=1)
        units = scale * (one.units @ weights[SENTENCES])
        share = scale * one.gold if self._cost else np.zeros_like(one.gold)
        price = one.cut_cost * (1 - one.gold_cuts) if self._cost else np.zeros_like(cuts)
        found = solve(_weighed(one.problem, np.maximum(worth - share, 0.0), cuts + price, units), self._method)
        assert found.assignment is not None
        covered = np.minimum(1.0, one.problem.amounts(found.assignment))
        made = _cuts_made(one.problem, found.assignment)
        cost = float(share @ (one.gold - covered)) + float(price @ made)
        gained, more = covered - one.gold, made - one.gold_cuts
        other = found.assignment @ one.units - one.gold_units
        slope = np.zeros(len(weights))
        slope[:CONCEPT_FEATURES] = one.features.T @ gained
        np.add.at(slope[CUTS], one.cuts, more[:, None])
        slope[SENTENCES] = other
        apart = float(worth @ gained) + float(cuts @ more) + scale * float(weights[SENTENCES] @ other)
        return max(0.0, apart + cost), scale * slope


def train_extraction(
    topics: Sequence[Topic], config: SummarizerConfig, *, cost: bool = False, epochs: int = 10, seed: int = 0
) -> Numbers:
    """Weights, of concepts not negative, by the averaged perceptron, or by a structured SVM with ``cost``."""
    task = Extraction(topics, config, cost=cost)
    found: SharedWeights = train_together(
        [task],
        ALL,
        shared_penalty=1e-3 if cost else 0.0,
        own_penalties=[float("inf")],
        non_negative=NON_NEGATIVE,
        epochs=epochs,
        seed=seed,
    )
    return found.of(0)


def _instance(topic: Topic, config: SummarizerConfig, tokenizer: Tokenizer) -> _Instance | None:
    counts = topic_counts(topic, config)
    features, keys = concept_features(counts)
    number = {key: k for k, key in enumerate(keys)}
    sentences = [sentence for source in topic.sources for sentence in source.sentences]
    rows: list[tuple[int, int, int]] = []
    arcs: list[tuple[int, int]] = []
    words: list[int] = []
    cuts = []
    useful = useful_sentences(sentences, len(topic.sources), config)
    for sentence, found, use in zip(sentences, counts.keys, useful, strict=True):
        if use:
            rows += unit_rows(len(words), sentence, [(number[key], *places) for key, *places in found])
        if sentence.pieces is not None and sentence.parsed is not None:
            arcs += [(len(words) + k, len(words) + up) for k, up in enumerate(sentence.pieces.parents) if up >= 0]
            cuts.append(features_of_cuts(sentence.parsed, sentence.pieces))
        words += words_of(sentence)
    if not rows or not topic.summaries:
        return None
    table = np.concatenate(cuts) if cuts else np.zeros((0, 1), np.int64)
    budget = float(config.words or 100)
    problem = CoverageProblem(np.ones(len(keys)), np.array(rows), words, budget, requires=arcs)
    wanted = np.zeros(len(keys))
    for summary in topic.summaries:
        for key, many in reference_counts(summary, tokenizer).items():
            if len(key) == 2 and key in number:
                wanted[number[key]] += many
    price = config.cut_cost * float(wanted[wanted > 0].mean()) if wanted.any() else 0.0
    best = solve(_weighed(problem, wanted, np.full(len(arcs), -price), np.zeros(len(words))), "graph_cut").assignment
    assert best is not None
    gold = np.minimum(1.0, problem.amounts(best))
    units = sentence_features(sentences, counts)
    made = _cuts_made(problem, best)
    return _Instance(features, problem, gold, table, made, 1.0 / max(1, len(arcs)), units, best @ units)


def _cuts_made(problem: CoverageProblem, chosen: NDArray[np.bool_]) -> Numbers:
    """Whether each arc is cut: its head is chosen, and its dependent is not."""
    dependent, head = problem.requires.T
    return np.asarray(chosen[head] & ~chosen[dependent], np.float64)


def _weighed(problem: CoverageProblem, weights: Numbers, cuts: Numbers, units: Numbers) -> CoverageProblem:
    found = problem.occurrences
    scores = units.copy()
    dependent, head = problem.requires.T
    np.add.at(scores, head, cuts)
    np.subtract.at(scores, dependent, cuts)
    rows = found.renumbered(np.arange(problem.units))
    return CoverageProblem(weights, rows, problem.costs, problem.limits, scores=scores, requires=problem.requires)

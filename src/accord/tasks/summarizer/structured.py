# SPDX-License-Identifier: Apache-2.0
"""Structured learning of summaries: weights of concepts, cuts and sentences by a structured SVM through the decoder.

Summaries of whole sentences are always a task. Where sentences may be shortened, compressive summaries of the same
topics are another, and sentences that people shortened a third where a file of them is given; all tasks share weights
(Almeida & Martins 2013). The model has the weights of the task that it is for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from accord.learning.multitask import SharingTask, train_together
from accord.tasks.summarizer.concepts import find_concepts
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.extraction import ALL, CUTS, NON_NEGATIVE, SENTENCES, Extraction
from accord.tasks.summarizer.features import CONCEPT_FEATURES
from accord.tasks.summarizer.model import SummarizerModel
from accord.tasks.summarizer.topics import Topic

Fit = Callable[[float], tuple[SummarizerModel, float]]  # a penalty: the model, and its loss


def structured_learner(topics: Sequence[Topic], config: SummarizerConfig) -> Fit:
    """Weights by the summaries that they lead to."""
    tasks: list[SharingTask] = [Extraction(topics, config)]
    if config.compress:
        tasks = [*_shortening(topics, config), *tasks]
    penalties = 1 if len(tasks) > 1 else float("inf")  # a task alone has no weights of its own beside shared ones

    def fit(penalty: float) -> tuple[SummarizerModel, float]:
        weights = train_together(
            tasks,
            ALL,
            shared_penalty=penalty,
            own_penalties=[penalty * penalties] * len(tasks),
            non_negative=NON_NEGATIVE,
            epochs=config.epochs,
            rate=config.rate,
        ).of(0)
        loss = float(np.mean([tasks[0].loss(k, weights)[0] for k in range(len(tasks[0]))] or [0.0]))
        cuts = tuple(weights[CUTS].tolist()) if config.compress else ()
        linear, sentences = tuple(weights[:CONCEPT_FEATURES].tolist()), tuple(weights[SENTENCES].tolist())
        return SummarizerModel(config, linear=linear, cuts=cuts, sentences=sentences), loss

    return fit


def _shortening(topics: Sequence[Topic], config: SummarizerConfig) -> list[SharingTask]:
    """Compressive summaries, and sentences that people shortened."""
    from accord.tasks.compressor import read_pairs
    from accord.tasks.pipeline import Pipeline
    from accord.tasks.summarizer.parsing import with_pieces
    from accord.tasks.summarizer.pruning import Pruning

    parser = Pipeline.load("en")
    cut = [
        dataclasses.replace(
            topic,
            sources=with_pieces(
                topic.sources,
                find_concepts(topic.sources, config),
                parser,
                config.parsed_words,
                safe=config.safe_cuts,
            ),
        )
        for topic in topics
    ]
    tasks: list[SharingTask] = [Extraction(cut, config)]
    if config.compressions:
        pairs = read_pairs([config.compressions])
        lines = "\n".join(" ".join(pair.words) for pair in pairs)
        trees = parser(lines, input="tokens").sentences
        kept = [(tree, pair.masks[0]) for tree, pair in zip(trees, pairs, strict=True)]
        tasks.append(Pruning(kept, safe=config.safe_cuts))
    return tasks

# SPDX-License-Identifier: Apache-2.0
"""Training of a summarizer on topics with summaries that people wrote.

There are three learners. ``frequencies`` is a regression: each summary of each topic is a sample, whose observed
frequencies are those of the words, or pairs of words, of the summary which its documents also have. ``structured``
learns from the summaries that weights lead to (:mod:`~accord.tasks.summarizer.structured`). ``relevance`` learns which
sentences of a topic say most of its summaries (:mod:`~accord.tasks.summarizer.relevance`). With dev topics, the
strength of the penalty is the one whose summaries have the best ROUGE-2.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from accord.errors import ConfigError
from accord.evaluation.rouge import Rouge
from accord.learning import SILENT, EpochReport, Reporter, TrainingResult
from accord.learning.frequencies import Sample, divergence, fit_frequencies
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.features import instances
from accord.tasks.summarizer.model import Summarizer, SummarizerModel
from accord.tasks.summarizer.relevance import learned_relevance
from accord.tasks.summarizer.structured import Fit, structured_learner
from accord.tasks.summarizer.topics import Topic, reference_counts, topic_counts
from accord.tasks.summarizer.weighing import Counts, Key
from accord.tasks.tokenizer import Tokenizer

PENALTIES = (1e-3, 1e-2, 1e-1)  # of which dev topics choose; without dev topics the middle one
DECIDES = "rouge2"


def train_summarizer(
    topics: Sequence[Topic],
    dev: Sequence[Topic] | None,
    config: SummarizerConfig,
    *,
    card: Any = None,
    reporter: Reporter = SILENT,
    checkpoint: Any = None,
) -> TrainingResult[SummarizerModel]:
    """The model whose concepts are weighed as the summaries of the topics say."""
    if not any(topic.summaries for topic in topics):
        raise ConfigError("training needs topics with summaries")
    fit = LEARNERS[config.learner](topics, config)
    reports: list[EpochReport] = []
    models: list[SummarizerModel] = []
    for number, penalty in enumerate(PENALTIES if dev else PENALTIES[1:2], start=1):
        started = time.process_time()
        model, loss = fit(penalty)
        scores = rouge(Summarizer(model), dev) if dev else {}
        best = all(scores.get(DECIDES, 0.0) > report.scores[DECIDES] for report in reports)
        spent = time.process_time() - started
        report = EpochReport(number, loss, 0.0, 0.0, spent, scores, {"penalty": penalty}, best)
        reporter.epoch(report)
        reports.append(report)
        models.append(model)
    chosen = max(range(len(models)), key=lambda k: reports[k].scores.get(DECIDES, 0.0))
    log = [report.to_dict() for report in reports]
    return TrainingResult(models[chosen], log, chosen + 1, scores=reports[chosen].scores)


def frequency_learner(topics: Sequence[Topic], config: SummarizerConfig) -> Fit:
    """Weights of concepts by how often summaries have them."""
    tokenizer = Tokenizer.load("en")
    counted = [topic_counts(topic, config) for topic in topics]
    references = [[reference_counts(text, tokenizer) for text in topic.summaries] for topic in topics]
    samples = [_samples(counted, references, size) for size in (1, 2)]

    def fit(penalty: float) -> tuple[SummarizerModel, float]:
        weights = [fit_frequencies(one, penalty) for one in samples]
        loss = sum(divergence(*one, penalty)[0] for one in zip(weights, samples, strict=True))
        return SummarizerModel(config, *(tuple(one.tolist()) for one in weights)), loss

    return fit


def relevance_learner(topics: Sequence[Topic], config: SummarizerConfig) -> Fit:
    """Weights of sentences by how much each says of the summaries."""

    def fit(penalty: float) -> tuple[SummarizerModel, float]:
        weights, loss = learned_relevance(topics, penalty)
        return SummarizerModel(config, relevance=tuple(weights.tolist())), loss

    return fit


LEARNERS: dict[str, Callable[[Sequence[Topic], SummarizerConfig], Fit]] = {
    "frequencies": frequency_learner,
    "structured": structured_learner,
    "relevance": relevance_learner,
}


def rouge(summarizer: Summarizer, topics: Sequence[Topic]) -> dict[str, float]:
    """ROUGE with stems, as mean F1 in percent."""
    systems = [summarizer(topic.sources, query=topic.query).text for topic in topics]
    scores = Rouge(stems=True).mean_f1([topic.summaries for topic in topics], systems)
    return {name: 100 * value for name, value in scores.items()}


def _samples(topics: Sequence[Counts], references: Sequence[Sequence[Counter[Key]]], size: int) -> list[Sample]:
    samples = []
    for counts, summaries in zip(topics, references, strict=True):
        features, concept, keys = instances(counts, size)
        for summary in summaries:
            observed = np.array([float(summary[key]) for key in keys])
            if observed.any():
                samples.append(Sample(features, concept, observed))
    return samples

# SPDX-License-Identifier: Apache-2.0
"""Training of a summarizer on topics with summaries that people wrote.

The weights of concepts are those of a regression of frequencies: each summary of each topic is a sample, whose observed
frequencies are those of the words, or pairs of words, of the summary which its documents also have. With dev topics,
the strength of the penalty is the one whose summaries have the best ROUGE-2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.errors import ConfigError
from accord.evaluation.rouge import Rouge
from accord.learning import SILENT, Reporter, TrainingResult
from accord.learning.frequencies import Sample, fit_frequencies
from accord.tasks.summarizer.concepts import count_concepts, mentioned
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.features import instances
from accord.tasks.summarizer.model import Summarizer, SummarizerModel
from accord.tasks.summarizer.sources import Source, source_of_text
from accord.tasks.summarizer.stop_words import stop_words
from accord.tasks.summarizer.weighing import Counts, Key
from accord.tasks.tokenizer import Tokenizer

PENALTIES = (1e-3, 1e-2, 1e-1)  # of which dev topics choose; without dev topics the middle one


@dataclass(frozen=True)
class Topic:
    """The documents of a topic, and summaries of them that people wrote; a query where there is one."""

    sources: Sequence[Source]
    summaries: Sequence[str]
    query: str = ""


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
    tokenizer = Tokenizer.load("en")
    counted = [(topic, topic_counts(topic, config)) for topic in topics]
    references = [[reference_counts(text, tokenizer, counts) for text in topic.summaries] for topic, counts in counted]
    found: list[tuple[float, float, SummarizerModel]] = []
    for penalty in PENALTIES if dev else PENALTIES[1:2]:
        weights = []
        for size in (1, 2):
            samples = _samples([counts for _, counts in counted], references, size)
            weights.append(tuple(fit_frequencies(samples, penalty).tolist()))
        model = SummarizerModel(config, *weights)
        score = rouge(Summarizer(model), dev)["rouge2"] if dev else 0.0
        reporter.note(f"penalty {penalty:g}" + (f": ROUGE-2 {score:.2f} on dev topics" if dev else ""))
        found.append((score, penalty, model))
    best = max(range(len(found)), key=lambda k: found[k][0])
    log = [{"penalty": penalty, "rouge2": score} for score, penalty, _ in found]
    return TrainingResult(found[best][2], log, best + 1)


def rouge(summarizer: Summarizer, topics: Sequence[Topic]) -> dict[str, float]:
    """ROUGE with stems, as mean F1 in percent."""
    systems = [summarizer(topic.sources, query=topic.query).text for topic in topics]
    scores = Rouge(stems=True).mean_f1([topic.summaries for topic in topics], systems)
    return {name: 100 * value for name, value in scores.items()}


def topic_counts(topic: Topic, config: SummarizerConfig) -> Counts:
    """Where the concepts of a topic occur, and how often."""
    lowered = [[token.lower() for token in s.tokens] for source in topic.sources for s in source.sentences]
    return count_concepts(topic.sources, stop_words(lowered, config.stop_words))


def reference_counts(text: str, tokenizer: Tokenizer, counts: Counts) -> Counter[Key]:
    """How often a summary has each concept."""
    source = source_of_text(text, tokenizer)
    tokens = [[token.lower() for token in sentence.tokens] for sentence in source.sentences]
    return Counter(key for sentence in tokens for key, *_ in mentioned(sentence, counts.words))


def _samples(topics: Sequence[Counts], references: Sequence[Sequence[Counter[Key]]], size: int) -> list[Sample]:
    samples = []
    for counts, summaries in zip(topics, references, strict=True):
        features, concept, keys = instances(counts, size)
        for summary in summaries:
            observed = np.array([float(summary[key]) for key in keys])
            if observed.any():
                samples.append(Sample(features, concept, observed))
    return samples

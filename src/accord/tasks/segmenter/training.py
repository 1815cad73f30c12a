# SPDX-License-Identifier: Apache-2.0
"""Training of the word segmenter on segmented text."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from accord._core import text as _text
from accord.data.characters import half_width
from accord.errors import ConfigError
from accord.evaluation.segmentation import evaluate_segmentation
from accord.learning import SILENT, Checkpoint, Reporter, TrainingResult
from accord.tasks.labeller import Lexicon, Problem, fit_temperature, train_chain
from accord.tasks.labeller.config import longest_segment
from accord.tasks.labeller.folds import annotate_by_folds
from accord.tasks.segmenter.config import SegmenterConfig
from accord.tasks.segmenter.labels import LabelSet, split_text
from accord.tasks.segmenter.model import Segmenter, SegmenterModel
from accord.tasks.segmenter.words import WordList, count_words, folds_of

Sentences = Sequence[Sequence[str]]
TEMPERATURE_SENTENCES = 500  # at most so many dev sentences fit the temperature of the probabilities
TEMPLATES = {"chain": "segment+segment_matches", "semi": "segment+segment_matches+segments_characters"}
THRESHOLDS = tuple(round(0.3 + 0.05 * step, 2) for step in range(15))


@dataclass(frozen=True)
class ThresholdReport:
    """F1 on dev data by threshold of the back-off; 0: the chain alone, 2: the dictionary alone."""

    f1: dict[float, float]

    @property
    def best(self) -> float:
        """The threshold to use: 0 where none is better than the chain alone."""
        return max((threshold for threshold in self.f1 if threshold <= 1), key=lambda t: (self.f1[t], -t))

    def lines(self) -> list[str]:
        """A line for each threshold; a star marks the one to use."""
        lines = []
        for threshold, f1 in sorted(self.f1.items()):
            name = {0.0: "chain alone", 2.0: "dictionary alone"}.get(threshold, f"threshold {threshold:.2f}")
            lines.append(f"{name:<17} dev F1 {f1:.2f}{' *' if threshold == self.best else ''}")
        return lines


def train_segmenter(
    training: Sentences,
    dev: Sentences | None = None,
    config: SegmenterConfig | None = None,
    *,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[SegmenterModel]:
    """Train; dev data decide which pass is best, fit the probabilities and tune the threshold of the back-off."""
    config = config or SegmenterConfig()
    if not config.templates:
        config = dataclasses.replace(config, templates=TEMPLATES[config.model])
    labels = LabelSet.named(config.labels)
    plain = _normalised(training, config)
    if not any(plain):
        raise ConfigError("there are no words to train on")
    sequences = _text.CharacterSequences(["".join(words).encode() for words in plain])
    problem = Problem(
        sequences,
        labels.numbers([len(word) for words in plain for word in words]),
        labels.labels,
        masks=labels.masks,
        lexicon=annotate(sequences, plain, config),
        segments=labels.segments(_longest(plain, config)) if config.model == "semi" else (),
    )

    def scores(model: SegmenterModel, dev: Sentences) -> dict[str, float]:
        found = Segmenter(model).segment(["".join(words) for words in dev], threads=config.threads)
        return {"F1": evaluate_segmentation(dev, found).words.f1}

    threshold = config.threshold if config.hybrid else 0.0
    counts = count_words(plain)
    result = train_chain(
        problem,
        lambda chain: SegmenterModel(config, chain, {}),
        config,
        scores,
        dev,
        reporter=reporter,
        checkpoint=checkpoint,
        whole=lambda chain: SegmenterModel(config, chain, counts, threshold),
    )
    model = dataclasses.replace(result.model, counts=counts, threshold=threshold)
    if dev is None:
        return dataclasses.replace(result, model=model)
    few = _normalised(dev[:TEMPERATURE_SENTENCES], config)
    gold = labels.numbers([len(word) for words in few for word in words])
    texts = ["".join(words) for words in few]
    chain = fit_temperature(model.chain, lambda labeller: labeller.characters(texts), gold)
    model = dataclasses.replace(model, chain=chain)
    if config.hybrid and config.threshold == 0.0:
        report = tune_threshold(model, dev)
        for line in report.lines():
            reporter.note(line)
        model = dataclasses.replace(model, threshold=report.best)
    return dataclasses.replace(result, model=model)


def _longest(plain: Sentences, config: SegmenterConfig) -> int:
    return longest_segment((len(word) for words in plain for word in words), config.longest)


def annotate(sequences: _text.CharacterSequences, plain: Sentences, config: SegmenterConfig) -> Lexicon:
    """Say of each fold's sentences what the lexicon of the other folds says; the lexicon of all."""
    if not config.lexicon and not config.words:
        return Lexicon()
    given = WordList.read(config.words) if config.words else WordList(frozenset())
    own = given.normalised().words if config.width else given.words

    def lexicon_of(sentences: Sentences) -> Lexicon:
        counts = count_words(sentences) if config.lexicon else {}
        words = {word for word, count in counts.items() if count >= config.least_words} | own
        return Lexicon(words="\n".join(sorted(words)), matching=True)

    together = config.jackknife < 2 or len(plain) < config.jackknife or not config.lexicon
    folds = [] if together else folds_of(len(plain), config.jackknife)
    return annotate_by_folds(sequences, plain, lexicon_of, folds)


def tune_threshold(model: SegmenterModel, dev: Sentences) -> ThresholdReport:
    """F1 on dev data of the chain alone, the dictionary alone and the back-off at each threshold."""
    segmenter = Segmenter(model)
    texts = ["".join(words) for words in dev]
    sequences, probabilities, read = segmenter.probabilities(texts, model.config.threads)
    fallback = segmenter.fallback(read)

    def score(numbers: Any) -> float:
        found = [
            split_text(text, segmenter.label_set.lengths(numbers[begin:end]))
            for text, begin, end in zip(texts, read.starts[:-1], read.starts[1:], strict=True)
        ]
        return evaluate_segmentation(dev, found).words.f1

    alone = evaluate_segmentation(dev, segmenter.segment(texts, hybrid=False, threads=model.config.threads)).words.f1
    f1 = {0.0: alone, 2.0: score(fallback)}
    for threshold in THRESHOLDS:
        f1[threshold] = score(
            segmenter.backoff(threshold)(sequences, probabilities, fallback, threads=model.config.threads)
        )
    return ThresholdReport(f1)


def _normalised(sentences: Sentences, config: SegmenterConfig) -> list[list[str]]:
    return [[half_width(word) if config.width else word for word in words] for words in sentences]

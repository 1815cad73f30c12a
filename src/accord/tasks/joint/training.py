# SPDX-License-Identifier: Apache-2.0
"""Training of joint models: segments of the words of documents or of the characters of texts, or columns of labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError
from accord.evaluation.score import percentage
from accord.evaluation.spans import evaluate_spans
from accord.learning import SILENT, Checkpoint, Reporter, TrainingResult
from accord.tasks.joint.columns import Columns, column_kinds
from accord.tasks.joint.config import JointConfig
from accord.tasks.joint.layers import Layers
from accord.tasks.joint.model import JointLabeller, JointModel
from accord.tasks.joint.segments import Segments, labels_of_segments, score_segments, segments_of_labels
from accord.tasks.labeller import Masks, Problem, train_chain
from accord.tasks.labeller.problem import read_templates

Elements = Document | Sequence[str]
Labels = Sequence[Sequence[str]]  # one list a column, of all words one after another


def train_joint(
    elements: Elements,
    segments: Segments,
    config: JointConfig | None = None,
    *,
    dev: tuple[Elements, Segments] | None = None,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[JointModel]:
    """Train on the segments of sentences or texts; where they leave elements out, so may the model."""
    config = config or JointConfig()
    characters = not isinstance(elements, Document)
    sequences: _text.Sequences = (
        _text.DocumentSequences(elements.native)
        if isinstance(elements, Document)
        else _text.CharacterSequences([text.encode() for text in elements])
    )
    lengths = sequences.lengths().tolist()
    if len(lengths) != len(segments):
        raise ConfigError(f"segments of {len(segments)} sequences for {len(lengths)}")
    covered = sum(segment.end - segment.start for one in segments for segment in one)
    outside = covered < sum(lengths)
    layers = Layers(config.scheme, {segment.type for one in segments for segment in one}, outside=outside)
    numbers = [layers.encode(one, length) for one, length in zip(segments, lengths, strict=True)]
    problem = Problem(
        sequences,
        np.concatenate(numbers) if numbers else np.zeros((0, 2), np.int32),
        layers.places,
        layers.types,
        layers.masks() if config.consistency == "hard" else Masks(),
    )

    def scores(model: JointModel, dev: tuple[Elements, Segments]) -> dict[str, float]:
        found = JointLabeller(model)(dev[0], threads=config.threads)
        return {"F1": score_segments(dev[1], found).f1}

    return train_chain(
        problem,
        lambda chain: JointModel(config, chain, outside, characters),
        config,
        scores,
        dev,
        reporter=reporter,
        checkpoint=checkpoint,
    )


def train_columns(
    document: Document,
    columns: Labels,
    config: JointConfig,
    *,
    dev: tuple[Document, Labels] | None = None,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[JointModel]:
    """Train on several columns of labels of words, of the kinds that ``config.columns`` names."""
    kinds = column_kinds(config.columns)
    if len(kinds) != len(columns):
        raise ConfigError(f"columns={config.columns!r} are {len(kinds)} columns, not {len(columns)}")
    lengths = [int(length) for length in document.lengths]
    table = Columns.of_labels(kinds, columns, lengths, config.scheme)
    problem = Problem(
        _text.DocumentSequences(document.native),
        table.encode(columns, lengths),
        table.layers[0],
        masks=table.masks() if config.consistency == "hard" else Masks(),
        layers=table.layers,
        templates=table.templates(read_templates(config.templates)),
    )

    def scores(model: JointModel, dev: tuple[Document, Labels]) -> dict[str, float]:
        found = JointLabeller(model).columns(dev[0], threads=config.threads)
        return score_columns(kinds, dev[1], found, [int(length) for length in dev[0].lengths])

    return train_chain(
        problem,
        lambda chain: JointModel(config, chain, outside=True, characters=False),
        config,
        scores,
        dev,
        reporter=reporter,
        checkpoint=checkpoint,
    )


def score_columns(kinds: Sequence[str], gold: Labels, found: Labels, lengths: Sequence[int]) -> dict[str, float]:
    """Of 100 words, those with all labels right; and of each column the tags that are right, or F1 of spans."""
    words = sum(lengths)
    scores = {"words": percentage(sum(right_words(kinds, gold, found, lengths)), words)}
    for number, (kind, wanted, labels) in enumerate(zip(kinds, gold, found, strict=True), 1):
        if kind == "tags":
            scores[f"tags {number}"] = percentage(sum(right_words([kind], [wanted], [labels], lengths)), words)
        else:
            scores[f"spans {number} F1"] = evaluate_spans(wanted, labels, lengths).spans.f1
    return scores


def right_words(kinds: Sequence[str], gold: Labels, found: Labels, lengths: Sequence[int]) -> list[bool]:
    """Of each word, whether its labels of all columns are right, whatever the scheme of gold spans is."""
    plain = [
        labels
        if kind == "tags"
        else [
            label
            for segments, length in zip(segments_of_labels(labels, lengths), lengths, strict=True)
            for label in labels_of_segments(segments, length)
        ]
        for kind, labels in zip(kinds, gold, strict=True)
    ]
    return [wanted == labels for wanted, labels in zip(zip(*plain, strict=True), zip(*found, strict=True), strict=True)]

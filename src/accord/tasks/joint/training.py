# SPDX-License-Identifier: Apache-2.0
"""Training of joint models: segments of the words of documents, or of the characters of texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError
from accord.evaluation.score import Score
from accord.evaluation.spans import spans_of_labels
from accord.learning import SILENT, Checkpoint, Reporter, TrainingResult
from accord.tasks.joint.config import JointConfig
from accord.tasks.joint.layers import Layers, Segment
from accord.tasks.joint.model import JointLabeller, JointModel
from accord.tasks.labeller import Masks, Problem, train_chain

Elements = Document | Sequence[str]
Segments = Sequence[Sequence[Segment]]


def segments_of_labels(labels: Sequence[str], lengths: Sequence[int]) -> list[list[Segment]]:
    """The segments of each sentence, from labels of any scheme (``B-NP``, ``I-NP``, ``O``; BIOES, BMES, ...)."""
    result: list[list[Segment]] = []
    start = 0
    for length in lengths:
        spans = spans_of_labels(labels[start : start + length])
        result.append([Segment(span.start, span.end, span.type) for span in spans])
        start += length
    return result


def segments_of_words(words: Sequence[tuple[str, str]]) -> list[Segment]:
    """Words with their tags as segments of the characters of the text that they make.

    >>> segments_of_words([("我", "PRON"), ("喜欢", "VERB")])
    [Segment(start=0, end=1, type='PRON'), Segment(start=1, end=3, type='VERB')]
    """
    segments = []
    start = 0
    for word, tag in words:
        segments.append(Segment(start, start + len(word), tag))
        start += len(word)
    return segments


def score_segments(gold: Segments, system: Segments, *, typed: bool = True) -> Score:
    """How many segments are right, with their types or (not ``typed``) without."""
    correct = wanted = given = 0
    for expected, answer in zip(gold, system, strict=True):
        one, other = (
            {(segment.start, segment.end, segment.type if typed else "") for segment in segments}
            for segments in (expected, answer)
        )
        correct += len(one & other)
        wanted += len(one)
        given += len(other)
    return Score(correct, wanted, given)


def right_elements(gold: Segments, system: Segments, lengths: Sequence[int]) -> list[bool]:
    """Of each element, whether it has the place and the type that it should have (places as in BMES).

    >>> right_elements([[Segment(0, 2, "NP")]], [[Segment(0, 1, "NP")]], [3])
    [False, False, True]
    """
    layers = Layers("BMES", {segment.type for each in (gold, system) for one in each for segment in one}, outside=True)
    right: list[bool] = []
    for wanted, found, length in zip(gold, system, lengths, strict=True):
        right += (layers.encode(wanted, length) == layers.encode(found, length)).all(axis=1).tolist()
    return right


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

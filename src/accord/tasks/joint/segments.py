# SPDX-License-Identifier: Apache-2.0
"""Segments from labels and words, and back; how many segments and elements of an answer are right."""

from __future__ import annotations

from collections.abc import Sequence

from accord.evaluation.score import Score
from accord.evaluation.spans import spans_of_labels
from accord.tasks.joint.layers import Layers, Segment

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


def labels_of_segments(segments: Sequence[Segment], length: int) -> list[str]:
    """Segments as labels of IOB2.

    >>> labels_of_segments([Segment(0, 2, "NP")], 3)
    ['B-NP', 'I-NP', 'O']
    """
    labels = ["O"] * length
    for segment in segments:
        labels[segment.start : segment.end] = [f"I-{segment.type}"] * (segment.end - segment.start)
        labels[segment.start] = f"B-{segment.type}"
    return labels

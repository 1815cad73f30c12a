# SPDX-License-Identifier: Apache-2.0
"""Spans as labels of tokens, in any of the usual schemes, and what labels that are given allow.

Files come in IOB1, IOB2 (BIO), BIOES, BMES or BMEWO; models work in a scheme of their own (BIOES or BIO). Spans stand
between them: labels are read as spans by the one rule of :mod:`accord.evaluation.spans` and written in the scheme
wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.evaluation.spans import LabelledSpan, read_label
from accord.inference.schemes import Scheme
from accord.tasks.labeller import Masks, SegmentType

UNKNOWN = "_"
INSIDE_SCHEMES = ("BIOES", "BIO")
# Letters for the first token of a span, those in the middle, the last, and a span of one.
_LETTERS = {"BIO": "BIIB", "BIOES": "BIES", "BMES": "BMES", "BMEWO": "BMEW"}
FILE_SCHEMES = ("BIO", "IOB1", "BIOES", "BMES", "BMEWO")


def detect_scheme(labels: Sequence[str], lengths: Sequence[int]) -> str:
    """The scheme that a file is written in.

    >>> detect_scheme(["I-PER", "O"], [2]), detect_scheme(["B-PER", "E-PER"], [2]), detect_scheme(["B-PER", "O"], [2])
    ('IOB1', 'BIOES', 'BIO')
    """
    letters = {label[0] for label in labels}
    if "W" in letters:
        return "BMEWO"
    if letters & {"E", "S", "M"}:
        return "BMES" if "M" in letters else "BIOES"
    firsts = {0, *accumulate(lengths)}
    before = ("O", "")
    for position, label in enumerate(labels):
        place, type_ = read_label(label, position)
        if place == "I" and (position in firsts or before[0] == "O" or before[1] != type_):
            return "IOB1"
        before = (place, type_)
    return "BIO"


def label_spans(spans: Iterable[LabelledSpan], tokens: int, scheme: str, lengths: Sequence[int] = ()) -> list[str]:
    """The labels of tokens with these spans; ``lengths`` of sentences matter to IOB1 alone.

    >>> label_spans([LabelledSpan(0, 2, "PER"), LabelledSpan(2, 3, "PER")], 4, "BIOES")
    ['B-PER', 'E-PER', 'S-PER', 'O']
    """
    labels = ["O"] * tokens
    if scheme == "IOB1":
        firsts = set(accumulate(lengths))
        ended: LabelledSpan | None = None
        for span in sorted(spans):
            touches = ended is not None and ended.end == span.start and ended.type == span.type
            labels[span.start : span.end] = [f"I-{span.type}" if span.type else "I"] * (span.end - span.start)
            if touches and span.start not in firsts:
                labels[span.start] = "B" + labels[span.start][1:]
            ended = span
        return labels
    first, middle, last, single = tuple(_LETTERS[scheme])
    for span in spans:
        size = span.end - span.start
        letters = single if size == 1 else first + middle * (size - 2) + last
        labels[span.start : span.end] = [f"{letter}-{span.type}" if span.type else letter for letter in letters]
    return labels


@dataclass(frozen=True)
class LabelTable:
    """The labels of a model: all places of all types, and outside."""

    scheme: str
    labels: tuple[str, ...]
    masks: Masks
    begins: NDArray[np.bool_]  # by label: a span begins with it
    goes_on: NDArray[np.bool_]  # by label: the span may have another token
    ends: NDArray[np.bool_]  # by label: the span may end with it
    types: tuple[str, ...]  # by label; "" for O

    @staticmethod
    def of_types(scheme: str, types: Sequence[str]) -> LabelTable:
        letters = dict.fromkeys(_LETTERS[scheme])
        return LabelTable.of_labels(scheme, ("O", *(f"{letter}-{type_}" for type_ in types for letter in letters)))

    @staticmethod
    def of_labels(scheme: str, labels: Sequence[str]) -> LabelTable:
        automaton = Scheme(scheme, list(labels))
        forbidden = [np.where(a, 0.0, -np.inf) for a in (automaton.starts, automaton.ends, automaton.follows)]
        places = [read_label(label, 0) for label in labels]
        spans = np.array([place != "O" for place, _ in places])
        same = np.array([[one == other for _, other in places] for _, one in places])
        going = (automaton.follows & same & ~automaton.starts[None, :]).any(axis=1)
        return LabelTable(
            scheme,
            tuple(labels),
            Masks(*forbidden),
            automaton.starts & spans,
            going & spans,
            automaton.ends & spans,
            tuple(type_ for _, type_ in places),
        )

    def segments(self, longest: Mapping[str, int]) -> tuple[SegmentType, ...]:
        """Spans of each type, which have at most so many tokens, as segments of a semi-Markov chain."""
        index = {label: number for number, label in enumerate(self.labels)}
        types = [SegmentType.outside(index["O"])]
        for type_, size in longest.items():
            first, middle, last, single = (index[f"{letter}-{type_}"] for letter in _LETTERS[self.scheme])
            types.append(SegmentType((first,), middle, last, single, size))
        return tuple(types)

    def numbers(self, labels: Sequence[str]) -> NDArray[np.int32]:
        index = {label: number for number, label in enumerate(self.labels)}
        return np.array([index[label] for label in labels], np.int32)

    def continuation(self, type_: str) -> int:
        """The label that would lengthen a span of this type whose end has no label of its own; -1: ends have one."""
        return self.labels.index(f"I-{type_}") if self.scheme == "BIO" else -1

    def allowed(self, given: Sequence[str], lengths: Sequence[int], scheme: str) -> NDArray[np.bool_]:
        """The labels that tokens may have where some are given in a file's scheme, `_` where none is."""
        table = np.ones((len(given), len(self.labels)), np.bool_)
        types = np.array(self.types)
        for first, last in pairwise([0, *accumulate(int(length) for length in lengths)]):
            for position in range(first, last):
                if given[position] == UNKNOWN:
                    continue
                place, type_ = read_label(given[position], position)
                if place != "O" and type_ not in self.types:
                    raise ConfigError(f"word {position + 1}: the model knows no label {given[position]!r}")
                table[position] &= (
                    (types == type_) if place != "O" else np.array([label == "O" for label in self.labels])
                )
                if scheme == "IOB1" and place == "I":
                    continue
                if place in "BSIE":
                    table[position] &= self.begins if place in "BS" else ~self.begins
                if scheme in ("BIO", "IOB1") or place == "O":
                    continue
                more = place in "BI"
                table[position] &= self.goes_on if more else self.ends
                lengthens = (types == type_) & ~self.begins & (types != "")
                if position + 1 < last:
                    table[position + 1] &= lengthens if more else ~lengthens
                elif more:
                    table[position] = False
        return table

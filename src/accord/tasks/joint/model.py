# SPDX-License-Identifier: Apache-2.0
"""Joint models as a user holds them: segments with types, for the words of documents or the characters of texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError, ConstraintError
from accord.models import stored
from accord.models.stored import HeaderFields, open_worker
from accord.ranked import Ranked
from accord.tasks.joint.columns import Columns, column_kinds
from accord.tasks.joint.config import JointConfig
from accord.tasks.joint.layers import Layers, Segment
from accord.tasks.labeller import ChainModel, Labeller, Labels


@dataclass(frozen=True)
class JointModel(ChainModel):
    """All that a trained joint model is. ``characters``: its elements are characters, else words."""

    kind = "joint"
    title = "joint model"
    settings = JointConfig
    in_header: ClassVar[HeaderFields] = {"outside": stored.flag, "characters": stored.flag}

    config: JointConfig
    outside: bool
    characters: bool

    @property
    def columns(self) -> Columns | None:
        """The columns of a model that labels several; None: the model finds segments."""
        kinds = column_kinds(self.config.columns)
        return Columns(kinds, self.chain.layers, self.config.scheme) if kinds else None

    @property
    def layers(self) -> Layers:
        """The two layers of a model of segments."""
        return Layers(self.config.scheme, self.chain.tags, outside=self.outside)


@dataclass(frozen=True)
class SureSegment:
    """A segment, and the smallest probability of a place and of a type among its elements."""

    segment: Segment
    place_probability: float
    type_probability: float


@dataclass(frozen=True)
class SureColumn:
    """The labels of a column, and how sure they are.

    ``figures`` has a row for each word: the probability of its tag; or, in a column of spans, the smallest probability
    of a place and of a type among the words of its span. A word in no span is a span of its own.
    """

    labels: list[str]
    figures: NDArray[np.float64]


class JointLabeller:
    """A joint model ready to work: immutable, shared by any number of threads."""

    def __init__(self, model: JointModel) -> None:
        self.model = model
        self._columns = model.columns
        if self._columns is None:
            self.layers = model.layers
        self._chain = Labeller(model.chain)

    @staticmethod
    def load(path: str | Path) -> JointLabeller:
        return open_worker(JointLabeller, JointModel, path)

    def __reduce__(self) -> tuple[Any, ...]:
        return JointLabeller, (self.model,)

    def sequences(self, elements: Document | Iterable[str]) -> _text.Sequences:
        """What the model labels: the words of a document, or the characters of texts."""
        if self._columns is not None:
            raise ConfigError("this model labels columns of words: ask for its columns")
        if isinstance(elements, Document) == self.model.characters:
            raise ConfigError(f"this model labels {'characters of texts' if self.model.characters else 'words'}")
        return self._chain.words(elements) if isinstance(elements, Document) else self._chain.characters(elements)

    def columns(
        self, document: Document, *, given: Sequence[Sequence[str]] | None = None, threads: int = 0
    ) -> list[list[str]]:
        """The labels of each column, of all words one after another, by a model that labels columns.

        ``given``: labels of the same columns that are kept, ``_`` where there is none. Labels that contradict each
        other raise ConstraintError.
        """
        columns = self._of_columns()
        answer, lengths = self._label_columns(document, given, False, threads)
        return columns.decode(answer.numbers, lengths)

    def sure_columns(
        self, document: Document, *, given: Sequence[Sequence[str]] | None = None, threads: int = 0
    ) -> list[SureColumn]:
        """The same with how sure each label is; probabilities are conditioned on ``given`` labels."""
        columns = self._of_columns()
        answer, lengths = self._label_columns(document, given, True, threads)
        labels = columns.decode(answer.numbers, lengths)
        figures = columns.figures(labels, answer.probability)
        return [SureColumn(*pair) for pair in zip(labels, figures, strict=True)]

    def _of_columns(self) -> Columns:
        if self._columns is None:
            raise ConfigError("this model finds segments, not columns of labels")
        return self._columns

    def _label_columns(
        self, document: Document, given: Sequence[Sequence[str]] | None, probabilities: bool, threads: int
    ) -> tuple[Labels, list[int]]:
        columns, lengths = self._of_columns(), [int(length) for length in document.lengths]
        bonus = None
        if given is not None:
            if [len(labels) for labels in given] != [sum(lengths)] * len(columns.kinds):
                raise ConfigError(f"given labels: {len(columns.kinds)} columns of {sum(lengths)}")
            bonus = np.where(columns.allowed(given, lengths), 0.0, -np.inf)
        words = self._chain.words(document)
        answer = self._chain.label(words, probabilities=probabilities, bonus=bonus, threads=threads)
        _check_possible(answer)
        return answer, lengths

    def columns_kbest(self, document: Document, sentence: int, k: int) -> list[Ranked[tuple[tuple[str, ...], ...]]]:
        """The k best labels of the columns of a sentence, best first."""
        columns, length = self._of_columns(), int(document.lengths[sentence])
        ranked = self._chain.kbest(self._chain.words(document), sentence, k)
        return [
            Ranked(tuple(map(tuple, columns.decode(one.value, [length]))), one.score, one.log_probability)
            for one in ranked
        ]

    def __call__(self, elements: Document | Iterable[str], *, threads: int = 0) -> list[list[Segment]]:
        """The segments of each sentence or text."""
        return [self.layers.decode(part) for part in self.numbers(elements, threads=threads)]

    def label(
        self,
        elements: Document | Iterable[str],
        *,
        given: Sequence[str] | None = None,
        probabilities: bool = False,
        threads: int = 0,
    ) -> list[list[SureSegment]]:
        """The segments of each sentence or text, with how sure they are where that is asked for.

        ``given``: labels of IOB2 that are kept, one an element, ``_`` where there is none; probabilities are
        conditioned on them. Labels that contradict each other raise ConstraintError.
        """
        sequences = self.sequences(elements)
        lengths = [int(length) for length in sequences.lengths()]
        bonus = None
        if given is not None:
            if len(given) != sum(lengths):
                raise ConfigError(f"{len(given)} given labels for {sum(lengths)} elements")
            bonus = np.where(self.layers.allowed(given, lengths), 0.0, -np.inf)
        answer = self._chain.label(sequences, probabilities=probabilities, bonus=bonus, threads=threads)
        _check_possible(answer)
        found, start = [], 0
        for length in lengths:
            part = slice(start, start + length)
            sure = answer.probability[part] if probabilities else np.ones((length, 2))
            segments = self.layers.decode(answer.numbers[part])
            found.append([_sure(segment, sure) for segment in segments])
            start += length
        return found

    def numbers(self, elements: Document | Iterable[str], *, threads: int = 0) -> list[NDArray[np.int32]]:
        """The labels of both layers, one row an element, of each sentence or text."""
        sequences = self.sequences(elements)
        numbers = self._chain.label(sequences, threads=threads).numbers
        ends = np.cumsum(sequences.lengths())
        return list(np.split(numbers, ends[:-1])) if len(ends) else []

    def kbest(self, elements: Document | Iterable[str], sequence: int, k: int) -> list[Ranked[tuple[Segment, ...]]]:
        """The k best covers of one sentence or text, best first."""
        ranked = self._chain.kbest(self.sequences(elements), sequence, k)
        return [Ranked(tuple(self.layers.decode(one.value)), one.score, one.log_probability) for one in ranked]


def _check_possible(answer: Labels) -> None:
    if answer.impossible.any():
        first = int(np.flatnonzero(answer.impossible)[0])
        raise ConstraintError(f"sentence {first + 1}: the given labels contradict each other")


def _sure(segment: Segment, probability: NDArray[np.float64]) -> SureSegment:
    place, type_ = probability[segment.start : segment.end].min(axis=0).tolist()
    return SureSegment(segment, place, type_)

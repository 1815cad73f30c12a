# SPDX-License-Identifier: Apache-2.0
"""A sequence labeller at work: labels for the tokens of sequences, with confidences.

A :class:`Labeller` puts a :class:`LabellerModel` to work, natively and in parallel. Sequences are words of documents or
characters of texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError
from accord.ranked import Ranked
from accord.tasks.labeller.model_file import LabellerModel


@dataclass(frozen=True)
class Labels:
    """Labels of the tokens of all sequences, one after another; columns are layers."""

    numbers: NDArray[np.int32]
    probability: NDArray[np.float64]
    log_probability: NDArray[np.float64]  # by sequence
    score: NDArray[np.float64]  # by sequence
    label_probabilities: NDArray[np.float64]  # [token][label]
    impossible: NDArray[np.uint8]  # by sequence: known labels and bonuses allowed nothing


@dataclass(frozen=True)
class LabelRun:
    """Labels of neighbouring tokens of a sequence; ``not_after``: a label that the token behind them may not have."""

    sequence: int
    first: int
    labels: tuple[int, ...]
    not_after: int = -1


def _flat(bonus: NDArray[np.float64] | None) -> NDArray[np.float64]:
    return np.zeros(0) if bonus is None else np.ascontiguousarray(bonus, np.float64).reshape(-1)


def _known(labels: NDArray[np.int32] | None) -> NDArray[np.int32]:
    return np.zeros(0, np.int32) if labels is None else np.ascontiguousarray(labels, np.int32).reshape(-1)


class Labeller:
    """A labeller ready to work: immutable, shared by any number of threads."""

    def __init__(self, model: LabellerModel) -> None:
        self.model = model
        self.labels = model.labels
        self.layers = model.layer_names
        self._native = model.native()
        self._lexicon = model.native_lexicon()
        self._network = None if model.network is None else model.network.native()

    def words(self, document: Document) -> _text.Sequences:
        """The words of a document's sentences, as this model's lexicon sees them."""
        sequences = _text.DocumentSequences(document.native)
        self._annotate(sequences)
        if self._network is not None:
            _tasks.score_labels(self._network, 0, document.native, sequences, 0)
        return sequences

    def characters(self, texts: Iterable[str]) -> _text.CharacterSequences:
        """The characters of texts."""
        if self._network is not None:
            raise ConfigError("this model labels words")
        sequences = _text.CharacterSequences([text.encode() for text in texts])
        self._annotate(sequences)
        return sequences

    def _annotate(self, sequences: _text.Sequences) -> None:
        if self._lexicon is not None:
            self._lexicon.annotate(sequences)

    def label(
        self,
        sequences: _text.Sequences,
        *,
        likeliest: bool = False,
        probabilities: bool = False,
        label_probabilities: bool = False,
        known: NDArray[np.int32] | None = None,
        bonus: NDArray[np.float64] | None = None,
        threads: int = 0,
    ) -> Labels:
        """The best labels, or each token's most probable one (``likeliest``).

        ``probabilities``: of the labels that are found; ``label_probabilities``: of all labels of each token.
        ``known``: labels that must be kept, -1 where there is none; ``bonus``: added to the scores of labels.
        """
        layers = len(self.layers)
        try:
            numbers, probability, log_probability, score, table, impossible = self._native.label(
                sequences,
                posterior=likeliest,
                probabilities=probabilities,
                posteriors=label_probabilities,
                known=_known(known),
                bonus=_flat(bonus),
                threads=threads,
            )
        except ValueError as error:
            raise ConfigError(str(error)) from None
        width = sum(map(len, self.layers))
        return Labels(
            numbers.reshape(-1, layers),
            probability.reshape(-1, layers),
            log_probability,
            score,
            table.reshape(-1, width),
            impossible,
        )

    def kbest(
        self,
        sequences: _text.Sequences,
        sequence: int,
        k: int,
        *,
        known: NDArray[np.int32] | None = None,
        bonus: NDArray[np.float64] | None = None,
    ) -> list[Ranked[NDArray[np.int32]]]:
        """The numbers of the labels of the k best labellings of a sequence, best first.

        ``known``, ``bonus``: as in ``label``, for this sequence.
        """
        layers = len(self.layers)
        try:
            ranked = self._native.kbest(sequences, sequence, k, _known(known), _flat(bonus))
        except ValueError as error:
            raise ConfigError(str(error)) from None
        return [Ranked(numbers.reshape(-1, layers), score, log) for score, log, numbers in ranked]

    def run_probabilities(
        self, sequences: _text.Sequences, runs: Sequence[LabelRun], *, bonus: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """The exact probability of each run of labels, whatever the labels around it are."""
        try:
            logs = self._native.run_log_probabilities(
                sequences,
                np.array([run.sequence for run in runs], np.int64),
                np.array([run.first for run in runs], np.int64),
                np.array([len(run.labels) for run in runs], np.int64),
                np.array([label for run in runs for label in run.labels], np.int32),
                np.array([run.not_after for run in runs], np.int32),
                _flat(bonus),
            )
        except ValueError as error:
            raise ConfigError(str(error)) from None
        return np.exp(np.array(logs, np.float64))

    def segments(
        self,
        sequences: _text.Sequences,
        margin: float,
        *,
        bonus: NDArray[np.float64] | None = None,
        threads: int = 0,
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
        """The segments that sequences may have: where those of each begin, their begins, ends and scores.

        Segments are left out whose best segmentation is worse than the best one by more than ``margin``.
        """
        try:
            return self._native.segments(sequences, bonus=_flat(bonus), margin=margin, threads=threads)
        except ValueError as error:
            raise ConfigError(str(error)) from None

    def names(self, numbers: NDArray[np.int32], layer: int = 0) -> list[str]:
        names = self.layers[layer]
        return [names[number] for number in numbers[:, layer].tolist()]

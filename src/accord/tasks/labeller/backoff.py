# SPDX-License-Identifier: Apache-2.0
"""Confidence back-off: where a chain is in doubt, another segmenter or tagger decides (Xu et al. 2008).

Labels:     each token's most probable label, if its probability is at least the threshold, else the fallback's label.
Repair:     labels that do not fit together are mended by the chain itself, which keeps the fallback's labels at the
            doubtful tokens and finds the best of the rest (``viterbi``); or by a function of the labels (``simple``).
Limits:     threshold 0 gives the most probable labels, more than 1 the fallback; the number of replaced labels does not
            fall as the threshold rises.

Nothing here knows what the labels mean: it serves segmentation, entities and tags alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.tasks.labeller.model import Labeller

Numbers = NDArray[np.int32]


@dataclass(frozen=True)
class ConfidenceBackoff:
    """``legal`` says whether the labels of a sequence fit together; ``repair`` mends them, where the chain does not."""

    labeller: Labeller
    threshold: float
    legal: Callable[[Numbers], bool]
    repair: Callable[[Numbers], Numbers] | None = None

    def doubtful(self, probabilities: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tokens whose most probable label is less probable than the threshold."""
        doubt: NDArray[np.bool_] = probabilities.max(axis=1) < self.threshold
        return doubt

    def mixed(self, probabilities: NDArray[np.float64], fallback: Numbers) -> Numbers:
        """The labels before any repair."""
        likely = probabilities.argmax(axis=1).astype(np.int32)
        return np.where(self.doubtful(probabilities), fallback, likely).astype(np.int32)

    def __call__(
        self,
        sequences: _text.Sequences,
        probabilities: NDArray[np.float64],
        fallback: Numbers,
        *,
        bonus: NDArray[np.float64] | None = None,
        threads: int = 0,
    ) -> Numbers:
        """Labels of all tokens of all sequences, one after another, that fit together.

        ``probabilities`` are the chain's for these sequences, ``bonus`` what was added to its scores.
        """
        labels = self.mixed(probabilities, fallback)
        starts = np.concatenate([[0], np.cumsum(sequences.lengths())])
        broken = [
            (begin, end)
            for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
            if not self.legal(labels[begin:end])
        ]
        if not broken:
            return labels
        if self.repair is not None:
            for begin, end in broken:
                labels[begin:end] = self.repair(labels[begin:end])
            return labels
        known = np.where(self.doubtful(probabilities), fallback, -1).astype(np.int32)
        mended = self.labeller.label(sequences, known=known, bonus=bonus, threads=threads).numbers[:, 0]
        for begin, end in broken:
            labels[begin:end] = mended[begin:end]
        return labels

# SPDX-License-Identifier: Apache-2.0
"""How well fillers and edits are found, word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from accord.tasks.cleaner.gold import GoldTranscript
    from accord.tasks.cleaner.worker import Cleaner


def word_scores(gold: NDArray[np.bool_], found: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Precision, recall and F of marked words, in percent; nothing marked and nothing found is 100.

    >>> word_scores(np.array([1, 1, 0, 0], bool), np.array([1, 0, 1, 0], bool))
    (50.0, 50.0, 50.0)
    """
    right = int((gold & found).sum())
    precision = 100.0 * right / int(found.sum()) if found.any() else 100.0
    recall = 100.0 * right / int(gold.sum()) if gold.any() else 100.0
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def label_scores(cleaner: Cleaner, gold: GoldTranscript, *, lookahead: int | None = None) -> dict[str, float]:
    """F, precision and recall of edited words, then of fillers."""
    threads = cleaner.model.config.threads
    found = cleaner.label(gold.utterances, lookahead=lookahead, threads=threads)
    edits, fillers = word_scores(gold.edits, found.edits), word_scores(gold.fillers, found.fillers)
    return {
        "edit F1": edits[2],
        "edit precision": edits[0],
        "edit recall": edits[1],
        "filler F1": fillers[2],
        "filler precision": fillers[0],
        "filler recall": fillers[1],
    }

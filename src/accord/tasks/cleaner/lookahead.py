# SPDX-License-Identifier: Apache-2.0
"""Decisions with a bounded look-ahead: each word is judged by what was said until so many words later.

Every beginning of an utterance becomes an utterance of its own, and only its newest word that has enough words after it
is taken from it. So a decision never depends on what comes later than the look-ahead, and nothing is revised.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.tasks.cleaner.words import Utterances

WINDOW = 80  # words before the newest one that a decision looks at


@dataclass(frozen=True)
class Prefixes:
    """Beginnings of utterances, and where among their words those stand that are taken, in the order of the text."""

    utterances: Utterances
    chosen: NDArray[np.int64]

    @staticmethod
    def of(utterances: Utterances, lookahead: int) -> Prefixes:
        """Complexity: an utterance of T words becomes at most T of at most WINDOW + lookahead words."""
        words: list[str] = []
        tags: list[str] | None = None if utterances.tags is None else []
        lengths: list[int] = []
        chosen: list[int] = []
        start = 0
        for length in utterances.lengths.tolist():
            for end in range(min(lookahead + 1, length), length + 1):
                first = max(0, end - lookahead - WINDOW)
                base = len(words) - first
                words += utterances.words[start + first : start + end]
                if tags is not None and utterances.tags is not None:
                    tags += utterances.tags[start + first : start + end]
                lengths.append(end - first)
                places = range(max(0, end - lookahead - 1), length) if end == length else (end - lookahead - 1,)
                chosen += [base + place for place in places]
            start += length
        return Prefixes(Utterances(np.array(lengths, np.int64), words, tags), np.array(chosen, np.int64))

# SPDX-License-Identifier: Apache-2.0
"""Decisions with a bounded look-ahead: each word is judged by what was said until so many words later.

Every beginning of an utterance becomes an utterance of its own, and only its newest word that has enough words after it
is taken from it. So a decision never depends on what comes later than the look-ahead, and nothing is revised.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.tasks.cleaner.words import Utterances

WINDOW = 80  # words before the newest one that a decision looks at
_BLOCK = 200_000  # words of beginnings that are labelled together


@dataclass(frozen=True)
class Prefixes:
    """Beginnings of utterances, and where among their words those stand that are taken, in the order of the text."""

    utterances: Utterances
    chosen: NDArray[np.int64]

    @staticmethod
    def blocks(utterances: Utterances, lookahead: int, size: int = _BLOCK) -> Iterator[Prefixes]:
        """Blocks of some ``size`` words. An utterance of T words becomes at most T of at most WINDOW + lookahead."""
        words: list[str] = []
        tags: list[str] = []
        lengths: list[int] = []
        chosen: list[int] = []

        def block() -> Prefixes:
            given = None if utterances.tags is None else list(tags)
            return Prefixes(Utterances(np.array(lengths, np.int64), list(words), given), np.array(chosen, np.int64))

        start = 0
        for length in utterances.lengths.tolist():
            for end in range(min(lookahead + 1, length), length + 1):
                first = max(0, end - lookahead - WINDOW)
                base = len(words) - first
                words += utterances.words[start + first : start + end]
                if utterances.tags is not None:
                    tags += utterances.tags[start + first : start + end]
                lengths.append(end - first)
                places = range(max(0, end - lookahead - 1), length) if end == length else (end - lookahead - 1,)
                chosen += [base + place for place in places]
                if len(words) >= size:
                    yield block()
                    for one in (words, tags, lengths, chosen):
                        one.clear()
            start += length
        yield block()

# SPDX-License-Identifier: Apache-2.0
"""Texts on their way into a segmenter: characters without blanks, and what is known of the boundaries of words.

``boundaries`` has one entry a character, of all texts one after another: 1 where a word begins, 0 where none does, -1
where it is to be found. A word begins at the start of a text and behind a blank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from accord.data.characters import half_width
from accord.tasks.segmenter.labels import LabelSet
from accord.tasks.segmenter.words import WordList

BLANKS = " \t\r\n"


class Texts:
    """``characters`` as they were, ``plain`` as the model sees them; ``starts``: where each text's characters start."""

    def __init__(self, texts: Sequence[str], width: bool) -> None:
        parts = [[part for part in _split(text) if part] for text in texts]
        self.characters = ["".join(part) for part in parts]
        self.plain = [half_width(text) for text in self.characters] if width else self.characters
        self.starts = [0, *accumulate(len(text) for text in self.plain)]
        self.boundaries: NDArray[np.int8] = np.full(self.starts[-1], -1, np.int8)
        self.constrained = False
        for start, part in zip(self.starts, parts, strict=False):
            for begin in accumulate((len(piece) for piece in part[:-1]), initial=start):
                if begin < self.starts[-1]:
                    self.boundaries[begin] = 1
            self.constrained |= len(part) > 1

    def force(self, words: WordList) -> None:
        """Make words of the longest matches, where no blank stands inside."""
        self.constrained = True
        for text, start, stop in zip(self.plain, self.starts[:-1], self.starts[1:], strict=True):
            for begin, end in words.longest_matches(text):
                if (self.boundaries[start + begin + 1 : start + end] == 1).any():
                    continue
                self.boundaries[start + begin] = 1
                self.boundaries[start + begin + 1 : start + end] = 0
                if start + end < stop:
                    self.boundaries[start + end] = 1

    def preferred(self, words: WordList, labels: LabelSet) -> NDArray[np.float64]:
        """1 for the labels that characters have in one of the words that occur here, else 0."""
        table = np.zeros((self.starts[-1], len(labels.labels)))
        numbers: dict[int, NDArray[np.int32]] = {}
        for text, start in zip(self.plain, self.starts[:-1], strict=True):
            for begin, end in words.matches(text):
                length = end - begin
                if length not in numbers:
                    numbers[length] = labels.numbers([length])
                table[np.arange(start + begin, start + end), numbers[length]] = 1.0
        return table

    def pieces(self) -> Iterator[tuple[str, bool]]:
        """The stretches between known boundaries, and whether a stretch is known to be one word."""
        for text, start, stop in zip(self.plain, self.starts[:-1], self.starts[1:], strict=True):
            known = self.boundaries[start:stop]
            cuts = {0, len(text), *np.flatnonzero(known == 1).tolist()}
            for begin, end in pairwise(sorted(cuts)):
                yield text[begin:end], bool(end - begin > 1 and (known[begin + 1 : end] == 0).all())


def _split(text: str) -> list[str]:
    for blank in BLANKS[1:]:
        text = text.replace(blank, " ")
    return text.split(" ")

# SPDX-License-Identifier: Apache-2.0
"""Words as labels of characters, in the label sets of Chinese word segmentation.

======== ============================================================ ===========================
BCDMES   first, second, third, middle, last, single (Huang & Zhao 07) B C D M E; B C E; B E; S
BIES     first, middle, last, single                                  B I I I E; B I E; B E; S
BI       first, later                                                 B I I I I; B I I; B I; B
BIO      first, later, single (Xu et al. 2008)                        B I I I I; B I I; B I; O
======== ============================================================ ===========================

Every segmentation has one sequence of labels, and back. Labels that make no segmentation are read as one all the same:
a word begins at a label that begins one, after a label that ends one, and at the start of the text; so the labels of
the words that were read are a repair of the labels, which leaves labels without mistakes as they are.

Linear in the number of characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.inference.schemes import Scheme
from accord.tasks.labeller import Masks, SegmentType

LABEL_SETS = ("BCDMES", "BIES", "BI", "BIO")
_LABELS = {"BCDMES": "BCDMES", "BIES": "BIES", "BI": "BI", "BIO": "BIO"}
_AUTOMATA = {"BCDMES": "BCDMES", "BIES": "BIOES", "BI": "BI", "BIO": "BIO-single"}
# Labels of the first characters, of those in the middle, of the last, and of a word of one.
_PARTS = {
    "BCDMES": ("BCD", "M", "E", "S"),
    "BIES": ("B", "I", "E", "S"),
    "BI": ("B", "I", "I", "B"),
    "BIO": ("B", "I", "I", "O"),
}


def word_labels(length: int, name: str) -> str:
    """The labels of the characters of a word.

    >>> word_labels(5, "BCDMES"), word_labels(3, "BIES"), word_labels(1, "BIO")
    ('BCDME', 'BIE', 'O')
    """
    first, middle, last, single = _PARTS[name]
    if length == 1:
        return single
    begin = first[: length - 1]
    return begin + middle * (length - 1 - len(begin)) + last


@dataclass(frozen=True)
class LabelSet:
    """A label set at work: words to label numbers and back, and what boundaries allow."""

    name: str
    labels: tuple[str, ...]
    begins: NDArray[np.bool_]  # by label: its character is the first of a word
    ends: NDArray[np.bool_]  # by label: the word may end with its character
    goes_on: NDArray[np.bool_]  # by label: the word may have another character
    masks: Masks
    scheme: Scheme

    @staticmethod
    def named(name: str) -> LabelSet:
        if name not in LABEL_SETS:
            raise ConfigError(f"label set {name!r}: expected one of {', '.join(LABEL_SETS)}")
        labels = tuple(_LABELS[name])
        scheme = Scheme(_AUTOMATA[name], labels)
        goes_on: NDArray[np.bool_] = np.any(scheme.follows & ~scheme.starts[None, :], axis=1)
        forbidden = [np.where(allowed, 0.0, -np.inf) for allowed in (scheme.starts, scheme.ends, scheme.follows)]
        return LabelSet(name, labels, scheme.starts, scheme.ends, goes_on, Masks(*forbidden), scheme)

    def segments(self, longest: int) -> tuple[SegmentType, ...]:
        """Words of at most so many characters as segments of a semi-Markov chain."""
        first, middle, last, single = _PARTS[self.name]
        numbers = self.labels.index
        return (SegmentType(tuple(map(numbers, first)), numbers(middle), numbers(last), numbers(single), longest),)

    def numbers(self, lengths: Sequence[int]) -> NDArray[np.int32]:
        """The labels of the characters of words of these lengths."""
        text = "".join(self._word(length) for length in lengths)
        return np.array([self.labels.index(label) for label in text], np.int32)

    def _word(self, length: int) -> str:
        return word_labels(length, self.name)

    def lengths(self, numbers: NDArray[np.int32]) -> list[int]:
        """The lengths of the words that labels stand for."""
        starts = self.begins[numbers].copy()
        starts[1:] |= ~self.goes_on[numbers[:-1]]
        starts[:1] = True
        return [end - begin for begin, end in pairwise([*np.flatnonzero(starts).tolist(), len(numbers)])]

    def repair(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        """The labels of the words that these labels stand for: always legal, and the same where they were."""
        return self.numbers(self.lengths(numbers)) if len(numbers) else numbers

    def legal(self, numbers: NDArray[np.int32]) -> bool:
        if len(numbers) == 0:
            return True
        inside = self.scheme.follows[numbers[:-1], numbers[1:]].all()
        return bool(self.scheme.starts[numbers[0]] and self.scheme.ends[numbers[-1]] and inside)

    def allowed(self, boundaries: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Which labels characters may have: ``boundaries[i]`` says of the place before character i whether a word
        begins there (1), does not (0), or that nothing is known (-1)."""
        count = len(boundaries)
        table = np.ones((count, len(self.labels)), np.bool_)
        table[boundaries == 1] &= self.begins
        table[boundaries == 0] &= ~self.begins
        before = np.concatenate([boundaries[1:], np.full(min(count, 1), 1, np.int8)])
        table[before == 1] &= self.ends
        table[before == 0] &= self.goes_on
        return table


def split_text(text: str, lengths: Sequence[int]) -> list[str]:
    """The text cut into words of these lengths.

    >>> split_text("abcd", [1, 3])
    ['a', 'bcd']
    """
    return [text[begin:end] for begin, end in pairwise([0, *accumulate(lengths)])]

# SPDX-License-Identifier: Apache-2.0
"""Word lists: of the training text with their counts, and of users.

What a user's list says of a text is a set of places: all its words that occur there (:meth:`WordList.matches`), or
those of the longest match from left to right (:meth:`WordList.longest_matches`), which do not overlap.
Complexity: O(characters x longest word) look-ups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from accord.data.characters import half_width
from accord.data.columns import decode_line
from accord.data.files import Source, open_input, source_name
from accord.errors import FormatError


@dataclass(frozen=True)
class WordList:
    """Words without repetition, ready to be found in texts.

    At each place of a text only lengths that words have are tried, so one long word costs no more than a short one.
    """

    words: frozenset[str]
    lengths: tuple[int, ...] = field(init=False)  # of the words, the shortest first

    def __post_init__(self) -> None:
        object.__setattr__(self, "lengths", tuple(sorted({len(word) for word in self.words})))

    @staticmethod
    def read(source: Source) -> WordList:
        """One word a line; what stands behind a blank or a tab (counts, tags) is left out, so are lines with ``#``
        and a blank at the start."""
        name = source_name(source)
        words = set()
        with open_input(source) as file:
            for number, line in enumerate(file, start=1):
                text = decode_line(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, name, number)
                if text.startswith("# ") or not text.strip():
                    continue
                words.add(text.split()[0])
        if not words:
            raise FormatError("there are no words in it", file=name)
        return WordList(frozenset(words))

    def normalised(self) -> WordList:
        return WordList(frozenset(half_width(word) for word in self.words))

    def matches(self, text: str) -> Iterator[tuple[int, int]]:
        """Begin and end of each occurrence of each word."""
        for begin in range(len(text)):
            for length in self.lengths:
                end = begin + length
                if end > len(text):
                    break
                if text[begin:end] in self.words:
                    yield begin, end

    def longest_matches(self, text: str) -> Iterator[tuple[int, int]]:
        """At each place, from left to right, the longest word that begins there; then on behind it.

        >>> list(WordList(frozenset({"ab", "abc", "cd"})).longest_matches("abcd"))
        [(0, 3)]
        """
        begin = 0
        while begin < len(text):
            for length in reversed(self.lengths):
                end = begin + length
                if end <= len(text) and text[begin:end] in self.words:
                    yield begin, end
                    begin = end
                    break
            else:
                begin += 1


def count_words(sentences: Iterable[Sequence[str]]) -> Counter[str]:
    """How often each word occurs."""
    return Counter(word for words in sentences for word in words)


def folds_of(count: int, folds: int) -> list[range]:
    """Numbers 0..count-1 in so many neighbouring stretches.

    >>> folds_of(5, 2)
    [range(0, 3), range(3, 5)]
    """
    parts = np.array_split(np.arange(count), max(min(folds, count), 1))
    return [range(part[0], part[-1] + 1) for part in parts]

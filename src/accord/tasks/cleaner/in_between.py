# SPDX-License-Identifier: Apache-2.0
"""Words between two copies of the same two words.

Coordinations repeat words at a greater distance than repairs do: "which are the good, and which are the bad". So it is
worth knowing of a word that it stands between two copies of a bigram, and how many words do.

Set:    for all a < b with the same two words at a and at b, and a + 1 < b: the words a + 2 to b - 1. The span of
        "A B A B" is empty. With copies, the first copy is in the span, too: the words a to b - 1, as a repair begins
        with the words that are said again.
Choice: where several pairs enclose a word, the nearest pair counts.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

MOST = 8  # copies of a bigram in an utterance whose pairs are looked at


def in_between(words: NDArray[np.uint64], lengths: NDArray[np.int64], *, copies: bool = False) -> NDArray[np.int64]:
    """For each word the size of the smallest span between two copies that it stands in; 0: in none.

    >>> letters = np.array([ord(letter) for letter in "ABxyABz"], np.uint64)
    >>> in_between(letters, np.array([7])).tolist()
    [0, 0, 2, 2, 0, 0, 0]
    >>> in_between(letters, np.array([7]), copies=True).tolist()
    [4, 4, 4, 4, 0, 0, 0]
    """
    after = 0 if copies else 2  # words of the first copy that are not in the span
    sizes = np.zeros(len(words), np.int64)
    for places in _copies(words, lengths):
        for first, second in combinations(places[:MOST], 2):
            size = second - first - after
            if size > 0 and second > first + 1:
                span = sizes[first + after : second]
                span[(span == 0) | (span > size)] = size
    return sizes


def size_class(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The logarithm of sizes to base 2, rounded down, of size + 1; 0 stays 0."""
    return np.asarray(np.log2(sizes + 1.0), np.int64)


def _copies(words: NDArray[np.uint64], lengths: NDArray[np.int64]) -> list[list[int]]:
    """The places of each bigram that an utterance has more than once."""
    if len(words) < 4:
        return []
    utterance = np.repeat(np.arange(len(lengths)), lengths)
    inside = utterance[:-1] == utterance[1:]
    starts = np.flatnonzero(inside)
    keys = words[starts] * np.uint64(0x9E3779B97F4A7C15) + words[starts + 1] + utterance[starts].astype(np.uint64)
    order = np.argsort(keys, kind="stable")
    same = keys[order[1:]] == keys[order[:-1]]
    found: list[list[int]] = []
    before = -2
    for place in np.flatnonzero(same).tolist():
        first, second = int(starts[order[place]]), int(starts[order[place + 1]])
        if utterance[first] != utterance[second] or words[first] != words[second]:
            continue
        if place == before + 1 and found and found[-1][-1] == first:
            found[-1].append(second)
        else:
            found.append([first, second])
        before = place
    return found

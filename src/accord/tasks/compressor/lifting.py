# SPDX-License-Identifier: Apache-2.0
"""Trees without crossing arcs, from trees with some."""

from __future__ import annotations

from collections.abc import Sequence


def projective(heads: Sequence[int]) -> list[int]:
    """The tree with arcs lifted until none crosses another; the shortest crossing arc first (Nivre & Nilsson 2005).

    >>> projective([3, 4, 0, 3])
    [3, 3, 0, 3]
    """
    lifted = list(heads)
    while True:
        crossing = [word for word, head in enumerate(lifted, start=1) if head and not _is_projective(lifted, word)]
        if not crossing:
            return lifted
        word = min(crossing, key=lambda one: (abs(one - lifted[one - 1]), one))
        lifted[word - 1] = lifted[lifted[word - 1] - 1]


def _is_projective(heads: Sequence[int], word: int) -> bool:
    """Whether all words between a word and its head are below the head."""
    head = heads[word - 1]
    for between in range(min(word, head) + 1, max(word, head)):
        above = between
        while above and above != head:
            above = heads[above - 1]
        if above != head:
            return False
    return True

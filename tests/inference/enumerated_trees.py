# SPDX-License-Identifier: Apache-2.0
"""Plain enumeration: every head vector of a short sentence, kept when it is a tree of the wanted kind."""

from __future__ import annotations

import itertools
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Space(NamedTuple):
    projective: bool
    single_root: bool

    def __str__(self) -> str:
        return ("projective" if self.projective else "nonprojective") + ("-single" if self.single_root else "-multi")


SPACES = [Space(projective, single_root) for projective in (False, True) for single_root in (False, True)]


def reaches_root(heads: tuple[int, ...]) -> bool:
    for word in range(1, len(heads)):
        steps = 0
        while word > 0:
            word = heads[word]
            steps += 1
            if steps > len(heads):
                return False
    return True


def has_crossing(heads: tuple[int, ...]) -> bool:
    arcs = [(min(head, word), max(head, word)) for word, head in enumerate(heads) if word > 0]
    return any(a < c < b < d for (a, b), (c, d) in itertools.permutations(arcs, 2))


@cache
def all_trees(words: int, space: Space) -> tuple[tuple[int, ...], ...]:
    """Every tree of the space over this many words, as heads with heads[0] = -1."""
    return tuple(
        heads
        for choice in itertools.product(range(words + 1), repeat=words)
        if reaches_root(heads := (-1, *choice))
        and not (space.projective and has_crossing(heads))
        and not (space.single_root and heads.count(0) != 1)
    )


def tree_scores(scores: NDArray[np.float64], space: Space) -> NDArray[np.float64]:
    """The score of each of all_trees."""
    words = len(scores) - 1
    trees = np.array(all_trees(words, space))
    values: NDArray[np.float64] = scores[trees[:, 1:], np.arange(1, words + 1)].sum(axis=1)
    return values


def log_sum(values: NDArray[np.float64]) -> float:
    peak = values.max()
    return float(peak + np.log(np.exp(values - peak).sum()))


def enumerated_marginals(scores: NDArray[np.float64], space: Space) -> NDArray[np.float64]:
    values = tree_scores(scores, space)
    probability = np.exp(values - log_sum(values))
    marginals = np.zeros_like(scores)
    for heads, weight in zip(all_trees(len(scores) - 1, space), probability, strict=True):
        for word in range(1, len(heads)):
            marginals[heads[word], word] += weight
    return marginals

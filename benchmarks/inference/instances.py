# SPDX-License-Identifier: Apache-2.0
"""Seeded instances on which solvers are compared: Potts grids and second-order parses.

The order and the kinds of draws are fixed (``numpy.random.RandomState``, whose stream never changes), so that figures
taken with other solvers on the same seeds can be set beside ours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Potts:
    """A grid of sites, each with one of several labels; neighbours with equal labels earn the weight of their edge."""

    unary: Numbers  # (sites, labels)
    edges: NDArray[np.int64]  # (edges, 2), all horizontal ones first
    weights: Numbers  # (edges,)


@dataclass(frozen=True)
class Parse:
    """Arc scores and consecutive-sibling scores of one sentence.

    ``right[h]`` and ``left[h]`` are the automaton tables of head h, (N+1, N+2) with N the number of words on that side:
    position 0 is START, positions 1..N are the words outwards from the head, N+1 is END; only entries above the
    diagonal mean anything. ``left[0]`` is empty: nothing stands to the left of the root.
    """

    words: int
    arcs: Numbers  # (n+1, n+1): [head, dependent]; the diagonal and column 0 are zero and mean nothing
    right: list[Numbers]
    left: list[Numbers]


def potts(rows: int, columns: int, labels: int, strength: float, *, attractive: bool, seed: int) -> Potts:
    """Unary scores uniform in [-1, 1]; weights uniform in [0, strength] if attractive, else [-strength, strength]."""
    random = np.random.RandomState(seed)
    unary = random.uniform(-1, 1, size=(rows * columns, labels))
    sites = np.arange(rows * columns).reshape(rows, columns)
    across = np.stack([sites[:, :-1].reshape(-1), sites[:, 1:].reshape(-1)], axis=1)
    down = np.stack([sites[:-1].reshape(-1), sites[1:].reshape(-1)], axis=1)
    edges = np.concatenate([across, down])
    weights = random.uniform(0 if attractive else -strength, strength, size=len(edges))
    return Potts(unary, edges, weights)


def parse(words: int, seed: int, arc_scale: float = 1.0, sibling_scale: float = 0.1) -> Parse:
    """All scores uniform in [-0.5, 0.5], times their scale.

    Draws: arcs dependent by dependent, heads ascending; then the right tables of all heads, then the left ones.
    """
    random = np.random.RandomState(seed)
    by_dependent = arc_scale * random.uniform(-0.5, 0.5, size=words * words)
    arcs = np.zeros((words + 1, words + 1))
    for dependent, scores in enumerate(by_dependent.reshape(words, words), start=1):
        arcs[np.arange(words + 1) != dependent, dependent] = scores
    right = [_table(random, words - head, sibling_scale) for head in range(words + 1)]
    left = [_table(random, head - 1, sibling_scale) if head else np.zeros((0, 0)) for head in range(words + 1)]
    return Parse(words, arcs, right, left)


def _table(random: np.random.RandomState, modifiers: int, scale: float) -> Numbers:
    """Draws run over the positions in reading order of the table: from each one, all later ones outwards."""
    table = np.zeros((modifiers + 1, modifiers + 2))
    earlier, later = np.triu_indices(modifiers + 1, 1, modifiers + 2)
    table[earlier, later] = scale * random.uniform(-0.5, 0.5, size=len(earlier))
    return table

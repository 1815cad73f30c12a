# SPDX-License-Identifier: Apache-2.0
"""All compressions of a small problem, written out, and other programmes for the same answers as a check."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from accord.inference.compression import CompressionProblem


@dataclass(frozen=True, eq=False)
class Listed:
    kept: NDArray[np.bool_]
    heads: NDArray[np.int32] | None
    score: float
    cost: int


@cache
def projective_trees(size: int) -> tuple[tuple[int, ...], ...]:
    """Heads of words 1..size for every projective tree in which one word depends on the root."""
    return tuple(tuple(heads[word] for word in range(1, size + 1)) for heads in _over(1, size, 0))


def _over(first: int, last: int, head: int) -> list[dict[int, int]]:
    """All ways in which one word of first..last depends on a head and the others depend on it; {} without words."""
    if first > last:
        return [{}]
    return [
        {root: head, **left, **right}
        for root in range(first, last + 1)
        for left in _side_by_side(first, root - 1, root)
        for right in _side_by_side(root + 1, last, root)
    ]


def _side_by_side(first: int, last: int, head: int) -> list[dict[int, int]]:
    """All ways in which first..last is one subtree of a head after the other."""
    if first > last:
        return [{}]
    return [
        {**tree, **rest}
        for end in range(first, last + 1)
        for tree in _over(first, end, head)
        for rest in _side_by_side(end + 1, last, head)
    ]


def compressions(problem: CompressionProblem) -> Iterator[Listed]:
    """Every compression that the problem allows, lengths aside."""
    n = problem.words.size
    for bits in itertools.product([False, True], repeat=n):
        kept = np.array(bits, np.bool_)
        if not problem.allows(kept):
            continue
        cost = int(problem.costs[kept].sum())
        for heads in _trees(problem, kept):
            score = problem.score(kept, heads)
            if score > -np.inf:
                yield Listed(kept, heads, score, cost)


def _trees(problem: CompressionProblem, kept: NDArray[np.bool_]) -> Iterator[NDArray[np.int32] | None]:
    n = kept.size
    if problem.arcs is None:
        yield None if not problem.keeps_heads else np.where(np.append(False, kept), problem.heads, -1).astype(np.int32)
        return
    places = np.append(0, np.flatnonzero(kept) + 1)
    for tree in projective_trees(len(places) - 1):
        heads = np.full(n + 1, -1, np.int32)
        heads[places[1:]] = places[list(tree)]
        yield heads


def best(problem: CompressionProblem, low: int = 0, high: int | None = None) -> float:
    """The best score of a total cost in a range; -inf where there is none."""
    return max(
        (c.score for c in compressions(problem) if low <= c.cost and (high is None or c.cost <= high)),
        default=-np.inf,
    )


def best_with_last_words(problem: CompressionProblem) -> NDArray[np.float64]:
    """The best score of every number of words, by the programme of Qian & Liu (2014) as printed: O(n^6).

    Spans remember how many of their words are deleted and, where their head is the left end, the last kept word. The
    score of two neighbours is added when two spans are joined. Deleted words hang on virtual arcs.
    """
    assert problem.arcs is not None
    n = problem.words.size
    bigrams = np.zeros((n + 1, n + 1)) if problem.bigrams is None else problem.bigrams
    arcs = problem.arcs + np.append(0.0, problem.words)
    Spans = dict[tuple[int, int], dict[tuple[int, int], float]]
    left: Spans = {(i, i): {(0, i): 0.0} for i in range(1, n + 1)}  # head at the left end: (deleted, last kept) -> best
    right: Spans = {(i, i): {(0, i): 0.0} for i in range(1, n + 1)}  # head at the right end, both ends kept
    opened: Spans = {}  # arc (head, dependent): (deleted, last kept)

    def put(table: dict[tuple[int, int], float], deleted: int, last: int, value: float) -> None:
        table[deleted, last] = max(table.get((deleted, last), -np.inf), value)

    for width in range(1, n):
        for i in range(1, n - width + 1):
            j = i + width
            opened[i, j], opened[j, i] = {}, {}
            for r in range(i, j):
                for (k1, last), a in left[i, r].items():
                    for (k2, _), b in right[r + 1, j].items():
                        value = a + b + bigrams[last, r + 1]
                        put(opened[i, j], k1 + k2, j, value + arcs[i, j])
                        put(opened[j, i], k1 + k2, j, value + arcs[j, i])
            left[i, j] = {(width, i): 0.0}  # a chain of virtual arcs
            for m in range(i + 1, j + 1):
                for (k1, _), a in opened[i, m].items():
                    for (k2, last), b in left[m, j].items():
                        put(left[i, j], k1 + k2, last, a + b)
            right[i, j] = {}
            for m in range(i, j):
                for (k1, _), a in right[i, m].items():
                    for (k2, _), b in opened[j, m].items():
                        put(right[i, j], k1 + k2, j, a + b)
    scores = np.full(n + 1, -np.inf)
    for first, root in itertools.combinations_with_replacement(range(1, n + 1), 2):
        for (k1, _), a in right[first, root].items():
            for (k2, last), b in left[root, n].items():
                length = n - (first - 1) - k1 - k2
                value = a + b + arcs[0, root] + bigrams[0, first] + bigrams[last, 0]
                scores[length] = max(scores[length], value)
    return scores

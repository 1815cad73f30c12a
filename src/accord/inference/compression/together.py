# SPDX-License-Identifier: Apache-2.0
"""Sentences chosen and shortened at once, within one budget (Martins & Smith 2009).

With a compression problem for each sentence, a worth for each sentence and a limit of costs:

    maximise    sum over used sentences of  worth + score of the compression
              + sum over other sentences of  the score of keeping nothing, where the problem allows it, otherwise 0
    subject to  the kept words of all sentences cost at most the limit
                a used sentence keeps words of at least the least share of its costs, and of 1

The programmes give the best score of every length of a sentence at once, so that what is left is a knapsack with one
choice for each sentence. Both are exact. O(n L) steps for n words and a limit of L, beside the programmes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.errors import ConstraintError
from accord.inference.compression.problem import CompressionProblem
from accord.inference.compression.solving import Compression, best_by_cost, compress


@dataclass(frozen=True, eq=False)
class Extract:
    """The used sentences with their compressions; None for sentences that are not used. No other choice is better."""

    compressions: list[Compression | None]
    value: float
    cost: int
    status: str = "optimal"


def compress_together(
    problems: Sequence[CompressionProblem], worths: ArrayLike, limit: int, *, least_share: float = 0.0
) -> Extract:
    """The best choice of sentences and of the words that stay of them; ``limit`` is what all kept words may cost.

    ``least_share`` is the share of its costs that a used sentence keeps at least: with 1.0 no sentence is shortened.

    >>> sentences = [CompressionProblem([1.0, -1.0, 2.0]), CompressionProblem([2.5, 0.5])]
    >>> found = compress_together(sentences, [0.0, 0.2], limit=3)
    >>> [None if one is None else one.kept.tolist() for one in found.compressions], round(found.value, 6)
    ([[True, False, True], [True, False]], 5.7)
    >>> whole = compress_together(sentences, [0.0, 0.2], limit=3, least_share=1.0)
    >>> [None if one is None else one.kept.tolist() for one in whole.compressions], round(whole.value, 6)
    ([None, [True, True]], 3.2)

    ConstraintError where a sentence must keep words and none of its lengths fits. Rules between words are refused.
    """
    worth = np.asarray(worths, np.float64)
    if worth.shape != (len(problems),) or not np.isfinite(worth).all():
        raise ConstraintError(f"worths must be {len(problems)} finite numbers")
    if limit < 0 or not 0 <= least_share <= 1:
        raise ConstraintError(f"limit = {limit}, least_share = {least_share:g}: expected at least 0, and 0 to 1")
    best = np.zeros(limit + 1)  # by what may be spent so far
    lengths: list[NDArray[np.int64]] = []  # of the sentence, by what may be spent up to it; -1: not used
    for problem, extra in zip(problems, worth.tolist(), strict=True):
        best, chosen = _with_sentence(best, _options(problem, extra, limit, least_share), _unused(problem))
        lengths.append(chosen)
    if best[limit] == -np.inf:
        raise ConstraintError(f"no choice of {len(problems)} sentences fits into {limit} and keeps the rules")
    return _traced(problems, lengths, float(best[limit]), limit)


def _options(problem: CompressionProblem, worth: float, limit: int, least_share: float) -> dict[int, float]:
    """What a used sentence is worth, by its length."""
    total = int(problem.costs.sum())
    least = max(1, math.ceil(least_share * total - 1e-9))
    if least > min(total, limit):
        return {}
    scores = best_by_cost(problem)
    lengths = range(least, min(total, limit) + 1)
    return {length: worth + float(scores[length]) for length in lengths if scores[length] > -np.inf}


def _unused(problem: CompressionProblem) -> float:
    """What a sentence earns that is not used; -inf where some of its words must stay."""
    if problem.keep.any():
        return -math.inf
    return 0.0 if problem.empty is None else problem.score(np.zeros(problem.words.size, np.bool_))


def _with_sentence(
    best: NDArray[np.float64], options: dict[int, float], unused: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    found, chosen = best + unused, np.full(best.size, -1, np.int64)
    for length, value in options.items():
        used = best[: best.size - length] + value
        better = used > found[length:]
        found[length:][better] = used[better]
        chosen[length:][better] = length
    return found, chosen


def _traced(
    problems: Sequence[CompressionProblem], lengths: Sequence[NDArray[np.int64]], value: float, limit: int
) -> Extract:
    left = limit
    found: list[Compression | None] = []
    for problem, chosen in zip(reversed(problems), reversed(lengths), strict=True):
        length = int(chosen[left])
        found.append(None if length < 0 else compress(problem, length))
        left -= max(length, 0)
    return Extract(found[::-1], value, limit - left)

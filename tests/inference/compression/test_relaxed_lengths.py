# SPDX-License-Identifier: Apache-2.0
"""Relaxed lengths: what lies on the concave hull of all lengths is met, and everything else has a bound."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from accord.inference.compression import (
    CompressionProblem,
    Length,
    best_by_cost,
    compress,
)
from tests.inference.compression.random_compressions import (
    PROGRAMMES,
    answer_or_none,
    check,
    examples,
    random_heads,
    seeds,
)


def hull(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The upper concave hull of the scores of all lengths, at each length."""
    lengths = np.flatnonzero(np.isfinite(scores))
    out = np.full(scores.size, -np.inf)
    for length in range(lengths[0], lengths[-1] + 1):
        pairs = [(a, b) for a in lengths for b in lengths if a <= length <= b]
        out[length] = max(
            scores[a] if a == b else scores[a] + (scores[b] - scores[a]) * (length - a) / (b - a) for a, b in pairs
        )
    return out


@pytest.mark.parametrize("steps", ["intersection", "bisection", "subgradient"])
@pytest.mark.parametrize("programme", PROGRAMMES)
@examples
@given(seed=seeds)
def test_the_relaxation_meets_lengths_on_the_concave_hull_and_bounds_all_others(
    programme: str, steps: str, seed: int
) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 9))
    square = random.normal(size=(n + 1, n + 1))
    given = {"subtree": {"heads": random_heads(random, n)}, "bigrams": {"bigrams": square}, "joint": {"arcs": square}}
    problem = CompressionProblem(random.normal(size=n), **given.get(programme, {}))  # type: ignore[arg-type]
    scores = best_by_cost(problem)
    above = hull(scores)
    for length in range(1, n + 1):
        found = answer_or_none(problem, Length.exactly(length), "relaxed", steps=steps, close_gaps=False)
        if found is None:
            assert length < np.flatnonzero(np.isfinite(scores))[0]
            continue
        check(problem, found, (length, length))
        assert found.bound >= scores[length] - 1e-10
        on_hull = scores[length] >= above[length] - 1e-12
        if steps != "subgradient":
            assert abs(found.bound - above[length]) <= 1e-9
            assert found.fits == on_hull
        if found.fits:
            assert found.status == "optimal" and abs(found.score - scores[length]) <= 1e-10
        else:
            assert found.status == "fractional"


@examples
@given(seed=seeds)
def test_where_the_length_is_missed_a_neighbour_on_the_hull_stands_in(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(3, 9))
    problem = CompressionProblem(random.normal(size=n), bigrams=random.normal(size=(n + 1, n + 1)))
    scores = best_by_cost(problem)
    corners = np.flatnonzero(scores >= hull(scores) - 1e-12)
    for length in range(1, n + 1):
        found = compress(problem, length, "relaxed", close_gaps=False)
        if not found.fits:
            assert found.cost in corners
            shorter, longer = corners[corners < length].max(), corners[corners > length].min()
            assert abs(found.cost - length) == min(length - shorter, longer - length)
        most = compress(problem, Length.at_most(length), "relaxed", close_gaps=False)
        assert most.fits and most.bound >= scores[: length + 1].max() - 1e-10

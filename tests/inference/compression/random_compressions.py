# SPDX-License-Identifier: Apache-2.0
"""Small random problems of compression, lengths to ask for, and what every answer must be."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference.compression import (
    Compression,
    CompressionProblem,
    Length,
    compress,
)

PROGRAMMES = ["words", "subtree", "bigrams", "joint", "statuses", "status_bigrams"]
SUMMABLE = [name for name in PROGRAMMES if name != "status_bigrams"]  # those with a distribution
seeds = st.integers(0, 2**32 - 1)
examples = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def random_heads(random: np.random.Generator, n: int) -> NDArray[np.int32]:
    """Any tree or forest, the order of words aside."""
    order = random.permutation(n) + 1
    heads = np.full(n + 1, -1, np.int32)
    for place, word in enumerate(order):
        heads[word] = 0 if place == 0 or random.random() < 0.15 else order[int(random.integers(0, place))]
    return heads


def random_scores(random: np.random.Generator, shape: tuple[int, ...], kind: str, scale: float) -> NDArray[np.float64]:
    if kind == "ties":
        return random.integers(-1, 2, shape) * scale
    scores = random.normal(size=shape) * scale
    return np.where(random.random(shape) < 0.1, -np.inf, scores) if kind == "forbidden" else scores


def random_problem(seed: int, programme: str, *, most: int = 6, ruled: bool = False) -> CompressionProblem:
    """A small problem: scores of any scale, ties, forbidden parts, costs and words that must stay or go."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, most + 1))
    kind = str(random.choice(["plain", "ties", "forbidden"]))
    scale = float(10.0 ** random.integers(-12, 13)) if random.random() < 0.3 else 1.0
    fates = random.random(n)
    given: dict[str, Any] = {"costs": random.integers(0, 4, n)} if random.random() < 0.4 else {}
    if random.random() < 0.4:
        given |= {"keep": fates < 0.15, "drop": fates > 0.85}
    if random.random() < 0.5:
        given["empty"] = float(random.normal()) * scale
    square = (n + 1, n + 1)
    if programme in ("statuses", "status_bigrams"):
        given["heads"] = random_heads(random, n)
        given["statuses"] = random_scores(random, (n, 2, 2), kind, scale)
    elif programme == "subtree" or (ruled and programme != "words" and random.random() < 0.5):
        given["heads"] = random_heads(random, n)
        given["tied"] = (random.random(n) < 0.15) & ~((given["heads"][1:] == 0) & given.get("drop", False))
    if programme == "subtree" and random.random() < 0.5:
        given |= {"arcs": random_scores(random, (n,), kind, scale), "cuts": random.normal(size=n) * scale}
    if programme == "joint":
        given["arcs"] = random_scores(random, square, kind, scale)
    if programme in ("bigrams", "status_bigrams") or (programme == "joint" and random.random() < 0.7):
        given["bigrams"] = random_scores(random, square, kind, scale)
    if ruled and n > 1:
        given["rules"] = [tuple((random.permutation(n)[:2] + 1).tolist()) for _ in range(int(random.integers(0, 4)))]
    return CompressionProblem(random_scores(random, (n,), kind, scale), **given)


def size_of(problem: CompressionProblem) -> float:
    tables = [problem.words, problem.arcs, problem.bigrams, problem.cuts, problem.tree_arcs, problem.statuses]
    finite = [np.abs(t[np.isfinite(t)]).sum() for t in tables if t is not None]
    return float(sum(finite)) + abs(problem.empty or 0.0)


def check(problem: CompressionProblem, found: Compression, window: tuple[int, int]) -> None:
    """An answer is what it says it is."""
    rounding = 1e-12 * size_of(problem)
    assert problem.allows(found.kept)
    assert abs(problem.score(found.kept, found.heads) - found.score) <= rounding
    assert found.cost == problem.costs[found.kept].sum()
    assert found.fits == (window[0] <= found.cost <= window[1])
    assert not found.fits or found.bound >= found.score
    if found.heads is not None:
        assert (found.heads[1:] >= 0).tolist() == found.kept.tolist()


def answer_or_none(problem: CompressionProblem, length: Length, method: str, **changed: Any) -> Compression | None:
    try:
        return compress(problem, length, method, **changed)
    except ConstraintError:
        return None


def random_length(problem: CompressionProblem, seed: int) -> Length:
    random = np.random.default_rng(seed)
    total = int(problem.costs.sum())
    low, high = sorted(random.integers(0, total + 1, 2).tolist())
    return [Length(), Length.exactly(low), Length.at_most(high), Length(low, high), Length.at_least(low)][seed % 5]

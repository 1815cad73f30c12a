# SPDX-License-Identifier: Apache-2.0
"""Sums, ranked compressions and samples against enumeration."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError, ConstraintError
from accord.inference.compression import CompressionDistribution, CompressionProblem, Length, compress
from tests.inference.compression import enumerated_compressions as listed
from tests.inference.compression.random_compressions import SUMMABLE, random_length, random_problem, seeds, size_of

examples = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def all_compressions(problem: CompressionProblem, length: Length | None) -> list[listed.Listed]:
    low, high = (length or Length()).window(problem.costs)
    return [c for c in listed.compressions(problem) if low <= c.cost <= high]


def length_for(problem: CompressionProblem, seed: int) -> Length | None:
    return None if seed % 2 else random_length(problem, seed // 2)


@pytest.mark.parametrize("programme", SUMMABLE)
@examples
@given(seed=seeds, other=seeds)
def test_sums_are_those_of_enumeration(programme: str, seed: int, other: int) -> None:
    problem = random_problem(seed, programme)
    length = length_for(problem, other)
    every = all_compressions(problem, length)
    if not every:
        with pytest.raises(ConstraintError):
            CompressionDistribution(problem, length)
        return
    scores = np.array([c.score for c in every])
    weights = np.exp(scores - scores.max())
    shares = weights / weights.sum()
    rounding = 1e-9 * (1 + size_of(problem))
    assume(rounding < 1e-3)  # shares of compressions are no better known than their scores
    d = CompressionDistribution(problem, length)
    assert abs(d.log_partition() - (scores.max() + math.log(weights.sum()))) <= rounding
    assert abs(d.entropy() + float(shares @ np.log(np.maximum(shares, 1e-300)))) <= rounding
    found = d.marginals()
    assert np.allclose(found.words, sum(p * c.kept for p, c in zip(shares, every, strict=True)), atol=rounding)
    n = problem.words.size
    if found.bigrams is not None:
        table = np.zeros((n + 1, n + 1))
        for share, c in zip(shares, every, strict=True):
            path = np.concatenate([[0], np.flatnonzero(c.kept) + 1, [0]])
            table[path[:-1], path[1:]] += share
        assert np.allclose(found.bigrams, table, atol=rounding)
    if found.arcs is not None:
        table = np.zeros((n + 1, n + 1))
        for share, c in zip(shares, every, strict=True):
            places = np.flatnonzero(c.kept) + 1
            table[c.heads[places], places] += share  # type: ignore[index]
        assert np.allclose(found.arcs, table, atol=rounding)
    if found.statuses is not None and problem.heads is not None:
        statuses = np.zeros((n, 2, 2))
        for share, c in zip(shares, every, strict=True):
            statuses[np.arange(n), c.kept.astype(int), np.append(True, c.kept)[problem.heads[1:]].astype(int)] += share
        assert np.allclose(found.statuses, statuses, atol=rounding)
    if found.cuts is not None and problem.heads is not None:
        table = np.zeros(n)
        for share, c in zip(shares, every, strict=True):
            table += share * (np.append(True, c.kept)[problem.heads[1:]] & ~c.kept)
        assert np.allclose(found.cuts, table, atol=rounding)


@pytest.mark.parametrize("programme", SUMMABLE)
@examples
@given(seed=seeds, other=seeds)
def test_ranked_compressions_are_those_of_enumeration(programme: str, seed: int, other: int) -> None:
    problem = random_problem(seed, programme, most=5)
    length = length_for(problem, other)
    every = sorted(all_compressions(problem, length), key=lambda c: -c.score)
    assume(every)
    d = CompressionDistribution(problem, length)
    ranked = d.kbest(len(every) + 3)
    assert len(ranked) == len(every)
    rounding = 1e-11 * size_of(problem)
    assert np.allclose([c.score for c in ranked], [c.score for c in every], rtol=0, atol=rounding)
    distinct = {(c.kept.tobytes(), None if c.heads is None else c.heads.tobytes()) for c in ranked}
    assert len(distinct) == len(every)
    assert all(abs(problem.score(c.kept, c.heads) - c.score) <= rounding for c in ranked)
    assert d.kbest(1)[0].score == ranked[0].score


@pytest.mark.parametrize("programme", SUMMABLE)
def test_marginals_are_derivatives_of_the_log_partition(programme: str) -> None:
    random = np.random.default_rng(3)
    n, step = 5, 1e-5
    given = {
        "words": {},
        "subtree": {"heads": np.array([-1, 2, 0, 2, 3, 4])},
        "bigrams": {"bigrams": random.normal(size=(n + 1, n + 1))},
        "joint": {"arcs": random.normal(size=(n + 1, n + 1)), "bigrams": random.normal(size=(n + 1, n + 1))},
        "statuses": {"heads": np.array([-1, 3, 0, 2, 1, 3]), "statuses": random.normal(size=(n, 2, 2))},
    }[programme]
    problem = CompressionProblem(random.normal(size=n), **given)  # type: ignore[arg-type]
    words = CompressionDistribution(problem).marginals().words
    for word in range(n):
        moved = [
            CompressionDistribution(problem, additions=sign * step * (np.arange(n) == word)).log_partition()
            for sign in (1, -1)
        ]
        assert abs((moved[0] - moved[1]) / (2 * step) - words[word]) <= 1e-8


@pytest.mark.parametrize("programme", SUMMABLE)
def test_samples_have_the_probabilities_of_their_compressions_and_repeat(programme: str) -> None:
    problem = random_problem(7, programme, most=4)
    d = CompressionDistribution(problem)
    drawn = d.sample(4000, seed=1)
    every = all_compressions(problem, None)
    counts = Counter((c.kept.tobytes(), None if c.heads is None else c.heads.tobytes()) for c in drawn)
    for c in every:
        share = math.exp(c.score - d.log_partition())
        key = (c.kept.tobytes(), None if c.heads is None else c.heads.tobytes())
        assert abs(counts[key] / 4000 - share) <= 5 * math.sqrt(share * (1 - share) / 4000) + 1e-9
    assert [c.kept.tolist() for c in d.sample(5, seed=1)] == [c.kept.tolist() for c in drawn[:5]]


@pytest.mark.parametrize("programme", SUMMABLE)
@examples
@given(seed=seeds, power=st.integers(-12, 12))
def test_the_best_of_the_list_is_the_best_compression_at_every_scale(programme: str, seed: int, power: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 9))
    square = random.normal(size=(n + 1, n + 1)) * 10.0**power
    given = {
        "words": {},
        "subtree": {"heads": np.append(-1, random.integers(0, np.arange(1, n + 1)))},
        "bigrams": {"bigrams": square},
        "joint": {"arcs": square},
        "statuses": {
            "heads": np.append(-1, random.integers(0, np.arange(1, n + 1))),
            "statuses": random.normal(size=(n, 2, 2)) * 10.0**power,
        },
    }[programme]
    problem = CompressionProblem(random.normal(size=n) * 10.0**power, **given)  # type: ignore[arg-type]
    d = CompressionDistribution(problem)
    best = compress(problem)
    assert d.kbest(1)[0].kept.tolist() == best.kept.tolist()
    assert d.log_partition() >= best.score - 1e-12 * size_of(problem)
    words = d.marginals().words
    assert (words >= 0).all() and (words <= 1 + 1e-9).all()


def test_what_has_no_sums_is_refused() -> None:
    with pytest.raises(ConfigError, match="rules between words"):
        CompressionDistribution(CompressionProblem([1.0, 1.0], rules=[(1, 2)]))
    with pytest.raises(ConstraintError, match="length"):
        CompressionDistribution(CompressionProblem([1.0]), 3)
    for problem in (
        CompressionProblem(np.zeros(100_000)),
        CompressionProblem(np.zeros(1500), bigrams=np.zeros((1501, 1501))),
        CompressionProblem(np.zeros(120), arcs=np.zeros((121, 121))),
    ):
        with pytest.raises(ConstraintError, match="too long for sums over compressions of a length"):
            CompressionDistribution(problem, problem.words.size // 2)
    with pytest.raises(ValueError, match="at least 1"):
        CompressionDistribution(CompressionProblem([1.0])).kbest(0)

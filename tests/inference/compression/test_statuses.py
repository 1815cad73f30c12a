# SPDX-License-Identifier: Apache-2.0
"""Statuses of words and heads (Martins & Smith 2009): any tree, crossing arcs, and ties to other programmes."""

from __future__ import annotations

import importlib.util
import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError
from accord.inference.compression import (
    CompressionDistribution,
    CompressionProblem,
    Length,
    best_by_cost,
    compress,
)
from tests.inference.compression import enumerated_compressions as listed
from tests.inference.compression.random_compressions import check, examples, random_heads, random_length, seeds, size_of

needs_highs = pytest.mark.skipif(importlib.util.find_spec("highspy") is None, reason="HiGHS is not installed")


def random_statuses(seed: int, n: int, *, bigrams: bool, heads: np.ndarray | None = None) -> CompressionProblem:
    random = np.random.default_rng(seed)
    scale = float(10.0 ** random.integers(-12, 13))
    return CompressionProblem(
        random.normal(size=n) * scale,
        heads=random_heads(random, n) if heads is None else heads,
        statuses=random.normal(size=(n, 2, 2)) * scale,
        bigrams=random.normal(size=(n + 1, n + 1)) * scale if bigrams else None,
    )


def scores_of_all(problem: CompressionProblem) -> np.ndarray:
    """The score of every set of words but the empty one, written out once more: no code of the package."""
    assert problem.heads is not None and problem.statuses is not None
    n = problem.words.size
    kept = np.array(list(itertools.product([0, 1], repeat=n)), np.int64)[1:]
    above = np.concatenate([np.ones((len(kept), 1), np.int64), kept], axis=1)[:, problem.heads[1:]]
    total = kept @ problem.words
    for word in range(n):
        total += problem.statuses[word, kept[:, word], above[:, word]]
    if problem.bigrams is not None:
        last = np.zeros(len(kept), np.int64)
        for word in range(1, n + 1):
            here = kept[:, word - 1] == 1
            total[here] += problem.bigrams[last[here], word]
            last[here] = word
        total += problem.bigrams[last, 0]
    return np.stack([kept.sum(axis=1), total])


@pytest.mark.parametrize("bigrams", [False, True])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=seeds, n=st.integers(9, 12))
def test_twelve_words_and_every_length_have_the_scores_of_enumeration(bigrams: bool, seed: int, n: int) -> None:
    problem = random_statuses(seed, n, bigrams=bigrams)
    lengths, totals = scores_of_all(problem)
    found = best_by_cost(problem)
    for length in range(1, n + 1):
        assert abs(found[length] - totals[lengths == length].max()) <= 1e-12 * size_of(problem)
    free = compress(problem)
    assert free.status == "optimal" and abs(free.score - totals.max()) <= 1e-12 * size_of(problem)
    check(problem, free, (0, n))


@needs_highs
@pytest.mark.parametrize("bigrams", [False, True])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=seeds, n=st.integers(1, 12))
def test_integer_programs_agree_on_trees_of_any_shape(bigrams: bool, seed: int, n: int) -> None:
    problem = random_statuses(seed, n, bigrams=bigrams)
    for length in (None, max(1, n // 2)):
        ours, theirs = compress(problem, length), compress(problem, length, "ilp")
        assert abs(ours.score - theirs.score) <= 1e-8 * size_of(problem)
        assert ours.heads is None and theirs.heads is None


@needs_highs
def test_too_many_crossing_arcs_are_left_to_the_integer_program_and_the_answer_is_proved() -> None:
    n = 24
    heads = np.array([-1, *[0] * (n // 2), *range(1, n // 2 + 1)], np.int32)  # on the word half a sentence before
    problem = random_statuses(3, n, bigrams=True, heads=heads)
    assert problem.crossing_heads > 10 and problem.needs_program
    for method in ("exact", "relaxed"):
        found = compress(problem, Length.at_most(9), method)
        check(problem, found, (0, 9))
        assert found.status == "optimal" and found.bound == found.score
    with pytest.raises(ConfigError, match="too many crossing arcs"):
        best_by_cost(problem)
    plain = CompressionProblem(problem.words, heads=heads, statuses=problem.statuses)
    assert not plain.needs_program, "without neighbours the tree may have any shape"


@examples
@given(seed=seeds, other=seeds)
def test_without_scores_of_statuses_the_programmes_are_those_of_words_and_of_bigrams(seed: int, other: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 12))
    words, table = random.normal(size=n), random.normal(size=(n + 1, n + 1))
    given = {"heads": random_heads(np.random.default_rng(other), n), "statuses": np.zeros((n, 2, 2))}
    assert np.allclose(best_by_cost(CompressionProblem(words, **given)), best_by_cost(CompressionProblem(words)))
    plain, same = CompressionProblem(words, bigrams=table), CompressionProblem(words, bigrams=table, **given)
    assert np.allclose(best_by_cost(same), best_by_cost(plain))


@examples
@given(seed=seeds, other=seeds)
def test_forbidding_words_without_heads_gives_the_programme_of_subtrees(seed: int, other: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 12))
    words, heads, cuts = random.normal(size=n), random_heads(random, n), random.normal(size=n)
    statuses = np.zeros((n, 2, 2))
    statuses[:, 1, 0] = -np.inf
    statuses[:, 0, 1] = cuts
    ours = CompressionProblem(words, heads=heads, statuses=statuses)
    theirs = CompressionProblem(words, heads=heads, cuts=cuts)
    length = random_length(ours, other)
    if np.isfinite(listed.best(theirs, *length.window(theirs.costs))):
        assert compress(ours, length).score == pytest.approx(compress(theirs, length).score)


def test_there_is_no_distribution_with_bigrams() -> None:
    with pytest.raises(ConfigError, match="no distribution"):
        CompressionDistribution(random_statuses(1, 4, bigrams=True))

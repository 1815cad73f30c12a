# SPDX-License-Identifier: Apache-2.0
"""Compressions as linear programs: where fractions gain nothing, and how many variables there are."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.inference import linear
from accord.inference.compression import CompressionProblem, Length, compress
from accord.inference.compression.programs import program
from tests.inference.compression import enumerated_compressions as listed
from tests.inference.compression.random_compressions import random_heads

needs_highs = pytest.mark.skipif(importlib.util.find_spec("highspy") is None, reason="HiGHS is not installed")


def free(problem: CompressionProblem) -> linear.Arrays:
    """The program without a limit of length."""
    return program(problem, (0, int(problem.costs.sum())), np.zeros(problem.words.size))[0]


@needs_highs
@pytest.mark.parametrize("kind", ["bigrams", "subtree", "statuses"])
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_paths_and_trees_need_no_whole_numbers(kind: str, seed: int) -> None:
    """Martins & Smith (2009): the programs of neighbours alone and of a tree alone have whole corners."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 9))
    given: dict[str, Any] = {"bigrams": random.normal(size=(n + 1, n + 1)), "empty": float(random.normal())}
    if kind == "subtree":
        heads = random_heads(random, n)
        given = {"heads": heads, "cuts": random.normal(size=n), "empty": float(random.integers(0, 2))}
    if kind == "statuses":
        given = {"heads": random_heads(random, n), "statuses": random.normal(size=(n, 2, 2)), "empty": 0.0}
    problem = CompressionProblem(random.normal(size=n), **given)
    relaxed = linear.solve(free(problem), False).bound + problem.constant
    assert relaxed == pytest.approx(compress(problem).score, abs=1e-7)
    assert relaxed == pytest.approx(listed.best(problem), abs=1e-7)


def test_variables_of_trees_grow_with_the_words_and_those_of_neighbours_with_pairs() -> None:
    for n in (5, 10, 20, 40):
        words, square = np.zeros(n), np.zeros((n + 1, n + 1))
        tree = CompressionProblem(words, heads=np.append(-1, np.arange(n)))
        assert free(tree).scores.size == n + 1
        path = CompressionProblem(words, bigrams=square)
        assert free(path).scores.size == n + (n + 2) * (n + 1) // 2
        both = CompressionProblem(words, heads=np.append(-1, np.arange(n)), bigrams=square)
        assert free(both).scores.size == free(path).scores.size, "a given tree brings no variables of its own"
        heads = np.append(-1, np.arange(n))
        statuses = CompressionProblem(words, heads=heads, statuses=np.zeros((n, 2, 2)))
        assert free(statuses).scores.size == n + 4 * n + 1, "four indicators a word"
        with_pairs = CompressionProblem(words, heads=heads, statuses=np.zeros((n, 2, 2)), bigrams=square)
        assert free(with_pairs).scores.size == free(path).scores.size + 4 * n


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_nearest_summary_of_a_fractional_point_is_a_compression_of_its_trees(seed: int) -> None:
    """Almeida & Martins (2013) round to the nearest point: the best one by twice the fractions less one."""
    random = np.random.default_rng(seed)
    n, limit = int(random.integers(1, 10)), int(random.integers(0, 10))
    fractions = random.choice([0.0, 0.3, 0.5, 0.7, 1.0], n)
    heads, costs = random_heads(random, n), random.integers(0, 3, n)
    problem = CompressionProblem(2 * fractions - 1, heads=heads, costs=costs, empty=0.0)
    found = compress(problem, Length.at_most(limit))

    def distance(kept: Any) -> float:
        return float(((kept - fractions) ** 2).sum())

    nearest = min(distance(one.kept) for one in listed.compressions(problem) if one.cost <= limit)
    assert found.cost <= limit and distance(found.kept) == pytest.approx(nearest)

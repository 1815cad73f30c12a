# SPDX-License-Identifier: Apache-2.0
"""Paired bootstrap: agreement with enumeration of all samples, symmetry, and what equal systems give."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError, FormatError
from accord.evaluation import paired_bootstrap


def test_the_p_value_nears_that_of_all_samples() -> None:
    first, second = np.array([0.2, 0.9, 0.4, 0.5]), np.array([0.6, 0.7, 0.5, 0.7])
    differences = [np.mean([(second - first)[k] for k in drawn]) for drawn in product(range(4), repeat=4)]
    found = paired_bootstrap(first, second, samples=20000, seed=3)
    assert found.difference == pytest.approx(np.mean(second - first))
    assert found.p_value == pytest.approx(np.mean(np.array(differences) <= 1e-12), abs=0.01)
    assert (found.low, found.high) == pytest.approx(np.quantile(differences, (0.025, 0.975)), abs=0.03)


def test_scores_of_sums_are_resampled_as_sums() -> None:
    """F1 of counts (both, gold, system): questions with more items weigh more than in a mean of F1."""
    first, second = np.array([[1, 1, 1], [5, 10, 10]]), np.array([[0, 1, 1], [9, 10, 10]])
    found = paired_bootstrap(first, second, lambda sums: 2 * sums[0] / (sums[1] + sums[2]), samples=50)
    assert (found.first, found.second) == (6 / 11, 9 / 11)


def test_equal_systems_are_not_told_apart() -> None:
    scores = np.random.default_rng(0).random(30)
    found = paired_bootstrap(scores, scores)
    assert (found.difference, found.p_value, found.low, found.high) == (0, 1, 0, 0)
    assert paired_bootstrap(np.zeros(0), np.zeros(0)).p_value == 1


@settings(deadline=None)
@given(st.integers(0, 1000))
def test_the_order_of_the_systems_only_turns_the_sign(seed: int) -> None:
    draw = np.random.default_rng(seed)
    first, second = draw.random(12), draw.random(12)
    one, other = (paired_bootstrap(a, b, samples=64, seed=seed) for a, b in ((first, second), (second, first)))
    assert (one.difference, one.low, one.p_value) == pytest.approx((-other.difference, -other.high, other.p_value))


def test_wrong_use_is_refused() -> None:
    with pytest.raises(FormatError, match="same number of questions"):
        paired_bootstrap(np.zeros(3), np.zeros(4))
    with pytest.raises(ConfigError, match="at least 1"):
        paired_bootstrap(np.zeros(3), np.zeros(3), samples=0)

# SPDX-License-Identifier: Apache-2.0
"""Log-linear reranking: gradients by finite differences, groups of several references, and what one feature must do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError
from accord.learning.lbfgs import lbfgs
from accord.learning.reranker import LogLinearReranker, _Lists, split_by_references


def random_lists(seed: int) -> tuple[list[list[dict[str, float]]], list[int]]:
    draw = np.random.default_rng(seed)
    lists = [
        [{f"f{draw.integers(6)}": float(draw.normal()) for _ in range(3)} for _ in range(int(draw.integers(1, 5)))]
        for _ in range(4)
    ]
    return lists, [int(draw.integers(len(one))) for one in lists]


@settings(deadline=None)
@given(st.integers(0, 500))
def test_the_gradient_is_that_of_the_objective(seed: int) -> None:
    data = _Lists(*random_lists(seed), 6, 1)
    point = np.random.default_rng(seed).normal(size=64)
    _, gradient = data.objective(point, 0.3)
    for place in np.unique(data.index):
        step = np.zeros(64)
        step[place] = 1e-6
        slope = (data.objective(point + step, 0.3)[0] - data.objective(point - step, 0.3)[0]) / 2e-6
        assert gradient[place] == pytest.approx(slope, abs=1e-4)


def test_with_only_the_probability_the_first_stays_first() -> None:
    logs = [[-0.1, -2.0, -3.0], [-0.5, -1.0], [-0.2, -4.0]]
    lists = [[{"log probability": value} for value in one] for one in logs]
    reranker = LogLinearReranker.fit(lists, [0, 0, 0], l2=0.1)
    assert [reranker.best(one) for one in lists] == [0, 0, 0]


def test_rare_features_are_left_out() -> None:
    lists = [[{"rare": 1.0, "often": 0.0}, {"often": 1.0}], [{"often": 1.0}, {"often": 0.0}]]
    assert LogLinearReranker.fit(lists, [0, 1], l2=0.1, least_count=2).best(lists[0]) == 0
    both = LogLinearReranker.fit(lists, [0, 1], l2=0.1, least_count=1).scores([{"rare": 1.0}])
    assert both[0] > 0
    assert LogLinearReranker.fit(lists, [0, 1], l2=0.1, least_count=2).scores([{"rare": 1.0}])[0] == 0


@settings(deadline=None)
@given(st.lists(st.integers(0, 20), max_size=12, unique=True), st.lists(st.integers(0, 20), max_size=4))
def test_groups_share_the_wrong_candidates(candidates: list[int], references: list[int]) -> None:
    groups = split_by_references(candidates, references)
    right = [one for one in candidates if one in references]
    assert [candidates[members[positive]] for members, positive in groups] == right
    wrong = sorted(number for members, _ in groups for number in members[1:])
    assert wrong == ([k for k, one in enumerate(candidates) if one not in references] if right else [])
    sizes = [len(members) for members, _ in groups]
    assert not sizes or max(sizes) - min(sizes) <= 1


def test_wrong_lists_are_refused() -> None:
    for lists, positives, message in (
        ([[{"a": 1.0}]], [0, 1], "2 positives for 1 lists"),
        ([[{"a": 1.0}]], [1], "not on it"),
        ([[]], [0], "at least one candidate"),
    ):
        with pytest.raises(ConfigError, match=message):
            LogLinearReranker.fit(lists, positives)


def test_lbfgs_finds_the_bottom_of_a_narrow_valley() -> None:
    def rosenbrock(x: np.ndarray) -> tuple[float, np.ndarray]:
        slope = np.array([-400 * x[0] * (x[1] - x[0] ** 2) - 2 * (1 - x[0]), 200 * (x[1] - x[0] ** 2)])
        return float(100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2), slope

    found = lbfgs(rosenbrock, np.array([-1.2, 1.0]), iterations=500, tolerance=1e-16)
    assert found == pytest.approx([1, 1], abs=1e-4)

# SPDX-License-Identifier: Apache-2.0
"""Choosing from lists: the least loss by its definition, groups of several references, and what one feature must do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError
from accord.tasks.compressor.choosing import ChoiceWeights, split_by_references


def random_lists(seed: int) -> tuple[list[list[dict[str, float]]], list[int]]:
    draw = np.random.default_rng(seed)
    lists = [
        [{f"f{draw.integers(6)}": float(draw.normal()) for _ in range(3)} for _ in range(int(draw.integers(1, 5)))]
        for _ in range(4)
    ]
    return lists, [int(draw.integers(len(one))) for one in lists]


def loss(model: ChoiceWeights, lists: list[list[dict[str, float]]], positives: list[int], l2: float) -> float:
    """The objective by its definition."""
    total = l2 / 2 * float(model.weights.astype(float) @ model.weights.astype(float))
    for candidates, positive in zip(lists, positives, strict=True):
        scores = model.scores(candidates)
        total += np.logaddexp.reduce(scores) - scores[positive]
    return float(total)


@settings(deadline=None)
@given(st.integers(0, 500), st.sampled_from([0.03, 0.3, 3.0]))
def test_no_weight_can_be_moved_to_a_smaller_loss(seed: int, l2: float) -> None:
    lists, positives = random_lists(seed)
    found = ChoiceWeights.fit(lists, positives, l2=l2, bits=6)
    least = loss(found, lists, positives, l2)
    for place in range(64):
        for step in (-0.05, 0.05):
            moved = found.weights.copy()
            moved[place] += step
            assert loss(ChoiceWeights(6, moved), lists, positives, l2) > least


def test_with_only_the_probability_the_first_stays_first() -> None:
    logs = [[-0.1, -2.0, -3.0], [-0.5, -1.0], [-0.2, -4.0]]
    lists = [[{"log probability": value} for value in one] for one in logs]
    reranker = ChoiceWeights.fit(lists, [0, 0, 0], l2=0.1)
    assert [reranker.best(one) for one in lists] == [0, 0, 0]


def test_rare_features_are_left_out() -> None:
    lists = [[{"rare": 1.0, "often": 0.0}, {"often": 1.0}], [{"often": 1.0}, {"often": 0.0}]]
    assert ChoiceWeights.fit(lists, [0, 1], l2=0.1, least_count=2).best(lists[0]) == 0
    both = ChoiceWeights.fit(lists, [0, 1], l2=0.1, least_count=1).scores([{"rare": 1.0}])
    assert both[0] > 0
    assert ChoiceWeights.fit(lists, [0, 1], l2=0.1, least_count=2).scores([{"rare": 1.0}])[0] == 0


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
            ChoiceWeights.fit(lists, positives)

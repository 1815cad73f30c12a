# SPDX-License-Identifier: Apache-2.0
"""Proximity operators against a solver that knows nothing of groups but projections onto balls."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.learning import Groups, budget_threshold, prox_sparse_groups, soft_threshold

Numbers = NDArray[np.float64]
SCALES = (1e-12, 1e-3, 1.0, 1e5, 1e12)


def exact_prox(values: Numbers, groups: Groups, threshold: float) -> Numbers:
    """By the dual: values less one vector for each group, of a length up to its threshold; each in turn is best."""
    parts = np.zeros((len(groups), len(values)))
    masks = [np.isin(np.arange(len(values)), group) for group in groups.members]
    for _ in range(20_000):
        moved = 0.0
        for number, mask in enumerate(masks):
            wanted = (values - parts.sum(axis=0) + parts[number]) * mask
            limit, length = threshold * groups.weights[number], float(np.linalg.norm(wanted))
            new = wanted if length <= limit else wanted * (limit / length)
            moved = max(moved, float(np.abs(new - parts[number]).max()))
            parts[number] = new
        if moved < 1e-13 * max(1e-300, float(np.abs(values).max())):
            break
    return values - parts.sum(axis=0)


def random_tree(entries: int, random: np.random.Generator) -> list[list[int]]:
    """Nested groups: intervals that are split again and again, down to single entries."""
    groups, open_groups = [], [(0, entries)]
    while open_groups:
        low, high = open_groups.pop()
        groups.append(list(range(low, high)))
        if high - low > 1 and random.random() < 0.8:
            middle = int(random.integers(low + 1, high))
            open_groups += [(low, middle), (middle, high)]
    return groups


def close(found: Numbers, wanted: Numbers, scale: float) -> bool:
    return bool(np.abs(found - wanted).max() <= 1e-8 * scale)


@pytest.mark.parametrize("scale", SCALES)
def test_soft_thresholding_solves_the_lasso(scale: float) -> None:
    random = np.random.default_rng(1)
    values = random.normal(size=9) * scale
    found = soft_threshold(values, 0.6 * scale)
    assert close(found, exact_prox(values, Groups.singletons(9), 0.6 * scale), scale)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(4))
def test_groups_that_do_not_overlap_are_solved(scale: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    cuts = sorted(random.choice(np.arange(1, 12), 3, replace=False).tolist())
    members = [list(range(low, high)) for low, high in zip([0, *cuts], [*cuts, 12], strict=True)]
    groups = Groups(members, 12, random.uniform(0.2, 2.0, len(members)))
    values = random.normal(size=12) * scale
    assert close(groups.prox(values, scale), exact_prox(values, groups, scale), scale)


@pytest.mark.parametrize("seed", range(6))
def test_nested_groups_are_solved_in_any_order_they_are_given(seed: int) -> None:
    random = np.random.default_rng(seed)
    members = random_tree(10, random)
    weights = random.uniform(0.1, 0.5, len(members))
    order = random.permutation(len(members))
    groups = Groups([members[number] for number in order], 10, weights[order])
    values = random.normal(size=10)
    assert close(groups.prox(values, 1.0), exact_prox(values, groups, 1.0), 1.0)


@pytest.mark.parametrize("seed", range(4))
def test_sparse_groups_are_groups_and_single_entries_together(seed: int) -> None:
    random = np.random.default_rng(seed)
    pairs = [[2 * k, 2 * k + 1] for k in range(5)]
    groups = Groups(pairs, 10, random.uniform(0.3, 1.0, 5))
    both = Groups([*pairs, *([entry] for entry in range(10))], 10, [*groups.weights, *([0.3 / 0.7] * 10)])
    values = random.normal(size=10) * 2
    found = prox_sparse_groups(values, groups, 0.7, 0.3)
    assert close(found, exact_prox(values, both, 0.7), 1.0)


def test_the_elastic_net_is_a_tree_of_everything_and_single_entries() -> None:
    values = np.array([3.0, -1.0, 0.2])
    net = Groups([[0, 1, 2], [0], [1], [2]], 3)
    assert close(net.prox(values, 0.5), exact_prox(values, net, 0.5), 1.0)


def test_groups_that_overlap_in_a_circle_are_put_into_layers_that_do_not() -> None:
    members = [[0, 1], [1, 2], [2, 3], [3, 0]]
    layers = Groups(members, 4).layers
    assert sorted(number for layer in layers for number in layer) == [0, 1, 2, 3]
    for layer in layers:
        entries = [entry for number in layer for entry in members[number]]
        assert len(entries) == len(set(entries))


@given(st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=20), st.floats(0, 1e12))
def test_groups_of_one_entry_are_the_lasso_bit_for_bit(values: list[float], threshold: float) -> None:
    lasso = soft_threshold(values, threshold)
    assert Groups.singletons(len(values)).prox(values, threshold).tobytes() == lasso.tobytes()


def test_one_group_of_everything_is_a_penalty_on_the_norm() -> None:
    values = np.array([3.0, 4.0])
    assert np.allclose(Groups([[0, 1]], 2).prox(values, 1.0), values * 4 / 5, rtol=1e-15)
    assert not Groups([[0, 1]], 2).prox(values, 5.0).any()


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 1.0, 1.0, 2.5, 1e-12, 1e12]), st.floats(1e-3, 1e3)), min_size=1, max_size=12
    ),
    st.integers(0, 12),
    st.booleans(),
)
def test_at_most_the_budget_of_groups_stays(rows: list[tuple[float, float]], budget: int, nested: bool) -> None:
    values = np.array([value for value, _ in rows])
    members = [[entry] for entry in range(len(rows))]
    weights = [weight for _, weight in rows]
    if nested and len(rows) > 1:
        members, weights = [*members, list(range(len(rows))), [0, 1]], [*weights, 1.0, 3.0]
    groups = Groups(members, len(rows), weights)
    left = groups.shrink_to_budget(values, budget)
    assert np.count_nonzero(groups.ratios(left)) <= budget
    if np.count_nonzero(groups.ratios(values)) <= budget:
        assert left.tobytes() == values.tobytes()


def test_the_threshold_of_a_budget_lies_between_the_last_that_stays_and_the_first_that_goes() -> None:
    assert budget_threshold([5.0, 1.0, 3.0], 2) == 2.0
    assert budget_threshold([5.0, 1.0, 3.0], 3) == 0.0
    assert budget_threshold([3.0, 3.0, 3.0], 2) > 3.0


def test_what_is_no_group_is_refused() -> None:
    for members in ([[]], [[0, 0]], [[2]], [[-1]]):
        with pytest.raises(ValueError, match="group"):
            Groups(members, 2)
    with pytest.raises(ValueError, match="weight"):
        Groups([[0]], 1, [-1.0])
    with pytest.raises(ValueError, match="entry"):
        Groups([[0]], 1).prox([1.0, 2.0], 1.0)

# SPDX-License-Identifier: Apache-2.0
"""Best closed sets against enumeration, at all scales of weights; sets nested over the price."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference import max_closure, parametric_closure

Arcs = list[tuple[int, int]]


@st.composite
def problems(draw: st.DrawFn, whole: bool = True) -> tuple[NDArray[np.float64], NDArray[np.float64], Arcs]:
    """Weights, costs and arcs; whole weights have ties, and constant ones have nothing else."""
    items = draw(st.integers(1, 8))
    number = st.integers(-3, 3) if whole else st.floats(-3, 3).map(lambda value: round(value, 6))
    weights = draw(st.one_of(st.lists(number, min_size=items, max_size=items), number.map(lambda one: [one] * items)))
    costs = draw(st.lists(st.integers(0, 3), min_size=items, max_size=items))
    index = st.integers(0, items - 1)
    return np.array(weights, float), np.array(costs, float), draw(st.lists(st.tuples(index, index), max_size=14))


def closed_sets(items: int, arcs: Arcs) -> NDArray[np.bool_]:
    sets = np.array(list(itertools.product((False, True), repeat=items)))
    for item, required in arcs:
        sets = sets[~sets[:, item] | sets[:, required]]
    return sets


@given(problems(), st.integers(-12, 12))
def test_the_smallest_of_the_best_sets_at_every_scale(problem: Any, exponent: int) -> None:
    weights, _, arcs = problem
    sets = closed_sets(len(weights), arcs)
    values = sets @ weights
    smallest = sets[values == values.max()].all(axis=0)  # best sets are closed under intersection
    assert max_closure(weights * 2.0 ** (40 * exponent / 12), arcs).tolist() == smallest.tolist()
    found = max_closure(weights * 10.0**exponent, arcs)
    assert found @ weights == values.max() and (sets == found).all(axis=1).any()


@given(problems(whole=False))
def test_values_are_those_of_enumeration_for_any_fractions(problem: Any) -> None:
    weights, _, arcs = problem
    sets = closed_sets(len(weights), arcs)
    found = max_closure(weights, arcs)
    assert (sets == found).all(axis=1).any()
    assert found @ weights == pytest.approx((sets @ weights).max(), abs=1e-12)


@given(problems(whole=False), st.lists(st.floats(0, 5), min_size=2, max_size=6))
def test_sets_over_the_price_are_closed_nested_and_best(problem: Any, prices: list[float]) -> None:
    weights, costs, arcs = problem
    limits = parametric_closure(weights, costs, arcs)
    sets = closed_sets(len(weights), arcs)
    assert (limits >= 0).all()
    for price in prices:
        chosen = limits > price
        assert (sets == chosen).all(axis=1).any()
        assert chosen @ (weights - price * costs) == pytest.approx((sets @ (weights - price * costs)).max(), abs=1e-9)
    for low, high in itertools.pairwise(sorted(prices)):
        assert not ((limits > high) & ~(limits > low)).any()


@given(problems(whole=False), st.sampled_from([1e-12, 1e-6, 1e6, 1e12]))
def test_limits_grow_with_the_weights(problem: Any, scale: float) -> None:
    weights, costs, arcs = problem
    limits = parametric_closure(weights, costs, arcs)
    assert parametric_closure(weights * scale, costs, arcs) == pytest.approx(limits * scale, rel=1e-9, abs=1e-9 * scale)


def test_what_costs_nothing_stays_for_ever() -> None:
    assert parametric_closure([1, 2, -1], [0, 1, 0], [(1, 2)]).tolist() == [np.inf, 1.0, 1.0]


@pytest.mark.parametrize(
    ("weights", "arcs"), [([np.nan], []), ([1.0], [(0, 1)]), ([[1.0]], []), ([1.0], [(0.5, 0)]), ([1e308] * 9, [])]
)
def test_wrong_input_is_one_message(weights: Any, arcs: Any) -> None:
    with pytest.raises(ConstraintError):
        max_closure(weights, arcs)
    with pytest.raises(ConstraintError):
        parametric_closure(weights, np.ones(np.shape(weights)), arcs)


def test_costs_are_not_negative() -> None:
    with pytest.raises(ConstraintError, match="costs must be finite and not negative"):
        parametric_closure([1.0], [-1.0])

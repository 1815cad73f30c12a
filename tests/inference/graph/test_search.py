# SPDX-License-Identifier: Apache-2.0
"""Search on values and sequential reparametrisation: networks with several values against plain enumeration."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError, ConstraintError
from accord.inference.graph import FactorGraph, Network
from tests.inference.graph_recipes import seeds
from tests.inference.test_graph_interruption import grid

FORBIDDEN = -np.inf


def random_network(random: np.random.Generator, whole: bool, forbidden: float) -> Network:
    """Four to six variables with two to four values, tables over two or three of them."""
    values = tuple(int(count) for count in random.integers(2, 5, int(random.integers(4, 7))))
    tables = []
    for _ in range(int(random.integers(3, 9))):
        scope = tuple(int(i) for i in random.permutation(len(values))[: int(random.integers(1, 4))])
        scores = random.normal(size=tuple(values[i] for i in scope)) * 3
        scores = np.round(scores) if whole else scores
        tables.append((scope, np.where(random.random(scores.shape) < forbidden, FORBIDDEN, scores)))
    return Network(values, tuple(tables), float(random.normal()))


def scores_of(network: Network) -> list[float]:
    return [network.score(setting) for setting in itertools.product(*(range(count) for count in network.values))]


@settings(max_examples=60, deadline=None)
@given(seeds, st.booleans(), st.sampled_from([0.0, 0.2, 0.6]), st.integers(-12, 12))
def test_search_finds_the_best_setting(seed: int, whole: bool, forbidden: float, power: int) -> None:
    network = random_network(np.random.default_rng(seed), whole, forbidden)
    scaled = Network(
        network.values,
        tuple((scope, scores * 10.0**power) for scope, scores in network.tables),
        network.constant * 10.0**power,
    )
    best = max(scores_of(scaled))
    if best == FORBIDDEN:
        with pytest.raises(ConstraintError):
            scaled.graph.solve("search")
        return
    for gap in (0.0, 1e-7):
        answer = scaled.graph.solve("search", gap=gap)
        spread = scaled.graph.spread
        assert answer.status == "optimal"
        assert answer.value == pytest.approx(best, rel=1e-12, abs=(gap + 1e-12) * spread)
        assert answer.bound >= best - 1e-13 * spread
    bounded = scaled.graph.solve("trws")
    assert bounded.bound >= best - 1e-13 * spread and bounded.value <= bounded.bound


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_search_is_right_where_propagation_works_hard(seed: int) -> None:
    # All pairs of ten variables: every rule of the search is at work where elimination does not come first.
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    variables = graph.categorical(random.integers(0, 4, (10, 3)).astype(float))
    for first, second in itertools.combinations(range(10), 2):
        scores = random.integers(0, 4, (3, 3)).astype(float)
        graph.categorical_table([variables[first], variables[second]], scores)
    exact = graph.solve("branch_and_bound", nodes=100_000)
    assert graph.solve("search").value == exact.value


@pytest.mark.parametrize("colours", [3, 4])
def test_colouring_is_settled_by_propagation(colours: int) -> None:
    # The complete graph on four vertices needs four colours.
    graph = FactorGraph()
    vertices = graph.categorical(np.zeros((4, colours)))
    for first, second in itertools.combinations(vertices, 2):
        graph.categorical_table([first, second], np.where(np.eye(colours) == 1, FORBIDDEN, 0.0))
    if colours == 3:
        with pytest.raises(ConstraintError):
            graph.solve("search")
    else:
        answer = graph.solve("search")
        assert answer.status == "optimal" and answer.assignment is not None and answer.value == 0.0


def test_at_most_one_is_a_variable_with_one_value_more() -> None:
    graph = FactorGraph()
    u = graph.variables([-1.0] * 40)
    graph.at_most_one(u)
    graph.pair(u[0], u[1], 5.0)
    assert graph.solve("search").value == 0.0
    graph.set_scores([-1.0] * 39 + [2.0])
    answer = graph.solve("search")
    assert answer.assignment is not None and answer.assignment.nonzero()[0].tolist() == [39]


def test_a_start_is_kept_when_time_is_short_and_refused_when_it_does_not_fit() -> None:
    graph = grid(seed=5, side=30)
    start = graph.solve("search", seconds=1.0)
    again = graph.solve("search", seconds=0.001, start=start.assignment)
    assert again.value >= start.value
    with pytest.raises(ConfigError, match="2700 values"):
        graph.solve("search", start=[True])


def test_time_is_kept() -> None:
    started = time.perf_counter()
    answer = grid(seed=6, side=40).solve("search", seconds=0.5)
    assert time.perf_counter() - started < 8.0
    assert answer.status == "budget" and answer.value <= answer.bound


def test_a_factor_too_large_for_a_table_is_refused_by_values_and_taken_by_rows() -> None:
    graph = FactorGraph()
    graph.at_least_one(graph.variables([-1.0] * 40))
    for solver, settings_ in (("search", {"by": "values"}), ("trws", {})):
        with pytest.raises(ConfigError, match="too large to be a table"):
            graph.solve(solver, **settings_)
    answer = graph.solve("search")
    assert answer.status == "optimal" and answer.value == -1.0
    with pytest.raises(ConfigError, match="by"):
        graph.solve("search", by="chance")


def test_passes_alone_prove_attraction_on_a_grid() -> None:
    random = np.random.default_rng(3)
    graph = FactorGraph()
    sites = graph.variables(random.normal(size=(20, 20, 2)))
    graph.exactly_one(sites.reshape(-1, 2))
    for before, after in ((sites[:, :-1], sites[:, 1:]), (sites[:-1], sites[1:])):
        graph.pair(before, after, 0.7)
    answer = graph.solve("trws", passes=5000)
    assert answer.status == "optimal"
    assert answer.value == pytest.approx(graph.solve("search").value)


def test_passes_keep_the_best_value_that_they_have_seen() -> None:
    for seed in range(5):
        graph = grid(seed=seed, side=12)
        values = [graph.solve("trws", passes=passes).value for passes in (1, 5, 25, 100)]
        assert values == sorted(values)

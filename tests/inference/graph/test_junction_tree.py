# SPDX-License-Identifier: Apache-2.0
"""Junction trees: exact sums and maxima of graphs with loops, as far as their tables may grow."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import BudgetError, ConfigError, ConstraintError
from accord.inference.graph import FactorGraph
from tests.inference.graph.test_values import Model, seeds
from tests.inference.graph_recipes import Recipe, recipes
from tests.inference.solver_contract import FORBIDDEN, MESSAGES


def random_loops(random: np.random.Generator, scale: float) -> Model:
    """Six variables of 2-4 values, with tables over one, two or three of them anywhere."""
    scores = [random.normal(size=int(random.integers(2, 5))) * scale for _ in range(6)]
    tables = []
    for _ in range(int(random.integers(4, 10))):
        scope = tuple(random.permutation(6)[: int(random.integers(1, 4))].tolist())
        table = random.normal(size=tuple(scores[place].size for place in scope)) * scale
        tables.append((scope, np.where(random.random(table.shape) < 0.1, -np.inf, table)))
    return Model(scores, tables, float(random.normal()) * scale)


@settings(max_examples=60, deadline=None)
@given(seeds, st.sampled_from([0] * 5 + list(range(-12, 13))))
def test_sums_and_maxima_are_those_of_enumeration(seed: int, power: int) -> None:
    scale = 10.0**power
    model = random_loops(np.random.default_rng(seed), scale)
    truth = model.enumerated()
    graph, variables = model.build()
    if truth.scores.max() == -np.inf:
        with pytest.raises(ConstraintError):
            graph.solve("junction_tree")
        return
    answer = graph.solve("junction_tree")
    assert answer.status == "optimal" and answer.assignment is not None
    rounding = 1e-14 * scale
    assert abs(answer.value - truth.scores.max()) <= 10 * rounding
    assert abs(answer.log_partition - truth.log_partition) < 1e-9 + 10 * rounding
    assert abs(answer.entropy - truth.entropy) < 1e-9 + 100 * rounding
    for variable, values in enumerate(variables):
        expected = truth.marginals(variable, values.size)
        assert np.abs(answer.posteriors[values] - expected).max() < 1e-9 + 10 * rounding
    best = graph.solve("junction_tree", maximum=True)
    assert best.value == answer.value and best.posteriors.tolist() == best.assignment.tolist()


@settings(max_examples=60, deadline=None)
@given(recipes(MESSAGES), st.booleans())
def test_factors_of_all_kinds_are_tables_of_values(recipe: Recipe, held: bool) -> None:
    if held:
        recipe = Recipe(recipe.scores, recipe.factors, {1: True, 3: False})
    if recipe.optimum == FORBIDDEN:
        return
    graph = recipe.build()
    answer, exact = graph.solve("junction_tree"), graph.solve("enumerate")
    assert answer.value == pytest.approx(recipe.optimum)
    assert answer.log_partition == pytest.approx(exact.log_partition)
    assert answer.entropy == pytest.approx(exact.entropy, abs=1e-9)
    assert np.allclose(answer.posteriors, exact.posteriors, atol=1e-10)


def grid(side: int) -> FactorGraph:
    random = np.random.default_rng(0)
    graph = FactorGraph()
    sites = graph.categorical(random.normal(size=(side, side, 2)))
    graph.categorical_table([sites[:, :-1], sites[:, 1:]], random.normal(size=(side, side - 1, 2, 2)))
    graph.categorical_table([sites[:-1], sites[1:]], random.normal(size=(side - 1, side, 2, 2)))
    return graph


def test_a_graph_that_is_too_wide_is_refused_and_estimated() -> None:
    wide = grid(12)
    with pytest.raises(BudgetError, match=r"larger tables than 2\^8 entries"):
        wide.solve("junction_tree", width=8)
    assert wide.sums(width=8).stages[0].solver == "bp"
    assert wide.sums(width=14).stages[0].solver == "junction_tree"


def test_the_order_is_good_on_grids() -> None:
    grid(12).solve("junction_tree", width=14)  # 13 is the width of a row and one site more


def test_long_chains_take_little_time() -> None:
    random = np.random.default_rng(0)
    graph = FactorGraph()
    sites = graph.categorical(random.normal(size=(20_000, 3)))
    graph.categorical_table([sites[:-1], sites[1:]], random.normal(size=(19_999, 3, 3)))
    answer, messages = graph.solve("junction_tree"), graph.solve("bp")
    assert np.allclose(answer.posteriors, messages.posteriors, atol=1e-9)
    assert answer.log_partition == pytest.approx(messages.log_partition)
    assert answer.entropy == pytest.approx(messages.entropy)
    assert answer.seconds < 20


def test_factors_that_are_no_tables_are_refused() -> None:
    graph = FactorGraph()
    graph.at_most(20, graph.variables(np.ones(40)))
    with pytest.raises(BudgetError, match="no table"):
        graph.solve("junction_tree")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_joint_marginals_are_those_of_enumeration(seed: int) -> None:
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    variables = graph.categorical([random.normal(size=int(count)) for count in random.integers(2, 4, 4)])
    alone = graph.variables(random.normal(size=3))
    graph.pair(alone[0], alone[1], 1.0)
    for first, second in ((0, 1), (1, 2), (2, 3), (3, 0)):
        shape = (variables[first].size, variables[second].size)
        graph.categorical_table([variables[first], variables[second]], random.normal(size=shape))
    graph.implies(alone[:1], variables[2][:1])
    if random.random() < 0.5:
        graph.fix(alone[1], True)
    if random.random() < 0.5:
        graph.fix(alone[2], False)
    scopes = [[variables[0], variables[2]], [variables[3], alone[0], alone[1]], [alone[2]], [variables[1]]]
    count = graph.scores.size
    weights: dict[tuple[int, ...], float] = {}
    for setting in itertools.product(*(range(v.size) for v in variables), (0, 1), (0, 1), (0, 1)):
        bits = np.zeros(count, bool)
        for variable, value in zip(variables, setting[:4], strict=True):
            bits[variable[value]] = True
        bits[alone] = setting[4:]
        weights[setting] = float(np.exp(graph.value(bits)))
    total = sum(weights.values())
    axes = [(0, 2), (3, 4, 5), (6,), (1,)]
    for found, places in zip(graph.joint_marginals(scopes), axes, strict=True):
        wanted = np.zeros(found.shape)
        for setting, weight in weights.items():
            wanted[tuple(setting[place] for place in places)] += weight / total
        assert found == pytest.approx(wanted, abs=1e-12)


def test_joint_marginals_are_refused_where_they_cannot_be_had() -> None:
    graph = FactorGraph()
    first, second = graph.categorical(np.zeros((2, 30)))
    graph.categorical_table([first, second], np.zeros((30, 30)))
    with pytest.raises(BudgetError):
        graph.joint_marginals([[first, second]], width=5.0)
    with pytest.raises(ConfigError, match="not the values of one variable"):
        graph.joint_marginals([[[int(first[0]), int(second[0])]]])
    graph.exactly(0, first)
    with pytest.raises(ConstraintError):
        graph.joint_marginals([[first]])

# SPDX-License-Identifier: Apache-2.0
"""Variables with several values: beliefs over values, constants, evidence by value, many tables in one call."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference.graph import FactorGraph

seeds = st.integers(0, 2**32 - 1)


@dataclass
class Enumerated:
    """Every setting of a few variables with its score, and what follows from the list."""

    settings: list[tuple[int, ...]]
    scores: NDArray[np.float64]

    @property
    def log_partition(self) -> float:
        top = self.scores.max()
        return float(top + np.log(np.exp(self.scores - top).sum()))

    @property
    def probabilities(self) -> NDArray[np.float64]:
        return np.asarray(np.exp(self.scores - self.log_partition))

    @property
    def entropy(self) -> float:
        p = self.probabilities
        return float(-(p[p > 0] * np.log(p[p > 0])).sum())

    def marginals(self, variable: int, values: int) -> NDArray[np.float64]:
        chosen = np.array([setting[variable] for setting in self.settings])
        return np.bincount(chosen, self.probabilities, values)


@dataclass
class Model:
    """Variables with several values, tables over some of them, and a constant."""

    scores: list[NDArray[np.float64]]
    tables: list[tuple[tuple[int, ...], NDArray[np.float64]]]
    constant: float = 0.0

    def build(self) -> tuple[FactorGraph, list[NDArray[np.int64]]]:
        graph = FactorGraph()
        variables = graph.categorical(self.scores)
        for scope, table in self.tables:
            graph.categorical_table([variables[place] for place in scope], table)
        graph.add_constant(self.constant)
        return graph, variables

    def enumerated(self) -> Enumerated:
        settings = list(itertools.product(*(range(len(row)) for row in self.scores)))
        totals = [
            self.constant
            + sum(row[value] for row, value in zip(self.scores, setting, strict=True))
            + sum(table[tuple(setting[place] for place in scope)] for scope, table in self.tables)
            for setting in settings
        ]
        return Enumerated(settings, np.array(totals))


def random_tree(random: np.random.Generator, scale: float = 1.0, forbid: float = 0.0) -> Model:
    """Tables over two or three variables that make a tree; 2-4 values each."""
    scores = [random.normal(size=int(random.integers(2, 5))) * scale]
    tables = []
    while len(scores) < 6:
        anchor = int(random.integers(len(scores)))
        added = [len(scores) + extra for extra in range(int(random.integers(1, 3)))]
        scores += [random.normal(size=int(random.integers(2, 5))) * scale for _ in added]
        scope = tuple(random.permutation([anchor, *added]).tolist())
        table = random.normal(size=tuple(scores[place].size for place in scope)) * scale
        tables.append((scope, np.where(random.random(table.shape) < forbid, -np.inf, table)))
    return Model(scores, tables, float(random.normal()) * scale)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_beliefs_over_values_are_exact_on_trees(seed: int) -> None:
    random = np.random.default_rng(seed)
    model = random_tree(random, forbid=0.1 if seed % 2 else 0.0)
    truth = model.enumerated()
    graph, variables = model.build()
    if truth.scores.max() == -np.inf:
        with pytest.raises(ConstraintError):
            graph.solve("bp")
        return
    answer = graph.solve("bp")
    assert answer.status == "estimate"
    for variable, values in enumerate(variables):
        assert np.abs(answer.marginals(variables)[variable] - truth.marginals(variable, len(values))).max() < 1e-9
    assert answer.log_partition == pytest.approx(truth.log_partition, abs=1e-9)
    assert answer.entropy == pytest.approx(truth.entropy, abs=1e-8)
    best = graph.solve("bp", maximum=True)
    assert best.status == "optimal"
    assert best.value == pytest.approx(truth.scores.max(), abs=1e-9) == pytest.approx(best.bound, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(-12, 12))
def test_beliefs_over_values_hold_at_any_scale(seed: int, power: int) -> None:
    random = np.random.default_rng(seed)
    scale = 10.0**power
    model = random_tree(random, scale)
    truth = model.enumerated()
    graph, variables = model.build()
    answer = graph.solve("bp")
    assert answer.status == "estimate"
    for variable, values in enumerate(variables):
        expected = truth.marginals(variable, len(values))
        assert np.abs(answer.marginals(variables)[variable] - expected).max() < 1e-9 + 1e-14 * scale
    assert abs(answer.log_partition - truth.log_partition) < 1e-9 + 1e-13 * scale
    best = graph.solve("bp", maximum=True)
    assert best.status == "optimal" and abs(best.value - truth.scores.max()) < 1e-13 * scale


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_single_values_and_binary_variables_join_a_tree_of_values(seed: int) -> None:
    # A factor that touches one value of a variable, and binary variables behind it, leave the graph a tree.
    random = np.random.default_rng(seed)
    model = random_tree(random)
    graph, variables = model.build()
    first, second = variables[0], variables[-1]
    switch, other = graph.variables(random.normal(size=2)).tolist()
    value, another = int(random.integers(first.size)), int(random.integers(second.size))
    strength = random.normal()
    graph.pair(first[value], switch, strength)
    graph.implies(second[another], ~other)
    truth = model.enumerated()
    scores = graph.scores[[switch, other]]
    joint = np.full((len(truth.settings), 2, 2), -np.inf)
    for row, setting in enumerate(truth.settings):
        for a, b in itertools.product((0, 1), repeat=2):
            if setting[-1] == another and b:
                continue
            extra = strength * (setting[0] == value and a)
            joint[row, a, b] = truth.scores[row] + a * scores[0] + b * scores[1] + extra
    top = joint.max()
    log_partition = top + np.log(np.exp(joint - top).sum())
    p = np.exp(joint - log_partition)
    answer = graph.solve("bp")
    assert answer.log_partition == pytest.approx(log_partition, abs=1e-8)
    for place, values in enumerate(variables):
        chosen = np.array([setting[place] for setting in truth.settings])
        expected = np.bincount(chosen, p.sum(axis=(1, 2)), values.size)
        assert np.allclose(answer.posteriors[values], expected, atol=1e-8)
    assert answer.posteriors[[switch, other]] == pytest.approx([p[:, 1].sum(), p[:, :, 1].sum()], abs=1e-8)
    best = graph.solve("bp", maximum=True)
    assert best.status == "optimal" and best.value == pytest.approx(joint.max(), abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_chains_over_values_speak_of_values_too(seed: int) -> None:
    random = np.random.default_rng(seed)
    sizes = random.integers(2, 5, 4)
    scores = [random.normal(size=size) for size in sizes]
    tables = [random.normal(size=(sizes[k], sizes[k + 1])) for k in range(3)]
    model = Model(scores, [((k, k + 1), tables[k]) for k in range(3)])
    truth = model.enumerated()
    graph = FactorGraph()
    variables = graph.categorical(scores)
    graph.chain(variables, tables)
    graph.categorical_table([variables[2]], np.zeros(sizes[2]))
    answer = graph.solve("bp")
    for place, values in enumerate(variables):
        assert np.allclose(answer.posteriors[values], truth.marginals(place, values.size), atol=1e-10)
    assert answer.log_partition == pytest.approx(truth.log_partition)


def test_loopy_beliefs_are_those_of_plain_belief_propagation() -> None:
    # The fixed point of messages on one loop, found here in plain numpy.
    random = np.random.default_rng(3)
    scores = random.normal(size=(3, 3))
    tables = {(a, b): random.normal(size=(3, 3)) for a, b in ((0, 1), (1, 2), (2, 0))}
    both = {**tables, **{(b, a): table.T for (a, b), table in tables.items()}}
    messages = {pair: np.zeros(3) for pair in both}
    for _ in range(500):
        for a, b in both:
            cavity = scores[a] + sum(messages[c, d] for c, d in both if d == a and c != b)
            sums = np.logaddexp.reduce(cavity[:, None] + both[a, b], axis=0)
            messages[a, b] = sums - sums.max()
    beliefs = np.array([scores[a] + sum(messages[c, d] for c, d in both if d == a) for a in range(3)])
    expected = np.exp(beliefs - np.logaddexp.reduce(beliefs, axis=1, keepdims=True))
    graph = FactorGraph()
    variables = graph.categorical(scores)
    for (a, b), table in tables.items():
        graph.categorical_table([variables[a], variables[b]], table)
    assert np.allclose(graph.solve("bp").marginals(variables), expected, atol=1e-7)


def test_evidence_by_value_is_obeyed_and_taken_back() -> None:
    random = np.random.default_rng(5)
    model = random_tree(random)
    graph, variables = model.build()
    truth = model.enumerated()
    graph.fix_value(variables[1], 1)
    kept = [row for row, setting in enumerate(truth.settings) if setting[1] == 1]
    held = Enumerated([truth.settings[row] for row in kept], truth.scores[kept])
    answer = graph.solve("bp")
    assert answer.log_partition == pytest.approx(held.log_partition)
    assert answer.posteriors[variables[0]] == pytest.approx(held.marginals(0, variables[0].size))
    assert graph.solve("ad3").setting(variables)[1] == 1
    graph.release(variables[1])
    assert graph.solve("bp").log_partition == pytest.approx(truth.log_partition)
    with pytest.raises(ValueError, match="no such value as 9"):
        graph.fix_value(variables[1], 9)


@pytest.mark.parametrize("solver", ["ad3", "subgradient", "branch_and_bound", "enumerate", "lp", "ilp", "auto"])
def test_a_constant_is_added_by_every_solver(solver: str) -> None:
    graph = FactorGraph()
    variables = graph.categorical(np.array([[1.0, 0.5], [0.25, 2.0]]))
    graph.categorical_table(variables, [[0.0, -1.0], [0.0, 0.5]])
    before = graph.solve(solver)
    graph.add_constant(1000.0)
    after = graph.solve(solver)
    assert graph.constant == 1000.0
    assert (after.value, after.bound) == (before.value + 1000, pytest.approx(before.bound + 1000))
    assert after.setting(variables).tolist() == [1, 1]


def test_many_tables_of_one_shape_are_added_in_one_call() -> None:
    random = np.random.default_rng(1)
    scores, one, many = random.normal(size=(3, 4, 3)), random.normal(size=(3, 3)), random.normal(size=(2, 4, 3, 3))
    together, alone = FactorGraph(), FactorGraph()
    sites = together.categorical(scores)
    together.categorical_table([sites[:, :-1], sites[:, 1:]], one, weight=2.0)
    together.categorical_table([sites[:-1], sites[1:]], many)
    alone.categorical(scores)
    for i, j in np.ndindex(3, 3):
        alone.categorical_table([sites[i, j], sites[i, j + 1]], 2.0 * one)
    for i, j in np.ndindex(2, 4):
        alone.categorical_table([sites[i, j], sites[i + 1, j]], many[i, j])
    assert len(together) == len(alone)
    assignment = np.zeros((3, 4, 3), bool)
    np.put_along_axis(assignment, random.integers(0, 3, (3, 4, 1)), True, axis=-1)
    assert together.value(assignment) == alone.value(assignment) > -np.inf
    assert together.solve("auto").setting(sites).tolist() == alone.solve("auto").setting(sites).tolist()
    with pytest.raises(ValueError, match="shape"):
        together.categorical_table([sites[:, :-1], sites[:, 1:]], many)


def test_a_million_variables_are_built_in_seconds() -> None:
    graph = FactorGraph()
    started = time.perf_counter()
    sites = graph.categorical(np.zeros((1000, 1000, 3)))
    graph.categorical_table([sites[:, :-1], sites[:, 1:]], np.eye(3))
    assert len(graph) == 1_000_000 + 999_000
    assert time.perf_counter() - started < 20  # about two on one quiet core


def test_weights_leave_what_is_forbidden() -> None:
    graph = FactorGraph()
    variables = graph.categorical(np.zeros((2, 2)))
    graph.categorical_table(variables, [[-np.inf, 1.0], [2.0, -np.inf]], weight=0.0)
    assert graph.value([1, 0, 1, 0]) == -np.inf and graph.value([1, 0, 0, 1]) == 0.0


@settings(max_examples=80, deadline=None)
@given(seeds, st.integers(-6, 6))
def test_a_linear_constraint_over_values_keeps_beliefs_exact(seed: int, power: int) -> None:
    random = np.random.default_rng(seed)
    scores = [random.normal(size=int(random.integers(2, 5))) for _ in range(int(random.integers(1, 4)))]
    unit = 10.0 ** min(power, 3) if power >= -3 else 1.0
    costs = [random.integers(-4, 5, row.size) * unit for row in scores]
    sums = sorted({sum(chosen) for chosen in itertools.product(*costs)})
    low, high = sorted(float(random.choice(sums)) for _ in range(2))
    graph = FactorGraph()
    variables = graph.categorical(scores)
    low = low if random.random() < 0.7 else -np.inf
    graph.linear(variables, costs, at_least=low, at_most=high)
    allowed = [
        setting
        for setting in itertools.product(*(range(row.size) for row in scores))
        if low - unit / 2 < sum(cost[a] for cost, a in zip(costs, setting, strict=True)) < high + unit / 2
    ]
    totals = [sum(row[a] for row, a in zip(scores, setting, strict=True)) for setting in allowed]
    known = Enumerated(allowed, np.array(totals))
    sums_of_beliefs = graph.solve("bp")
    assert sums_of_beliefs.log_partition == pytest.approx(known.log_partition, abs=1e-8)
    for place, (row, variable) in enumerate(zip(scores, variables, strict=True)):
        assert sums_of_beliefs.posteriors[variable] == pytest.approx(known.marginals(place, row.size), abs=1e-8)
    best = graph.solve("bp", maximum=True)
    assert best.status == "optimal" and best.value == pytest.approx(known.scores.max())
    for solver in ("ad3", "search", "branch_and_bound", "auto"):
        assert graph.solve(solver).value <= known.scores.max() + 1e-9
    assert graph.solve("search", by="rows").value == pytest.approx(known.scores.max())


def test_a_constraint_on_some_values_of_a_variable_counts_the_others_as_nothing() -> None:
    graph = FactorGraph()
    first, second = graph.categorical([[0.0, 1.0, 2.0], [0.0, 1.0]])
    graph.linear([first[1:], second[1:]], [[1.0, 2.0], [1.0]], at_most=2.0)
    answer = graph.solve("bp", maximum=True)
    assert (answer.status, answer.value) == ("optimal", 2.0)
    weights = [np.exp(a + b) for a, b in itertools.product(range(3), range(2)) if a + b <= 2]
    assert graph.solve("bp").log_partition == pytest.approx(np.log(sum(weights)))

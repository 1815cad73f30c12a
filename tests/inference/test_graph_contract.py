# SPDX-License-Identifier: Apache-2.0
"""Every solver keeps its promises on any graph, held against plain enumeration; each kind of factor in its turn is
``test_factor_contract``'s. ``ACCORD_EXAMPLES`` raises the number of graphs for each claim: ``make nightly`` takes ten
thousand. Hypothesis draws the first of them. Most of its time goes into drawing, so that further graphs come from
seeds.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import ConstraintError
from accord.inference.graph import FactorGraph
from tests.inference.factor_kinds import FORBIDDEN, KINDS
from tests.inference.graph_recipes import FactorRecipe, Recipe, seeded_recipe, seeds
from tests.inference.solver_contract import CLAIMS, RELAXING, check_seeded, close, solvers_of_the_relaxation_agree

EXAMPLES = int(os.environ.get("ACCORD_EXAMPLES", "30"))  # graphs a claim
DRAWN = min(EXAMPLES, 300)  # of these, by hypothesis
BLOCK = 100  # seeds of one test
POPULATION = max(120, DRAWN)
# A graph whose multipliers have a long way to go: a seed, and the kinds of factors that the seed chooses from.
FAR_AWAY = 6140
LATER_KINDS = ("categorical_table", "sparse_table", "subtree")  # the seed was found before they were there
FAR_AWAY_KINDS = [kind for kind in RELAXING if kind not in LATER_KINDS]


@pytest.mark.parametrize("claim", CLAIMS)
@settings(max_examples=DRAWN, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), seed=seeds)
def test_any_graph_keeps_the_claim(claim: str, data: st.DataObject, seed: int) -> None:
    CLAIMS[claim].check(data.draw(CLAIMS[claim].graphs()), seed)


@pytest.mark.parametrize("first", range(0, EXAMPLES - DRAWN, BLOCK))
def test_graphs_of_these_seeds_keep_all_claims(first: int) -> None:
    for seed in range(first, min(first + BLOCK, EXAMPLES - DRAWN)):
        check_seeded(seed, CLAIMS)


def test_subgradients_towards_a_level_reach_the_relaxation_of_every_graph() -> None:
    feasible = 0
    for seed, kinds in [*((seed, RELAXING) for seed in range(POPULATION)), (FAR_AWAY, FAR_AWAY_KINDS)]:
        recipe = seeded_recipe(seed, kinds)
        if recipe.optimum == FORBIDDEN:
            continue
        feasible += 1
        solvers_of_the_relaxation_agree(recipe, seed)
    assert feasible > 0.8 * POPULATION


@pytest.mark.parametrize("solver", ["ad3", "subgradient"])
def test_graphs_without_an_assignment_are_proved_to_have_none(solver: str) -> None:
    proved = open_ = 0
    for seed in range(600):
        recipe = seeded_recipe(seed, list(KINDS))
        if recipe.optimum > FORBIDDEN:
            continue
        try:
            recipe.build().solve(solver, iterations=100)
            open_ += 1
        except ConstraintError:
            proved += 1
    assert proved > 50 and open_ <= 0.02 * proved


def test_a_penalty_far_too_large_is_mended() -> None:
    # Once its steps had become small, AD3 crept on here for thousands of rounds under a penalty far too large.
    inf = np.inf
    triples = np.array(
        [[[-0.23398312, 0.72339708], [1.06523095, -1.52097298]], [[2.00314933, 0.37631815], [-inf, 0.75055547]]]
    )
    recipe = Recipe(
        scores=np.array([-0.37779543, -0.24525285, 0.4765768, -0.61684038, -1.11575879, 1.89543694]),
        factors=[
            FactorRecipe("exactly_one", [1, -1, -4, -5], None),
            FactorRecipe("table", [1, -4], np.array([[0.26502179, 0.55759692], [-1.05307455, 0.61047782]])),
            FactorRecipe("table", [0, 5, -3], triples),
            FactorRecipe("xor_output", [-1, -3, 4, -6], None),
        ],
    )
    assert recipe.build().solve("ad3", iterations=1000).bound == pytest.approx(1.83324525, abs=1e-4)


def test_what_was_proved_stays_proved_where_the_relaxation_ends_elsewhere() -> None:
    # The budget is projected by its row, 5 x <= 3, and bounded by its one assignment: rounds move on from the best
    # bound to x = 0.6, from where no rounding leads back.
    recipe = Recipe(
        scores=np.array([-0.8333761, -0.81713004, -0.41834813, 1.24068866, 1.49143166, 0.14596895]),
        factors=[
            FactorRecipe("at_least_one", [2], None),
            FactorRecipe("budget", [1], (np.array([5.0]), 3.0)),
            FactorRecipe("exactly_one", [0], None),
            FactorRecipe("exactly_one", [0], None),
            FactorRecipe("and_output", [0, 1, 2, 3], None),
        ],
    )
    graph = recipe.build()
    first = graph.solve("ad3", iterations=300)
    again = graph.solve("ad3", iterations=300, warm=True)
    assert first.status == again.status == "optimal"
    assert first.value == again.value == pytest.approx(recipe.optimum)


def test_steps_that_shrink_with_every_increase_may_stop_short() -> None:
    graph = seeded_recipe(FAR_AWAY, FAR_AWAY_KINDS).build()
    assert graph.solve("subgradient", iterations=20_000).bound > 1 + graph.solve("ad3").bound


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.1, 2.0))
def test_attraction_between_two_labels_is_solved_and_proved(seed: int, strength: float) -> None:
    # This relaxation is tight, so a solved one leaves nothing to be said: not `fractional`.
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    sites = graph.variables(random.normal(size=(6, 7, 2)))
    graph.exactly_one(sites.reshape(-1, 2))
    graph.pair(sites[:, :-1], sites[:, 1:], strength)
    graph.pair(sites[:-1], sites[1:], strength)
    best = graph.solve("branch_and_bound").value
    for check_every in (1, 10):  # whatever the rhythm, the last round is looked at
        answer = graph.solve("ad3", residual=1e-9, iterations=5000, check_every=check_every)
        assert answer.status == "optimal"
        assert close(answer.value, best)


def test_a_node_in_which_nothing_is_at_stake_rounds_nothing_away() -> None:
    # A node with all variables fixed had no scale; its rounding, of 1e-13, closed nodes of a graph of tiny scores.
    check_seeded(3787, ["the scale of scores changes nothing else (branch_and_bound)"])

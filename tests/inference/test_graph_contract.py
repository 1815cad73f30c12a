"""Every solver keeps its promises on any graph, held against plain enumeration; each kind of factor in its turn is
``test_factor_contract``'s.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.inference.graph import FactorGraph
from tests.inference.factor_kinds import FORBIDDEN
from tests.inference.graph_recipes import seeded_recipe, seeds
from tests.inference.solver_contract import CLAIMS, RELAXING, close


@pytest.mark.parametrize("claim", CLAIMS)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), seed=seeds)
def test_any_graph_keeps_the_claim(claim: str, data: st.DataObject, seed: int) -> None:
    CLAIMS[claim].check(data.draw(CLAIMS[claim].graphs()), seed)


def test_subgradients_reach_the_relaxation_of_nearly_every_graph() -> None:
    graphs = [recipe.build() for seed in range(120) if (recipe := seeded_recipe(seed, RELAXING)).optimum > FORBIDDEN]
    reached = [
        close(graph.solve("subgradient", iterations=5000).bound, graph.solve("ad3", iterations=5000).bound, 1e-3)
        for graph in graphs
    ]
    assert len(graphs) > 80
    assert np.mean(reached) >= 0.95


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

# SPDX-License-Identifier: Apache-2.0
"""Every kind of factor, in random graphs with any others, keeps all claims of the solvers' contract.

``ACCORD_EXAMPLES`` raises the number of graphs per kind: ``make nightly`` takes ten thousand.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.inference.factor_kinds import KINDS
from tests.inference.graph_recipes import seeds
from tests.inference.solver_contract import CLAIMS, check_seeded

EXAMPLES = int(os.environ.get("ACCORD_EXAMPLES", "20"))
DRAWN = min(EXAMPLES, 300)  # by hypothesis; the others come from seeds
# Cheap, and what all others rest on: checked in every example. The others take turns.
ALWAYS = [
    "values are those of the definition",
    "enumeration is the definition",
    "bounds hold and certificates are true (ad3)",
    "bounds hold and certificates are true (subgradient)",
]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=DRAWN, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), seed=seeds)
def test_the_contract_holds_with_a_factor_of_this_kind(kind: str, data: st.DataObject, seed: int) -> None:
    others = [name for name, claim in CLAIMS.items() if kind in claim.kinds and name not in ALWAYS]
    turn = data.draw(st.sampled_from(others), "claim")
    recipe = data.draw(CLAIMS[turn].graphs(featured=kind), "graph")
    for name in (*ALWAYS, turn):
        CLAIMS[name].check(recipe, seed)


@pytest.mark.skipif(EXAMPLES <= DRAWN, reason="enough graphs are drawn")
@pytest.mark.parametrize("kind", KINDS)
def test_graphs_of_many_seeds_with_a_factor_of_this_kind_keep_the_contract(kind: str) -> None:
    others = [name for name, claim in CLAIMS.items() if kind in claim.kinds and name not in ALWAYS]
    for seed in range(EXAMPLES - DRAWN):
        check_seeded(seed, [*ALWAYS, others[seed % len(others)]], kind)

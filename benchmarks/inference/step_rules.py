# SPDX-License-Identifier: Apache-2.0
"""How soon subgradients reach the relaxation, by step rule, on the random graphs of the solvers' contract.

    python -m benchmarks step_rules [--graphs N] [--rounds R]

For every feasible graph of the first N seeds: the round after which the bound lies within 1e-3 of the linear program's
value (relative to one more than that). Needs highspy, and hypothesis, by which the tests draw.
"""

from __future__ import annotations

import argparse

import numpy as np

from tests.inference.factor_kinds import FORBIDDEN
from tests.inference.graph_recipes import seeded_recipe
from tests.inference.solver_contract import RELAXING

RULES = ("increases", "level")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5000)
    options = parser.parse_args()
    reached: dict[str, list[float]] = {rule: [] for rule in RULES}
    for seed in range(options.graphs):
        recipe = seeded_recipe(seed, RELAXING)
        if recipe.optimum == FORBIDDEN:
            continue
        graph = recipe.build()
        wanted = graph.solve("lp").bound
        for rule in RULES:
            trace = graph.solve("subgradient", step_rule=rule, iterations=options.rounds, trace=True).trace
            near = np.flatnonzero(trace["dual"] <= wanted + 1e-3 * (1 + abs(wanted)))
            reached[rule].append(near[0] + 1 if near.size else np.inf)
    print("| step rule | graphs | half | 90 % | 99 % | most | not within the rounds |")
    print("|---|---|---|---|---|---|---|")
    for rule, rounds in reached.items():
        half, most, nearly = (np.quantile(rounds, share, method="higher") for share in (0.5, 0.9, 0.99))
        known = max(count for count in rounds if count < np.inf)
        missed = sum(count == np.inf for count in rounds)
        print(f"| {rule} | {len(rounds)} | {half:g} | {most:g} | {nearly:g} | {known:g} | {missed} |")


if __name__ == "__main__":
    main()

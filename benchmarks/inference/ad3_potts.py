# SPDX-License-Identifier: Apache-2.0
"""The ``ad3`` package on the Potts grids of ``inference.py``, which starts this where that package is installed.

It prints CPU seconds and the value of the relaxation by grid, under T and D, as JSON.
"""

from __future__ import annotations

import json
import time

from benchmarks.inference import instances
from benchmarks.inference.ad3_peer import SETTINGS

GRIDS = ((20, True), (20, False), (50, True), (50, False))  # side, and whether neighbours attract each other only


def main() -> None:
    measured = {
        f"{side} {attractive}": [min(run(side, attractive, *settings) for _ in range(3)) for settings in SETTINGS]
        for side, attractive in GRIDS
    }
    print(json.dumps(measured))


def run(side: int, attractive: bool, step: float, rounds: int, residual: float) -> tuple[float, float]:
    """CPU seconds and the value of the relaxation: binary variables with XOR and PAIR factors."""
    from ad3.factor_graph import PFactorGraph  # type: ignore[import-not-found,unused-ignore]

    grid = instances.potts(side, side, 5, 1.0, attractive=attractive, seed=0)
    graph = PFactorGraph()
    graph.set_verbosity(0)
    sites = [[graph.create_binary_variable() for _ in scores] for scores in grid.unary]
    for site, scores in zip(sites, grid.unary.tolist(), strict=True):
        for state, score in zip(site, scores, strict=True):
            state.set_log_potential(score)
        graph.create_factor_logic("XOR", site, [False] * len(site))
    for (a, b), weight in zip(grid.edges.tolist(), grid.weights.tolist(), strict=True):
        for first, second in zip(sites[a], sites[b], strict=True):
            graph.create_factor_pair([first, second], weight)
    graph.set_eta_ad3(step)
    graph.adapt_eta_ad3(True)
    graph.set_max_iterations_ad3(rounds)
    graph.set_residual_threshold_ad3(residual)
    started = time.process_time()
    value = graph.solve_lp_map_ad3()[0]
    return time.process_time() - started, float(value)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Graphs of many factors for ``inference.py``: convergence of the dual methods, and scale."""

from __future__ import annotations

import resource
from collections.abc import Callable
from typing import Any

import numpy as np

from accord.inference.graph import FactorGraph
from benchmarks.inference.solver_graphs import overlapping_graph
from benchmarks.inference.solver_tables import cpu, table


def overlap() -> None:
    rows = []
    for factors in (3_000, 30_000):
        graph = overlapping_graph(factors, seed=0)
        for solver in ("ad3", "subgradient"):
            seconds, answer = cpu(lambda: graph.solve(solver, iterations=1000, trace=True))  # noqa: B023
            bounds = answer.trace["dual"]
            best = np.minimum.accumulate(bounds)
            rows.append(
                (
                    f"{len(graph)} factors, {solver}",
                    seconds,
                    answer.iterations,
                    answer.status,
                    answer.value,
                    *(float(best[min(at, len(best)) - 1]) for at in (30, 100, 300, 1000)),
                )
            )
    header = ("overlapping components", "CPU s", "rounds", "status", "value", "bound@30", "@100", "@300", "@1000")
    table("Convergence on many overlapping components", header, rows)


def scale() -> None:
    random = np.random.default_rng(0)
    rows: list[tuple[Any, ...]] = []

    def report(what: str, build: Callable[[], FactorGraph], rounds: int) -> None:
        built, graph = cpu(build)
        solved, answer = cpu(lambda: graph.solve("ad3", iterations=rounds))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        rows.append((what, built, solved, answer.iterations, answer.status, answer.bound, f"{peak:.2f} GiB"))

    def pairs(variables: int, count: int) -> FactorGraph:
        graph = FactorGraph()
        graph.variables(random.normal(size=variables))
        first = random.integers(0, variables, count)
        graph.pair(first, (first + 1 + random.integers(0, variables - 1, count)) % variables, random.normal(size=count))
        return graph

    report("100,000 pairs over 100,000 variables", lambda: pairs(100_000, 100_000), 100)
    report("100,000 overlapping components", lambda: overlapping_graph(100_000, 0), 1000)
    report("2,000,000 pairs over 1,000,000 variables", lambda: pairs(1_000_000, 2_000_000), 100)
    header = ("graph", "build s", "solve s", "rounds", "status", "bound", "peak memory so far")
    table("Scale", header, rows)

# SPDX-License-Identifier: Apache-2.0
"""Threads, Ctrl-C and exceptions: what comes from outside leaves a graph as it was."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from accord.inference.graph import FactorGraph
from tests.inference.solver_contract import fingerprint


def grid(seed: int, side: int = 12, labels: int = 3) -> FactorGraph:
    """A Potts grid with attraction and repulsion: too hard to be settled at once."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    sites = graph.variables(random.uniform(-1, 1, (side, side, labels)))
    graph.exactly_one(sites.reshape(-1, labels))
    for before, after in ((sites[:, :-1], sites[:, 1:]), (sites[:-1], sites[1:])):
        weights = random.uniform(-2, 2, before.shape[:2])[:, :, None]
        graph.pair(before, after, np.broadcast_to(weights, before.shape))
    return graph


@pytest.mark.parametrize("solver", ["ad3", "subgradient"])
def test_threads_do_not_disturb_each_other(solver: str) -> None:
    def work(seed: int) -> tuple[Any, ...]:
        return fingerprint(grid(seed).solve(solver, iterations=100))

    alone = [work(seed) for seed in range(4)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(work, range(4))) == alone


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """What the terminal does on Ctrl-C, by a timer."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


ENDLESS: dict[str, dict[str, Any]] = {
    "ad3": {"iterations": 2**31 - 1, "residual": 0.0, "gap": 0.0, "cache": False},
    "subgradient": {"iterations": 2**31 - 1, "tolerance": 0.0},
    "bp": {"iterations": 2**31 - 1, "tolerance": 0.0},
    "branch_and_bound": {"nodes": 2**31 - 1, "gap": 0.0},
}


@pytest.mark.parametrize("solver", sorted(ENDLESS))
def test_an_interrupted_graph_stays_usable(solver: str) -> None:
    graph = grid(seed=5, side=30)
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.2):
        graph.solve(solver, **ENDLESS[solver])
    short = {"iterations": 20}
    assert fingerprint(graph.solve("ad3", **short)) == fingerprint(grid(seed=5, side=30).solve("ad3", **short))
    graph.fix(0)
    answer = graph.solve("ad3", **short)
    assert answer.assignment is None or answer.assignment[0]


@pytest.mark.parametrize("solver", ["ad3", "subgradient"])
def test_a_graph_with_factors_of_python_can_be_interrupted(solver: str) -> None:
    class Few:
        """At most one variable is on."""

        def maximize(self, scores: Any) -> Any:
            best = int(np.argmax(scores))
            on = scores[best] > 0
            return [on and place == best for place in range(len(scores))], max(0.0, float(scores[best]))

    graph = grid(seed=5)
    graph.factor(Few(), range(0, 400, 40))
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.2):
        graph.solve(solver, **ENDLESS[solver])
    assert graph.solve("ad3", iterations=20).bound < np.inf


def test_an_exception_of_a_custom_factor_arrives() -> None:
    class Broken:
        def maximize(self, scores: Any) -> Any:
            raise ZeroDivisionError("broken factor")

    graph = FactorGraph()
    graph.factor(Broken(), graph.variables([1.0, 2.0]))
    for solver in ("ad3", "subgradient", "branch_and_bound"):
        with pytest.raises(ZeroDivisionError, match="broken factor"):
            graph.solve(solver)

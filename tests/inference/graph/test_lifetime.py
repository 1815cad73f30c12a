# SPDX-License-Identifier: Apache-2.0
"""Graphs are freed, whoever refers to whom."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from accord.inference.graph import FactorGraph


class Referring:
    """A custom factor that keeps the graph that it stands in."""

    def __init__(self, graph: FactorGraph) -> None:
        self.graph = graph

    def maximize(self, scores: np.ndarray[Any, Any]) -> tuple[list[int], float]:
        return [int(score > 0) for score in scores], float(np.maximum(scores, 0).sum())


@pytest.mark.parametrize("negated", [False, True])
def test_a_factor_that_refers_to_its_own_graph_is_freed(negated: bool) -> None:
    graph = FactorGraph()
    u = graph.variables([1.0, -1.0])
    factor = Referring(graph)
    graph.factor(factor, ~u if negated else u)
    assert graph.solve("ad3").value == 1.0
    gone = weakref.ref(factor)
    del graph, factor
    gc.collect()
    assert gone() is None


def test_a_graph_in_use_keeps_its_factors() -> None:
    graph = FactorGraph()
    u = graph.variables([1.0, -1.0])
    graph.factor(Referring(graph), u)
    gc.collect()
    assert graph.solve("ad3").value == 1.0

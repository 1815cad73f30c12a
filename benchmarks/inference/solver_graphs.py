# SPDX-License-Identifier: Apache-2.0
"""Factor graphs of the seeded instances, and graphs of many small factors that overlap."""

from __future__ import annotations

import numpy as np

from accord.inference.graph import FactorGraph
from benchmarks.inference import instances


def potts_graph(grid: instances.Potts) -> FactorGraph:
    graph = FactorGraph()
    sites = graph.variables(grid.unary)
    graph.exactly_one(sites)
    graph.pair(sites[grid.edges[:, 0]], sites[grid.edges[:, 1]], grid.weights[:, None])
    return graph


def parse_graph(sentence: instances.Parse) -> FactorGraph:
    """Heads with no word on a side have no automaton there: its one score would be a constant."""
    graph = FactorGraph()
    exists = ~np.eye(sentence.words + 1, dtype=bool)
    exists[:, 0] = False
    arcs = np.full(exists.shape, -1)
    arcs[exists] = graph.variables(sentence.arcs[exists])
    graph.tree(arcs)
    for head in range(sentence.words + 1):
        for modifiers, table in (
            (arcs[head, head + 1 :], sentence.right[head]),
            (arcs[head, max(0, head - 1) : 0 : -1], sentence.left[head]),
        ):
            if modifiers.size:
                graph.sibling_automaton(modifiers, table)
    return graph


def overlapping_graph(factors: int, seed: int) -> FactorGraph:
    """Small factors of several kinds, each variable in several of them: what a parser in first-order logic looks like.

    A hidden assignment satisfies them all: variables stand negated where it needs them so.
    """
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    count = 2 * factors // 3
    graph.variables(random.normal(size=count))
    hidden = random.random(count) < 0.3
    # Four different variables each: a random one and three at random distances from it and from each other.
    steps = 1 + random.integers(0, count // 4 - 1, size=(factors // 2, 3))
    groups = (random.integers(0, count, (factors // 2, 1)) + np.cumsum(np.pad(steps, ((0, 0), (1, 0))), axis=1)) % count
    false = np.where(hidden[groups], ~groups, groups)  # literals that the hidden assignment makes false
    third = len(groups) // 3
    one = false.copy()
    one[:, 0] = ~one[:, 0]
    graph.exactly_one(one[:third])
    graph.at_least_one(one[third : 2 * third])
    graph.or_output(one[2 * third :, :3], ~false[2 * third :, 3])
    left = factors - len(graph)
    first = random.integers(0, count, left)
    graph.pair(first, (first + 1 + random.integers(0, count - 1, left)) % count, random.normal(size=left))
    return graph

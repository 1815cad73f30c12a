# SPDX-License-Identifier: Apache-2.0
"""Structures on numpy arrays: factor graphs and their solvers, closed sets, trees as distributions, hypergraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accord.inference.closure import max_closure, max_supermodular, parametric_closure
    from accord.inference.graph import CustomFactor, FactorGraph, Solution
    from accord.inference.hypergraph import Hypergraph

# Where the names are; a parser of arcs needs none of them, so each is imported when it is asked for.
_ROOMS = {
    "closure": ("max_closure", "max_supermodular", "parametric_closure"),
    "graph": ("CustomFactor", "FactorGraph", "Solution"),
    "hypergraph": ("Hypergraph",),
}

__all__ = [
    "CustomFactor",
    "FactorGraph",
    "Hypergraph",
    "Solution",
    "max_closure",
    "max_supermodular",
    "parametric_closure",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    for room, names in _ROOMS.items():
        if name in names:
            return getattr(import_module(f"accord.inference.{room}"), name)
    raise AttributeError(f"module 'accord.inference' has no attribute {name!r}")

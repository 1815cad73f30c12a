# SPDX-License-Identifier: Apache-2.0
"""Structures on numpy arrays: factor graphs and their solvers, closed sets, trees as distributions, hypergraphs."""

from accord.inference.closure import max_closure, max_supermodular, parametric_closure
from accord.inference.graph import CustomFactor, FactorGraph, Solution
from accord.inference.hypergraph import Hypergraph

__all__ = [
    "CustomFactor",
    "FactorGraph",
    "Hypergraph",
    "Solution",
    "max_closure",
    "max_supermodular",
    "parametric_closure",
]

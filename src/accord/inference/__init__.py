# SPDX-License-Identifier: Apache-2.0
"""Structures on numpy arrays: factor graphs and their solvers, closed sets, coverage, trees as distributions."""

from accord.inference.closure import max_closure, parametric_closure
from accord.inference.graph import CustomFactor, FactorGraph, Solution

__all__ = ["CustomFactor", "FactorGraph", "Solution", "max_closure", "parametric_closure"]

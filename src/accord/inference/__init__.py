# SPDX-License-Identifier: Apache-2.0
"""Structures on numpy arrays: factor graphs and their solvers, trees as distributions."""

from accord.inference.graph import CustomFactor, FactorGraph, Solution

__all__ = ["CustomFactor", "FactorGraph", "Solution"]

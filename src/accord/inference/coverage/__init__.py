# SPDX-License-Identifier: Apache-2.0
"""Coverage problems: units under budgets that cover valuable concepts, and six ways to solve them."""

from accord.inference.coverage.problem import CoverageProblem
from accord.inference.coverage.solving import METHODS, SETTINGS, solve

__all__ = ["METHODS", "SETTINGS", "CoverageProblem", "solve"]

# SPDX-License-Identifier: Apache-2.0
"""What a solver of coverage problems gives."""

from __future__ import annotations

from typing import NamedTuple

from accord.inference.coverage.problem import Chosen, Numbers


class Found(NamedTuple):
    """A feasible choice, a bound that none exceeds, and how the two were found."""

    chosen: Chosen
    bound: float
    fractions: Numbers  # the choice of the relaxation
    iterations: int
    relaxed: bool  # the relaxation was solved: the bound is its value

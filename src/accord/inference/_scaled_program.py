# SPDX-License-Identifier: Apache-2.0
"""A linear program at a fixed scale, for solvers with absolute tolerances, and bounds that rounding cannot break."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from accord.inference.linear import Program

LARGEST_SCORE = 10  # of the scaled program: a power of two


@dataclass(frozen=True, eq=False)
class ScaledProgram:
    """A program with its scores scaled, and without those of columns that are decided alone.

    Columns that are fixed, or stand in no row, are decided alone.
    """

    program: Program
    scores: NDArray[np.float64]  # scaled
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    constant: float  # of the program and of the columns that are decided alone; not scaled
    factor: float  # of the scores
    spread: float  # scaled

    @staticmethod
    def of(program: Program, spread: float | None) -> ScaledProgram:
        low, high = np.array(program.low, dtype=np.float64), np.array(program.high, dtype=np.float64)
        scores = np.array(program.scores, dtype=np.float64)
        loose = np.ones(len(scores), dtype=np.bool_)
        loose[np.asarray(program.columns)[np.asarray(program.coefficients) != 0]] = False
        better = np.where(scores > 0, high, low)
        if np.isinf(better[loose & (scores != 0)]).any():
            raise ValueError("the program is unbounded: a column with a score has no bound")
        better = np.where(np.isinf(better), np.clip(0.0, low, high), better)
        low[loose] = high[loose] = better[loose]
        alone = low == high
        constant = math.fsum([float(program.constant), *(scores[alone] * low[alone]).tolist()])
        scores[alone] = 0.0
        largest = float(np.abs(scores).max(initial=0.0))
        factor = 2.0 ** (LARGEST_SCORE - math.ceil(math.log2(largest))) if largest > 0.0 else 1.0
        if spread is None:
            width = high - low
            spread = float(np.abs(scores) @ np.where(np.isinf(width), 1.0, width))
        return ScaledProgram(program, scores * factor, low, high, constant, factor, spread * factor)

    def with_constant(self, value: float) -> float:
        return value / self.factor + self.constant

    def bound_of(self, multipliers: NDArray[np.float64]) -> float:
        """What no point exceeds, by any multipliers of the rows: rows and columns each at their better end."""
        program = self.program
        row_low, row_high = np.asarray(program.row_low), np.asarray(program.row_high)
        used = np.where(np.isinf(np.where(multipliers > 0, row_high, row_low)), 0.0, multipliers)
        ends = np.where(used > 0, row_high, np.where(used < 0, row_low, 0.0))
        rows = np.repeat(np.arange(len(row_low)), np.diff(np.asarray(program.row_starts)).astype(np.int64))
        spent = np.bincount(program.columns, np.asarray(program.coefficients) * used[rows], len(self.scores))
        reduced = self.scores - spent
        column_ends = np.where(reduced > 0, self.high, self.low)
        at_stake = reduced != 0
        terms = np.concatenate([used * ends, reduced[at_stake] * column_ends[at_stake]])
        if np.isinf(terms).any():
            return math.inf
        largest = np.abs(spent).max(initial=0.0) + np.abs(self.scores).max(initial=0.0)
        rounding = 64 * np.finfo(np.float64).eps * (float(np.abs(terms).sum()) + float(largest) * len(self.scores))
        return math.fsum(terms.tolist()) + (rounding if used.any() else 0.0)

# SPDX-License-Identifier: Apache-2.0
"""Conditions on the length of a compression: the total cost of the kept words lies between two numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConstraintError


@dataclass(frozen=True)
class Length:
    """The least and the largest total cost of the kept words, or a share of the total cost of all words.

    With costs of 1 the unit is a word; with the lengths of words as costs it is a character.

    >>> Length.exactly(3), Length.at_most(5)
    (Length(low=3, high=3, share=None), Length(low=0, high=5, share=None))
    """

    low: float = 0
    high: float = math.inf
    share: float | None = None

    def __post_init__(self) -> None:
        if not (0 <= self.low <= self.high):
            raise ConstraintError(f"a length between {self.low:g} and {self.high:g} is not possible")
        if self.share is not None and not 0 < self.share <= 1:
            raise ConstraintError(f"a rate of {self.share:g} is not possible: it must be above 0 and at most 1")

    @staticmethod
    def of(length: Length | int | None) -> Length:
        """A whole number is a length to be met exactly; None leaves the length free."""
        if isinstance(length, (int, np.integer)):
            return Length.exactly(int(length))
        return Length() if length is None else length

    @staticmethod
    def exactly(total: int) -> Length:
        return Length(total, total)

    @staticmethod
    def at_most(total: float) -> Length:
        return Length(0, total)

    @staticmethod
    def at_least(total: float) -> Length:
        return Length(total, math.inf)

    @staticmethod
    def rate(share: float) -> Length:
        """The share of the words that stay, rounded, at least one word; where costs differ, at most that share.

        >>> Length.rate(0.6).window(np.ones(4, np.int32)), Length.rate(0.6).window(np.array([3, 5, 2]))
        ((2, 2), (0, 6))
        """
        return Length(share=share)

    def window(self, costs: NDArray[np.integer]) -> tuple[int, int]:
        """The least and the largest total cost, as whole numbers, for words of these costs."""
        total = int(costs.sum())
        if self.share is not None and (costs == 1).all():
            words = max(1, math.floor(self.share * total + 0.5))
            return words, words
        if self.share is not None:
            return 0, math.floor(self.share * total + 1e-9)
        return math.ceil(self.low), total if math.isinf(self.high) else min(math.floor(self.high), 2**31 - 1)

# SPDX-License-Identifier: Apache-2.0
"""McNemar's test: do two systems that answered the same questions differ by more than chance?

Only the b questions that the first alone answers right and the c that the second alone does count. If the systems are
equally good, b is binomial with b + c trials of probability 1/2. The exact p-value is two-sided; the approximate one
takes (|b - c| - 1)² / (b + c) as chi-square with one degree of freedom (Edwards' continuity correction) and is near the
exact one where b + c is at least about 25. O(n + b + c).

McNemar: Note on the sampling error of the difference between correlated proportions, Psychometrika 12, 1947.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from accord.errors import FormatError


@dataclass(frozen=True, slots=True)
class McNemar:
    """The two counts and what follows from them.

    >>> test = McNemar(only_first=3, only_second=10)
    >>> round(test.exact, 4), round(test.chi_square, 4), round(test.approximate, 4)
    (0.0923, 2.7692, 0.0961)
    """

    only_first: int
    only_second: int

    @property
    def exact(self) -> float:
        """The p-value by the binomial distribution."""
        trials, smaller = self.only_first + self.only_second, min(self.only_first, self.only_second)
        ways = total = 1
        for chosen in range(smaller):
            ways = ways * (trials - chosen) // (chosen + 1)
            total += ways
        return min(1.0, 2 * total / (1 << trials))

    @property
    def chi_square(self) -> float:
        """The statistic with continuity correction; 0 where no question tells the systems apart."""
        trials, difference = self.only_first + self.only_second, abs(self.only_first - self.only_second)
        return max(difference - 1, 0) ** 2 / trials if trials else 0.0

    @property
    def approximate(self) -> float:
        """The p-value by the chi-square distribution."""
        return math.erfc(math.sqrt(self.chi_square / 2))

    def to_json(self) -> dict[str, float | int]:
        return {
            "only_first": self.only_first,
            "only_second": self.only_second,
            "exact": self.exact,
            "chi_square": self.chi_square,
            "approximate": self.approximate,
        }


def mcnemar(first: Iterable[bool], second: Iterable[bool]) -> McNemar:
    """Compare two systems by which of the same questions (words, sentences) each answered right."""
    only_first = only_second = 0
    try:
        for a, b in zip(first, second, strict=True):
            only_first += bool(a) and not b
            only_second += bool(b) and not a
    except ValueError:
        raise FormatError("the two systems did not answer the same number of questions") from None
    return McNemar(only_first, only_second)

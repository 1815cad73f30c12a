# SPDX-License-Identifier: Apache-2.0
"""One entry of a list of the k best answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Ranked(Generic[T]):
    """An answer with its score, its probability where that is known, and whether its rank is proved.

    >>> Ranked("NOUN VERB", score=3.5, log_probability=math.log(0.5)).probability
    0.5
    """

    value: T
    score: float
    log_probability: float | None = None
    certified: bool = True

    @property
    def probability(self) -> float | None:
        """The probability of the answer; None where it is unknown."""
        return None if self.log_probability is None else math.exp(self.log_probability)

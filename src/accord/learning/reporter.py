# SPDX-License-Identifier: Apache-2.0
"""Who hears how training goes.

Every training function takes a :class:`Reporter`. The base class keeps silent, except for warnings; the command line
prints; a test or a notebook overrides the methods it needs.
"""

from __future__ import annotations

import copy
import warnings
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from accord.errors import AccordWarning

R = TypeVar("R", bound="Reporter")


@dataclass(frozen=True)
class EpochReport:
    """One line of the training log."""

    epoch: int
    objective: float
    mistakes: float
    words_per_second: float
    cpu_seconds: float
    scores: dict[str, float] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    best: bool = False

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Progress:
    """Where training stands inside an epoch."""

    epoch: int
    epochs: int
    done: int
    total: int
    objective: float
    words_per_second: float


class Reporter:
    """Hears of training, and says nothing itself. ``step`` names the step of a pipeline that is being trained."""

    step: str = ""

    def progress(self, now: Progress) -> None:
        """Training moved on inside an epoch."""

    def epoch(self, report: EpochReport) -> None:
        """An epoch is over."""

    def note(self, message: str) -> None:
        """One line worth knowing."""

    def warn(self, message: str) -> None:
        """Something that the user probably does not want."""
        warnings.warn(message, AccordWarning, stacklevel=3)

    def of_step(self: R, name: str) -> R:
        """The same reporter, for one step of a pipeline."""
        named = copy.copy(self)
        named.step = name
        return named


SILENT = Reporter()

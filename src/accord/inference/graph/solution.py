# SPDX-License-Identifier: Apache-2.0
"""What solvers give back: one kind of solution for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Progress:
    """How far a solver has come."""

    iteration: int  # rounds, sweeps, nodes or assignments, as the solver counts
    seconds: float  # since the start
    value: float  # of the best assignment so far; -inf when there is none, NaN where the solver does not look
    bound: float  # no assignment has a larger value


OnProgress: TypeAlias = "Callable[[Progress], object]"
OnBetter: TypeAlias = "Callable[[NDArray[np.bool_], float], object]"  # an assignment and its value
Rounding: TypeAlias = "Callable[[NDArray[np.float64]], ArrayLike | None]"

TRACE_COLUMNS = ("iteration", "seconds", "primal", "dual", "primal_residual", "dual_residual")


@dataclass(frozen=True)
class Stage:
    """What one solver of several did."""

    solver: str
    status: str
    value: float
    bound: float
    seconds: float


@dataclass(frozen=True)
class Solution:
    """What a solver found.

    ``status`` is ``optimal`` (``value`` provably equals the best), ``fractional`` (the relaxation is solved, its
    solution is not integral; ``assignment`` is a rounding), ``budget`` (iterations or time ran out) or ``estimate``
    (beliefs). No assignment has a value above ``bound``.
    """

    status: str
    assignment: NDArray[np.bool_] | None
    value: float
    bound: float
    posteriors: NDArray[np.float64]
    iterations: int
    seconds: float
    log_partition: float = float("nan")  # bp and enumerate: of exp(score), summed over assignments
    entropy: float = float("nan")  # bp (Bethe's) and enumerate
    trace: dict[str, NDArray[np.float64]] = field(default_factory=dict, repr=False)
    stages: tuple[Stage, ...] = field(default=(), repr=False)  # auto: who did what

    @overload
    def setting(self, variables: NDArray[np.int64]) -> NDArray[np.int64]: ...

    @overload
    def setting(self, variables: Sequence[NDArray[np.int64]]) -> list[int]: ...

    def setting(self, variables: NDArray[np.int64] | Sequence[NDArray[np.int64]]) -> NDArray[np.int64] | list[int]:
        """The values of variables with several values: an array of them, or a list, as ``categorical`` returned it."""
        if self.assignment is None:
            raise ValueError("the solution has no assignment")
        if isinstance(variables, np.ndarray):
            return np.asarray(self.assignment[variables].argmax(axis=-1))
        return [int(self.assignment[values].argmax()) for values in variables]

    @overload
    def marginals(self, variables: NDArray[np.int64]) -> NDArray[np.float64]: ...

    @overload
    def marginals(self, variables: Sequence[NDArray[np.int64]]) -> list[NDArray[np.float64]]: ...

    def marginals(
        self, variables: NDArray[np.int64] | Sequence[NDArray[np.int64]]
    ) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """The posteriors of the values of variables, in the same form as the variables."""
        if isinstance(variables, np.ndarray):
            return self.posteriors[variables]
        return [self.posteriors[values] for values in variables]


def from_native(native: Iterable[Any]) -> Solution:
    """A solution from the fields that the core gives back, in its order."""
    status, assignment, value, bound, posteriors, log_partition, entropy, iterations, seconds, trace = native
    return Solution(
        status=status,
        assignment=assignment.astype(bool) if value > -np.inf else None,
        value=value,
        bound=bound,
        posteriors=posteriors,
        iterations=iterations,
        seconds=seconds,
        log_partition=log_partition,
        entropy=entropy,
        trace={name: trace[:, column] for column, name in enumerate(TRACE_COLUMNS)} if len(trace) else {},
    )

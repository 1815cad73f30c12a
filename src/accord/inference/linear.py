# SPDX-License-Identifier: Apache-2.0
"""Linear and integer programs through HiGHS.

A program maximises ``scores @ x + constant`` over ``low <= x <= high`` and ``row_low <= A @ x <= row_high``; the
columns marked ``integral`` must be whole numbers when an ILP is asked for. ``A`` is stored row after row: row i has the
entries ``row_starts[i]:row_starts[i + 1]`` of ``columns`` and ``coefficients``, its columns distinct. A factor graph
writes itself as such a program; :class:`Arrays` holds one that is made by hand.

HiGHS (Huangfu & Hall 2018) comes with the extra ``ilp``: ``pip install 'accord[ilp]'``. It runs on one thread with a
fixed seed: the same program has the same answer.
"""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError

__all__ = ["Arrays", "Program", "Solution", "check_installed", "solve"]

Status = Literal["optimal", "fractional", "budget", "infeasible"]
_INTEGRALITY_TOLERANCE = 1e-6
_OPTIMALITY_TOLERANCE = 1e-6  # relative; what HiGHS proves with its default tolerances


class Program(Protocol):
    """What :func:`solve` reads: the native program of a factor graph, or :class:`Arrays`."""

    @property
    def scores(self) -> NDArray[np.float64]: ...
    @property
    def low(self) -> NDArray[np.float64]: ...
    @property
    def high(self) -> NDArray[np.float64]: ...
    @property
    def integral(self) -> NDArray[Any]: ...
    @property
    def row_starts(self) -> NDArray[np.int32]: ...
    @property
    def columns(self) -> NDArray[np.int32]: ...
    @property
    def coefficients(self) -> NDArray[np.float64]: ...
    @property
    def row_low(self) -> NDArray[np.float64]: ...
    @property
    def row_high(self) -> NDArray[np.float64]: ...
    @property
    def constant(self) -> float: ...


@dataclass(frozen=True, eq=False)
class Arrays:
    """A program as plain arrays.

    >>> Arrays(  # x0 + x1 <= 1
    ...     scores=np.array([2.0, 3.0]),
    ...     low=np.zeros(2),
    ...     high=np.ones(2),
    ...     integral=np.ones(2, dtype=np.bool_),
    ...     row_starts=np.array([0, 2]),
    ...     columns=np.array([0, 1]),
    ...     coefficients=np.ones(2),
    ...     row_low=np.array([-np.inf]),
    ...     row_high=np.ones(1),
    ... ).constant
    0.0
    """

    scores: NDArray[np.float64]  # one an entry of x, finite
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    integral: NDArray[Any]  # nonzero: a whole number, when the program is solved as an ILP
    row_starts: NDArray[Any]  # rows + 1 integers
    columns: NDArray[Any]  # one an entry of A
    coefficients: NDArray[np.float64]
    row_low: NDArray[np.float64]  # -inf: no bound
    row_high: NDArray[np.float64]
    constant: float = 0.0


@dataclass(frozen=True, eq=False)
class Solution:
    """A point and what is known of it.

    ``optimal``: no point (of an ILP: no integral one) has a larger value, and the integral columns are whole numbers.
    ``fractional``: the best point of the LP, but not an integral one. ``budget``: time ran out, or the gap was allowed.
    ``infeasible``: there is no point.
    """

    status: Status
    value: float  # of the point; -inf when none was found
    bound: float  # no point has a larger value; -inf when there is none
    columns: NDArray[np.float64]  # the point; empty when none was found
    nodes: int  # of branch and bound; 0 for an LP


def solve(program: Program, integral: bool, *, time_limit: float | None = None, gap: float = 0.0) -> Solution:
    """The best point of a program.

    Parameters
    ----------
    program:
        Its arrays. Wrong ones (sizes, columns out of range, NaN) are a ValueError.
    integral:
        Whether the columns marked integral must be whole numbers (ILP) or may be fractions (LP).
    time_limit:
        Seconds; the best point so far is returned with status ``budget``.
    gap:
        An ILP may stop when ``bound - value <= gap * abs(value)``.

    A ConfigError says how to install HiGHS when it is missing.
    """
    if time_limit is not None and not time_limit >= 0.0:
        raise ValueError(f"time_limit must not be negative, but is {time_limit}")
    if not 0.0 <= gap < math.inf:
        raise ValueError(f"gap must be a number that is not negative, but is {gap}")
    highspy = _import_highs()
    _check(program)
    if (np.asarray(program.low) > np.asarray(program.high)).any():
        return _infeasible(0)
    if len(program.scores) == 0:
        return _without_columns(program)
    highs = _prepare(highspy, time_limit, gap)
    _pass_model(highspy, highs, program, integral)
    _run(highspy, highs)
    return _read(highspy, highs, program, integral)


def check_installed() -> None:
    """A ConfigError says how to install HiGHS when it is missing."""
    _import_highs()


def _import_highs() -> ModuleType:
    try:
        return importlib.import_module("highspy")
    except ImportError as error:
        raise ConfigError("lp and ilp need HiGHS, which is not installed: pip install 'accord[ilp]'") from error


def _check(program: Program) -> None:
    """HiGHS trusts the sizes it is told."""
    columns, rows, entries = len(program.scores), len(program.row_low), len(program.columns)
    if not len(program.low) == len(program.high) == len(program.integral) == columns:
        raise ValueError("scores, low, high and integral must have one entry a column")
    if not (len(program.row_high) == rows == len(program.row_starts) - 1 and len(program.coefficients) == entries):
        raise ValueError("row_high and row_starts must fit row_low, and coefficients must fit columns")
    starts = np.asarray(program.row_starts)
    if starts[0] != 0 or starts[-1] != entries or (np.diff(starts) < 0).any():
        raise ValueError("row_starts must rise from 0 to the number of entries")
    if entries and not (np.min(program.columns) >= 0 and np.max(program.columns) < columns):
        raise ValueError(f"columns must lie in 0..{columns - 1}")
    if not (np.isfinite(program.scores).all() and np.isfinite(program.coefficients).all()):
        raise ValueError("scores and coefficients must be finite")
    if any(np.isnan(bounds).any() for bounds in (program.low, program.high, program.row_low, program.row_high)):
        raise ValueError("bounds must not be NaN")


def _prepare(highspy: ModuleType, time_limit: float | None, gap: float) -> Any:
    highs = highspy.Highs()
    options = {"output_flag": False, "threads": 1, "parallel": "off", "random_seed": 0, "mip_rel_gap": gap}
    if time_limit is not None:
        options["time_limit"] = float(time_limit)
    for name, value in options.items():
        highs.setOptionValue(name, value)
    return highs


def _pass_model(highspy: ModuleType, highs: Any, program: Program, integral: bool) -> None:
    marks = np.asarray(program.integral).astype(np.bool_) & integral
    status = highs.passModel(
        len(program.scores),
        len(program.row_low),
        len(program.columns),
        int(highspy.MatrixFormat.kRowwise),
        int(highspy.ObjSense.kMaximize),
        float(program.constant),
        np.asarray(program.scores, dtype=np.float64),
        np.asarray(program.low, dtype=np.float64),
        np.asarray(program.high, dtype=np.float64),
        np.asarray(program.row_low, dtype=np.float64),
        np.asarray(program.row_high, dtype=np.float64),
        np.asarray(program.row_starts, dtype=np.int32),
        np.asarray(program.columns, dtype=np.int32),
        np.asarray(program.coefficients, dtype=np.float64),
        marks.astype(np.int32),
    )
    if status == highspy.HighsStatus.kError:
        raise ValueError("HiGHS refuses the program: a row names a column twice, or a number is too large")


def _run(highspy: ModuleType, highs: Any) -> None:
    ran = highs.run()
    if ran == highspy.HighsStatus.kError:
        # HiGHS shares its worker threads within a process and refuses another number of them once they run: take those
        # that somebody else has started. With `parallel` off, they do not change the answer.
        highs.setOptionValue("threads", 0)
        ran = highs.run()
    if highs.getModelStatus() == highspy.HighsModelStatus.kUnboundedOrInfeasible:
        highs.setOptionValue("presolve", "off")  # presolve cannot tell which; the simplex method can
        ran = highs.run()
    if ran == highspy.HighsStatus.kError:
        raise RuntimeError(f"HiGHS failed: {highs.modelStatusToString(highs.getModelStatus())}")


def _read(highspy: ModuleType, highs: Any, program: Program, integral: bool) -> Solution:
    model_status, info = highs.getModelStatus(), highs.getInfo()
    nodes = max(0, int(info.mip_node_count)) if integral else 0
    if model_status == highspy.HighsModelStatus.kInfeasible:
        return _infeasible(nodes)
    if model_status in (highspy.HighsModelStatus.kUnbounded, highspy.HighsModelStatus.kUnboundedOrInfeasible):
        raise ValueError("the program is unbounded: a column with a score has no bound")
    solved = model_status == highspy.HighsModelStatus.kOptimal
    bound = _trivial_bound(program)
    if integral and np.asarray(program.integral).any():
        bound = min(bound, float(info.mip_dual_bound))
    elif solved:
        bound = min(bound, float(info.objective_function_value))
    if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return Solution("budget", -math.inf, bound, np.empty(0), nodes)
    marks = np.asarray(program.integral).astype(np.bool_)
    point = np.array(highs.getSolution().col_value, dtype=np.float64)
    whole = bool((np.abs(point - np.round(point))[marks] <= _INTEGRALITY_TOLERANCE).all())
    if whole:
        point[marks] = np.round(point[marks])
    value = float(np.asarray(program.scores) @ point) + float(program.constant)
    proved = solved and bound - value <= _OPTIMALITY_TOLERANCE * (1.0 + abs(value))
    status: Status = "budget" if not proved else "optimal" if whole else "fractional"
    return Solution(status, value, max(bound, value), point, nodes)


def _trivial_bound(program: Program) -> float:
    """Every column at its better end: true whatever HiGHS had the time to prove."""
    scores = np.asarray(program.scores)
    ends = np.where(scores > 0, program.high, program.low)
    used = scores != 0
    return float(scores[used] @ ends[used]) + float(program.constant)


def _infeasible(nodes: int) -> Solution:
    return Solution("infeasible", -math.inf, -math.inf, np.empty(0), nodes)


def _without_columns(program: Program) -> Solution:
    if (np.asarray(program.row_low) > 0).any() or (np.asarray(program.row_high) < 0).any():
        return _infeasible(0)
    return Solution("optimal", float(program.constant), float(program.constant), np.empty(0), 0)

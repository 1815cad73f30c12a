# SPDX-License-Identifier: Apache-2.0
"""Linear and integer programs through HiGHS.

A program maximises ``scores @ x + constant`` over ``low <= x <= high`` and ``row_low <= A @ x <= row_high``; the
columns marked ``integral`` must be whole numbers when an ILP is asked for. ``A`` is stored row after row: row i has the
entries ``row_starts[i]:row_starts[i + 1]`` of ``columns`` and ``coefficients``, its columns distinct. A factor graph
writes itself as such a program; :class:`Arrays` holds one that is made by hand.

HiGHS has absolute tolerances. It is therefore given a program of a fixed scale: columns that are fixed or stand in no
row are decided here, and the other scores are multiplied by the power of two that brings the largest near a thousand.
The bound of an LP is worked out from the multipliers that HiGHS found, and holds whatever their errors are.

HiGHS (Huangfu & Hall 2018) comes with the extra ``ilp``: ``pip install 'accord[ilp]'``. It runs on one thread with a
fixed seed: the same program has the same answer.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.inference._scaled_program import ScaledProgram

__all__ = ["Arrays", "Program", "Solution", "check_installed", "solve"]

OnProgress: TypeAlias = Callable[[int, float, float, float], object]
Status = Literal["optimal", "fractional", "budget", "infeasible"]
_INTEGRALITY_TOLERANCE = 1e-6
_TOLERANCES = {  # of HiGHS, absolute; its own are 1e-6 and 1e-7
    "mip_feasibility_tolerance": 1e-9,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}
_PRECISION = 1e-9  # of what HiGHS proves with them, in units of the spread


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

    ``optimal``: no point (of an ILP: no integral one) has a larger value, to the gap that was allowed, and the integral
    columns are whole numbers. ``fractional``: the best point of the LP, but not an integral one. ``budget``: time ran
    out. ``infeasible``: there is no point.
    """

    status: Status
    value: float  # of the point; -inf when none was found
    bound: float  # no point has a larger value; -inf when there is none
    columns: NDArray[np.float64]  # the point; empty when none was found
    nodes: int  # of branch and bound; 0 for an LP
    distance: float = math.inf  # of value and bound, free of the rounding that constants bring


def solve(
    program: Program,
    integral: bool,
    *,
    time_limit: float | None = None,
    gap: float = 0.0,
    spread: float | None = None,
    on_progress: OnProgress | None = None,
) -> Solution:
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
        A point is optimal when ``bound - value <= gap * spread``. HiGHS proves nothing finer than ``1e-9 * spread``.
    spread:
        The size of what is at stake. ``abs(scores) @ (high - low)``, without columns that are fixed or stand in no
        row, when it is not given.
    on_progress:
        Told of ``(nodes, seconds, value, bound)`` of an ILP as HiGHS goes on; False ends the search.

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
    scaled = ScaledProgram.of(program, spread)
    if len(program.scores) == 0:
        return _without_columns(program)
    highs = _prepare(highspy, time_limit, gap * scaled.spread)
    _pass_model(highspy, highs, scaled, integral)
    if on_progress is not None and integral:
        _tell(highs, scaled, on_progress)
    _run(highspy, highs)
    return _read(highspy, highs, scaled, integral, gap)


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


def _prepare(highspy: ModuleType, time_limit: float | None, tolerance: float) -> Any:
    highs = highspy.Highs()
    options: dict[str, Any] = {"output_flag": False, "threads": 1, "parallel": "off", "random_seed": 0}
    options |= _TOLERANCES | {"mip_rel_gap": 0.0, "mip_abs_gap": tolerance}
    if time_limit is not None:
        options["time_limit"] = float(time_limit)
    for name, value in options.items():
        highs.setOptionValue(name, value)
    return highs


def _pass_model(highspy: ModuleType, highs: Any, scaled: ScaledProgram, integral: bool) -> None:
    program = scaled.program
    marks = np.asarray(program.integral).astype(np.bool_) & integral
    status = highs.passModel(
        len(program.scores),
        len(program.row_low),
        len(program.columns),
        int(highspy.MatrixFormat.kRowwise),
        int(highspy.ObjSense.kMaximize),
        0.0,
        scaled.scores,
        scaled.low,
        scaled.high,
        np.asarray(program.row_low, dtype=np.float64),
        np.asarray(program.row_high, dtype=np.float64),
        np.asarray(program.row_starts, dtype=np.int32),
        np.asarray(program.columns, dtype=np.int32),
        np.asarray(program.coefficients, dtype=np.float64),
        marks.astype(np.int32),
    )
    if status == highspy.HighsStatus.kError:
        raise ValueError("HiGHS refuses the program: a row names a column twice, or a number is too large")


def _tell(highs: Any, scaled: ScaledProgram, on_progress: OnProgress) -> None:
    """HiGHS asks again and again whether to go on."""
    next_time, stopped = 0.0, False

    def ask(event: Any) -> None:
        nonlocal next_time, stopped
        out = event.data_out
        if out.running_time >= next_time and not stopped:
            next_time = out.running_time + 0.1
            value, bound = (scaled.with_constant(number) for number in (out.mip_primal_bound, out.mip_dual_bound))
            stopped = on_progress(max(0, int(out.mip_node_count)), float(out.running_time), value, bound) is False
        if stopped:
            event.interrupt()

    highs.cbMipInterrupt += ask


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


def _read(highspy: ModuleType, highs: Any, scaled: ScaledProgram, integral: bool, gap: float) -> Solution:
    program = scaled.program
    model_status, info = highs.getModelStatus(), highs.getInfo()
    nodes = max(0, int(info.mip_node_count)) if integral else 0
    if model_status == highspy.HighsModelStatus.kInfeasible:
        return _infeasible(nodes)
    if model_status in (highspy.HighsModelStatus.kUnbounded, highspy.HighsModelStatus.kUnboundedOrInfeasible):
        raise ValueError("the program is unbounded: a column with a score has no bound")
    solved = model_status == highspy.HighsModelStatus.kOptimal
    precision = _PRECISION * scaled.spread
    bound = scaled.bound_of(np.zeros(len(program.row_low)))
    if integral and np.asarray(program.integral).any():
        bound = min(bound, float(info.mip_dual_bound) + precision)
    elif solved:
        multipliers = np.array(highs.getSolution().row_dual, dtype=np.float64)
        bound = min(bound, scaled.bound_of(multipliers), scaled.bound_of(-multipliers))
    if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return Solution("budget", -math.inf, scaled.with_constant(bound), np.empty(0), nodes)
    marks = np.asarray(program.integral).astype(np.bool_)
    point = np.array(highs.getSolution().col_value, dtype=np.float64)
    whole = bool((np.abs(point - np.round(point))[marks] <= _INTEGRALITY_TOLERANCE).all())
    if whole:
        point[marks] = np.round(point[marks])
    value = math.fsum((scaled.scores * point).tolist())
    distance = max(0.0, bound - value)
    if distance <= 2.0 * precision:
        bound = value  # as far as HiGHS can tell
    proved = solved and distance <= max(2.0 * precision, gap * scaled.spread)
    status: Status = "budget" if not proved else "optimal" if whole else "fractional"
    whole_value, whole_bound = scaled.with_constant(value), scaled.with_constant(max(bound, value))
    return Solution(status, whole_value, whole_bound, point, nodes, distance / scaled.factor)


def _infeasible(nodes: int) -> Solution:
    return Solution("infeasible", -math.inf, -math.inf, np.empty(0), nodes)


def _without_columns(program: Program) -> Solution:
    if (np.asarray(program.row_low) > 0).any() or (np.asarray(program.row_high) < 0).any():
        return _infeasible(0)
    return Solution("optimal", float(program.constant), float(program.constant), np.empty(0), 0, 0.0)

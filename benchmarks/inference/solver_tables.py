# SPDX-License-Identifier: Apache-2.0
"""How solvers are timed, and tables of their figures beside those of a peer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from accord.inference.graph import FactorGraph, Solution


@dataclass(frozen=True)
class Recorded:
    """What AD3 did: CPU seconds, best dual and rounded value, under T and under D."""

    seconds: tuple[float, float] | None = None
    dual: tuple[float, float] | None = None
    value: tuple[float, float] | None = None


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def best_cpu(graph: FactorGraph, repetitions: int = 3) -> tuple[float, Solution]:
    """The shortest of several solves from scratch: other programs can only make it longer."""
    runs = [cpu(lambda: graph.solve("ad3")) for _ in range(repetitions)]
    return min(runs, key=lambda run: run[0])


def ratio(theirs: float, ours: float) -> str:
    return f"{theirs / ours:.1f}x" if ours == ours and ours > 0 else "-"


def table(title: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    lines = [list(map(_cell, row)) for row in rows]
    widths = [max(len(row[i]) for row in [list(header), *lines]) for i in range(len(header))]
    print(f"\n{title}")
    for row in [list(header), *lines]:
        print(
            "  ".join(
                cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
            )
        )


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 10 else f"{value:.3f}"
    return str(value)


def recorded_cell(seconds: tuple[float, float] | None, which: int, ours: float) -> str:
    return "-" if seconds is None else f"{seconds[which]:g} ({ratio(seconds[which], ours)})"


def peer_cell(run: Sequence[float] | None, bound: float, ours: float, tolerance: float = 1e-3) -> str:
    """The peer's time, if it has solved our problem: another relaxation would have another value."""
    if run is None:
        return "missing"
    seconds, value = run
    if abs(value - bound) > tolerance * abs(bound):
        return f"solved another problem: {value:.3f}"
    return f"{seconds:.3g} ({ratio(seconds, ours)})"

# SPDX-License-Identifier: Apache-2.0
"""Tables and a cactus plot of runs."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from accord.figures import new_figure, write_figure
from benchmarks.inference.networks.processes import Run

LEAST = 1e-3  # seconds: shorter times count as this one in ratios
TOLERANCE = 5e-4  # half a step: two values that differ by less are one


@dataclass(frozen=True)
class Row:
    """A solver, or several of which each gets the whole time and the best answer counts."""

    name: str
    members: tuple[str, ...]

    def proof(self, runs: Mapping[str, Run]) -> float:
        """The time of the first proof; infinite where no member proves anything."""
        return min((run.proof for run in self._of(runs) if run.proof is not None), default=math.inf)

    def value_at(self, runs: Mapping[str, Run], seconds: float) -> float:
        return max((run.value_at(seconds) for run in self._of(runs)), default=-math.inf)

    def _of(self, runs: Mapping[str, Run]) -> list[Run]:
        return [runs[member] for member in self.members if member in runs]


Results = Mapping[str, Mapping[str, Run]]  # by instance, then by solver


def best_known(runs: Mapping[str, Run]) -> float:
    return max((run.value_at(math.inf) for run in runs.values()), default=-math.inf)


def false_proofs(results: Results) -> list[str]:
    """Proofs of settings that are not the best: another solver has found a better one."""
    return [
        f"{name}: {solver} proves {run.value_at(math.inf):.3f}, and {best_known(runs):.3f} was found"
        for name, runs in results.items()
        for solver, run in runs.items()
        if run.proof is not None and run.value_at(math.inf) < best_known(runs) - TOLERANCE
    ]


def refusals(results: Results) -> list[str]:
    """Why solvers gave no answer at all, and how often."""
    said = Counter(
        f"{solver}: {run.problem}"
        for runs in results.values()
        for solver, run in runs.items()
        if run.problem and not run.values
    )
    return [f"{reason} ({count})" for reason, count in sorted(said.items())]


def markdown(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    for cells in (header, ["---"] * len(header), *rows):
        print(f"| {' | '.join(map(str, cells))} |")
    print()


def proved_by_kind(results: Results, rows: Sequence[Row], kinds: Sequence[str], limit: float) -> None:
    """How many instances of each kind each solver proves within the time."""
    header = ["kind", "instances", *(row.name for row in rows)]
    lines: list[list[object]] = []
    for kind in kinds:
        of_kind = {name: runs for name, runs in results.items() if name.split()[0] == kind}
        proved = [sum(row.proof(runs) <= limit for runs in of_kind.values()) for row in rows]
        lines.append([kind, len(of_kind), *proved])
    totals = [sum(row.proof(runs) <= limit for runs in results.values()) for row in rows]
    lines.append(["**all**", len(results), *(f"**{total}**" for total in totals)])
    markdown(header, lines)


def values_at(results: Results, rows: Sequence[Row], kinds: Sequence[str], times: Sequence[float]) -> None:
    """How often each solver has the best value known after so many seconds, of all instances of a kind."""
    header = ["kind", "instances", *(f"{row.name}, {time:g} s" for row in rows for time in times)]

    def count(chosen: Results) -> Iterator[int]:
        for row in rows:
            for time in times:
                yield sum(
                    math.isfinite(best_known(runs)) and row.value_at(runs, time) >= best_known(runs) - TOLERANCE
                    for runs in chosen.values()
                )

    lines: list[list[object]] = []
    for kind in kinds:
        of_kind = {name: runs for name, runs in results.items() if name.split()[0] == kind}
        lines.append([kind, len(of_kind), *count(of_kind)])
    lines.append(["**all**", len(results), *(f"**{total}**" for total in count(results))])
    markdown(header, lines)


def times_of_proofs(results: Results, rows: Sequence[Row], limit: float) -> None:
    """CPU seconds to the proof, for each instance; where there is none, the gap of the value to the best known."""

    def cell(row: Row, runs: Mapping[str, Run]) -> str:
        proof = row.proof(runs)
        if proof <= limit:
            return f"{proof:.3f}" if proof < 1 else f"{proof:.2f}"
        value, best = row.value_at(runs, limit), best_known(runs)
        if not math.isfinite(value):
            return "–"
        missing = best - value
        return "best" if missing <= TOLERANCE else f"−{missing:.3g}"

    markdown(
        ["instance", "best value", *(row.name for row in rows)],
        [[name, f"{best_known(runs):.3f}", *(cell(row, runs) for row in rows)] for name, runs in results.items()],
    )


def ratios(results: Results, ours: Row, peer: Row, kinds: Sequence[str]) -> list[list[object]]:
    """By kind: the median of our time to the proof over the peer's, where both prove; how often only one does."""
    lines: list[list[object]] = []
    for kind in kinds:
        of_kind = [runs for name, runs in results.items() if name.split()[0] == kind]
        both = [
            max(ours.proof(runs), LEAST) / max(peer.proof(runs), LEAST)
            for runs in of_kind
            if math.isfinite(ours.proof(runs)) and math.isfinite(peer.proof(runs))
        ]
        median = f"{statistics.median(both):.2f}" if both else "–"
        lines.append([kind, len(both), median, _only(of_kind, ours, peer), _only(of_kind, peer, ours)])
    return lines


def _only(instances: Sequence[Mapping[str, Run]], one: Row, other: Row) -> int:
    """How many instances one proves and the other does not."""
    return sum(math.isfinite(one.proof(runs)) and math.isinf(other.proof(runs)) for runs in instances)


def cactus(results: Results, rows: Sequence[Row], limit: float, path: Path) -> None:
    """How many instances each solver proves in how much time; the same runs always give the same bytes."""
    figure = new_figure(7.5, 5.0)
    axes = figure.subplots()
    for row in rows:
        times = sorted(proof for runs in results.values() if (proof := row.proof(runs)) <= limit)
        counts = range(1, len(times) + 1)
        style = "-" if row.name.startswith("Accord") else "--"
        axes.step(
            [max(time, 1e-3) for time in times],
            counts,
            style,
            where="post",
            label=f"{row.name.replace('`', '')} ({len(times)})",
        )
    axes.set_xscale("log")
    axes.set_xlim(1e-3, limit)
    axes.set_xlabel("CPU seconds")
    axes.set_ylabel(f"instances proved, of {len(results)}")
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left", fontsize=8)
    write_figure(figure, path)

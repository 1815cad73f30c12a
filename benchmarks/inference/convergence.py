# SPDX-License-Identifier: Apache-2.0
"""AD3 against subgradient on the parses of real sentences, as in Martins et al. (2011) and Koo et al. (2010).

    python -m benchmarks convergence --model en3.accord [--sentences 100] [--iterations 200] [--plot convergence.svg]

The factor graph of each sentence under a model of second or third order: the arcs that its pruner leaves, one tree
factor, automata of siblings, grandparents and larger parts. Both solvers start from nothing and run until they prove
their tree the best, solve the relaxation, or reach the last round.

Gap: (least bound so far - best value so far) / |best value that either solver ever found|, at most 1, which it is until
the first tree. Bound: the same with the best value ever found in place of the best so far, which says how far the dual
has come whether or not a tree was rounded from it. Certified: a gap of 1e-6 or less, or a proof by agreement. A run
that ended keeps what it had.

By round, AD3 looks at its bound and tries a rounding as often as it can (check_every=1); by time, both solvers are as
they come. Time is CPU time: that of the call, spread over its rounds as the trace spreads wall time; building the graph
does not count.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import accord
from accord import data
from accord.errors import ConfigError
from accord.figures import check_figure_path, new_figure, write_figure
from accord.inference import FactorGraph
from benchmarks.places import DATA

DEV = DATA / "ud" / "en_ewt-ud-dev.conllu.xz"
ROUNDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
MILLISECONDS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
CERTIFIED = 1e-6
BY_ROUND: dict[str, dict[str, Any]] = {"ad3": {"check_every": 1}, "subgradient": {}}
BY_TIME: dict[str, dict[str, Any]] = {"ad3": {}, "subgradient": {}}


@dataclass(frozen=True, eq=False)
class Run:
    """One solver on one sentence: what was known after each round."""

    rounds: NDArray[np.float64]
    seconds: NDArray[np.float64]
    values: NDArray[np.float64]  # best so far
    bounds: NDArray[np.float64]  # least so far
    proved: bool  # by the end

    def at(self, place: float, best: float, *, by_time: bool) -> tuple[float, float]:
        """Bound and gap, relative to the best value, after so many rounds or seconds."""
        places = self.seconds if by_time else self.rounds
        index = int(np.searchsorted(places, place, side="right")) - 1
        if index < 0:
            return 1.0, 1.0
        scale = max(abs(best), 1e-9)
        bound = (self.bounds[index] - best) / scale
        gap = 0.0 if self.proved and index == len(places) - 1 else (self.bounds[index] - self.values[index]) / scale
        return float(np.clip(bound, 0.0, 1.0)), float(np.clip(gap, 0.0, 1.0))


def run(graph: FactorGraph, solver: str, iterations: int, settings: dict[str, Any]) -> Run:
    started = time.process_time()
    solution = graph.solve(solver, iterations=iterations, trace=True, **settings)
    spent = time.process_time() - started
    trace = solution.trace or {name: np.zeros(0) for name in ("iteration", "seconds", "primal", "dual")}
    to_cpu_time = spent / max(solution.seconds, 1e-9)
    return Run(
        rounds=np.append(trace["iteration"], solution.iterations),
        seconds=to_cpu_time * np.append(trace["seconds"], solution.seconds),
        values=np.append(np.maximum.accumulate(trace["primal"]), solution.value),
        bounds=np.append(np.minimum.accumulate(trace["dual"]), solution.bound),
        proved=solution.status == "optimal",
    )


@dataclass(frozen=True)
class Means:
    """Over all sentences, at one number of rounds or seconds."""

    bound: float
    gap: float
    certified: float  # percent


def means(runs: list[Run], bests: list[float], place: float, *, by_time: bool) -> Means:
    found = np.array([one.at(place, best, by_time=by_time) for one, best in zip(runs, bests, strict=True)])
    return Means(found[:, 0].mean(), found[:, 1].mean(), 100 * float(np.mean(found[:, 1] <= CERTIFIED)))


def print_table(
    title: str, places: list[tuple[str, float]], runs: dict[str, list[Run]], bests: list[float], *, by_time: bool
) -> None:
    print(f"| {title} | " + " | ".join(f"{solver}: bound | gap | certified" for solver in runs) + " |")
    print("|---|" + "---|---|---|" * len(runs))
    for name, place in places:
        row = [means(those, bests, place, by_time=by_time) for those in runs.values()]
        print(f"| {name} | " + " | ".join(f"{m.bound:.5f} | {m.gap:.5f} | {m.certified:.0f} %" for m in row) + " |")
    print()


def plot(path: str, runs: list[dict[str, list[Run]]], bests: list[float], iterations: int, title: str) -> None:
    """Mean bound and gap above, share certified below; by rounds on the left, by time on the right."""
    figure = new_figure(10, 6.5)
    figure.suptitle(title, fontsize="medium")
    axes = figure.subplots(2, 2, sharex="col", sharey="row")
    rounds = np.unique(np.geomspace(1, iterations, 120).astype(int)).astype(float)
    spans = (("rounds", rounds), ("CPU milliseconds a sentence", np.geomspace(0.05, 100, 120)))
    for column, (label, places) in enumerate(spans):
        for number, (solver, those) in enumerate(runs[column].items()):
            units = places / 1000 if column else places
            found = [means(those, bests, place, by_time=bool(column)) for place in units]
            colour = f"C{number}"
            axes[0, column].plot(places, [m.bound for m in found], color=colour, label=f"{solver}: bound")
            axes[0, column].plot(places, [m.gap for m in found], "--", color=colour, label=f"{solver}: gap")
            axes[1, column].plot(places, [m.certified for m in found], color=colour, label=solver)
        axes[1, column].set_xlabel(label)
        axes[0, column].set_yscale("log")
        for axis in axes[:, column]:
            axis.set_xscale("log")
            axis.grid(alpha=0.3)
    axes[0, 0].set_ylabel("mean, relative to the best value")
    axes[1, 0].set_ylabel("percent certified")
    axes[0, 0].legend()
    write_figure(figure, path)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", required=True, help="a model of order 2 or 3")
    arguments.add_argument("--file", default=DEV, help="sentences to parse")
    arguments.add_argument("--sentences", type=int, default=100)
    arguments.add_argument("--iterations", type=int, default=200)
    arguments.add_argument("--plot", help="picture to write: .svg, .png or .pdf")
    options = arguments.parse_args()
    if options.plot:
        check_figure_path(options.plot)
    parser = accord.Parser.load(options.model)
    if not parser.config.part_names():
        raise ConfigError(f"{options.model}: a model of single arcs has no factor graph; one of order 2 or 3 is needed")

    document = data.read(options.file)
    longer = (index for index, words in enumerate(document.lengths.tolist()) if words > 1)
    by_round: dict[str, list[Run]] = {solver: [] for solver in BY_ROUND}
    by_time: dict[str, list[Run]] = {solver: [] for solver in BY_TIME}
    bests: list[float] = []
    words = 0
    for index in islice(longer, options.sentences):
        for settings, runs in ((BY_ROUND, by_round), (BY_TIME, by_time)):
            for solver, values in settings.items():
                runs[solver].append(
                    run(parser.part_graph(document.sentences[index]).graph, solver, options.iterations, values)
                )
        bests.append(max(those[-1].values[-1] for those in (*by_round.values(), *by_time.values())))
        words += int(document.lengths[index])

    print(f"{len(bests)} sentences, {words / len(bests):.1f} words on average\n")
    rounds = [(str(number), float(number)) for number in ROUNDS if number <= options.iterations]
    print_table("rounds", rounds, by_round, bests, by_time=False)
    moments = [(f"{number:g}", number / 1000) for number in MILLISECONDS]
    print_table("CPU ms", moments, by_time, bests, by_time=True)
    for solver, those in by_time.items():
        mean = 1000 * np.mean([one.seconds[-1] for one in those])
        proved = 100 * np.mean([one.proved for one in those])
        print(f"{solver}: {mean:.2f} CPU ms a sentence to its end, {proved:.0f} % proved")
    if options.plot:
        title = f"{len(bests)} parses, {Path(options.file).name}"
        plot(options.plot, [by_round, by_time], bests, options.iterations, title)


if __name__ == "__main__":
    main()

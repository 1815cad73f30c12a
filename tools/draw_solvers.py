# SPDX-License-Identifier: Apache-2.0
"""Draw the figures of the gallery, one for each solver: ``python tools/draw_solvers.py``.

They show rounds and nodes, not seconds, so the same code always draws the same bytes into ``docs/gallery``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from accord.figures import new_figure, write_figure
from accord.inference import FactorGraph
from accord.inference.graph import Solution

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "gallery"
VALUE, BOUND, EXACT = "#364fc7", "#d9480f", "#2b8a3e"


def grid(rows: int, columns: int, labels: int, seed: int) -> FactorGraph:
    """A grid with independent normal scores: its relaxation is not tight, and its messages go round in loops."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    pixels = np.array(graph.categorical(random.normal(size=(rows * columns, labels)))).reshape(rows, columns, labels)
    for row, column in itertools.product(range(rows), range(columns)):
        for other in ((row, column + 1), (row + 1, column)):
            if other[0] < rows and other[1] < columns:
                graph.categorical_table([pixels[row, column], pixels[other]], random.normal(size=(labels, labels)))
    return graph


# Rows, columns, labels, seed.
LARGE, SMALL, HARD, WIDE = (6, 6, 3, 4), (2, 4, 3, 0), (6, 6, 6, 2), (10, 10, 6, 1)


def optimum(graph: FactorGraph) -> float:
    return graph.solve("branch_and_bound", nodes=100_000).value


def by_round(axes: Any, solution: Solution, best: float, name: str = "", style: str = "-") -> None:
    rounds, bound = solution.trace["iteration"], np.minimum.accumulate(solution.trace["dual"])
    value = np.maximum.accumulate(np.where(np.isfinite(solution.trace["primal"]), solution.trace["primal"], -np.inf))
    known = np.isfinite(value)
    axes.plot(rounds, bound, style, color=BOUND, label=f"bound{name}")
    axes.plot(rounds[known], value[known], style, color=VALUE, label=f"best value{name}")
    axes.axhline(best, color=EXACT, linewidth=0.8)
    axes.set_ylim(best - 4, best + 8)
    axes.set_ylabel("score")


def draw_ad3(axes: Any) -> None:
    graph = grid(*LARGE)
    by_round(axes, graph.solve("ad3", trace=True), optimum(graph))
    axes.set_xlabel("rounds")
    axes.set_xscale("log")


def draw_subgradient(axes: Any) -> None:
    graph = grid(*LARGE)
    best = optimum(graph)
    by_round(axes, graph.solve("subgradient", trace=True), best)
    by_round(axes, graph.solve("subgradient", trace=True, step_rule="level"), best, ", level", "--")
    axes.set_xlabel("rounds")
    axes.set_xscale("log")


def draw_branch_and_bound(axes: Any) -> None:
    solution = grid(*HARD).solve("branch_and_bound", trace=True, nodes=100_000)
    nodes, bounds = solution.trace["iteration"], solution.trace["dual"]
    values = np.maximum.accumulate(solution.trace["primal"])
    axes.scatter(nodes, bounds, s=8, color=BOUND, label="bound of the node")
    axes.step(nodes[np.isfinite(values)], values[np.isfinite(values)], where="post", color=VALUE, label="best value")
    axes.set_xlabel("nodes")
    axes.set_ylabel("score")


def by_budget(axes: Any, shape: tuple[int, int, int, int], solver: str, setting: str, largest: int) -> None:
    """Value and bound after 1, 2, 4, ... passes or nodes."""
    budgets = [2**power for power in range(largest.bit_length())]
    answers = [grid(*shape).solve(solver, **{setting: budget}) for budget in budgets]
    axes.plot(budgets, [answer.bound for answer in answers], ".-", color=BOUND, label="bound")
    axes.plot(budgets, [answer.value for answer in answers], ".-", color=VALUE, label="best value")
    axes.set_xscale("log")
    axes.set_xlabel(setting)
    axes.set_ylabel("score")


def draw_trws(axes: Any) -> None:
    by_budget(axes, WIDE, "trws", "passes", 256)
    axes.axhline(grid(*WIDE).solve("search").value, color=EXACT, linewidth=0.8)


def draw_search(axes: Any) -> None:
    by_budget(axes, WIDE, "search", "nodes", 1024)


def draw_bp(axes: Any) -> None:
    graph = grid(*SMALL)
    exact = graph.solve("enumerate").posteriors
    axes.plot([0, 1], [0, 1], color=EXACT, linewidth=0.8)
    axes.scatter(exact, graph.solve("bp", damping=0.3).posteriors, s=12, color=VALUE, label="a value of a variable")
    axes.set_xlabel("exact probability")
    axes.set_ylabel("belief")


def draw_junction_tree(axes: Any) -> None:
    graph = grid(*SMALL)
    exact = graph.solve("enumerate").posteriors
    found = graph.solve("junction_tree").posteriors
    axes.plot([0, 1], [0, 1], color=EXACT, linewidth=0.8)
    axes.scatter(exact, found, s=12, color=VALUE, label="a value of a variable")
    axes.set_xlabel("exact probability")
    axes.set_ylabel("posterior")


def draw_shares(axes: Any, solution: Solution, labels: int = 3) -> None:
    shares = solution.posteriors.reshape(-1, labels)
    below = np.zeros(len(shares))
    for label, colour in zip(range(labels), ("#364fc7", "#74c0fc", "#ffe8cc"), strict=True):
        axes.bar(
            np.arange(len(shares)), shares[:, label], bottom=below, width=0.9, color=colour, label=f"value {label}"
        )
        below += shares[:, label]
    axes.set_xlabel("variables")
    axes.set_ylabel("posteriors")


def draw_lp(axes: Any) -> None:
    draw_shares(axes, grid(*LARGE).solve("lp"))


def draw_ilp(axes: Any) -> None:
    draw_shares(axes, grid(*LARGE).solve("ilp"))


def draw_enumerate(axes: Any) -> None:
    graph = grid(*SMALL)
    values = []
    for setting in itertools.product(range(3), repeat=8):
        values.append(graph.value(np.eye(3, dtype=bool)[list(setting)].reshape(-1)))
    axes.hist(values, bins=60, color="#74c0fc")
    axes.axvline(graph.solve("enumerate").value, color=EXACT, label="the best")
    axes.set_xlabel("score")
    axes.set_ylabel("settings")


def draw_auto(axes: Any) -> None:
    random = np.random.default_rng(0)
    graph = FactorGraph()
    things = graph.variables(random.normal(0.3, 1.0, 40))
    for _ in range(60):
        graph.at_most_one(random.choice(things, 3, replace=False))
    graph.at_least_one(things)
    answer = graph.solve("auto")
    for place, stage in enumerate(answer.stages):
        axes.plot([stage.value, stage.bound], [place, place], "|-", color=BOUND, linewidth=3, markersize=14)
    axes.axvline(answer.value, color=EXACT, linewidth=0.8, label="the best")
    axes.set_yticks(range(len(answer.stages)), [stage.solver for stage in answer.stages])
    axes.set_ylim(len(answer.stages) - 0.5, -0.5)
    axes.set_xlabel("score: from value to bound")


FIGURES: dict[str, Callable[[Any], None]] = {
    "ad3": draw_ad3,
    "subgradient": draw_subgradient,
    "trws": draw_trws,
    "bp": draw_bp,
    "junction_tree": draw_junction_tree,
    "lp": draw_lp,
    "ilp": draw_ilp,
    "branch_and_bound": draw_branch_and_bound,
    "search": draw_search,
    "enumerate": draw_enumerate,
    "auto": draw_auto,
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for solver, draw in FIGURES.items():
        figure = new_figure(4.6, 2.6)
        axes = figure.subplots()
        draw(axes)
        axes.set_title(solver, fontsize=10)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize=7)
        write_figure(figure, FOLDER / f"{solver}.svg")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Pictures of factor graphs and of how solvers converge.

:func:`draw_graph` draws a small graph as self-contained SVG: variables are circles, shaded when evidence fixes them;
factors are squares; a dot on an edge says that the factor sees the variable negated. Nodes are placed so that distances
on paper resemble distances in the graph, by stress majorisation (Gansner, Koren & North 2004), O(nodes^3) once and
O(nodes^2) a round, then moved apart until nothing overlaps. The same graph always gives the same bytes.

:func:`plot_convergence` draws traces of solutions with matplotlib, the extra ``plot``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.figures import new_figure, write_figure
from accord.inference.graph import FactorGraph, FactorView, Solution

MOST_NODES = 60  # beyond this a picture of every node says nothing

_EDGE_LENGTH = 92.0  # pixels between a factor and its variables, where the graph lets them stand so
_LEAST_DISTANCE = 84.0  # between the middles of two nodes: room for a node and three lines of text
_RADIUS, _HALF_SQUARE, _DOT = 17, 11, 4
_LINE = 12  # pixels from one line of text to the next
_BORDER = 46
_ROUNDS = 300  # of majorisation; positions have settled long before

_STYLE = (
    ".accord text{text-anchor:middle;font-family:system-ui,'Segoe UI','Helvetica Neue',Arial,sans-serif;font-size:11px}"
    ".accord .edge{stroke-width:1.3}.accord circle,.accord rect.factor{stroke-width:1.5}"
    ".accord .name{font-weight:600}"
)
_COLOURS = {
    # class: rules on white paper, on dark paper
    "paper": ("fill:#ffffff", "fill:#15181d"),
    "edge": ("stroke:#7b8794", "stroke:#8d99a6"),
    "variable": ("fill:#ffffff;stroke:#364fc7", "fill:#15181d;stroke:#91a7ff"),
    "fixed": ("fill:#bac8ff;stroke:#364fc7", "fill:#364fc7;stroke:#91a7ff"),
    "factor": ("fill:#ffe8cc;stroke:#d9480f", "fill:#5c2a0c;stroke:#ffa94d"),
    "negation": ("fill:#c2255c;stroke:none", "fill:#ff8fab;stroke:none"),
    "name": ("fill:#1f2933", "fill:#e6e9ed"),
    "note": ("fill:#52606d", "fill:#a9b4c0"),
}


def draw_graph(graph: FactorGraph) -> str:
    """The graph as an SVG document; at most 60 variables and factors together.

    >>> from accord.inference.graph import FactorGraph
    >>> g = FactorGraph()
    >>> u = g.variables([1.0, -0.5])
    >>> g.implies(u[0], u[1])
    >>> picture = draw_graph(g)
    >>> picture.startswith("<svg "), picture.count('class="variable"'), picture.count('class="factor"')
    (True, 2, 1)
    """
    variables, factors = graph.scores.size, len(graph)
    if variables + factors > MOST_NODES:
        raise ConfigError(
            f"a picture shows at most {MOST_NODES} nodes; this graph has {variables} variables and {factors} factors"
        )
    return _render(graph.scores, graph.evidence, list(graph.factors()))


# ---- placing the nodes


def _adjacency(variables: int, factors: Sequence[FactorView]) -> NDArray[np.bool_]:
    """Which nodes touch; variables come first, then factors."""
    touching = np.zeros((variables + len(factors),) * 2, bool)
    for number, factor in enumerate(factors):
        plain = np.where(factor.variables < 0, ~factor.variables, factor.variables)
        touching[variables + number, plain] = touching[plain, variables + number] = True
    return touching


def _distances(touching: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Edges between any two nodes, by growing all neighbourhoods one step at a time."""
    count = len(touching)
    distances = np.full((count, count), np.inf)
    np.fill_diagonal(distances, 0.0)
    reached = np.eye(count, dtype=bool)
    for step in range(1, count):
        grown = reached | (reached.astype(np.int64) @ touching > 0)
        distances[grown & ~reached] = step
        reached = grown
    finite = distances[np.isfinite(distances)]
    distances[np.isinf(distances)] = finite.max(initial=0.0) + 2  # parts without connection stand side by side
    return distances


def _places(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Positions (nodes, 2) whose distances approximate those given, up to scale and with nothing overlapping."""
    count = len(distances)
    if count < 2:
        return np.zeros((count, 2))
    weights = 1.0 / np.where(distances > 0, distances, 1.0) ** 2
    np.fill_diagonal(weights, 0.0)
    laplacian = np.diag(weights.sum(1)) - weights
    inverse = np.linalg.pinv(laplacian)
    angles = 2 * np.pi * np.arange(count) / count
    places: NDArray[np.float64] = count / 4 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for _ in range(_ROUNDS):
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        pull = np.where(apart > 1e-9, weights * distances / np.maximum(apart, 1e-9), 0.0)
        places = inverse @ (pull.sum(1)[:, None] * places - pull @ places)
    return _moved_apart(_level(places) * _EDGE_LENGTH)


def _level(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turned so that the longest extent lies across the page: a row of variables is drawn as a row."""
    centred = places - places.mean(0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    turned = centred @ axes[:, ::-1]
    # Axes have no direction of their own; the first node goes to the upper left.
    level: NDArray[np.float64] = turned * np.where(turned[0] > 0, -1.0, 1.0)
    return level


def _moved_apart(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pairs that stand too close push each other away; what is left after many rounds is stretched."""
    places = places + 1e-3 * np.arange(len(places))[:, None] * np.array([1.0, -1.0])  # no two at one point
    for _ in range(_ROUNDS):
        offsets = places[:, None] - places[None]
        apart = np.linalg.norm(offsets, axis=2) + np.eye(len(places)) * _LEAST_DISTANCE
        lacking = np.maximum(_LEAST_DISTANCE - apart, 0.0)
        if not lacking.any():
            return places
        places = places + (offsets * (lacking / (2 * apart))[:, :, None]).sum(1)
    least = _nearest(places)
    return places * max(1.0, _LEAST_DISTANCE / least)


def _nearest(places: NDArray[np.float64]) -> float:
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    return float(apart[~np.eye(len(places), dtype=bool)].min())


# ---- drawing them


def _render(scores: NDArray[np.float64], evidence: NDArray[np.int8], factors: Sequence[FactorView]) -> str:
    places = _places(_distances(_adjacency(scores.size, factors)))
    if len(places):
        places = places - places.min(0) + _BORDER
    width, height = (int(np.ceil(extent)) + _BORDER for extent in (places.max(0) if len(places) else (0.0, 0.0)))
    height += 2 * _LINE  # the lowest node's text
    own = places[scores.size :]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="accord" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{scores.size} variables, {len(factors)} factors">',
        f"<style>{_STYLE}{_rules(0)}@media (prefers-color-scheme:dark){{{_rules(1)}}}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        *(line for factor, place in zip(factors, own, strict=True) for line in _edges(factor, place, places)),
        *(_variable(r, scores[r], int(evidence[r]), places[r]) for r in range(scores.size)),
        *(_factor(factor, place) for factor, place in zip(factors, own, strict=True)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _rules(paper: int) -> str:
    return "".join(f".accord .{name}{{{rules[paper]}}}" for name, rules in _COLOURS.items())


def _edges(factor: FactorView, place: NDArray[np.float64], places: NDArray[np.float64]) -> list[str]:
    lines = []
    for variable in factor.variables.tolist():
        end = places[~variable if variable < 0 else variable]
        lines.append(
            f'<line class="edge" x1="{place[0]:.1f}" y1="{place[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'
        )
        if variable < 0:  # where the edge enters the circle
            x, y = end + (place - end) * (_RADIUS + _DOT) / np.linalg.norm(place - end)
            lines.append(f'<circle class="negation" cx="{x:.1f}" cy="{y:.1f}" r="{_DOT}"/>')
    return lines


def _variable(number: int, score: float, evidence: int, place: NDArray[np.float64]) -> str:
    x, y = place
    fixed = evidence >= 0
    note = f"{score:+.3g}" + (f" = {evidence}" if fixed else "")
    return (
        f"<g><title>variable {number}, score {score:g}{f', fixed to {evidence}' if fixed else ''}</title>"
        f'<circle class="{"fixed" if fixed else "variable"}" cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}"/>'
        f'<text class="name" x="{x:.1f}" y="{y + 4:.1f}">{number}</text>'
        f'<text class="note" x="{x:.1f}" y="{y + _RADIUS + _LINE:.1f}">{note}</text></g>'
    )


def _factor(factor: FactorView, place: NDArray[np.float64]) -> str:
    x, y = place
    words = factor.kind.split("_")
    lines = "".join(
        f'<text class="note" x="{x:.1f}" y="{y + _HALF_SQUARE + _LINE * line:.1f}">{escape(word)}</text>'
        for line, word in enumerate(words, start=1)
    )
    title = factor.kind.replace("_", " ") + (f": {factor.name}" if factor.name else "")
    return (
        f"<g><title>{escape(title)}</title>"
        f'<rect class="factor" x="{x - _HALF_SQUARE:.1f}" y="{y - _HALF_SQUARE:.1f}" '
        f'width="{2 * _HALF_SQUARE}" height="{2 * _HALF_SQUARE}"/>{lines}</g>'
    )


# ---- convergence


def plot_convergence(solutions: Solution | Mapping[str, Solution], path: str | Path | None = None) -> Any:
    """Primal and dual values above, residuals below; against iterations on the left, against time on the right.

    Takes one solution or several by name, each from a solve with ``trace=True``. Returns the matplotlib figure, and
    writes it to ``path`` in the format of its suffix where one is given.
    """
    named = {"": solutions} if isinstance(solutions, Solution) else dict(solutions)
    if not named:
        raise ConfigError("there is no solution to plot")
    for name, solution in named.items():
        if not solution.trace:
            which = f"solution {name!r}" if name else "the solution"
            raise ConfigError(f"{which} has no trace: solve with trace=True")
    figure = new_figure(10, 7)
    axes = figure.subplots(2, 2, sharex="col", sharey="row")
    for column, clock in enumerate(("iteration", "seconds")):
        for index, (name, solution) in enumerate(named.items()):
            _plot_values(axes[0, column], solution.trace, clock, name, f"C{index}")
            _plot_residuals(axes[1, column], solution.trace, clock, name, f"C{index}")
        axes[1, column].set_xlabel(clock)
        axes[1, column].set_yscale("log")
    axes[0, 0].set_ylabel("value")
    axes[1, 0].set_ylabel("residual")
    for axis in axes[:, 0]:
        axis.legend()
    if path is not None:
        write_figure(figure, path)
    return figure


def _label(name: str, what: str) -> str:
    return f"{name} {what}".strip()


def _plot_values(axis: Any, trace: Mapping[str, NDArray[np.float64]], clock: str, name: str, colour: str) -> None:
    for what, line in (("dual", "-"), ("primal", "--")):
        # Before the first feasible assignment there is no value to draw.
        values = np.where(np.isfinite(trace[what]), trace[what], np.nan)
        axis.plot(trace[clock], values, line, color=colour, label=_label(name, what))


def _plot_residuals(axis: Any, trace: Mapping[str, NDArray[np.float64]], clock: str, name: str, colour: str) -> None:
    for what, line in (("primal_residual", "--"), ("dual_residual", "-")):
        # A logarithmic axis has no place for zero, nor for the residuals that a solver does not know.
        values = np.where(trace[what] > 0, trace[what], np.nan)
        axis.plot(trace[clock], values, line, color=colour, label=_label(name, what.replace("_", " ")))

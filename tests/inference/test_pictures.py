# SPDX-License-Identifier: Apache-2.0
"""Pictures are sound XML, show every node and edge once, keep nodes apart, and refuse what they cannot show."""

from __future__ import annotations

import importlib.util
import sys
from itertools import combinations
from math import hypot
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings

from accord.errors import ConfigError
from accord.inference.graph import FactorGraph
from accord.inference.pictures import MOST_NODES, draw_graph, plot_convergence
from tests.inference.graph_recipes import Recipe, recipes

SVG = "{http://www.w3.org/2000/svg}"
HAVE_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


def by_class(root: ElementTree.Element, tag: str, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter(SVG + tag) if element.get("class") == name]


def middles(root: ElementTree.Element) -> list[tuple[float, float]]:
    """Where the nodes stand: variables, then factors."""
    circles = by_class(root, "circle", "variable") + by_class(root, "circle", "fixed")
    squares = by_class(root, "rect", "factor")
    return [(float(c.get("cx", "")), float(c.get("cy", ""))) for c in circles] + [
        (float(s.get("x", "")) + float(s.get("width", "")) / 2, float(s.get("y", "")) + float(s.get("height", "")) / 2)
        for s in squares
    ]


@settings(max_examples=40, deadline=None)
@given(recipes())
def test_pictures_show_every_node_and_edge_once(recipe: Recipe) -> None:
    graph = recipe.build()
    root = ElementTree.fromstring(draw_graph(graph))
    assert len(by_class(root, "circle", "variable")) == recipe.scores.size
    assert len(by_class(root, "rect", "factor")) == len(recipe.factors)
    assert len(by_class(root, "line", "edge")) == sum(len(factor.variables) for factor in recipe.factors)
    views = list(graph.factors())
    assert len(by_class(root, "circle", "negation")) == sum(int((view.variables < 0).sum()) for view in views)
    titles = [element.text or "" for element in root.iter(SVG + "title")]
    assert titles[recipe.scores.size :] == [view.kind.replace("_", " ") for view in views]


@settings(max_examples=40, deadline=None)
@given(recipes())
def test_nodes_stand_apart_and_on_the_paper(recipe: Recipe) -> None:
    root = ElementTree.fromstring(draw_graph(recipe.build()))
    places = middles(root)
    assert all(hypot(a[0] - b[0], a[1] - b[1]) > 80 for a, b in combinations(places, 2))
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    assert all(30 <= x <= width - 30 and 30 <= y <= height - 30 for x, y in places)


def test_edges_join_a_factor_to_its_variables() -> None:
    graph = FactorGraph()
    u = graph.variables([0.0, 1.0, 2.0])
    graph.at_most_one(u[1:])
    root = ElementTree.fromstring(draw_graph(graph))
    *circles, square = middles(root)
    ends = [
        ((float(e.get("x1", "")), float(e.get("y1", ""))), (float(e.get("x2", "")), float(e.get("y2", ""))))
        for e in by_class(root, "line", "edge")
    ]
    assert len(ends) == 2
    for (start, end), circle in zip(ends, circles[1:], strict=True):
        assert np.allclose(start, square, atol=0.11) and np.allclose(end, circle, atol=0.11)


def test_scores_evidence_and_names_are_shown() -> None:
    graph = FactorGraph()
    u = graph.variables([1.25, -0.5])
    graph.implies(u[0], ~u[1], name="a < b & c")
    graph.fix(u[1], False)
    picture = draw_graph(graph)
    texts = [element.text for element in ElementTree.fromstring(picture).iter(SVG + "text")]
    assert "+1.25" in texts and "-0.5 = 0" in texts
    assert "a &lt; b &amp; c" in picture
    root = ElementTree.fromstring(picture)
    assert len(by_class(root, "circle", "fixed")) == 1 and len(by_class(root, "circle", "variable")) == 1


def test_the_same_graph_gives_the_same_picture() -> None:
    def picture() -> str:
        graph = FactorGraph()
        u = graph.variables(np.arange(12.0).reshape(4, 3))
        graph.exactly_one(u)
        graph.pair(u[:-1], u[1:], 0.5)
        return draw_graph(graph)

    assert picture() == picture()


def test_small_and_large_graphs() -> None:
    assert ElementTree.fromstring(draw_graph(FactorGraph())).tag == SVG + "svg"
    graph = FactorGraph()
    graph.variables(np.zeros(MOST_NODES))
    assert len(by_class(ElementTree.fromstring(draw_graph(graph)), "circle", "variable")) == MOST_NODES
    graph.variable()
    with pytest.raises(ConfigError, match=f"at most {MOST_NODES} nodes; this graph has {MOST_NODES + 1} variables"):
        draw_graph(graph)


def loop() -> FactorGraph:
    """An odd circle of neighbours that dislike each other: the relaxation is fractional."""
    graph = FactorGraph()
    u = graph.variables([1.0, 1.1, 1.2])
    graph.pair(u, np.roll(u, 1), -2.0)
    return graph


@pytest.mark.skipif(not HAVE_MATPLOTLIB, reason="matplotlib is not installed")
def test_convergence_is_plotted_against_rounds_and_time(tmp_path: Path) -> None:
    graph = loop()
    answers = {solver: graph.solve(solver, trace=True) for solver in ("ad3", "subgradient")}
    figure = plot_convergence(answers, tmp_path / "convergence.svg")
    assert ElementTree.parse(tmp_path / "convergence.svg").getroot().tag == SVG + "svg"
    values, by_time, residuals, _ = figure.axes
    assert [axis.get_xlabel() for axis in figure.axes] == ["", "", "iteration", "seconds"]
    assert residuals.get_yscale() == "log"
    lines = {line.get_label(): line for line in values.get_lines()}
    assert set(lines) == {"ad3 dual", "ad3 primal", "subgradient dual", "subgradient primal"}
    trace = answers["ad3"].trace
    assert np.array_equal(lines["ad3 dual"].get_xdata(), trace["iteration"])
    assert np.array_equal(lines["ad3 dual"].get_ydata(), trace["dual"])
    assert np.array_equal(by_time.get_lines()[0].get_xdata(), trace["seconds"])


@pytest.mark.skipif(not HAVE_MATPLOTLIB, reason="matplotlib is not installed")
def test_values_that_do_not_exist_yet_are_left_out() -> None:
    graph = loop()
    figure = plot_convergence(graph.solve("ad3", trace=True, check_every=5))
    primal = next(line for line in figure.axes[0].get_lines() if line.get_label() == "primal")
    assert not np.isinf(primal.get_ydata()).any()


def test_a_solution_without_trace_is_refused() -> None:
    with pytest.raises(ConfigError, match="trace=True"):
        plot_convergence(loop().solve("ad3"))
    with pytest.raises(ConfigError, match="'slow' has no trace"):
        plot_convergence({"slow": loop().solve("subgradient")})
    with pytest.raises(ConfigError, match="no solution"):
        plot_convergence({})


def test_a_missing_matplotlib_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    answer = loop().solve("ad3", trace=True)
    with pytest.raises(ConfigError, match=r"accord\[plot\]"):
        plot_convergence(answer)

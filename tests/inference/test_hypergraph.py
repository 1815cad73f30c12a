# SPDX-License-Identifier: Apache-2.0
"""Hypergraphs against plain enumeration of their derivations, and what they refuse."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import ConstraintError
from accord.inference import Hypergraph

Edges = list[tuple[int, tuple[int, ...]]]


def derivations(edges: Edges, weights: list[float], item: int) -> list[tuple[int, ...]]:
    found = []
    for number, (head, tails) in enumerate(edges):
        if head != item or weights[number] == -math.inf:
            continue
        for parts in itertools.product(*(derivations(edges, weights, tail) for tail in tails)):
            found.append((*itertools.chain(*parts), number))
    return found


@st.composite
def hypergraphs(draw: st.DrawFn) -> tuple[int, Edges, list[float], float]:
    items = draw(st.integers(1, 4))
    scale = draw(st.sampled_from([1e-12, 1.0, 100.0, 1e12]))
    weight = st.sampled_from([-math.inf, -1.0, -0.25, 0.0, 0.5, 1.0])
    edges: Edges = []
    for head in range(items):
        tails = st.lists(st.integers(0, head - 1), max_size=3) if head else st.just([])
        edges += [(head, tuple(draw(tails))) for _ in range(draw(st.integers(0, 2)))]
    weights = [scale * draw(weight) for _ in edges]
    return items, edges, weights, scale


@given(hypergraphs())
def test_every_answer_is_that_of_the_list_of_derivations(case: tuple[int, Edges, list[float], float]) -> None:
    items, edges, weights, scale = case
    graph = Hypergraph(items, edges, weights)
    everything = derivations(edges, weights, items - 1)
    assert graph.count() == len(everything)
    if not everything:
        with pytest.raises(ConstraintError):
            graph.argmax()
        with pytest.raises(ConstraintError):
            graph.log_partition()
        return
    scores = np.array([sum(weights[edge] for edge in one) for one in everything])
    chances = np.exp(scores - scores.max())
    chances /= chances.sum()
    ranked = graph.kbest(len(everything) + 1)
    assert {tuple(one.edges.tolist()) for one in ranked} == set(everything)
    rounding = 1e-13 * scale
    assert np.allclose([one.score for one in ranked], sorted(scores, reverse=True), atol=rounding)
    assert math.isclose(graph.argmax().score, scores.max(), abs_tol=rounding)
    total = scores.max() + math.log(np.exp(scores - scores.max()).sum())
    assert math.isclose(graph.log_partition(), total, abs_tol=1e-12 + rounding)
    uses = [Counter(one) for one in everything]
    counts = np.array([[one[edge] for edge in range(len(edges))] for one in uses], dtype=float)
    assert np.allclose(graph.marginals(), chances @ counts, atol=1e-9)
    surprise = -sum(p * math.log(p) for p in chances if p > 0)
    assert math.isclose(graph.entropy(), surprise, abs_tol=1e-9)
    amounts = np.arange(len(edges), dtype=float)
    assert math.isclose(graph.expectation(amounts), float(chances @ counts @ amounts), abs_tol=1e-8)
    mean = chances @ counts
    covariance = counts.T @ (chances[:, None] * counts) - np.outer(mean, mean)
    assert np.allclose(graph.tangents(amounts), covariance @ amounts, atol=1e-7)
    through = np.where(counts > 0, scores[:, None], -np.inf).max(axis=0, initial=-np.inf)
    assert np.allclose(graph.max_marginals(), through, atol=rounding)
    assert {tuple(one.tolist()) for one in graph.sample(20)} <= set(everything)


def test_samples_depend_on_seed_and_number_alone() -> None:
    graph = Hypergraph(2, [(0, ()), (0, ()), (1, (0, 0))], [0.0, 0.0, 0.0])
    many = [one.tolist() for one in graph.sample(50, seed=4)]
    assert [one.tolist() for one in graph.sample(3, seed=4)] == many[:3]
    assert len({tuple(one) for one in many}) == 4


def test_the_best_bracketing_by_cky_is_that_of_enumeration() -> None:
    words = 6
    rng = np.random.default_rng(0)
    spans = [(i, j) for width in range(1, words + 1) for i in range(words - width + 1) for j in [i + width]]
    number = {span: item for item, span in enumerate(spans)}
    edges: Edges = []
    for i, j in spans:
        if j == i + 1:
            edges.append((number[i, j], ()))
        edges += [(number[i, j], (number[i, k], number[k, j])) for k in range(i + 1, j)]
    graph = Hypergraph(len(spans), edges, rng.normal(size=len(edges)))
    assert graph.count() == 42  # Catalan number 5
    assert len(graph.kbest(100)) == 42
    assert math.isclose(graph.marginals()[[len(tails) == 2 for _, tails in edges]].sum(), words - 1)


@pytest.mark.parametrize(
    ("edges", "weights", "reason"),
    [
        ([(0, ()), (1, (1,))], [0.0, 0.0], "edge 1 makes item 1 of item 1"),
        ([(0, ()), (2, (0,))], [0.0, 0.0], "edge 1 has the head 2"),
        ([(0, ()), (1, (0,))], [0.0, math.nan], "the weight of edge 1 is NaN"),
        ([(0, ()), (1, (0,))], [0.0], "weights must hold 2 numbers"),
        ([(0, ()), (2**40, (0,))], [0.0, 0.0], "32-bit"),
    ],
)
def test_what_is_no_hypergraph_is_refused(edges: Edges, weights: list[float], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Hypergraph(2, edges, weights)
    with pytest.raises(ValueError, match="not an item"):
        Hypergraph(2, [], [], goal=2)

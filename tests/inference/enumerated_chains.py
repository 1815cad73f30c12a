# SPDX-License-Identifier: Apache-2.0
"""Plain enumeration of chains, interleaved chains and lattices: every labelling and every path, with its score."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Labels = tuple[int, ...]


def log_sum(values: Sequence[float] | Floats) -> float:
    peak = float(np.max(values))
    return peak + float(np.log(np.exp(np.asarray(values) - peak).sum()))


@dataclass
class ChainScores:
    """The arguments of a Chain, and the score of a labelling by the definition."""

    unary: list[Floats]
    pairs: list[Floats | None]
    triples: list[Floats | None] | None
    ranked: dict[Labels, float] = field(default_factory=dict)

    def score(self, labels: Labels) -> float:
        total = sum(float(row[label]) for row, label in zip(self.unary, labels, strict=True))
        for reach, tables in ((1, self.pairs), (2, self.triples or [])):
            for number, table in enumerate(tables):
                if table is not None:
                    total += float(table[labels[number : number + reach + 1]])
        return total

    def all(self) -> dict[Labels, float]:
        """Every allowed labelling, best first."""
        if not self.ranked:
            found = {
                labels: self.score(labels) for labels in itertools.product(*(range(len(row)) for row in self.unary))
            }
            allowed = ((labels, score) for labels, score in found.items() if score > -np.inf)
            self.ranked = dict(sorted(allowed, key=lambda item: -item[1]))
        return self.ranked

    def shares(self) -> dict[Labels, float]:
        total = log_sum(list(self.all().values()))
        return {labels: float(np.exp(score - total)) for labels, score in self.all().items()}

    def marginal(self, begin: int, shape: tuple[int, ...]) -> Floats:
        """P(the labels from a position on), as a table."""
        table = np.zeros(shape)
        for labels, share in self.shares().items():
            table[labels[begin : begin + len(shape)]] += share
        return table


def drawn_table(rng: np.random.Generator, shape: tuple[int, ...], scale: float, hole: float, ties: bool) -> Floats:
    table = rng.integers(-2, 3, size=shape).astype(np.float64) if ties else rng.normal(size=shape) * scale
    table[rng.random(shape) < hole] = -np.inf
    return table


@st.composite
def chain_scores(draw: st.DrawFn, max_length: int = 5) -> ChainScores:
    """Chains of every kind: orders 1 and 2, changing labels, shared and missing tables, ties, large scores, holes."""
    length = draw(st.integers(1, max_length))
    uniform = draw(st.booleans())
    shared = uniform and draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sizes = [int(rng.integers(1, 4))] * length if uniform else [int(size) for size in rng.integers(1, 4, size=length)]
    scale = draw(st.sampled_from([1.0, 10.0, 1000.0]))
    hole, ties = draw(st.sampled_from([0.0, 0.2, 0.5])), draw(st.booleans())

    def table(*shape: int) -> Floats:
        return drawn_table(rng, shape, scale, hole, ties)

    def tables(reach: int) -> list[Floats | None]:
        count = max(length - reach, 0)
        if shared:
            return [table(*sizes[: reach + 1])] * count if count else []
        made = [table(*sizes[i : i + reach + 1]) for i in range(count)]
        return [None if not uniform and rng.random() < 0.2 else each for each in made]

    return ChainScores([table(size) for size in sizes], tables(1), tables(2) if draw(st.booleans()) else None)


@dataclass
class LatticeScores:
    length: int
    edges: list[tuple[int, int, int]]
    scores: list[float]
    transitions: Floats | None

    def all(self) -> dict[Labels, float]:
        """Every allowed path, best first."""
        found: dict[Labels, float] = {}

        def go(node: int, path: Labels, score: float) -> None:
            if score == -np.inf:
                return
            if node == self.length:
                found[path] = score
            for number, (begin, end, label) in enumerate(self.edges):
                if begin == node:
                    more = self.scores[number]
                    if self.transitions is not None and path:
                        more += float(self.transitions[self.edges[path[-1]][2], label])
                    go(end, (*path, number), score + more)

        go(0, (), 0.0)
        return dict(sorted(found.items(), key=lambda item: -item[1]))


@st.composite
def lattice_scores(draw: st.DrawFn) -> LatticeScores:
    length = draw(st.integers(0, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scale, hole = draw(st.sampled_from([1.0, 1000.0])), draw(st.sampled_from([0.0, 0.2]))
    edges = []
    for _ in range(draw(st.integers(0, 12)) if length else 0):
        begin = int(rng.integers(0, length))
        edges.append((begin, int(rng.integers(begin + 1, length + 1)), int(rng.integers(0, 3))))
    scores = drawn_table(rng, (len(edges),), scale, hole, ties=draw(st.booleans()))
    transitions = drawn_table(rng, (3, 3), scale, hole, ties=False) if draw(st.booleans()) else None
    return LatticeScores(length, edges, scores.tolist(), transitions)

# SPDX-License-Identifier: Apache-2.0
"""Lattices and the dictionary segmenter: every answer equals plain enumeration."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConstraintError
from accord.inference.chains import Chain, Lattice, UnigramSegmenter
from tests.inference.enumerated_chains import LatticeScores, lattice_scores, log_sum


def lattice_of(scores: LatticeScores) -> Lattice:
    return Lattice(scores.length, scores.edges, scores.scores, transitions=scores.transitions)


@settings(max_examples=300, deadline=None)
@given(scores=lattice_scores(), k=st.integers(1, 40))
def test_every_answer_equals_enumeration(scores: LatticeScores, k: int) -> None:
    lattice = lattice_of(scores)
    ranked = scores.all()
    if not ranked:
        for question in (
            lattice.argmax,
            lattice.log_partition,
            lattice.marginals,
            lattice.entropy,
            lattice.max_marginals,
        ):
            with pytest.raises(ConstraintError, match="no path"):
                question()
        with pytest.raises(ConstraintError, match="no path"):
            lattice.sample(1)
        return
    values = np.array(list(ranked.values()))
    found = lattice.kbest(k)
    assert len(found) == min(k, len(ranked)) == len({tuple(path.edges) for path in found})
    np.testing.assert_allclose([path.score for path in found], values[:k], atol=1e-9)
    assert lattice.argmax().score == found[0].score
    for path in found:
        assert path.score == lattice.score(path.edges) == pytest.approx(ranked[tuple(path.edges)], abs=1e-9)
    assert lattice.log_partition() == pytest.approx(log_sum(values), abs=1e-9)
    shares = np.exp(values - log_sum(values))
    marginals, best = np.zeros(len(scores.edges)), np.full(len(scores.edges), -np.inf)
    for (path, score), share in zip(ranked.items(), shares, strict=True):
        marginals[list(path)] += share
        best[list(path)] = np.maximum(best[list(path)], score)
    np.testing.assert_allclose(lattice.marginals(), marginals, atol=1e-9)
    np.testing.assert_allclose(lattice.max_marginals(), best, atol=1e-9)
    surprise = np.where(shares > 0, -np.log(np.maximum(shares, 1e-300)), 0.0)
    assert lattice.entropy() == pytest.approx((shares * surprise).sum(), abs=1e-8)
    assert lattice.probability(list(next(iter(ranked)))) == pytest.approx(shares[0], abs=1e-9)


def test_a_chain_is_a_lattice_of_short_edges() -> None:
    rng = np.random.default_rng(1)
    unary, pairs = rng.normal(size=(30, 4)), rng.normal(size=(4, 4))
    edges = [(i, i + 1, label) for i in range(30) for label in range(4)]
    lattice, chain = Lattice(30, edges, unary.ravel(), transitions=pairs), Chain(unary, pairs)
    assert lattice.log_partition() == pytest.approx(chain.log_partition(), rel=1e-12)
    np.testing.assert_allclose(lattice.marginals().reshape(30, 4), chain.marginals(), atol=1e-10)
    np.testing.assert_allclose([p.score for p in lattice.kbest(50)], [y.score for y in chain.kbest(50)], rtol=1e-12)
    assert lattice.entropy() == pytest.approx(chain.entropy(), rel=1e-10)


def test_marginals_are_derivatives_of_the_log_partition() -> None:
    rng = np.random.default_rng(2)
    edges = [(a, b, label) for a, b in itertools.combinations(range(6), 2) for label in range(2)]
    scores, transitions, step = rng.normal(size=len(edges)), rng.normal(size=(2, 2)), 1e-5
    marginals = Lattice(5, edges, scores, transitions=transitions).marginals()
    for edge in range(len(edges)):
        nudge = np.zeros(len(edges))
        nudge[edge] = step
        up = Lattice(5, edges, scores + nudge, transitions=transitions).log_partition()
        down = Lattice(5, edges, scores - nudge, transitions=transitions).log_partition()
        assert marginals[edge] == pytest.approx((up - down) / (2 * step), abs=1e-8)


def test_samples_are_as_frequent_as_their_probability() -> None:
    rng = np.random.default_rng(3)
    edges = [(a, b, int(rng.integers(2))) for a, b in itertools.combinations(range(4), 2)]
    lattice = Lattice(3, edges, rng.normal(size=len(edges)), transitions=rng.normal(size=(2, 2)))
    count = 20000
    drawn = Counter(tuple(path.tolist()) for path in lattice.sample(count, seed=5))
    paths = lattice.kbest(100)
    assert len(paths) == 4 and sum(drawn[tuple(path.edges.tolist())] for path in paths) == count
    for path in paths:
        share = lattice.probability(path.edges)
        assert abs(drawn[tuple(path.edges.tolist())] / count - share) < 5 * math.sqrt(share * (1 - share) / count)
    assert lattice.sample(1, seed=9)[0].tolist() == lattice.sample(3, seed=9)[0].tolist()


def test_long_lattices_and_large_scores_stay_finite() -> None:
    rng = np.random.default_rng(4)
    edges = [(i, j) for i in range(10_000) for j in range(i + 1, min(i + 4, 10_001))]
    for scale in (1.0, 1e300):
        lattice = Lattice(10_000, edges, rng.uniform(-scale, scale, size=len(edges)))
        marginals = lattice.marginals()
        assert np.isfinite(lattice.log_partition()) and marginals.min() >= 0.0 and marginals.max() <= 1.0
        ends = np.array([end for _, end in edges])
        assert marginals[ends == 10_000].sum() == pytest.approx(1.0, abs=1e-9)
        assert lattice.score(lattice.argmax().edges) == lattice.argmax().score


def test_wrong_lattices_are_one_clear_error() -> None:
    wrong: list[tuple[Any, str]] = [
        (lambda: Lattice(2, [(0, 1)], [math.nan]), "edge 0 is NaN"),
        (lambda: Lattice(2, [(1, 1)], [0.0]), "edge 0 goes from 1 to 1"),
        (lambda: Lattice(2, [(0, 3)], [0.0]), "edge 0 goes from 0 to 3"),
        (lambda: Lattice(2, [(0, 1)], [0.0, 1.0]), "one an edge"),
        (lambda: Lattice(2, [(0.0, 1.0)], [0.0]), "edges must be integers"),
        (lambda: Lattice(-1, [], []), "length"),
        (lambda: Lattice(2, [(0, 1)], [0.0], transitions=[[0.0]]), "need edges with labels"),
        (lambda: Lattice(2, [(0, 1, 1)], [0.0], transitions=[[0.0]]), "label 1"),
        (lambda: Lattice(2, [(0, 1, 0)], [0.0], transitions=[[math.nan]]), "transition is NaN"),
        (lambda: Lattice(2, [(0, 1, 0)], [0.0], transitions=[[0.0, 1.0]]), "square"),
        (lambda: Lattice(1, [(0, 1)], [0.0]).kbest(0), "k must be"),
        (lambda: Lattice(1, [(0, 1)], [0.0]).sample(-1), "negative"),
        (lambda: Lattice(2, [(0, 1), (1, 2)], [0.0, 0.0]).score([1]), "begins at node 1"),
        (lambda: Lattice(2, [(0, 1), (1, 2)], [0.0, 0.0]).score([0]), "ends at node 1"),
        (lambda: UnigramSegmenter({"a": -1}), "count of 'a'"),
        (lambda: UnigramSegmenter({"a": 1}, delta=0.0), "delta"),
        (lambda: UnigramSegmenter({"": 1}), "a character"),
        (lambda: UnigramSegmenter({"a": 1}).segment("a\ud800"), "surrogate"),
    ]
    for make, message in wrong:
        with pytest.raises(ValueError, match=message):
            make()


def cuts(text: str) -> list[tuple[str, ...]]:
    """All segmentations of a text."""
    if not text:
        return [()]
    return [(text[:size], *rest) for size in range(1, len(text) + 1) for rest in cuts(text[size:])]


@settings(max_examples=150, deadline=None)
@given(
    counts=st.dictionaries(st.text("ab中é", min_size=1, max_size=4), st.integers(0, 9), max_size=8),
    text=st.text("ab中éx", max_size=9),
    delta=st.sampled_from([0.1, 0.5, 3.0]),
)
def test_the_segmenter_finds_the_most_probable_words(counts: dict[str, int], text: str, delta: float) -> None:
    segmenter = UnigramSegmenter(counts, delta=delta)
    size = sum(counts.values()) + delta * len(counts)

    def log_probability(word: str) -> float:
        if word in counts:
            return math.log((counts[word] + delta) / size)
        return -math.inf if len(word) > 1 else math.log(delta / size) if counts else 0.0

    values = {words: sum(map(log_probability, words)) for words in cuts(text)}
    words = segmenter.segment(text)
    assert "".join(words) == text
    assert values[tuple(words)] == pytest.approx(max(values.values()), abs=1e-9)
    lattice = segmenter.lattice(text)
    allowed = [value for value in values.values() if value > -math.inf]
    assert lattice.log_partition() == pytest.approx(log_sum(allowed), abs=1e-9)
    assert len(lattice.kbest(1000)) == len(allowed)
    assert all(segmenter.log_probability(word) == pytest.approx(log_probability(word)) for word in words)

# SPDX-License-Identifier: Apache-2.0
"""Every question about trees of phrases has the answer of plain enumeration, at every scale of scores."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference.constituents import Spans
from tests.inference.constituents.enumerated_spans import Span, crosses, trees

SCALES = [1e-12, 1e-3, 1.0, 30.0, 1e6, 1e12]


@st.composite
def problems(
    draw: st.DrawFn, most_words: int = 4
) -> tuple[NDArray[np.float64], list[tuple[int, int]], list[tuple[int, int]]]:
    """Scores with holes and ties, and rules that may contradict each other."""
    words = draw(st.integers(1, most_words))
    labels = draw(st.integers(1, 2))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    scores = random.normal(size=(words + 1, words + 1, labels))
    if draw(st.booleans()):
        scores = np.round(scores)  # ties
    scores *= draw(st.sampled_from(SCALES))
    scores[random.random(scores.shape) < draw(st.sampled_from([0.0, 0.3]))] = -np.inf
    pairs = [(i, j) for i in range(words) for j in range(i + 1, words + 1)]
    require = draw(st.lists(st.sampled_from(pairs), max_size=2))
    uncrossed = draw(st.lists(st.sampled_from(pairs), max_size=1))
    return scores, require, uncrossed


def enumerated(
    scores: NDArray[np.float64], require: list[tuple[int, int]], uncrossed: list[tuple[int, int]]
) -> dict[tuple[Span, ...], float]:
    words = len(scores) - 1
    found = {}
    for tree in trees(0, words, scores.shape[2]):
        spans = {span[:2] for span in tree}
        if not set(require) <= spans or any(crosses(span, other) for span in tree for other in uncrossed):
            continue
        score = sum(float(scores[span]) for span in tree)
        if score > -np.inf:
            found[tuple(sorted(tree, key=lambda span: (span[0], -span[1])))] = score
    return found


def probabilities(found: dict[tuple[Span, ...], float]) -> tuple[float, dict[tuple[Span, ...], float]]:
    values = np.array(list(found.values()))
    peak = values.max()
    weights = np.exp(values - peak)
    return float(peak + np.log(weights.sum())), dict(zip(found, weights / weights.sum(), strict=True))


@settings(deadline=None)
@given(problems())
def test_best_tree_and_ranks_are_those_of_enumeration(problem) -> None:  # type: ignore[no-untyped-def]
    scores, require, uncrossed = problem
    found = enumerated(*problem)
    spans = Spans(scores, require=require, uncrossed=uncrossed)
    if not found:
        for question in (
            spans.argmax,
            spans.log_partition,
            spans.entropy,
            lambda: spans.kbest(1),
            lambda: spans.sample(1),
        ):
            with pytest.raises(ConstraintError, match="no tree"):
                question()
        return
    best = spans.argmax()
    peak = max(found.values())
    size = max(abs(value) for value in found.values())
    assert best.score == pytest.approx(peak, rel=1e-12, abs=1e-12 * size)
    assert found[best.spans] == pytest.approx(peak, rel=1e-9, abs=1e-12 * size)
    ranked = spans.kbest(len(found) + 3)
    assert len({tree.spans for tree in ranked}) == len(found) == len(ranked)
    assert [tree.score for tree in ranked] == pytest.approx(
        sorted(found.values(), reverse=True), rel=1e-9, abs=1e-12 * size
    )
    assert all(tree.spans in found for tree in ranked)


@settings(deadline=None)
@given(problems())
def test_sums_are_those_of_enumeration(problem) -> None:  # type: ignore[no-untyped-def]
    scores, require, uncrossed = problem
    found = enumerated(*problem)
    if not found:
        return
    spans = Spans(scores, require=require, uncrossed=uncrossed)
    total, shares = probabilities(found)
    size = max(1.0, *(abs(value) for value in found.values()))
    assert spans.log_partition() == pytest.approx(total, abs=1e-12 * size + 1e-9)
    expected = np.zeros(scores.shape)
    for tree, share in shares.items():
        for span in tree:
            expected[span] += share
    tolerance = 1e-9 + 1e-15 * size  # two best trees that differ in the last digit of large scores
    if size < 1e6:
        np.testing.assert_allclose(spans.marginals(), expected, atol=tolerance)
        entropy = -sum(share * np.log(share) for share in shares.values() if share > 0)
        assert spans.entropy() == pytest.approx(entropy, abs=1e-8)
    risk = spans.least_risk()
    values = {tree: sum(spans.marginals()[span] - 0.5 for span in tree) for tree in found}
    assert risk.score == pytest.approx(max(values.values()), abs=1e-9)
    assert risk.spans in found


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_samples_follow_the_distribution(seed: int, words: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(words + 1, words + 1, 2))
    _, shares = probabilities(enumerated(scores, [], []))
    spans = Spans(scores)
    drawn = spans.sample(4000, seed=seed)
    counts = Counter(tree.spans for tree in drawn)
    assert set(counts) <= set(shares)
    for tree, share in shares.items():
        assert counts[tree] / 4000 == pytest.approx(share, abs=5 * np.sqrt(share / 4000) + 0.003)
    assert spans.sample(3, seed=seed) == drawn[:3]  # a sample does not depend on how many are drawn


def test_pruning_by_marginals_keeps_likely_spans_alone() -> None:
    scores = np.random.default_rng(1).normal(size=(7, 7, 3)) * 2
    spans = Spans(scores)
    marginals = spans.marginals()
    pruned = spans.pruned(0.05)
    kept = np.isfinite(pruned.scores)
    upper = np.triu(np.ones((7, 7), bool), 1)[:, :, None]
    assert (kept == (upper & (marginals >= 0.05))).all()
    assert pruned.argmax() == spans.argmax()
    assert (pruned.marginals()[~kept] == 0).all()


def test_a_constant_on_every_span_of_equal_trees_changes_no_probability() -> None:
    """Trees over two words without bare words all have three phrases."""
    scores = np.random.default_rng(2).normal(size=(3, 3, 2))
    require = [(0, 1), (1, 2)]
    for constant in (-1e6, 1e6):
        moved = Spans(scores + constant, require=require).marginals()
        np.testing.assert_allclose(moved, Spans(scores, require=require).marginals(), atol=1e-9)


def test_long_sentences_are_summed_without_stored_shares() -> None:
    scores = np.random.default_rng(3).normal(size=(301, 301, 1)) - 1.0
    spans = Spans(scores)
    marginals = spans.marginals()
    assert marginals[0, 300, 0] == pytest.approx(1.0)
    assert marginals.min() >= 0 and marginals.max() <= 1 + 1e-9


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_impossible_scores_are_refused(bad: float) -> None:
    scores = np.zeros((3, 3, 1))
    scores[0, 1] = bad
    with pytest.raises(ValueError, match="NaN or"):
        Spans(scores)
    scores[0, 1], scores[1, 0] = 0.0, bad
    assert Spans(scores).argmax().score == 0.0  # not a span


def test_shapes_and_spans_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\(n\+1, n\+1, L\)"):
        Spans(np.zeros((3, 4)))
    with pytest.raises(ValueError, match="out of range"):
        Spans(np.zeros((3, 3)), require=[(1, 3)])

# SPDX-License-Identifier: Apache-2.0
"""Labelled trees equal enumeration over heads and labels; labels never change what holds of the arcs."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference import trees
from tests.inference.enumerated_trees import SPACES, Space, all_trees, log_sum

every_space = pytest.mark.parametrize("space", SPACES, ids=str)
Labelled = tuple[tuple[int, ...], tuple[int, ...]]


def distribution(scores: NDArray[np.float64], space: Space, **masks: NDArray[np.bool_]) -> trees.TreeDistribution:
    kind = trees.Projective if space.projective else trees.NonProjective
    return kind(scores, single_root=space.single_root, **masks)


def labelled_scores(seed: int, words: int, labels: int, scale: float, forbidden: float) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    scores = np.round(rng.normal(size=(words + 1, words + 1, labels)) * scale, 2)
    scores[rng.random(scores.shape) < forbidden] = -np.inf
    scores[:, 0] = np.nan
    return scores


def enumerate_labelled(scores: NDArray[np.float64], space: Space) -> dict[Labelled, float]:
    words, labels = len(scores) - 1, scores.shape[2]
    values = {}
    for heads in all_trees(words, space):
        for choice in itertools.product(range(labels), repeat=words):
            value = sum(scores[heads[m], m, choice[m - 1]] for m in range(1, words + 1))
            if value > -np.inf:
                values[heads, (-1, *choice)] = float(value)
    return values


@every_space
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    words=st.integers(1, 3),
    labels=st.integers(1, 3),
    scale=st.sampled_from([1.0, 1000.0]),
    forbidden=st.sampled_from([0.0, 0.4]),
    k=st.integers(1, 60),
)
def test_labelled_answers_equal_enumeration(
    space: Space, seed: int, words: int, labels: int, scale: float, forbidden: float, k: int
) -> None:
    scores = labelled_scores(seed, words, labels, scale, forbidden)
    values = enumerate_labelled(scores, space)
    t = distribution(scores, space)
    if not values:
        with pytest.raises(ConstraintError):
            t.marginals()
        return
    best = t.argmax()
    assert best.labels is not None
    assert best.score == pytest.approx(max(values.values()), abs=1e-9)
    assert values[tuple(best.heads), tuple(best.labels)] == pytest.approx(best.score, abs=1e-9)

    total = log_sum(np.array(list(values.values())))
    assert t.log_partition() == pytest.approx(total, abs=1e-9)
    expected = np.zeros_like(scores)
    entropy = 0.0
    for (heads, chosen), value in values.items():
        probability = math.exp(value - total)
        entropy -= probability * (value - total)
        for m in range(1, words + 1):
            expected[heads[m], m, chosen[m]] += probability
    np.testing.assert_allclose(t.marginals(), expected, atol=1e-9)
    assert t.entropy() == pytest.approx(entropy, abs=1e-8)
    assert t.log_probability(best.heads, best.labels) == pytest.approx(best.score - total, abs=1e-8)

    ranked = t.kbest(k)
    np.testing.assert_allclose([tree.score for tree in ranked], sorted(values.values(), reverse=True)[:k], atol=1e-9)
    found = {(tuple(tree.heads), tuple(tree.labels)) for tree in ranked if tree.labels is not None}
    assert len(found) == len(ranked) == min(k, len(values))
    assert found <= set(values)


@every_space
def test_labelled_marginals_sum_to_those_of_the_summed_arcs(space: Space) -> None:
    scores = np.random.default_rng(0).normal(size=(12, 12, 5)) * 3.0
    summed = np.log(np.exp(scores).sum(axis=2))
    labelled, unlabelled = distribution(scores, space), distribution(summed, space)
    np.testing.assert_allclose(labelled.marginals().sum(axis=2), unlabelled.marginals(), atol=1e-12)
    assert labelled.log_partition() == pytest.approx(unlabelled.log_partition(), rel=1e-13)


@every_space
def test_labelled_samples_follow_the_probabilities(space: Space) -> None:
    scores = labelled_scores(3, 2, 2, 1.0, 0.0)
    values = enumerate_labelled(scores, space)
    total = log_sum(np.array(list(values.values())))
    count = 20_000
    heads, labels = distribution(scores, space).sample_labelled(count, seed=5)
    drawn = Counter(zip(map(tuple, heads.tolist()), map(tuple, labels.tolist()), strict=True))
    for tree, value in values.items():
        expected = math.exp(value - total)
        assert abs(drawn.pop(tree, 0) / count - expected) <= 4.5 * math.sqrt(expected * (1 - expected) / count)
    assert not drawn


def test_masks_of_labels() -> None:
    scores = np.random.default_rng(1).normal(size=(4, 4, 3))
    require = np.zeros(scores.shape, dtype=np.bool_)
    require[2, 1, [0, 2]] = True
    forbid = np.zeros(scores.shape[:2], dtype=np.bool_)
    forbid[0, 3] = True
    marginals = trees.NonProjective(scores, forbid=forbid, require=require).marginals()
    assert marginals[2, 1, [0, 2]].sum() == pytest.approx(1.0, abs=1e-12)
    assert marginals[2, 1, 1] == 0.0
    assert marginals[0, 3].sum() == 0.0


def test_batches_of_labelled_sentences() -> None:
    rng = np.random.default_rng(2)
    batch = [rng.normal(size=(n + 1, n + 1, 4)) for n in (1, 5, 9)]
    for scores, tree, table in zip(batch, trees.argmax_batch(batch), trees.marginals_batch(batch), strict=True):
        single = trees.NonProjective(scores)
        expected = single.argmax()
        assert tree.labels is not None and expected.labels is not None
        assert (tree.heads == expected.heads).all() and (tree.labels == expected.labels).all()
        assert (table == single.marginals()).all()


def test_labels_are_asked_for_and_checked() -> None:
    t = trees.NonProjective(np.zeros((3, 3, 2)))
    assert t.score([-1, 0, 0], [-1, 0, 1]) == 0.0
    with pytest.raises(ValueError, match="need the labels"):
        t.score([-1, 0, 0])
    with pytest.raises(ValueError, match=r"labels must lie in 0\.\.1"):
        t.score([-1, 0, 0], [-1, 0, 2])
    with pytest.raises(ValueError, match="shape of heads"):
        t.score([-1, 0, 0], [0, 1])
    with pytest.raises(ValueError, match="no labels"):
        trees.NonProjective(np.zeros((3, 3))).score([-1, 0, 0], [-1, 0, 0])

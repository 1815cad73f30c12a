# SPDX-License-Identifier: Apache-2.0
"""One contract for the four spaces of trees: every answer equals plain enumeration."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference import trees
from tests.inference.enumerated_trees import SPACES, Space, all_trees, enumerated_marginals, log_sum, tree_scores

COUNTS = {
    Space(False, False): [1, 3, 16, 125, 1296],
    Space(False, True): [1, 2, 9, 64, 625],
    Space(True, False): [1, 3, 12, 55, 273, 1428],
    Space(True, True): [1, 2, 7, 30, 143, 728],
}
every_space = pytest.mark.parametrize("space", SPACES, ids=str)


def distribution(scores: NDArray[np.float64], space: Space, **masks: NDArray[np.bool_]) -> trees.TreeDistribution:
    kind = trees.Projective if space.projective else trees.NonProjective
    return kind(scores, single_root=space.single_root, **masks)


@st.composite
def arc_scores(draw: st.DrawFn, max_words: int = 4) -> NDArray[np.float64]:
    """Random scores of every size: ties of small integers, ranges up to +-1000, masks that may leave no tree."""
    words = draw(st.integers(1, max_words))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scores = rng.normal(size=(words + 1, words + 1)) * draw(st.sampled_from([1.0, 10.0, 1000.0]))
    if draw(st.booleans()):
        scores = rng.integers(-2, 3, size=scores.shape).astype(np.float64)
    scores[rng.random(scores.shape) < draw(st.sampled_from([0.0, 0.3, 0.6]))] = -np.inf
    ignored = draw(st.sampled_from([0.0, np.nan, np.inf, -np.inf]))
    scores[:, 0] = ignored
    np.fill_diagonal(scores, ignored)
    return scores


@every_space
@settings(max_examples=150, deadline=None)
@given(scores=arc_scores())
def test_every_answer_equals_enumeration(space: Space, scores: NDArray[np.float64]) -> None:
    t = distribution(scores, space)
    values = tree_scores(scores, space)
    if np.isneginf(values).all():
        for question in (t.argmax, t.log_partition, t.marginals, t.entropy, lambda: t.kbest(3), lambda: t.sample(2)):
            with pytest.raises(ConstraintError, match="no tree"):
                question()
        return
    best = t.argmax()
    assert best.score == pytest.approx(values.max(), abs=1e-9)
    assert tuple(best.heads) in all_trees(t.words, space)
    assert best.score == pytest.approx(t.score(best.heads), abs=1e-9)
    assert t.log_partition() == pytest.approx(log_sum(values), abs=1e-9)
    np.testing.assert_allclose(t.marginals(), enumerated_marginals(scores, space), atol=1e-9)
    probability = np.exp(values - log_sum(values))
    surprise = np.where(probability > 0, -np.log(np.maximum(probability, 1e-300)), 0.0)
    assert t.entropy() == pytest.approx((probability * surprise).sum(), abs=1e-8)


@every_space
@settings(max_examples=100, deadline=None)
@given(scores=arc_scores(), k=st.integers(1, 70))
def test_kbest_is_sorted_distinct_and_complete(space: Space, scores: NDArray[np.float64], k: int) -> None:
    values = tree_scores(scores, space)
    finite = np.sort(values[np.isfinite(values)])[::-1]
    if len(finite) == 0:
        return
    ranked = distribution(scores, space).kbest(k)
    assert len(ranked) == min(k, len(finite))
    assert [tree.score for tree in ranked] == sorted((tree.score for tree in ranked), reverse=True)
    np.testing.assert_allclose([tree.score for tree in ranked], finite[:k], atol=1e-9)
    found = {tuple(tree.heads) for tree in ranked}
    assert len(found) == len(ranked)
    assert found <= set(all_trees(len(scores) - 1, space))


@every_space
def test_five_and_six_words_equal_enumeration(space: Space) -> None:
    rng = np.random.default_rng(5)
    for words in (5, 6) if space.projective else (5,):
        for scale in (1.0, 1000.0):
            scores = rng.normal(size=(words + 1, words + 1)) * scale
            values = tree_scores(scores, space)
            t = distribution(scores, space)
            assert t.argmax().score == pytest.approx(values.max(), abs=1e-9)
            assert t.log_partition() == pytest.approx(log_sum(values), abs=1e-9)
            np.testing.assert_allclose(t.marginals(), enumerated_marginals(scores, space), atol=1e-9)
            np.testing.assert_allclose([tree.score for tree in t.kbest(200)], np.sort(values)[::-1][:200], atol=1e-9)


@every_space
def test_zero_scores_count_the_trees(space: Space) -> None:
    for words, count in enumerate(COUNTS[space], start=1):
        t = distribution(np.zeros((words + 1, words + 1)), space)
        assert len(all_trees(words, space)) == count
        assert math.exp(t.log_partition()) == pytest.approx(count, rel=1e-12)
        assert t.entropy() == pytest.approx(math.log(count), abs=1e-9)
        assert len(t.kbest(2000)) == count


@every_space
def test_no_words_make_one_empty_tree(space: Space) -> None:
    t = distribution(np.zeros((1, 1)), space)
    assert t.argmax().heads.tolist() == [-1]
    assert (t.log_partition(), t.entropy(), len(t.kbest(3))) == (0.0, 0.0, 1)
    assert t.sample(2).tolist() == [[-1], [-1]]
    assert t.marginals().tolist() == [[0.0]]


@every_space
def test_marginals_are_derivatives_of_the_log_partition(space: Space) -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(8, 8)) * 2.0
    marginals = distribution(scores, space).marginals()
    step = 1e-5
    for head in range(8):
        for dependent in range(1, 8):
            nudge = np.zeros_like(scores)
            nudge[head, dependent] = step
            up = distribution(scores + nudge, space).log_partition()
            down = distribution(scores - nudge, space).log_partition()
            expected = 0.0 if head == dependent else (up - down) / (2 * step)
            assert marginals[head, dependent] == pytest.approx(expected, abs=1e-8)


@every_space
def test_a_constant_added_to_a_column_moves_only_the_log_partition(space: Space) -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(10, 10)) * 3.0
    shift = rng.normal(size=10) * 400.0
    plain, shifted = distribution(scores, space), distribution(scores + shift, space)
    assert shifted.log_partition() == pytest.approx(plain.log_partition() + shift[1:].sum(), rel=1e-12)
    np.testing.assert_allclose(shifted.marginals(), plain.marginals(), atol=1e-10)
    assert shifted.argmax().heads.tolist() == plain.argmax().heads.tolist()


@every_space
@pytest.mark.parametrize("scale", [1.0, 30.0, 1000.0])
def test_long_sentences_and_large_scores_keep_every_digit(space: Space, scale: float) -> None:
    rng = np.random.default_rng(3)
    scores = rng.uniform(-scale, scale, size=(201, 201))
    t = distribution(scores, space)
    marginals = t.marginals()
    assert np.isfinite(marginals).all() and marginals.min() >= 0.0 and marginals.max() <= 1.0
    np.testing.assert_allclose(marginals[:, 1:].sum(axis=0), 1.0, atol=1e-9)
    roots = marginals[0].sum()
    assert roots == pytest.approx(1.0, abs=1e-9) if space.single_root else roots >= 1.0 - 1e-9
    best = t.argmax().score
    assert best <= t.log_partition() * (1 + 1e-12) <= best + 200 * math.log(201)
    direction = rng.normal(size=scores.shape)
    np.fill_diagonal(direction, 0.0)
    step = 1e-4
    rise = (
        distribution(scores + step * direction, space).log_partition()
        - distribution(scores - step * direction, space).log_partition()
    )
    assert rise / (2 * step) == pytest.approx((marginals * direction).sum(), abs=1e-5)


@every_space
@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_sample_frequencies_are_the_probabilities(space: Space, scale: float) -> None:
    rng = np.random.default_rng(4)
    scores = np.round(rng.normal(size=(4, 4)) * scale, 3)
    scores[:, 1] = -scale * np.array([1, 0, 0, 0])  # the root is not word 1's best head: a cycle is tempting
    scores[2, 3] = -np.inf
    values = tree_scores(scores, space)
    probability = np.exp(values - log_sum(values))
    count = 20_000
    drawn = Counter(map(tuple, distribution(scores, space).sample(count, seed=7).tolist()))
    for heads, expected in zip(all_trees(3, space), probability, strict=True):
        spread = math.sqrt(expected * (1 - expected) / count)
        assert abs(drawn.pop(heads, 0) / count - expected) <= 4.5 * spread + 1e-9
    assert not drawn


@every_space
@pytest.mark.parametrize("scale", [0.5, 3.0, 200.0])
def test_samples_of_longer_sentences_follow_the_marginals(space: Space, scale: float) -> None:
    scores = np.random.default_rng(6).normal(size=(13, 13)) * scale
    t = distribution(scores, space)
    drawn = t.sample(3000, seed=11)
    assert all(trees.is_tree(heads, single_root=space.single_root) for heads in drawn[:200])
    assert not space.projective or all(map(trees.is_projective, drawn[:200]))
    frequency = np.stack([(drawn[:, 1:] == head).mean(axis=0) for head in range(13)])
    expected = t.marginals()[:, 1:]
    # Two draws of slack: the normal approximation does not hold for arcs expected less than once.
    assert (np.abs(frequency - expected) <= 4.5 * np.sqrt(expected * (1 - expected) / 3000) + 2 / 3000).all()


@every_space
def test_a_sample_depends_on_its_number_and_the_seed_alone(space: Space) -> None:
    t = distribution(np.random.default_rng(8).normal(size=(9, 9)), space)
    many = t.sample(50, seed=3)
    assert (many[:20] == t.sample(20, seed=3)).all()
    assert (many != t.sample(50, seed=4)).any()
    with pytest.raises(ValueError, match="negative"):
        t.sample(-1)


@every_space
def test_score_and_log_probability_of_given_heads(space: Space) -> None:
    scores = np.random.default_rng(9).normal(size=(5, 5))
    t = distribution(scores, space)
    total = math.fsum(math.exp(t.log_probability(heads)) for heads in all_trees(4, Space(False, False)))
    assert total == pytest.approx(1.0, abs=1e-12)
    assert t.log_probability([-1, 2, 1, 0, 0]) == -math.inf
    for wrong in ([-1, 0, 0], [-1, 1, 0, 0, 0], [-1, 9, 0, 0, 0]):
        with pytest.raises(ValueError, match="heads must"):
            t.score(wrong)


@every_space
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_required_and_forbidden_arcs_hold(space: Space, seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(5, 5))
    forbid = rng.random((5, 5)) < 0.15
    require = np.zeros((5, 5), dtype=np.bool_)
    dependent = int(rng.integers(1, 5))
    head = int(rng.choice([h for h in range(5) if h != dependent]))
    require[head, dependent] = True
    allowed = [
        heads
        for heads in all_trees(4, space)
        if heads[dependent] == head and not any(forbid[heads[m], m] for m in range(1, 5))
    ]
    t = distribution(scores, space, forbid=forbid, require=require)
    if not allowed:
        with pytest.raises(ConstraintError):
            t.argmax()
        return
    assert {tuple(tree.heads) for tree in t.kbest(200)} == set(allowed)
    assert t.marginals()[head, dependent] == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("projective", [False, True])
@pytest.mark.parametrize("single_root", [False, True])
def test_batches_answer_like_single_sentences_whatever_the_threads(projective: bool, single_root: bool) -> None:
    rng = np.random.default_rng(10)
    space = Space(projective, single_root)
    batch = [rng.normal(size=(n + 1, n + 1)) * scale for n in (1, 2, 7, 15, 30) for scale in (1.0, 500.0)]
    options = {"projective": projective, "single_root": single_root}
    for threads in (1, 4):
        best = trees.argmax_batch(batch, threads=threads, **options)
        sums = trees.log_partition_batch(batch, threads=threads, **options)
        tables = trees.marginals_batch(batch, threads=threads, **options)
        for scores, tree, total, table in zip(batch, best, sums, tables, strict=True):
            single = distribution(scores, space)
            assert (tree.score, tree.heads.tolist()) == (single.argmax().score, single.argmax().heads.tolist())
            assert total == single.log_partition()
            assert (table == single.marginals()).all()
    assert trees.argmax_batch([], **options) == []


def test_a_batch_names_the_sentence_that_has_no_tree() -> None:
    for question in (trees.argmax_batch, trees.log_partition_batch, trees.marginals_batch):
        with pytest.raises(ConstraintError, match="sentence 1 "):
            question([np.zeros((3, 3)), np.full((3, 3), -np.inf)])


def test_wrong_arguments_are_refused_with_a_reason() -> None:
    with pytest.raises(ValueError, match=r"\(n\+1, n\+1\)"):
        trees.NonProjective(np.zeros((3, 4)))
    for bad in (np.nan, np.inf):
        scores = np.zeros((3, 3))
        scores[1, 2] = bad
        with pytest.raises(ValueError, match="NaN or \\+infinity"):
            trees.Projective(scores)
    with pytest.raises(ValueError, match="boolean"):
        trees.Projective(np.zeros((3, 3)), forbid=np.zeros((3, 3)))
    with pytest.raises(ValueError, match="no arc"):
        trees.Projective(np.zeros((3, 3)), require=np.eye(3, dtype=np.bool_))
    with pytest.raises(ConstraintError, match="word 2 is required to have two heads"):
        trees.Projective(np.zeros((3, 3)), require=np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], dtype=np.bool_))
    with pytest.raises(ValueError, match="at least 1"):
        trees.Projective(np.zeros((3, 3))).kbest(0)
    with pytest.raises(ValueError, match="no labels"):
        trees.Projective(np.zeros((3, 3))).sample_labelled(1)

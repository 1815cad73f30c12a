# SPDX-License-Identifier: Apache-2.0
"""Non-projective sums against exact rational arithmetic: no range of scores costs precision."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference import trees

Matrix = list[list[Fraction]]


def determinant(matrix: Matrix) -> Fraction:
    rows = [row[:] for row in matrix]
    result = Fraction(1)
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            result = -result
        result *= rows[k][k]
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            if factor != 0:
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return result


def partition(weights: Matrix, single_root: bool) -> Fraction:
    """Koo et al. (2007): the determinant of the Laplacian, with the root on the diagonal or as the first row."""
    words = range(1, len(weights))
    laplacian = [
        [sum((weights[g][m] for g in words if g != m), Fraction(0)) if h == m else -weights[h][m] for m in words]
        for h in words
    ]
    if single_root:
        laplacian[0] = [weights[0][m] for m in words]
    else:
        for m in words:
            laplacian[m - 1][m - 1] += weights[0][m]
    return determinant(laplacian)


def powers_of_two(exponents: NDArray[np.int64], allowed: NDArray[np.bool_]) -> Matrix:
    return [
        [Fraction(2) ** int(e) if ok else Fraction(0) for e, ok in zip(row, mask, strict=True)]
        for row, mask in zip(exponents, allowed, strict=True)
    ]


def log_of(value: Fraction) -> float:
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    return math.log(value / Fraction(2) ** shift) + shift * math.log(2)


@pytest.mark.parametrize("single_root", [False, True])
@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    words=st.integers(1, 5),
    reach=st.sampled_from([2, 60, 1400]),
    forbidden=st.sampled_from([0.0, 0.25, 0.5]),
)
def test_sums_equal_rational_arithmetic(single_root: bool, seed: int, words: int, reach: int, forbidden: float) -> None:
    rng = np.random.default_rng(seed)
    exponents = rng.integers(-reach, reach + 1, size=(words + 1, words + 1))
    allowed = rng.random(exponents.shape) >= forbidden
    np.fill_diagonal(allowed, False)
    weights = powers_of_two(exponents, allowed)
    total = partition(weights, single_root)
    t = trees.NonProjective(np.where(allowed, exponents * math.log(2), -np.inf), single_root=single_root)
    if total == 0:
        with pytest.raises(ConstraintError):
            t.log_partition()
        return
    assert t.log_partition() == pytest.approx(log_of(total), rel=1e-13, abs=1e-12)
    marginals = t.marginals()
    for head in range(words + 1):
        for dependent in range(1, words + 1):
            if not allowed[head, dependent]:
                assert marginals[head, dependent] == 0.0
                continue
            without = [row[:] for row in weights]
            without[head][dependent] = Fraction(0)
            expected = float(1 - partition(without, single_root) / total)
            # Relative precision, down to probabilities that 1 - x could never show.
            assert marginals[head, dependent] == pytest.approx(expected, rel=1e-9, abs=1e-130)


@pytest.mark.parametrize("words", [2, 5, 9])
def test_single_root_sum_equals_the_sum_over_roots(words: int) -> None:
    """Z = sum over m of exp(score of root -> m) times the minor of the Laplacian without row and column m."""
    rng = np.random.default_rng(words)
    scores = rng.normal(size=(words + 1, words + 1)) * 2.0
    adjacency = np.exp(scores[1:, 1:])
    np.fill_diagonal(adjacency, 0.0)
    laplacian = np.diag(adjacency.sum(axis=0)) - adjacency
    total = 0.0
    for m in range(words):
        minor = np.delete(np.delete(laplacian, m, axis=0), m, axis=1)
        total += math.exp(scores[0, m + 1]) * np.linalg.det(minor)
    assert trees.NonProjective(scores, single_root=True).log_partition() == pytest.approx(math.log(total), rel=1e-10)


def test_a_tempting_cycle_does_not_cost_precision() -> None:
    """Two words that want each other by e^40, e^400, e^4000: the inverse of the Laplacian would lose all digits."""
    for pull in (40.0, 400.0, 4000.0):
        scores = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, pull], [0.0, pull, 0.0]])
        marginals = trees.NonProjective(scores).marginals()
        share = 1.0 / (1.0 + math.e)  # exp(0 + pull) against exp(1 + pull), and a tree with two roots
        assert marginals[0, 1] == pytest.approx(share, rel=1e-12)
        assert marginals[2, 1] == pytest.approx(1.0 - share, rel=1e-12)
        single = trees.NonProjective(scores, single_root=True).marginals()
        assert single[0].sum() == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("scale", [1.0, 5.0])
def test_marginals_equal_the_inverse_laplacian_where_that_is_stable(scale: float) -> None:
    """An independent computation at a length where enumeration is impossible."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(61, 61)) * scale
    arcs = np.exp(scores[1:, 1:])
    np.fill_diagonal(arcs, 0.0)
    root = np.exp(scores[0, 1:])
    inverse = np.linalg.inv(np.diag(arcs.sum(axis=0) + root) - arcs)
    marginals = trees.NonProjective(scores).marginals()
    np.testing.assert_allclose(marginals[0, 1:], root * np.diag(inverse), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(marginals[1:, 1:], arcs * (np.diag(inverse)[None, :] - inverse.T), atol=1e-7)


@pytest.mark.parametrize("single_root", [False, True])
def test_words_that_only_some_words_can_govern(single_root: bool) -> None:
    """Words 1-2 govern each other, 3-4 hang below: the single root must be 1 or 2."""
    scores = np.zeros((5, 5))
    scores[3:, 1:3] = -np.inf
    marginals = trees.NonProjective(scores, single_root=single_root).marginals()
    if single_root:
        assert marginals[0].tolist() == pytest.approx([0.0, 0.5, 0.5, 0.0, 0.0], abs=1e-12)
    np.testing.assert_allclose(marginals[:, 1:].sum(axis=0), 1.0, atol=1e-12)
    samples = trees.NonProjective(scores, single_root=single_root).sample(500, seed=1)
    assert (samples[:, 1:3] < 3).all()


def test_the_optimum_of_a_thousand_words_does_not_depend_on_their_order() -> None:
    """Integer scores: no rounding, so two different runs of contractions must end in exactly the same value."""
    rng = np.random.default_rng(1)
    scores = rng.integers(-50, 51, size=(1001, 1001)).astype(np.float64)
    for single_root in (False, True):
        best = trees.NonProjective(scores, single_root=single_root).argmax()
        assert trees.is_tree(best.heads, single_root=single_root)
        shuffled = np.concatenate([[0], 1 + rng.permutation(1000)])
        again = trees.NonProjective(scores[np.ix_(shuffled, shuffled)], single_root=single_root).argmax()
        assert again.score == best.score

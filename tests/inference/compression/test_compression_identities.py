# SPDX-License-Identifier: Apache-2.0
"""Programmes of compression against each other, and against the trees of the parser."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from accord.inference import trees
from accord.inference.compression import (
    CompressionProblem,
    add_virtual_arcs,
    best_by_cost,
    compress,
    remove_virtual_arcs,
)
from tests.inference.compression import enumerated_compressions as listed
from tests.inference.compression.random_compressions import (
    examples,
    seeds,
)


@examples
@given(seed=seeds, boundaries=st.booleans())
def test_the_programme_with_last_kept_words_has_the_same_scores(seed: int, boundaries: bool) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 8))
    bigrams = random.normal(size=(n + 1, n + 1))
    if not boundaries:
        bigrams[0] = bigrams[:, 0] = 0.0
    problem = CompressionProblem(random.normal(size=n), arcs=random.normal(size=(n + 1, n + 1)), bigrams=bigrams)
    assert np.allclose(best_by_cost(problem), listed.best_with_last_words(problem), atol=1e-10)


@examples
@given(seed=seeds)
def test_all_words_without_bigrams_are_the_best_projective_tree(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 12))
    words, arcs = random.normal(size=n), random.normal(size=(n + 1, n + 1))
    found = compress(CompressionProblem(words, arcs=arcs), n)
    tree = trees.Projective(arcs, single_root=True).argmax()
    assert found.heads is not None and found.heads.tolist() == tree.heads.tolist()
    assert abs(found.score - (tree.score + words.sum())) <= 1e-10


@examples
@given(seed=seeds)
def test_without_scores_of_arcs_the_joint_programme_is_that_of_bigrams(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 12))
    words, bigrams = random.normal(size=n), random.normal(size=(n + 1, n + 1))
    joint = CompressionProblem(words, arcs=np.zeros((n + 1, n + 1)), bigrams=bigrams)
    plain = CompressionProblem(words, bigrams=bigrams)
    assert np.allclose(best_by_cost(joint)[1:], best_by_cost(plain)[1:], atol=1e-10)
    for length in range(1, n + 1):
        assert compress(joint, length).kept.tolist() == compress(plain, length).kept.tolist()


@examples
@given(seed=seeds)
def test_virtual_arcs_make_a_projective_tree_and_can_be_removed(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 10))
    problem = CompressionProblem(
        random.normal(size=n), arcs=random.normal(size=(n + 1, n + 1)), bigrams=random.normal(size=(n + 1, n + 1))
    )
    length = int(random.integers(1, n + 1))
    found = compress(problem, length)
    assert found.heads is not None
    whole, virtual = add_virtual_arcs(found.heads)
    assert virtual.sum() == n - length
    assert trees.is_tree(whole) and trees.is_projective(whole)
    assert remove_virtual_arcs(whole, virtual).tolist() == found.heads.tolist()

# SPDX-License-Identifier: Apache-2.0
"""Shapes of head vectors: trees, crossing arcs, and the nearest tree without any."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from accord.inference import trees
from tests.inference.enumerated_trees import Space, all_trees, has_crossing, reaches_root


def test_is_tree_and_is_projective_equal_their_definitions() -> None:
    for words in range(5):
        for choice in itertools.product(range(words + 1), repeat=words):
            heads = (-1, *choice)
            tree = reaches_root(heads)
            assert trees.is_tree(heads) == tree
            assert trees.is_tree(heads, single_root=True) == (tree and (words == 0 or heads.count(0) == 1))
            if tree:
                assert trees.is_projective(heads) == (not has_crossing(heads))


@pytest.mark.parametrize("wrong", [[], [0, 0], [-1, 1], [-1, 3, 0], [-1, -1], [-1, 2, 3, 1]])
def test_what_is_no_tree(wrong: list[int]) -> None:
    assert not trees.is_tree(np.array(wrong, dtype=np.int64))


def test_heads_must_be_integers_in_a_row() -> None:
    for wrong in ([[-1, 0]], [-1.0, 0.0]):
        with pytest.raises(ValueError, match="one-dimensional array of integers"):
            trees.is_tree(wrong)


@pytest.mark.parametrize("single_root", [False, True])
def test_closest_projective_tree_loses_fewest_arcs(single_root: bool) -> None:
    for words in range(1, 6):
        candidates = np.array(all_trees(words, Space(True, single_root)))
        for heads in all_trees(words, Space(False, False))[::3]:
            closest = trees.closest_projective(heads, single_root=single_root)
            assert trees.is_projective(closest) and trees.is_tree(closest, single_root=single_root)
            kept = (candidates[:, 1:] == np.array(heads)[1:]).sum(axis=1).max()
            assert (closest[1:] == np.array(heads)[1:]).sum() == kept
            if (candidates == heads).all(axis=1).any():
                assert tuple(closest) == heads


def test_closest_projective_needs_a_tree() -> None:
    with pytest.raises(ValueError, match="tree"):
        trees.closest_projective([-1, 2, 1])

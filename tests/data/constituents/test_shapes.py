# SPDX-License-Identifier: Apache-2.0
"""Shapes of trees: what one function does, another one undoes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data.constituents import (
    Constituents,
    binarise,
    category,
    collapse_unaries,
    debinarise,
    expand_unaries,
    plain,
    without_empties,
    without_functions,
    without_root,
)
from accord.errors import ConfigError
from tests.data.constituents.random_trees import constituents


@settings(deadline=None)
@given(constituents())
def test_chains_are_collapsed_and_expanded(tree: Constituents) -> None:
    collapsed = collapse_unaries(tree)
    assert expand_unaries(collapsed) == tree
    for phrase in collapsed.phrases:
        assert len(phrase.children) > 1 or phrase.children[0].leaf is not None


@settings(deadline=None)
@given(constituents(), st.sampled_from(["left", "right"]), st.sampled_from([0, 1, 2, None]))
def test_binarised_trees_have_two_children_and_come_back(tree: Constituents, side: Any, siblings: int | None) -> None:
    halved = binarise(tree, side, siblings=siblings)
    assert all(len(children) <= 2 for children in halved.children)
    assert debinarise(halved) == tree
    assert binarise(halved, side, siblings=siblings) == halved


@settings(deadline=None)
@given(constituents())
def test_stripping_empties_keeps_the_spans_of_phrases_with_words(tree: Constituents) -> None:
    full = without_empties(tree)
    assert full is not None and all(isinstance(leaf, int) or leaf is None for leaf in full.leaves)
    spans = Counter((node.label, node.begin, node.end) for node in tree.phrases if node.begin < node.end)
    assert Counter((node.label, node.begin, node.end) for node in full.phrases) == spans


@settings(deadline=None)
@given(constituents())
def test_plain_trees_stay_as_they_are(tree: Constituents) -> None:
    once = plain(tree)
    assert once is not None and plain(once) == once
    assert all(label == category(label) for label in once.labels)


def test_a_tree_of_empties_alone_is_nothing() -> None:
    tree, _ = Constituents.from_text("(S (NP (-NONE- *)))")
    assert without_empties(tree) is None and plain(tree) is None


def test_functions_and_roots_go_on_request_only() -> None:
    tree, _ = Constituents.from_text("( (S-TPC-1 (NP=2 (NN a)) (VP-PRD (VB b))))")
    assert without_root(tree).labels[0] == "S-TPC-1"
    assert without_functions(tree).labels == ("", "S", "NP", "NN", "VP", "VB")
    two, _ = Constituents.from_text("( (NP (NN a)) (. .))")
    assert without_root(two) == two  # the outer bracket holds the two together


def test_an_unknown_side_is_refused() -> None:
    tree, _ = Constituents.from_text("(S (NN a))")
    with pytest.raises(ConfigError, match="expected left or right"):
        binarise(tree, "middle")  # type: ignore[arg-type]

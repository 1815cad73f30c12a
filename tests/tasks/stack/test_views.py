# SPDX-License-Identifier: Apache-2.0
"""Views of sequences without some of their tokens, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.tasks.stack import View

sequences = st.lists(st.lists(st.booleans(), max_size=7), min_size=1, max_size=5)


def made(kept: list[list[bool]]) -> View:
    return View(np.array([len(one) for one in kept], np.int64), np.array([k for one in kept for k in one], np.bool_))


@given(sequences, st.integers(1, 4))
def test_neighbours_are_those_of_a_plain_search(kept: list[list[bool]], steps: int) -> None:
    view = made(kept)
    right, left, first = view.right(steps).tolist(), view.left(steps).tolist(), 0
    for one in kept:
        for place in range(len(one)):
            after = [k for k in range(place + 1, len(one)) if one[k]]
            before = [k for k in range(place) if one[k]][::-1]
            assert right[first + place] == (first + after[steps - 1] if len(after) >= steps else -1)
            assert left[first + place] == (first + before[steps - 1] if len(before) >= steps else -1)
        first += len(one)


@given(sequences)
def test_removing_and_putting_back_loses_nothing(kept: list[list[bool]]) -> None:
    view = made(kept)
    tokens = np.arange(len(view.kept))
    there = view.restored(tokens[view.places], -1)
    assert np.array_equal(there, np.where(view.kept, tokens, -1))
    assert int(view.view_lengths.sum()) == len(view.places)
    assert view.view_lengths.tolist() == [sum(one) for one in kept]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=4))
def test_a_view_that_keeps_everything_is_the_text(lengths: list[int]) -> None:
    sizes = np.array(lengths, np.int64)
    whole = View.whole(sizes)
    ends = np.repeat(np.cumsum(sizes), sizes)
    next_ones = np.arange(int(sizes.sum())) + 1
    assert np.array_equal(whole.right(1), np.where(next_ones < ends, next_ones, -1))


def test_sizes_must_fit() -> None:
    with pytest.raises(ValueError, match="3 tokens in sequences of 2"):
        View(np.array([2]), np.ones(3, bool))

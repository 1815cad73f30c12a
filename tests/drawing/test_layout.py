# SPDX-License-Identifier: Apache-2.0
"""Placement of arcs: nothing lies on anything else, for any tree."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.drawing.layout import Arc, Layout, Metrics, PlacedArc, lay_out
from tests.drawing.drawable_trees import Tree, trees

CELLS = Metrics(word_gap=2, port_width=1, port_pitch=1, label_margin=1, shared_legs=True)
CELLS_APART = Metrics(word_gap=1, port_width=1, port_pitch=1, label_margin=1, shared_legs=False)
PIXELS = Metrics(word_gap=18, port_width=0, port_pitch=9, label_margin=14, shared_legs=False)

all_metrics = st.sampled_from([CELLS, CELLS_APART, PIXELS])


def place(tree: Tree, metrics: Metrics, scale: int = 1) -> tuple[list[Arc], Layout]:
    arcs = [
        Arc(head, word, scale * len(label))
        for word, (head, label) in enumerate(zip(tree.heads, tree.labels, strict=True), start=1)
        if head is not None
    ]
    return arcs, lay_out([scale * len(form) for form in tree.forms], [arcs], metrics)


def slot_of(layout: Layout, x: int) -> int | None:
    for word, (left, width) in enumerate(zip(layout.lefts, layout.widths, strict=True), start=1):
        if left <= x <= left + width:
            return word
    return None


def shares_ground(one: PlacedArc, other: PlacedArc) -> bool:
    return one.left <= other.right and other.left <= one.right


@settings(deadline=None)
@given(trees(), all_metrics)
def test_words_keep_their_order_and_distance(tree: Tree, metrics: Metrics) -> None:
    _, layout = place(tree, metrics)
    ends = [left + width for left, width in zip(layout.lefts, layout.widths, strict=True)]
    assert layout.lefts[0] >= 0
    assert all(left - end >= metrics.word_gap for end, left in zip(ends, layout.lefts[1:], strict=False))
    assert all(width >= len(form) for width, form in zip(layout.widths, tree.forms, strict=True))


@settings(deadline=None)
@given(trees(), all_metrics)
def test_each_arc_ends_at_its_words(tree: Tree, metrics: Metrics) -> None:
    arcs, layout = place(tree, metrics)
    for arc, placed in zip(arcs, layout.bands[0], strict=True):
        assert slot_of(layout, placed.dependent_x) == arc.dependent
        assert slot_of(layout, placed.head_x) == (arc.head or arc.dependent)


@settings(deadline=None)
@given(trees(), all_metrics)
def test_arcs_on_the_same_level_do_not_touch(tree: Tree, metrics: Metrics) -> None:
    _, layout = place(tree, metrics)
    for one, other in combinations(layout.bands[0], 2):
        assert one.level != other.level or not shares_ground(one, other)


@settings(deadline=None)
@given(trees(), all_metrics)
def test_a_tip_has_a_leg_of_its_own(tree: Tree, metrics: Metrics) -> None:
    _, layout = place(tree, metrics)
    tips = [placed.dependent_x for placed in layout.bands[0]]
    feet = [placed.head_x for placed in layout.bands[0] if placed.head_x != placed.dependent_x]
    assert len(set(tips)) == len(tips)
    assert not set(tips) & set(feet)
    if not metrics.shared_legs:
        assert len(set(feet)) == len(feet)


@settings(deadline=None)
@given(trees(), all_metrics, st.sampled_from([1, 7]))
def test_a_label_lies_on_its_line_and_no_leg_or_label_touches_it(tree: Tree, metrics: Metrics, scale: int) -> None:
    arcs, layout = place(tree, metrics, scale)
    placed = layout.bands[0]
    for index, (arc, here) in enumerate(zip(arcs, placed, strict=True)):
        start, end = here.label_x, here.label_x + here.label_width
        assert start >= 0
        assert end <= layout.width
        if arc.head != 0:
            assert here.left + metrics.port_width + metrics.label_margin <= start
            assert end + metrics.label_margin <= here.right
        for other in (*placed[:index], *placed[index + 1 :]):
            if other.level == here.level:
                assert other.label_x >= end or other.label_x + other.label_width <= start
            if other.level > here.level:  # its legs pass this level
                for leg in (other.head_x, other.dependent_x):
                    assert leg < start or leg >= end


@settings(deadline=None)
@given(trees(open_heads=False), all_metrics)
def test_lines_meet_only_where_arcs_of_the_tree_cross(tree: Tree, metrics: Metrics) -> None:
    arcs, layout = place(tree, metrics)
    for (arc, here), (other_arc, other) in combinations(zip(arcs, layout.bands[0], strict=True), 2):
        low, high = sorted((here, other), key=lambda placed: placed.level)
        meetings = sum(low.left < leg < low.right for leg in {high.head_x, high.dependent_x})
        one, two = (sorted((a.head, a.dependent)) for a in (arc, other_arc))
        if 0 in (one[0], two[0]):
            (left, right), word = (two, one[1]) if one[0] == 0 else (one, two[1])
            assert meetings == (left != 0 and left < word < right)
        elif len({*one, *two}) == 4:
            crosses = one[0] < two[0] < one[1] < two[1] or two[0] < one[0] < two[1] < one[1]
            assert meetings == crosses
        elif not metrics.shared_legs:
            assert meetings == 0


@settings(deadline=None)
@given(trees(), all_metrics)
def test_levels_leave_no_empty_row(tree: Tree, metrics: Metrics) -> None:
    _, layout = place(tree, metrics)
    levels = {placed.level for placed in layout.bands[0]}
    assert levels == set(range(1, len(levels) + 1))


def test_nested_arcs_stack_and_neighbours_share_a_level() -> None:
    arcs = [Arc(2, 1, 3), Arc(0, 2, 4), Arc(2, 3, 3), Arc(2, 4, 3)]
    layout = lay_out([3, 3, 3, 3], [arcs], CELLS)
    assert [placed.level for placed in layout.bands[0]] == [1, 3, 1, 2]


def test_words_move_apart_evenly_for_a_long_label() -> None:
    layout = lay_out([1, 1, 1, 1], [[Arc(1, 4, 30)]], CELLS)
    gaps = [right - left for left, right in pairwise(layout.lefts)]
    assert max(gaps) - min(gaps) <= 1
    assert layout.lefts[-1] - layout.lefts[0] == 33  # label, two margins, and one leg


def test_two_bands_share_the_places_of_words() -> None:
    layout = lay_out([1, 1], [[Arc(0, 1, 4)], [Arc(2, 1, 20)]], CELLS)
    assert layout.lefts[1] - layout.lefts[0] == 23
    assert [band[0].level for band in layout.bands] == [1, 1]


@pytest.mark.parametrize("bands", [[], [[]], [[], []]])
def test_nothing_is_laid_out_in_no_room(bands: list[list[Arc]]) -> None:
    assert lay_out([], bands, CELLS).width == 0

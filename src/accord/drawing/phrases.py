# SPDX-License-Identifier: Apache-2.0
"""Where the phrases over a row of words go, in whole units: cells of a terminal or pixels of a picture.

A phrase stands one level above its highest child, and its label within the ground of its words. Words are given room
until every label fits its ground. Phrases of one level have different words, so no two labels meet, and a line from a
phrase down to a child runs over the ground of that child alone. O(nodes) for labels that fit, and one pass over the
words of each label that does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accord.data.constituents import Constituents


@dataclass(frozen=True, slots=True)
class PlacedPhrase:
    """A node of the tree: the middle of its label, the level (0 for words), and the node above it."""

    node: int
    x: int
    level: int
    label_x: int  # the left end of the label
    parent: int  # index among the placed ones, -1 for the root


def levels_of(tree: Constituents) -> list[int]:
    """The level of each node: 0 for preterminals."""
    levels = [0] * len(tree)
    for node in range(len(tree) - 1, 0, -1):
        parent = tree.parents[node]
        levels[parent] = max(levels[parent], levels[node] + 1)
    return levels


def widened(tree: Constituents, widths: Sequence[int], label_widths: Sequence[int], gap: int) -> list[int]:
    """Widths of words that give every label the room that it needs; words stand ``gap`` apart."""
    found = list(widths)
    for node in range(len(tree) - 1, -1, -1):  # children before their parents
        begin, end = tree.spans[node]
        missing = label_widths[node] - sum(found[begin:end]) - gap * (end - begin - 1)
        if missing > 0:
            share, rest = divmod(missing, end - begin)
            for word in range(begin, end):
                found[word] += share + (word - begin < rest)
    return found


def place_phrases(
    tree: Constituents, lefts: Sequence[int], widths: Sequence[int], label_widths: Sequence[int]
) -> list[PlacedPhrase]:
    """All nodes in preorder, over words at these places."""
    levels = levels_of(tree)
    middles = [0] * len(tree)
    starts = [0] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        begin, end = tree.spans[node]
        left, right = lefts[begin], lefts[end - 1] + widths[end - 1]
        children = tree.children[node]
        middle = (middles[children[0]] + middles[children[-1]]) // 2 if children else left + (right - left) // 2
        starts[node] = min(max(middle - label_widths[node] // 2, left), right - label_widths[node])
        middles[node] = middle
    return [
        PlacedPhrase(node, middles[node], levels[node], starts[node], tree.parents[node]) for node in range(len(tree))
    ]

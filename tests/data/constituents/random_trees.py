# SPDX-License-Identifier: Apache-2.0
"""Random constituents: any shape, chains and empty elements among them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import strategies as st

from accord.data.constituents import Constituents
from accord.data.constituents.shapes import TreeBuilder

LABELS = ["S", "NP", "NP-SBJ", "VP", "PP=1", "ADVP|PRT", "", "X-2"]
TAGS = ["NN", "VB", ".", "-LRB-", "DT"]
EMPTIES = ["*", "*T*-1", "0"]


@st.composite
def constituents(
    draw: st.DrawFn, most_words: int = 8, empties: bool = True, labels: list[str] | None = None
) -> Constituents:
    """A tree with at least one word."""
    words = draw(st.integers(1, most_words))
    built = TreeBuilder()
    chosen = LABELS if labels is None else labels
    stack = [(0, words, -1, draw(st.booleans()))]
    last = 0
    while stack:
        begin, end, parent, phrase = stack.pop()
        if not phrase and end - begin == 1:
            if empties and parent >= 0 and draw(st.integers(0, 5)) == 0:
                built.add("-NONE-", parent, draw(st.sampled_from(EMPTIES)))
            last += 1
            built.add(draw(st.sampled_from(TAGS)), parent, last)
            continue
        node = built.add(draw(st.sampled_from(chosen)), parent)
        cuts = sorted(draw(st.sets(st.integers(begin + 1, end - 1), max_size=3))) if end - begin > 1 else []
        edges = [begin, *cuts, end]
        deep = parent < 0 or len(edges) > 2
        children = [
            (left, right, node, right - left > 1 or (deep and draw(st.integers(0, 3)) == 0))
            for left, right in pairwise(edges)
        ]
        if len(children) == 1 and not deep:  # the chain is long enough
            left, right, _, _ = children[0]
            children = [(word, word + 1, node, False) for word in range(left, right)]
        stack += reversed(children)
    return built.tree()


def forms_of(tree: Constituents) -> list[str]:
    return [f"w{number}" for number in range(1, tree.words + 1)]

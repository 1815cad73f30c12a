# SPDX-License-Identifier: Apache-2.0
"""Random trees to draw: any shape, non-projective and with several roots, some heads left open; or projective."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from accord.drawing import DrawnTree
from accord.drawing import draw_svg as draw_tree_as_svg
from accord.drawing import draw_text as draw_tree_as_text


@dataclass(frozen=True)
class Tree:
    forms: list[str]
    heads: list[int | None]
    labels: list[str]


def draw_text(*columns: Any, width: int | None = None, unicode: bool = True, **more: Any) -> str:
    return draw_tree_as_text(DrawnTree(*columns, **more), width=width, unicode=unicode)


def draw_svg(*columns: Any, **more: Any) -> str:
    return draw_tree_as_svg(DrawnTree(*columns, **more))


@st.composite
def trees(draw: st.DrawFn, longest: int = 14, open_heads: bool = True) -> Tree:
    length = draw(st.integers(1, longest))
    order = draw(st.permutations(range(1, length + 1)))
    heads: list[int | None] = [0] * length
    for place, word in enumerate(order[1:], start=1):
        choices: list[int | None] = [*order[:place], *order[:place], 0]
        heads[word - 1] = draw(st.sampled_from([*choices, None] if open_heads else choices))
    # Forms are their numbers spelled with letters, so that none is found inside another.
    forms = [
        draw(st.sampled_from("abc")) * draw(st.integers(0, 6)) + f"w{chr(64 + word)}" for word in range(1, length + 1)
    ]
    labels = draw(
        st.lists(st.sampled_from(["x", "det", "nsubj", "parataxis", "aux:pass"]), min_size=length, max_size=length)
    )
    return Tree(forms, heads, labels)


@st.composite
def projective_trees(draw: st.DrawFn, longest: int = 20) -> Tree:
    """Trees with one root: every stretch of words has a head, and the words on each side of it fall into stretches."""
    length = draw(st.integers(1, longest))
    heads: list[int | None] = [None] * length
    stretches = [(1, length, 0)]  # first and last word, and the head above them
    while stretches:
        first, last, above = stretches.pop()
        top = draw(st.integers(first, last))
        heads[top - 1] = above
        for start, end in ((first, top - 1), (top + 1, last)):
            if start <= end:
                cut = draw(st.integers(start, end))
                stretches.append((start, cut, top))
                if cut < end:
                    stretches.append((cut + 1, end, top))
    return Tree([f"w{chr(64 + word)}" for word in range(1, length + 1)], heads, ["dep"] * length)

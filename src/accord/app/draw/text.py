# SPDX-License-Identifier: Apache-2.0
"""Trees as text: arcs above the words where they fit the width, beside them where they do not."""

from __future__ import annotations

from collections.abc import Sequence

from accord.app.draw.characters import is_right_to_left
from accord.app.draw.glyphs import ASCII, BOX
from accord.app.draw.horizontal import draw_horizontal, lay_out_words
from accord.app.draw.tree import drawn_tree
from accord.app.draw.vertical import draw_vertical

DEFAULT_WIDTH = 100


def draw_text(
    forms: Sequence[str],
    heads: Sequence[int | None],
    labels: Sequence[str],
    tags: Sequence[str] | None = None,
    confidences: Sequence[float | None] | None = None,
    width: int | None = None,
    unicode: bool = True,
    gold_heads: Sequence[int | None] | None = None,
    gold_labels: Sequence[str] | None = None,
) -> str:
    """Draw a tree for a terminal.

    Parameters
    ----------
    forms, heads, labels: one entry a word; a head counts words from 1, is 0 for a root, None where it is left open.
    tags: shown with the words.
    confidences: shown with the labels, as ``nsubj 0.97``.
    width: cells of a line, 100 unless told. A tree that does not fit is drawn with one word a line; so is a sentence
        in a script written from right to left, which a terminal may reorder.
    unicode: lines of box-drawing characters; False draws them in ASCII.
    gold_heads, gold_labels: another tree over the same words. The tree is drawn with one word a line, and words where
        the two differ say what gold has.

    Returns
    -------
    The drawing, lines separated by newlines, without one at the end. No words, no lines.

    >>> print(draw_text(["They", "saw", "her"], [2, 0, 2], ["nsubj", "root", "obj"]))
            root
     ┌─nsubj─┐│┌─obj─┐
     ▼       │▼│     ▼
    They     saw    her
    >>> print(draw_text(["They", "saw", "her"], [2, 0, 2], ["nsubj", "root", "obj"], width=10))
     ┌─► 1  They  nsubj
    ─●─► 2  saw   root
     └─► 3  her   obj
    """
    tree = drawn_tree(forms, heads, labels, tags, confidences, gold_heads, gold_labels)
    glyphs = BOX if unicode else ASCII
    width = DEFAULT_WIDTH if width is None else width
    # Every word takes a cell and a gap, so most long sentences are known not to fit before anything is laid out.
    if 2 * len(tree) <= width and gold_heads is None and not any(map(is_right_to_left, tree.forms)):
        layout = lay_out_words(tree)
        if layout.width <= width:
            return draw_horizontal(tree, layout, glyphs)
    return draw_vertical(tree, glyphs, width)

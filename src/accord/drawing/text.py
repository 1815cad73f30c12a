# SPDX-License-Identifier: Apache-2.0
"""Trees as text: arcs above the words where they fit the width, beside them where they do not."""

from __future__ import annotations

from accord.drawing.characters import is_right_to_left
from accord.drawing.glyphs import ASCII, BOX
from accord.drawing.horizontal import draw_horizontal, lay_out_words
from accord.drawing.phrase_text import draw_phrases
from accord.drawing.tree import DrawnTree
from accord.drawing.vertical import draw_vertical

DEFAULT_WIDTH = 100


def draw_text(tree: DrawnTree, *, width: int | None = None, unicode: bool = True) -> str:
    """Draw a tree for a terminal.

    Parameters
    ----------
    tree: confidences are shown with the labels, as ``nsubj 0.97``. A tree with a gold one beside it is drawn with one
        word a line, and words where the two differ say what gold has.
    width: cells of a line, 100 unless told. A tree that does not fit is drawn with one word a line; so is a sentence
        in a script written from right to left, which a terminal may reorder.
    A tree with constituents shows them above the words, or a line for each where they do not fit.
    unicode: lines of box-drawing characters; False draws them in ASCII.

    Returns
    -------
    The drawing, lines separated by newlines, without one at the end. No words, no lines.

    >>> tree = DrawnTree(["They", "saw", "her"], [2, 0, 2], ["nsubj", "root", "obj"])
    >>> print(draw_text(tree))
            root
     ┌─nsubj─┐│┌─obj─┐
     ▼       │▼│     ▼
    They     saw    her
    >>> print(draw_text(tree, width=10))
     ┌─► 1  They  nsubj
    ─●─► 2  saw   root
     └─► 3  her   obj
    """
    glyphs = BOX if unicode else ASCII
    width = DEFAULT_WIDTH if width is None else width
    if tree.constituents is not None:
        return draw_phrases(tree, glyphs, width)
    # Every word takes a cell and a gap, so most long sentences are known not to fit before anything is laid out.
    if (
        2 * len(tree) <= width
        and tree.gold_heads is None
        and not tree.more_arcs
        and not any(map(is_right_to_left, tree.forms))
    ):
        layout = lay_out_words(tree)
        if layout.width <= width:
            return draw_horizontal(tree, layout, glyphs)
    return draw_vertical(tree, glyphs, width)

# SPDX-License-Identifier: Apache-2.0
"""Constituents as text: phrases above the words, dependencies below them; or one phrase a line where that is too wide.

::

             S
       ┌─────┴──┐
       NP       VP
     ┌─┴──┐     │
    DT    NN   VBD
    The  dog  slept
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from accord.data.constituents import Constituents, without_empties, without_root
from accord.drawing.characters import display_width, is_right_to_left, printable
from accord.drawing.glyphs import Glyphs
from accord.drawing.horizontal import Canvas, arcs_of, draw_arcs, lay_out_words
from accord.drawing.phrases import PlacedPhrase, place_phrases, widened
from accord.drawing.tree import DrawnTree
from accord.drawing.vertical import draw_vertical

_GAP = 2


def draw_phrases(tree: DrawnTree, glyphs: Glyphs, width: int) -> str:
    """The constituents of a sentence, and its dependencies where it has some and both fit the width."""
    assert tree.constituents is not None
    full = without_empties(tree.constituents)
    if full is not None and 2 * len(tree) <= width and not any(map(is_right_to_left, tree.forms)):
        drawn = _above_words(tree, without_root(full), glyphs, width)
        if drawn is not None:
            return drawn
    drawn = _line_by_line(without_root(tree.constituents), tree.forms, glyphs)
    has_arcs = any(head is not None for head in tree.heads)
    return f"{drawn}\n\n{draw_vertical(tree, glyphs, width)}" if has_arcs else drawn


def _above_words(tree: DrawnTree, full: Constituents, glyphs: Glyphs, width: int) -> str | None:
    """Phrases over a row of words; None where the row is too wide."""
    labels = [printable(label) if label else "" for label in full.labels]
    label_widths = [display_width(label) for label in labels]
    words = widened(full, [display_width(form) for form in tree.forms], label_widths, _GAP)
    layout = lay_out_words(tree, words)
    if layout.width > width:
        return None
    placed = place_phrases(full, layout.lefts, layout.widths, label_widths)
    top = placed[0].level
    arcs = list(zip(arcs_of(tree), layout.bands[0], strict=True))
    canvas = Canvas(2 * top + 2)
    for phrase in placed:
        _draw_branches(canvas, phrase, [one for one in placed if one.parent == phrase.node], top, glyphs)
    for phrase, label in zip(placed, labels, strict=True):
        canvas.write(_row(phrase, top), phrase.label_x, label)
    for left, room, form in zip(layout.lefts, layout.widths, tree.forms, strict=True):
        canvas.write(2 * top + 1, left + (room - display_width(form)) // 2, form)
    drawn = str(canvas)
    if not arcs:
        return drawn
    below = Canvas(max(one.level for _, one in arcs) + 1)
    draw_arcs(below, tree, arcs, _flipped(glyphs))
    return drawn + "\n" + "\n".join(reversed(str(below).split("\n")))


def _row(phrase: PlacedPhrase, top: int) -> int:
    return 2 * (top - phrase.level)


def _flipped(glyphs: Glyphs) -> Glyphs:
    """Glyphs for lines that will be turned upside down."""
    box = glyphs.top_left == "┌"
    right = "┘" if box else "'"
    return replace(glyphs, top_left=glyphs.bottom_left, top_right=right, down="▲" if box else "^")


def _draw_branches(
    canvas: Canvas, phrase: PlacedPhrase, children: list[PlacedPhrase], top: int, glyphs: Glyphs
) -> None:
    """The line under a phrase, and the legs from it to its children."""
    if not children:
        return
    row = _row(phrase, top) + 1
    box = glyphs.top_left == "┌"
    for column in range(children[0].x, children[-1].x + 1):
        canvas.put(row, column, glyphs.horizontal)
    ends = {children[0].x: glyphs.top_left, children[-1].x: glyphs.top_right}
    for child in children:
        canvas.put(row, child.x, ends.get(child.x, "┬" if box else "+"))
        for below in range(row + 1, _row(child, top)):
            canvas.put(below, child.x, glyphs.vertical)
    meets_child = any(child.x == phrase.x for child in children)
    if len(children) == 1:
        canvas.put(row, phrase.x, glyphs.vertical)
    else:
        canvas.put(row, phrase.x, ("┼" if meets_child else "┴") if box else "+")


def _line_by_line(tree: Constituents, forms: Sequence[str], glyphs: Glyphs) -> str:
    """A line for each node, indented by depth; words stand beside their tags, empty elements too."""
    last_children = {children[-1] for children in tree.children if children}
    margins = [""] * len(tree)
    lines = []
    for node, (label, parent, leaf) in enumerate(zip(tree.labels, tree.parents, tree.leaves, strict=True)):
        is_last = node in last_children
        start = "" if parent < 0 else margins[parent] + (glyphs.bottom_left if is_last else glyphs.branch_right)
        margins[node] = "" if parent < 0 else margins[parent] + (" " if is_last else glyphs.vertical) + " "
        text = printable(label) if label else glyphs.node
        if leaf is not None:
            text += " " + (forms[leaf - 1] if isinstance(leaf, int) else printable(leaf))
        lines.append(start + (glyphs.horizontal if parent >= 0 else "") + text)
    return "\n".join(lines)

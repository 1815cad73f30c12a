# SPDX-License-Identifier: Apache-2.0
"""A tree over its sentence: words in a row, arcs above them, labels on the arcs.

::

            root
     ┌─nsubj─┐│┌─obj─┐
     ▼       │▼│     ▼
    They     saw    her

Placement is that of ``layout``, with one cell as the unit. A tip marks the dependent; a leg without a tip is the
head's, one for all its arcs to the left and one for all its arcs to the right.
"""

from __future__ import annotations

from collections.abc import Sequence

from accord.drawing.characters import display_width, printable
from accord.drawing.glyphs import Glyphs
from accord.drawing.layout import Arc, Layout, Metrics, PlacedArc, lay_out
from accord.drawing.tree import DrawnTree

_METRICS = Metrics(word_gap=2, port_width=1, port_pitch=1, label_margin=1, shared_legs=True)


class Canvas:
    """Rows of cells; a wide character takes its cell and leaves the next one empty."""

    def __init__(self, rows: int) -> None:
        self._rows: list[list[str]] = [[] for _ in range(rows)]

    def put(self, row: int, column: int, character: str) -> None:
        cells = self._rows[row]
        cells.extend(" " * (column + 1 - len(cells)))
        cells[column] = character

    def get(self, row: int, column: int) -> str:
        cells = self._rows[row]
        return cells[column] if column < len(cells) else " "

    def write(self, row: int, column: int, text: str) -> None:
        """Write printable ``text`` from ``column`` on; marks join the character they follow."""
        for character in text:
            width = display_width(character)
            if width == 0:
                self._rows[row][column - 1] += character
                continue
            self.put(row, column, character)
            if width == 2:
                self.put(row, column + 1, "")
            column += width

    def __str__(self) -> str:
        return "\n".join("".join(cells).rstrip() for cells in self._rows)


def lay_out_words(tree: DrawnTree, widths: Sequence[int] | None = None) -> Layout:
    """The layout of ``tree`` in cells; its ``width`` tells whether it fits. ``widths``: of words, where known."""
    if widths is None:
        tags = tree.tags or ("",) * len(tree)
        widths = [max(display_width(form), display_width(tag)) for form, tag in zip(tree.forms, tags, strict=True)]
    return lay_out(list(widths), [arcs_of(tree)], _METRICS)


def arcs_of(tree: DrawnTree) -> list[Arc]:
    """The arcs of a tree, with the room that their labels take."""
    return [
        Arc(head, word, display_width(tree.label_with_confidence(word)))
        for word, head in enumerate(tree.heads, start=1)
        if head is not None
    ]


def draw_horizontal(tree: DrawnTree, layout: Layout, glyphs: Glyphs) -> str:
    arcs = list(zip(arcs_of(tree), layout.bands[0], strict=True))
    tips_row = max((placed.level for _, placed in arcs), default=-1)
    canvas = Canvas(tips_row + 2 + (tree.tags is not None) + bool(tree.tokens))
    draw_arcs(canvas, tree, arcs, glyphs)
    _write_centred(canvas, tips_row + 1, layout, tree.forms)
    if tree.tags is not None:
        _write_centred(canvas, tips_row + 2, layout, tree.tags)
    for first, last, form in tree.tokens:
        _write_token(canvas, tips_row + 2 + (tree.tags is not None), layout, (first, last, printable(form)), glyphs)
    return str(canvas)


def draw_arcs(canvas: Canvas, tree: DrawnTree, arcs: Sequence[tuple[Arc, PlacedArc]], glyphs: Glyphs) -> None:
    """Draw arcs from the first row of a canvas down to their tips."""
    height = max((placed.level for _, placed in arcs), default=0)
    for arc, placed in arcs:
        if arc.head != 0:
            _draw_line(canvas, height - placed.level, placed, glyphs)
    for _, placed in arcs:
        for column in {placed.head_x, placed.dependent_x}:
            _draw_leg(canvas, height - placed.level + 1, height, column, glyphs)
        canvas.put(height, placed.dependent_x, glyphs.down)
    for arc, placed in arcs:
        _write_label(canvas, height - placed.level, placed, tree.label_with_confidence(arc.dependent), glyphs)


def _write_token(canvas: Canvas, row: int, layout: Layout, token: tuple[int, int, str], glyphs: Glyphs) -> None:
    """A brace below the words of a multiword token, with its form in the middle where there is room."""
    first, last, form = token
    left, right = layout.lefts[first - 1], layout.lefts[last - 1] + layout.widths[last - 1] - 1
    for column in range(left, right):
        canvas.put(row, column, glyphs.horizontal)
    canvas.put(row, left, glyphs.bottom_left)
    canvas.put(row, right, glyphs.bottom_right)
    room = right - left - 1
    canvas.write(row, left + 1 + max(0, (room - display_width(form)) // 2), form)


def _draw_line(canvas: Canvas, row: int, placed: PlacedArc, glyphs: Glyphs) -> None:
    for column in range(placed.left, placed.right):
        canvas.put(row, column, glyphs.horizontal)
    canvas.put(row, placed.left, glyphs.top_left)
    canvas.put(row, placed.right, glyphs.top_right)


def _draw_leg(canvas: Canvas, first_row: int, last_row: int, column: int, glyphs: Glyphs) -> None:
    """Lead a leg down: over lines of other arcs, and past the ends of arcs that branch from it."""
    passed = {
        " ": glyphs.vertical,
        glyphs.horizontal: glyphs.crossing,
        glyphs.top_left: glyphs.branch_right,
        glyphs.top_right: glyphs.branch_left,
    }
    for row in range(first_row, last_row + 1):
        met = canvas.get(row, column)
        canvas.put(row, column, passed.get(met, met))


def _write_label(canvas: Canvas, row: int, placed: PlacedArc, label: str, glyphs: Glyphs) -> None:
    """Write a label on its line, set off by spaces where they leave some of the line to see."""
    canvas.write(row, placed.label_x, label)
    before, after = placed.label_x - 1, placed.label_x + placed.label_width
    is_line = placed.left < before - 1 and after + 1 < placed.right
    if is_line and all(canvas.get(row, cell) == glyphs.horizontal for cell in (before - 1, before, after, after + 1)):
        canvas.put(row, before, " ")
        canvas.put(row, after, " ")


def _write_centred(canvas: Canvas, row: int, layout: Layout, texts: Sequence[str]) -> None:
    for left, width, text in zip(layout.lefts, layout.widths, texts, strict=True):
        canvas.write(row, left + (width - display_width(text)) // 2, text)

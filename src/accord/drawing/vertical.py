# SPDX-License-Identifier: Apache-2.0
"""A tree beside its sentence: one word a line, for sentences of any length.

::

     ┌─► 1  They  nsubj
    ─●─► 2  saw   root
     └─► 3  her   obj

Each head has one vertical line, its rail, from its first to its last dependent, itself included. A node marks the head
on its own rail; from the rail of its head a line leads to each word. The rail of a head stands left of the rails of
all its dependents, and rails that share a line of text stand apart, so lines of a projective tree never cross.

With n words and a tree of height h: at most h rails next to one another when the tree is projective, O(n h) cells.
"""

from __future__ import annotations

from dataclasses import dataclass

from accord.drawing.characters import display_width, pad, printable
from accord.drawing.glyphs import Glyphs
from accord.drawing.tree import DrawnTree

_LONGEST_ALIGNED_FORM = 32  # longer forms, addresses for example, push their own line only


@dataclass(frozen=True, slots=True)
class Rail:
    """The line of the dependents of ``head``, over the words ``first`` to ``last``; level 1 is next to the words."""

    head: int
    first: int
    last: int
    level: int


def assign_rails(tree: DrawnTree) -> dict[int, Rail]:
    """The rails of all heads, by head."""
    dependents: dict[int, list[int]] = {}
    for word, head in enumerate(tree.heads, start=1):
        if head:
            dependents.setdefault(head, []).append(word)
    rails: dict[int, Rail] = {}
    taken: list[list[tuple[int, int]]] = [[]]  # per level, the stretches in use
    for head in _heads_upwards(tree, dependents):
        below = (rails[dependent].level for dependent in dependents[head] if dependent in rails)
        first, last = min(head, dependents[head][0]), max(head, dependents[head][-1])
        level = 1 + max(below, default=0)
        while level < len(taken) and any(start <= last and first <= end for start, end in taken[level]):
            level += 1
        if level == len(taken):
            taken.append([])
        taken[level].append((first, last))
        rails[head] = Rail(head, first, last, level)
    return rails


def _heads_upwards(tree: DrawnTree, dependents: dict[int, list[int]]) -> list[int]:
    """Heads, each after all heads among its dependents."""
    tops = [word for word, head in enumerate(tree.heads, start=1) if not head]
    downwards: list[int] = []
    while tops:
        word = tops.pop()
        if word in dependents:
            downwards.append(word)
            tops.extend(dependents[word])
    return downwards[::-1]


def draw_vertical(tree: DrawnTree, glyphs: Glyphs, width: int) -> str:
    margin = _Margin(tree, glyphs, width)
    rows = _text_rows(tree, glyphs)
    return "\n".join(f"{margin.row(word)} {text}".rstrip() for word, text in enumerate(rows, start=1))


class _Margin:
    """The lines to the left of the words: an edge where the lines of roots begin, the rails, and the tips."""

    def __init__(self, tree: DrawnTree, glyphs: Glyphs, width: int) -> None:
        self.tree = tree
        self.glyphs = glyphs
        self.rails = assign_rails(tree)
        levels = max((rail.level for rail in self.rails.values()), default=0)
        pitch = 2 if 3 * levels < width else 1  # deep trees are drawn closer
        self.columns = {head: 1 + (levels - rail.level) * pitch for head, rail in self.rails.items()}
        self.tip = max(self.columns.values(), default=0) + 2
        self.standing: list[list[int]] = [[] for _ in tree.forms]  # columns of the rails at each word
        for head, rail in self.rails.items():
            for word in range(rail.first, rail.last + 1):
                self.standing[word - 1].append(self.columns[head])

    def row(self, word: int) -> str:
        glyphs = self.glyphs
        cells = [" "] * (self.tip + 1)
        for column in self.standing[word - 1]:
            cells[column] = glyphs.vertical
        start = self._line_start(word)
        if start is None:
            return "".join(cells)
        for column in range(start, self.tip):
            cells[column] = glyphs.crossing if cells[column] == glyphs.vertical else glyphs.horizontal
        cells[self.tip] = glyphs.right
        head = self.tree.heads[word - 1]
        if head:
            cells[start] = _turn(self.rails[head], word, glyphs)
        if word in self.columns:
            cells[self.columns[word]] = glyphs.node
        return "".join(cells)

    def _line_start(self, word: int) -> int | None:
        """Where the line to a word begins: the rail of its head, the edge for a root, its own rail without a head."""
        head = self.tree.heads[word - 1]
        if head is None:
            return self.columns.get(word)
        return self.columns[head] if head else 0


def _turn(rail: Rail, word: int, glyphs: Glyphs) -> str:
    if word == rail.first:
        return glyphs.top_left
    return glyphs.bottom_left if word == rail.last else glyphs.branch_right


def _text_rows(tree: DrawnTree, glyphs: Glyphs) -> list[str]:
    """Number, form, tag and label of each word in aligned columns, and what gold says where it differs."""
    numbers = [tree.number(word) for word in range(1, len(tree) + 1)]
    labels = ["" if head is None else tree.label_with_confidence(word) for word, head in enumerate(tree.heads, start=1)]
    notes = [_note(tree, word, glyphs) for word in range(1, len(tree) + 1)]
    table = [numbers, tree.forms, *([tree.tags] if tree.tags is not None else []), labels, notes]
    widths = [min(_LONGEST_ALIGNED_FORM, max(map(display_width, column), default=0)) for column in table]
    rows = []
    for number, *texts in zip(*table, strict=True):
        cells = [number.rjust(widths[0]), *(pad(text, width) for text, width in zip(texts, widths[1:], strict=True))]
        rows.append("  ".join(cells))
    return rows


def _note(tree: DrawnTree, word: int, glyphs: Glyphs) -> str:
    """What gold says, the arcs of an enhanced graph, and the multiword token that a word is part of."""
    parts = [_gold_note(tree, word, glyphs)]
    for head, dependent, label in tree.more_arcs:
        if dependent == word:
            source = f"{tree.number(head)} {tree.forms[head - 1]}" if head else "root"
            parts.append(f"{printable(label)} {glyphs.from_head} {source}")
    parts += [f"[{printable(form)}]" for first, last, form in tree.tokens if first <= word <= last]
    return "; ".join(part for part in parts if part)


def _gold_note(tree: DrawnTree, word: int, glyphs: Glyphs) -> str:
    if tree.gold_heads is None or not tree.differs_from_gold(word):
        return ""
    head = tree.gold_heads[word - 1]
    if head is None:
        return "gold: open"
    source = f"{head} {tree.forms[head - 1]}" if head else "root"
    return f"gold: {tree.gold_label(word)} {glyphs.from_head} {source}"

# SPDX-License-Identifier: Apache-2.0
"""Trees as tall pictures: one word a line, arcs to its left, tags and labels to its right. For long sentences.

An arc stands as many steps to the left as arcs below it in the order of lengths overlap it, so that no two lines meet.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from accord.drawing.characters import pixel_width, printable
from accord.drawing.style import GOLD, LABEL_SIZE, TAG_SIZE, WORD_SIZE, confidence_class
from accord.drawing.tree import DrawnTree

_LINE, _STEP, _BORDER, _GAP = 26, 12, 16, 16


def render_vertical(tree: DrawnTree, style: str | None) -> str:
    """The picture of a tree with one word a line."""
    arcs = [(head, word) for word, head in enumerate(tree.heads, 1) if head]
    levels = _levels(arcs)
    left = _BORDER + _STEP * (max(levels.values(), default=0) + 2)
    tags = tree.tags or ("",) * len(tree)
    tags_x = left + max((pixel_width(form, WORD_SIZE) for form in tree.forms), default=0) + _GAP
    labels_x = tags_x + max((pixel_width(tag, TAG_SIZE * 1.06) for tag in tags), default=0) + _GAP
    texts = [_label(tree, word) for word in range(1, len(tree) + 1)]
    width = labels_x + max((pixel_width(text, LABEL_SIZE) for text in texts), default=0) + _BORDER
    height = 2 * _BORDER + _LINE * len(tree)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="accord" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label={quoteattr(" ".join(tree.forms))}>',
        *([] if style is None else [f"<style>{style}</style>"]),
        f'<rect class="paper" width="{width}" height="{height}"/>',
        *(_arc(tree, arc, levels[arc], left) for arc in arcs),
    ]
    for word in range(1, len(tree) + 1):
        parts.append(_row(tree, word, texts[word - 1], (left, tags_x, labels_x)))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _y(word: int) -> int:
    return _BORDER + _LINE * (word - 1) + 18


def _levels(arcs: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """How many steps to the left each arc stands: shorter arcs first, each beyond those it overlaps."""
    levels: dict[tuple[int, int], int] = {}
    for head, word in sorted(arcs, key=lambda arc: (abs(arc[0] - arc[1]), min(arc))):
        low, high = min(head, word), max(head, word)
        taken = {level for other, level in levels.items() if min(other) <= high and max(other) >= low}
        level = 1
        while level in taken:
            level += 1
        levels[head, word] = level
    return levels


def _arc(tree: DrawnTree, arc: tuple[int, int], level: int, left: int) -> str:
    head, word = arc
    x, start, end = left - 8 - _STEP * level, _y(head) - 9, _y(word) - 3
    tip = f"M{left - 9} {end - 3.5:g}L{left - 9} {end + 3.5:g}L{left - 2} {end}Z"
    title = f"{tree.forms[head - 1]} ({head}) → {tree.label_with_confidence(word)} → {tree.forms[word - 1]} ({word})"
    return (
        f'<g class="{confidence_class(tree.confidence(word))}"><title>{escape(title)}</title>'
        f'<path class="line" d="M{left - 4} {start}H{x}V{end}H{left - 6}"/><path class="tip" d="{tip}"/></g>'
    )


def _label(tree: DrawnTree, word: int) -> str:
    parts = [tree.label_with_confidence(word)]
    if tree.differs_from_gold(word):
        head = None if tree.gold_heads is None else tree.gold_heads[word - 1]
        parts.append(f"(gold: {tree.gold_label(word)} of {head})")
    parts += [
        f"{label}({tree.forms[head - 1] if head else 'root'})" for head, one, label in tree.more_arcs if one == word
    ]
    parts += [f"⌞{printable(form)}⌟" for first, last, form in tree.tokens if first <= word <= last]
    return "  ".join(part for part in parts if part)


def _row(tree: DrawnTree, word: int, label: str, places: tuple[int, int, int]) -> str:
    y = _y(word)
    kind = "word left empty" if word in tree.empty else "word left"
    cells = [f'<text class="{kind}" x="{places[0]}" y="{y}">{escape(tree.forms[word - 1])}</text>']
    if tree.tags is not None:
        cells.append(f'<text class="tag left" x="{places[1]}" y="{y}">{escape(tree.tags[word - 1])}</text>')
    style = GOLD if tree.differs_from_gold(word) else confidence_class(tree.confidence(word))
    cells.append(f'<g class="{style}"><text class="label left" x="{places[2]}" y="{y}">{escape(label)}</text></g>')
    return "".join(cells)

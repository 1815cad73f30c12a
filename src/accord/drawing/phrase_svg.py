# SPDX-License-Identifier: Apache-2.0
"""Constituents in a picture: phrases above the words, dependencies below them.

A phrase is its label, with a line to each child: down a little, across, and down to the child, so that no two lines of
different phrases meet. Levels stand one step apart. The words, the arcs and the colours are
those of ``svg``.
"""

from __future__ import annotations

from xml.sax.saxutils import escape

from accord.data.constituents import Constituents, without_empties, without_root
from accord.drawing.characters import pixel_width, printable
from accord.drawing.phrases import PlacedPhrase, place_phrases, widened
from accord.drawing.style import LABEL_SIZE, TAG_SIZE

STEP = 40  # from a level to the next one
TAG_STEP = 30  # from tags to the phrases above them
_ABOVE_LABEL, _BELOW_LABEL = 13, 5  # from the baseline of a label to where lines end
_MARGIN = 8
_BEND, _CORNER = 8, 8


class PhraseBand:
    """The phrases over the words of one picture."""

    def __init__(self, tree: Constituents) -> None:
        full = without_empties(tree)
        assert full is not None
        self.tree = without_root(full)
        self.labels = [printable(label) if label else "" for label in self.tree.labels]
        size = [TAG_SIZE * 1.06 if leaf is not None else LABEL_SIZE for leaf in self.tree.leaves]
        self.label_widths = [pixel_width(label, one) + _MARGIN for label, one in zip(self.labels, size, strict=True)]

    def room_for_words(self, widths: list[int], gap: int) -> list[int]:
        """Widths of words that leave room for the labels above them."""
        return widened(self.tree, widths, self.label_widths, gap)

    def place(self, lefts: list[int], widths: list[int]) -> None:
        self.placed = place_phrases(self.tree, lefts, widths, self.label_widths)

    @property
    def height(self) -> int:
        """Pixels from the top of the root's label to the words."""
        return self._rise(self.placed[0].level) + _ABOVE_LABEL + _BELOW_LABEL

    def render(self, left: int, feet: int) -> list[str]:
        """Lines and labels, over words whose upper edge is at ``feet``."""
        lines, texts = [], []
        for phrase, label in zip(self.placed, self.labels, strict=True):
            y = self._baseline(phrase, feet)
            x = left + phrase.label_x + self.label_widths[phrase.node] // 2
            if phrase.parent >= 0:
                above = self.placed[phrase.parent]
                start = left + above.label_x + self.label_widths[above.node] // 2
                top = self._baseline(above, feet) + _BELOW_LABEL
                lines.append(f'<path class="line" d="{_branch(start, top, x, y - _ABOVE_LABEL)}"/>')
            begin, end = self.tree.spans[phrase.node]
            title = f"<title>{escape(label)}: words {begin + 1} to {end}</title>"
            kind = "tag" if phrase.level == 0 else "label"
            texts.append(f'<text class="{kind}" x="{x}" y="{y}">{title}{escape(label)}</text>')
        return [f'<g class="plain phrases">{"".join(lines)}{"".join(texts)}</g>']

    def _baseline(self, phrase: PlacedPhrase, feet: int) -> int:
        return feet - _BELOW_LABEL - self._rise(phrase.level)

    @staticmethod
    def _rise(level: int) -> int:
        return 0 if level == 0 else TAG_STEP + (level - 1) * STEP


def _branch(start: int, top: int, x: int, bottom: int) -> str:
    """The line from a phrase to a child, with a round corner above the child."""
    bend = top + _BEND
    corner = min(_CORNER, abs(x - start))
    across = corner if x > start else -corner
    if corner == 0:
        return f"M{start} {top}V{bottom}"
    return f"M{start} {top}V{bend}H{x - across}Q{x} {bend} {x} {bend + corner}V{bottom}"

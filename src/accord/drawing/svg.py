# SPDX-License-Identifier: Apache-2.0
"""Trees as pictures: self-contained SVG, in one row as wide as the sentence.

Placement is that of ``layout``, with one pixel as the unit. Distances between levels shrink with height, down to what a
label needs, so deep trees stay low. Each arc is drawn over a halo in the colour of the paper: where two arcs cross, one
visibly passes over the other. Labels come last and stand on stretches of line that no arc crosses. Widths of text are
estimates, for no font is known here. The same tree always gives the same bytes.
"""

from __future__ import annotations

import dataclasses
from xml.sax.saxutils import escape, quoteattr

from accord.drawing.characters import is_right_to_left, pixel_width, printable
from accord.drawing.layout import Arc, Layout, Metrics, PlacedArc, lay_out
from accord.drawing.phrase_svg import PhraseBand
from accord.drawing.style import GOLD, LABEL_SIZE, TAG_SIZE, WORD_SIZE, Look, confidence_class, style_sheet
from accord.drawing.tree import DrawnTree

_METRICS = Metrics(word_gap=18, port_width=0, port_pitch=9, label_margin=14, shared_legs=False)

_PILL_HEIGHT, _PILL_PADDING = 17, 6
_FIRST_LEVEL, _LEAST_STEP = 34, 20  # from the legs' feet to level 1; the least distance between two levels
_CORNER = 11
_TIP_LENGTH, _TIP_WIDTH = 7, 7
_WORD_ROOM, _TAG_ROOM, _TOKEN_ROOM = 30, 17, 22
_BORDER = 16


def draw_svg(tree: DrawnTree, look: Look | None = None) -> str:
    """Draw a tree as an SVG document.

    Tags are written small below the words, confidences in the labels and shown as colour, from red (doubtful) to blue
    (sure). Arcs in which a gold tree differs are drawn below the words. Constituents stand above the words, and
    the arcs then below them.

    The picture follows the reader's preference for light or dark, needs no script and no font, and shows head, label
    and dependent of an arc when the pointer rests on it.

    >>> picture = draw_svg(DrawnTree(["They", "left"], [2, 0], ["nsubj", "root"]))
    >>> picture.startswith("<svg "), picture.count('class="line"')
    (True, 2)
    """
    return render_svg(tree, style_sheet(look), look)


def render_svg(tree: DrawnTree, style: str | None, look: Look | None = None, *, handles: bool = False) -> str:
    """The picture of ``tree`` with its own style sheet, or without one on a page that already has it.

    ``handles``: arcs say their head and dependent and words their number, for the script of a page.
    """
    look = look or Look()
    picture = None if look.vertical else _Picture(tree, look, handles)
    if picture is None or 0 < look.widest < picture.width:
        from accord.drawing.svg_vertical import render_vertical

        return render_vertical(tree, style)
    return picture.render(style)


def _heights(levels: int) -> list[int]:
    """Height of each level above the feet of the legs; entry 0 is the feet."""
    heights = [0, _FIRST_LEVEL]
    while len(heights) <= levels:
        heights.append(heights[-1] + max(_LEAST_STEP, round(_FIRST_LEVEL * len(heights) ** -0.35)))
    return heights


class _Picture:
    """One tree, placed; arcs above the words and, for gold, below them."""

    def __init__(self, tree: DrawnTree, look: Look, handles: bool = False) -> None:
        self.tree = tree
        self.handles = handles
        self.phrases = None if tree.constituents is None else PhraseBand(tree.constituents)
        self.tags = tree.tags if self.phrases is None else None  # constituents show tags of their own
        self.bands = [_arcs(tree), _gold_arcs(tree)] if self.phrases is None else [[], _arcs(tree)]
        self.more = tree.gold_heads is None  # the arcs below are those of an enhanced graph
        self.layout = _lay_out(tree, self.bands, self.phrases, look.distance)
        reads_left = sum(map(is_right_to_left, tree.forms)) * 2 > len(tree)
        mirrored = look.direction == "rtl" or (look.direction == "auto" and reads_left)
        self.mirrored = mirrored and self.phrases is None
        levels = [max((placed.level for placed in band), default=0) for band in self.layout.bands]
        self.heights = _heights(max(levels))
        above, below = (self.heights[level] + _PILL_HEIGHT // 2 if level else 0 for level in levels)
        if self.phrases is not None:
            self.phrases.place(self.layout.lefts, self.layout.widths)
            above = self.phrases.height
        self.words_top = _BORDER + above
        self.words_bottom = self.words_top + _WORD_ROOM + (_TAG_ROOM if self.tags is not None else 0)
        self.tokens_top = self.words_bottom - 4
        self.words_bottom += _TOKEN_ROOM if tree.tokens else 0
        self.width = self.layout.width + 2 * _BORDER
        self.height = self.words_bottom + below + _BORDER

    def render(self, style: str | None) -> str:
        groups = [
            (self._arc(arc, placed, band == 1), self._label(arc, placed, band == 1))
            for band, arcs in enumerate(self.bands)
            # Low arcs first, so that at a crossing the leg of the higher arc passes over the line of the lower one.
            for arc, placed in sorted(zip(arcs, self.layout.bands[band], strict=True), key=lambda pair: pair[1].level)
        ]
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="accord" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" role="img" aria-label={quoteattr(" ".join(self.tree.forms))}>',
            *([] if style is None else [f"<style>{style}</style>"]),
            f'<rect class="paper" width="{self.width}" height="{self.height}"/>',
            *([] if self.phrases is None else self.phrases.render(_BORDER, self.words_top)),
            *(line for line, _ in groups),
            *(label for _, label in groups),
            *self._words(),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _words(self) -> list[str]:
        parts = []
        for word, (left, width) in enumerate(zip(self.layout.lefts, self.layout.widths, strict=True)):
            middle = _number(self._x(left + width / 2))
            baseline = self.words_top + 21
            kind = "word empty" if word + 1 in self.tree.empty else "word"
            handle = f' data-word="{word + 1}"' if self.handles else ""
            form = escape(self.tree.forms[word])
            parts.append(f'<text class="{kind}"{handle} x="{middle}" y="{baseline}">{form}</text>')
            if self.tags is not None:
                tag = escape(self.tags[word])
                parts.append(f'<text class="tag" x="{middle}" y="{baseline + _TAG_ROOM}">{tag}</text>')
        return parts + [self._token(*token) for token in self.tree.tokens]

    def _token(self, first: int, last: int, form: str) -> str:
        """A brace below the words of a multiword token, and its form."""
        ends = [
            self._x(self.layout.lefts[first - 1]),
            self._x(self.layout.lefts[last - 1] + self.layout.widths[last - 1]),
        ]
        left, right, top = min(ends), max(ends), self.tokens_top
        path = f"M{_number(left)} {top}v5H{_number(right)}v-5"
        return (
            f'<path class="brace" d="{path}"/>'
            f'<text class="token" x="{_number((left + right) / 2)}" y="{top + 18}">{escape(printable(form))}</text>'
        )

    def _x(self, x: float) -> float:
        """A place of the layout in the picture, which is mirrored where the script runs from right to left."""
        return _BORDER + (self.layout.width - x if self.mirrored else x)

    def _line_y(self, placed: PlacedArc, below: bool) -> int:
        height = self.heights[placed.level]
        return self.words_bottom + height if below else self.words_top - height

    def _arc(self, arc: Arc, placed: PlacedArc, below: bool) -> str:
        down = -1 if below else 1  # from the line to the words
        feet = self.words_bottom if below else self.words_top
        ends = (round(self._x(placed.head_x)), round(self._x(placed.dependent_x)))
        path = _path(*ends, self._line_y(placed, below), feet, down)
        x, half = ends[1], _TIP_WIDTH / 2
        shoulder = feet - down * _TIP_LENGTH
        tip = f"M{_number(x - half)} {shoulder}L{_number(x + half)} {shoulder}L{x} {feet}Z"
        return (
            f'<g class="{self._class(arc, below)}"{self._handle(arc)}><title>{escape(self._title(arc, below))}</title>'
            f'<path class="halo" d="{path}"/><path class="line" d="{path}"/><path class="tip" d="{tip}"/></g>'
        )

    def _label(self, arc: Arc, placed: PlacedArc, below: bool) -> str:
        y = self._line_y(placed, below)
        x = round(self._x(placed.label_x + (placed.label_width if self.mirrored else 0)))
        text = self._text(arc, below)
        middle = _number(x + placed.label_width / 2)
        return (
            f'<g class="{self._class(arc, below)}"{self._handle(arc)}><title>{escape(self._title(arc, below))}</title>'
            f'<rect class="pill" x="{x}" y="{_number(y - _PILL_HEIGHT / 2)}" width="{placed.label_width}" '
            f'height="{_PILL_HEIGHT}" rx="{_number(_PILL_HEIGHT / 2)}"/>'
            f'<text class="label" x="{middle}" y="{y + 4}">{escape(text)}</text></g>'
        )

    def _is_gold(self, below: bool) -> bool:
        """Whether arcs on this side of the words are those of a gold tree or of an enhanced graph."""
        return below and self.phrases is None

    def _class(self, arc: Arc, below: bool) -> str:
        if self._is_gold(below):
            return "plain" if self.more else GOLD
        wrong = " wrong" if self.tree.differs_from_gold(arc.dependent) else ""
        return confidence_class(self.tree.confidence(arc.dependent)) + wrong

    def _handle(self, arc: Arc) -> str:
        return f' data-head="{arc.head}" data-dependent="{arc.dependent}"' if self.handles else ""

    def _title(self, arc: Arc, below: bool) -> str:
        label = self._text(arc, below)
        head = self._named(arc.head) if arc.head else "root"
        prefix = ("enhanced: " if self.more else "gold: ") if self._is_gold(below) else ""
        return f"{prefix}{head} → {label} → {self._named(arc.dependent)}"

    def _named(self, word: int) -> str:
        return f"{self.tree.forms[word - 1]} ({self.tree.number(word)})"

    def _text(self, arc: Arc, below: bool) -> str:
        """The label of an arc."""
        if not self._is_gold(below):
            return self.tree.label_with_confidence(arc.dependent)
        if not self.more:
            return self.tree.gold_label(arc.dependent)
        labels = [label for head, word, label in self.tree.more_arcs if (head, word) == (arc.head, arc.dependent)]
        return printable(" ".join(labels))


def _label_width(text: str) -> int:
    return pixel_width(text, LABEL_SIZE) + 2 * _PILL_PADDING


def _arcs(tree: DrawnTree) -> list[Arc]:
    return [
        Arc(head, word, _label_width(tree.label_with_confidence(word)))
        for word, head in enumerate(tree.heads, start=1)
        if head is not None
    ]


def _gold_arcs(tree: DrawnTree) -> list[Arc]:
    """The arcs below the words: those of gold that differ, or those of an enhanced graph."""
    if tree.gold_heads is None:
        labels: dict[tuple[int, int], list[str]] = {}
        for head, word, label in tree.more_arcs:
            labels.setdefault((head, word), []).append(label)
        return [Arc(head, word, _label_width(printable(" ".join(names)))) for (head, word), names in labels.items()]
    return [
        Arc(head, word, _label_width(tree.gold_label(word)))
        for word, head in enumerate(tree.gold_heads or (), start=1)
        if head is not None and tree.differs_from_gold(word)
    ]


def _lay_out(tree: DrawnTree, bands: list[list[Arc]], phrases: PhraseBand | None, distance: int) -> Layout:
    tags = tree.tags or ("",) * len(tree)
    widths = [
        max(pixel_width(form, WORD_SIZE), pixel_width(tag, TAG_SIZE * 1.06))  # tags are letter-spaced
        for form, tag in zip(tree.forms, tags, strict=True)
    ]
    if phrases is not None:
        widths = phrases.room_for_words([pixel_width(form, WORD_SIZE) for form in tree.forms], distance)
    return lay_out(widths, bands, dataclasses.replace(_METRICS, word_gap=distance))


def _path(head_x: int, dependent_x: int, line_y: int, feet: int, down: int) -> str:
    """From the head's foot over the line to the tip at the dependent, with round corners."""
    end = feet - down * (_TIP_LENGTH - 1)
    if head_x == dependent_x:
        return f"M{head_x} {line_y}V{end}"
    corner = min(_CORNER, abs(dependent_x - head_x) // 2)
    across = corner if dependent_x > head_x else -corner
    turn = line_y + down * corner
    return (
        f"M{head_x} {feet}V{turn}Q{head_x} {line_y} {head_x + across} {line_y}"
        f"H{dependent_x - across}Q{dependent_x} {line_y} {dependent_x} {turn}V{end}"
    )


def _number(value: float) -> str:
    """A coordinate without a needless fraction."""
    return f"{value:g}"

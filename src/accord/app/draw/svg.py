"""Trees as pictures: self-contained SVG, in one row as wide as the sentence.

Placement is that of ``layout``, with one pixel as the unit. Distances between levels shrink with height, down to what a
label needs, so deep trees stay low. Each arc is drawn over a halo in the colour of the paper: where two arcs cross, one
visibly passes over the other. Labels come last and stand on stretches of line that no arc crosses. Widths of text are
estimates, for no font is known here. The same tree always gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from accord.app.draw.characters import pixel_width
from accord.app.draw.layout import Arc, Layout, Metrics, PlacedArc, lay_out
from accord.app.draw.tree import DrawnTree, drawn_tree

_METRICS = Metrics(word_gap=18, port_width=0, port_pitch=9, label_margin=14, shared_legs=False)

_WORD_SIZE, _TAG_SIZE, _LABEL_SIZE = 17, 10.5, 11.5
_PILL_HEIGHT, _PILL_PADDING = 17, 6
_FIRST_LEVEL, _LEAST_STEP = 34, 20  # from the legs' feet to level 1; the least distance between two levels
_CORNER = 11
_TIP_LENGTH, _TIP_WIDTH = 7, 7
_WORD_ROOM, _TAG_ROOM = 30, 17
_BORDER = 16

# Steps of confidence from doubtful to sure: class, and colour on white and on dark paper. Blue against orange and red
# keeps the order visible to most eyes; the figure itself stands in the label.
_CONFIDENCE_STEPS = (
    (0.50, "sure1", "#c2255c", "#ff8fab"),
    (0.75, "sure2", "#d9480f", "#ffa94d"),
    (0.90, "sure3", "#9c6b00", "#ffd43b"),
    (0.97, "sure4", "#1971a8", "#74c0fc"),
    (1.01, "sure5", "#364fc7", "#91a7ff"),
)
_PLAIN = ("plain", "#52606d", "#a9b4c0")
_GOLD = ("gold", "#2b8a3e", "#69db7c")
_INK, _SOFT_INK, _PAPER = ("#1f2933", "#e6e9ed"), ("#7b8794", "#8d99a6"), ("#ffffff", "#15181d")


def draw_svg(
    forms: Sequence[str],
    heads: Sequence[int | None],
    labels: Sequence[str],
    tags: Sequence[str] | None = None,
    confidences: Sequence[float | None] | None = None,
    gold_heads: Sequence[int | None] | None = None,
    gold_labels: Sequence[str] | None = None,
) -> str:
    """Draw a tree as an SVG document.

    Parameters
    ----------
    forms, heads, labels: one entry a word; a head counts words from 1, is 0 for a root, None where it is left open.
    tags: written small below the words.
    confidences: written in the labels and shown as colour, from red (doubtful) to blue (sure).
    gold_heads, gold_labels: another tree over the same words; arcs in which it differs are drawn below the words.

    The picture follows the reader's preference for light or dark, needs no script and no font, and shows head, label
    and dependent of an arc when the pointer rests on it.

    >>> picture = draw_svg(["They", "left"], [2, 0], ["nsubj", "root"])
    >>> picture.startswith("<svg "), picture.count("<title>")
    (True, 2)
    """
    tree = drawn_tree(forms, heads, labels, tags, confidences, gold_heads, gold_labels)
    return render_svg(tree, style=style_sheet())


def render_svg(tree: DrawnTree, style: str | None) -> str:
    """The picture of ``tree`` with its own style sheet, or without one on a page that already has it."""
    return _Picture(tree).render(style)


def style_sheet() -> str:
    """The rules that all pictures share, for light and for dark paper."""
    light, dark = _colour_rules(0), _colour_rules(1)
    fixed = (
        ".accord text{text-anchor:middle;font-family:system-ui,'Segoe UI','Helvetica Neue',Arial,'Noto Sans',sans-serif}"
        f".accord .word{{font-size:{_WORD_SIZE}px}}"
        f".accord .tag{{font-size:{_TAG_SIZE}px;letter-spacing:.04em}}"
        f".accord .label{{font-size:{_LABEL_SIZE}px}}"
        ".accord .line{fill:none;stroke-width:1.5}"
        ".accord .halo{fill:none;stroke-width:5}"
        ".accord .gold .line{stroke-dasharray:5 3}"
        ".accord .wrong .line{stroke-width:2.5}"
        ".accord .wrong .label{font-weight:700}"
    )
    return f"{fixed}{light}@media (prefers-color-scheme:dark){{{dark}}}"


def _colour_rules(paper: int) -> str:
    rules = [
        f".accord{{color:{_INK[paper]}}}",
        f".accord .paper,.accord .pill{{fill:{_PAPER[paper]}}}",
        f".accord .halo{{stroke:{_PAPER[paper]}}}",
        ".accord .word{fill:currentColor}",
        f".accord .tag{{fill:{_SOFT_INK[paper]}}}",
    ]
    for name, *colours in (_PLAIN, _GOLD, *(step[1:] for step in _CONFIDENCE_STEPS)):
        rules.append(f".accord .{name} .line{{stroke:{colours[paper]}}}")
        rules.append(f".accord .{name} .tip,.accord .{name} .label{{fill:{colours[paper]}}}")
    return "".join(rules)


def _confidence_class(confidence: float | None) -> str:
    if confidence is None:
        return _PLAIN[0]
    return next((name for limit, name, *_ in _CONFIDENCE_STEPS if confidence < limit), _CONFIDENCE_STEPS[-1][1])


def _heights(levels: int) -> list[int]:
    """Height of each level above the feet of the legs; entry 0 is the feet."""
    heights = [0, _FIRST_LEVEL]
    while len(heights) <= levels:
        heights.append(heights[-1] + max(_LEAST_STEP, round(_FIRST_LEVEL * len(heights) ** -0.35)))
    return heights


class _Picture:
    """One tree, placed; arcs above the words and, for gold, below them."""

    def __init__(self, tree: DrawnTree) -> None:
        self.tree = tree
        self.bands = [_arcs(tree), _gold_arcs(tree)]
        self.layout = _lay_out(tree, self.bands)
        levels = [max((placed.level for placed in band), default=0) for band in self.layout.bands]
        self.heights = _heights(max(levels))
        above, below = (self.heights[level] + _PILL_HEIGHT // 2 if level else 0 for level in levels)
        self.words_top = _BORDER + above
        self.words_bottom = self.words_top + _WORD_ROOM + (_TAG_ROOM if tree.tags is not None else 0)
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
            f'<svg xmlns="http://www.w3.org/2000/svg" class="accord" role="img" width="{self.width}" '
            f'height="{self.height}" viewBox="0 0 {self.width} {self.height}">',
            *([] if style is None else [f"<style>{style}</style>"]),
            f'<rect class="paper" width="{self.width}" height="{self.height}"/>',
            *(line for line, _ in groups),
            *(label for _, label in groups),
            *self._words(),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _words(self) -> list[str]:
        parts = []
        for word, (left, width) in enumerate(zip(self.layout.lefts, self.layout.widths, strict=True)):
            middle = _number(_BORDER + left + width / 2)
            baseline = self.words_top + 21
            parts.append(f'<text class="word" x="{middle}" y="{baseline}">{escape(self.tree.forms[word])}</text>')
            if self.tree.tags is not None:
                tag = escape(self.tree.tags[word])
                parts.append(f'<text class="tag" x="{middle}" y="{baseline + _TAG_ROOM}">{tag}</text>')
        return parts

    def _line_y(self, placed: PlacedArc, below: bool) -> int:
        height = self.heights[placed.level]
        return self.words_bottom + height if below else self.words_top - height

    def _arc(self, arc: Arc, placed: PlacedArc, below: bool) -> str:
        down = -1 if below else 1  # from the line to the words
        feet = self.words_bottom if below else self.words_top
        path = _path(placed, self._line_y(placed, below), feet, down)
        x, half = _BORDER + placed.dependent_x, _TIP_WIDTH / 2
        shoulder = feet - down * _TIP_LENGTH
        tip = f"M{_number(x - half)} {shoulder}L{_number(x + half)} {shoulder}L{x} {feet}Z"
        return (
            f'<g class="{self._class(arc, below)}"><title>{escape(self._title(arc, below))}</title>'
            f'<path class="halo" d="{path}"/><path class="line" d="{path}"/><path class="tip" d="{tip}"/></g>'
        )

    def _label(self, arc: Arc, placed: PlacedArc, below: bool) -> str:
        y = self._line_y(placed, below)
        x = _BORDER + placed.label_x
        text = self.tree.gold_label(arc.dependent) if below else self.tree.label_with_confidence(arc.dependent)
        middle = _number(x + placed.label_width / 2)
        return (
            f'<g class="{self._class(arc, below)}"><title>{escape(self._title(arc, below))}</title>'
            f'<rect class="pill" x="{x}" y="{_number(y - _PILL_HEIGHT / 2)}" width="{placed.label_width}" '
            f'height="{_PILL_HEIGHT}" rx="{_number(_PILL_HEIGHT / 2)}"/>'
            f'<text class="label" x="{middle}" y="{y + 4}">{escape(text)}</text></g>'
        )

    def _class(self, arc: Arc, below: bool) -> str:
        if below:
            return _GOLD[0]
        wrong = " wrong" if self.tree.differs_from_gold(arc.dependent) else ""
        return _confidence_class(self.tree.confidences[arc.dependent - 1]) + wrong

    def _title(self, arc: Arc, below: bool) -> str:
        label = self.tree.gold_label(arc.dependent) if below else self.tree.label_with_confidence(arc.dependent)
        head = f"{self.tree.forms[arc.head - 1]} ({arc.head})" if arc.head else "root"
        prefix = "gold: " if below else ""
        return f"{prefix}{head} → {label} → {self.tree.forms[arc.dependent - 1]} ({arc.dependent})"


def _label_width(text: str) -> int:
    return pixel_width(text, _LABEL_SIZE) + 2 * _PILL_PADDING


def _arcs(tree: DrawnTree) -> list[Arc]:
    return [
        Arc(head, word, _label_width(tree.label_with_confidence(word)))
        for word, head in enumerate(tree.heads, start=1)
        if head is not None
    ]


def _gold_arcs(tree: DrawnTree) -> list[Arc]:
    return [
        Arc(head, word, _label_width(tree.gold_label(word)))
        for word, head in enumerate(tree.gold_heads or (), start=1)
        if head is not None and tree.differs_from_gold(word)
    ]


def _lay_out(tree: DrawnTree, bands: list[list[Arc]]) -> Layout:
    tags = tree.tags or ("",) * len(tree)
    widths = [
        max(pixel_width(form, _WORD_SIZE), pixel_width(tag, _TAG_SIZE * 1.06))  # tags are letter-spaced
        for form, tag in zip(tree.forms, tags, strict=True)
    ]
    return lay_out(widths, bands, _METRICS)


def _path(placed: PlacedArc, line_y: int, feet: int, down: int) -> str:
    """From the head's foot over the line to the tip at the dependent, with round corners."""
    head_x, dependent_x = _BORDER + placed.head_x, _BORDER + placed.dependent_x
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

# SPDX-License-Identifier: Apache-2.0
"""The look of the pictures: sizes, colours, and the style sheet that all pictures share.

Colours are classes of the style sheet, so that one picture serves light and dark paper; rules use no custom properties,
which programs other than browsers do not know.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from accord.errors import ConfigError

WORD_SIZE, TAG_SIZE, LABEL_SIZE = 17, 10.5, 11.5  # pixels
GOLD = "gold"  # the class of arcs of the tree compared with

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
_GOLD_COLOURS = (GOLD, "#2b8a3e", "#69db7c")
_INK, _SOFT_INK, _PAPER = ("#1f2933", "#e6e9ed"), ("#7b8794", "#8d99a6"), ("#ffffff", "#15181d")


@dataclass(frozen=True)
class Look:
    """How a picture is drawn.

    ``direction``: "ltr", "rtl", or "auto": as the script of most words is written. ``distance``: pixels between words.
    ``vertical``: one word a line. ``widest``: pictures that would be wider are drawn with one word a line; 0: none is.
    ``colours``: of "arc", "label", "word", "tag" and "paper", instead of those of the style.
    """

    direction: str = "auto"
    distance: int = 18
    vertical: bool = False
    widest: int = 0
    colours: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if self.direction not in ("auto", "ltr", "rtl"):
            raise ConfigError(f"direction {self.direction!r}: expected auto, ltr or rtl")
        if not 0 <= self.distance <= 1000:
            raise ConfigError(f"distance {self.distance}: expected 0 to 1000 pixels")
        for part, colour in self.colours:
            if part not in _COLOURED:
                raise ConfigError(f"colour of {part!r}: expected one of {', '.join(_COLOURED)}")
            if not re.fullmatch(r"#[0-9a-fA-F]{3,8}|[a-zA-Z]+", colour):
                raise ConfigError(f"colour {colour!r}: expected a name or #rrggbb")


_COLOURED = {
    "arc": (".accord .line{stroke:%s!important}", ".accord .tip{fill:%s!important}"),
    "label": (".accord .label{fill:%s!important}",),
    "word": (".accord .word{fill:%s!important}",),
    "tag": (".accord .tag{fill:%s!important}",),
    "paper": (".accord .paper,.accord .pill{fill:%s!important}", ".accord .halo{stroke:%s!important}"),
}


def style_sheet(look: Look | None = None) -> str:
    """The rules that all pictures share, for light and for dark paper."""
    chosen = () if look is None else look.colours
    return _common_rules() + "".join(rule % colour for part, colour in chosen for rule in _COLOURED[part])


def _common_rules() -> str:
    light, dark = _colour_rules(0), _colour_rules(1)
    fixed = (
        ".accord text{text-anchor:middle;font-family:system-ui,'Segoe UI','Helvetica Neue',Arial,sans-serif}"
        f".accord .word{{font-size:{WORD_SIZE}px}}"
        f".accord .tag{{font-size:{TAG_SIZE}px;letter-spacing:.04em}}"
        f".accord .label{{font-size:{LABEL_SIZE}px}}"
        ".accord .line{fill:none;stroke-width:1.5}"
        ".accord .halo{fill:none;stroke-width:5}"
        ".accord .gold .line{stroke-dasharray:5 3}"
        ".accord .wrong .line{stroke-width:2.5}"
        ".accord .wrong .label{font-weight:700}"
        ".accord .brace{fill:none;stroke:currentColor;opacity:.5}"
        f".accord .token{{font-size:{TAG_SIZE + 1.5}px;fill:currentColor;opacity:.75}}"
        ".accord .empty{font-style:italic;opacity:.6}"
        ".accord .left{text-anchor:start}"
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
    for name, *colours in (_PLAIN, _GOLD_COLOURS, *(step[1:] for step in _CONFIDENCE_STEPS)):
        rules.append(f".accord .{name} .line{{stroke:{colours[paper]}}}")
        rules.append(f".accord .{name} .tip,.accord .{name} .label{{fill:{colours[paper]}}}")
    return "".join(rules)


def confidence_class(confidence: float | None) -> str:
    """The class of an arc, by how sure the parser is of it."""
    if confidence is None:
        return _PLAIN[0]
    return next((name for limit, name, *_ in _CONFIDENCE_STEPS if confidence < limit), _CONFIDENCE_STEPS[-1][1])

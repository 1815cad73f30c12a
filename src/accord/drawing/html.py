# SPDX-License-Identifier: Apache-2.0
"""Trees as a page: one file with a picture for each sentence, wide ones in a frame that scrolls."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from accord.drawing.characters import printable
from accord.drawing.style import style_sheet
from accord.drawing.svg import render_svg
from accord.drawing.tree import DrawnTree

_PAGE_STYLE = (
    ":root{color-scheme:light dark}"
    "body{margin:2rem auto;padding:0 1rem;max-width:78rem;font-family:system-ui,'Segoe UI',Arial,sans-serif;"
    "background:#fff;color:#1f2933}"
    "h1{font-size:1.4rem;font-weight:600}"
    "figure{margin:0 0 2.5rem}"
    "figcaption{margin:0 0 .5rem;line-height:1.5}"
    ".number{color:#7b8794;margin-right:.6em}"
    ".scroll{overflow-x:auto;border:1px solid #e1e6eb;border-radius:8px}"
    ".scroll svg{display:block;margin:0 auto}"
    "@media (prefers-color-scheme:dark){body{background:#15181d;color:#e6e9ed}.scroll{border-color:#2c333b}}"
)


def draw_html(trees: Iterable[DrawnTree], title: str = "Trees") -> str:
    """Draw trees as a standalone page, which needs no other file, no script and no network.

    >>> page = draw_html([DrawnTree(["They", "left"], [2, 0], ["nsubj", "root"])])
    >>> page.count("<svg "), page.count("<style>")
    (1, 1)
    """
    figures = [_figure(number, tree) for number, tree in enumerate(trees, start=1)]
    name = escape(printable(title))
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>',
        f"<title>{name}</title><style>{_PAGE_STYLE}{style_sheet()}</style></head>",
        f"<body><h1>{name}</h1>",
        *figures,
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _figure(number: int, tree: DrawnTree) -> str:
    caption = printable(tree.caption or " ".join(tree.forms))
    picture = render_svg(tree, style=None)
    return (
        f'<figure><figcaption dir="auto"><span class="number">{number}</span>{escape(caption)}</figcaption>\n'
        f'<div class="scroll">\n{picture}</div></figure>'
    )

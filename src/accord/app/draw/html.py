# SPDX-License-Identifier: Apache-2.0
"""Trees as a page: one file with a picture for each sentence, wide ones in a frame that scrolls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict
from xml.sax.saxutils import escape

from accord.app.draw.characters import printable
from accord.app.draw.style import style_sheet
from accord.app.draw.svg import render_svg
from accord.app.draw.tree import drawn_tree

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


class _RequiredColumns(TypedDict):
    forms: Sequence[str]
    heads: Sequence[int | None]
    labels: Sequence[str]


class TreeColumns(_RequiredColumns, total=False):
    """The columns of a sentence, as ``draw_svg`` takes them, and a caption instead of its forms."""

    tags: Sequence[str] | None
    confidences: Sequence[float | None] | None
    gold_heads: Sequence[int | None] | None
    gold_labels: Sequence[str] | None
    caption: str | None


def draw_html(sentences: Iterable[TreeColumns], title: str = "Trees") -> str:
    """Draw sentences as a standalone page, which needs no other file, no script and no network.

    >>> page = draw_html([{"forms": ["They", "left"], "heads": [2, 0], "labels": ["nsubj", "root"]}])
    >>> page.count("<svg "), page.count("<style>")
    (1, 1)
    """
    figures = [_figure(number, sentence) for number, sentence in enumerate(sentences, start=1)]
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


def _figure(number: int, sentence: TreeColumns) -> str:
    tree = drawn_tree(
        sentence["forms"],
        sentence["heads"],
        sentence["labels"],
        sentence.get("tags"),
        sentence.get("confidences"),
        sentence.get("gold_heads"),
        sentence.get("gold_labels"),
    )
    caption = printable(sentence.get("caption") or " ".join(tree.forms))
    picture = render_svg(tree, style=None)
    return (
        f'<figure><figcaption dir="auto"><span class="number">{number}</span>{escape(caption)}</figcaption>\n'
        f'<div class="scroll">\n{picture}</div></figure>'
    )

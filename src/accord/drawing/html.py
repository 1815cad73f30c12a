# SPDX-License-Identifier: Apache-2.0
"""Trees as a page: one file with a picture for each sentence, wide ones in a frame that scrolls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from accord.drawing.characters import printable
from accord.drawing.style import Look, style_sheet
from accord.drawing.svg import render_svg
from accord.drawing.tree import DrawnTree

PAGE_STYLE = (
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


_NOTEBOOK_RULES = (
    *("figure{margin:0 0 1rem}", "figcaption{line-height:1.5}", ".number{opacity:.6;margin-right:.6em}"),
    *(".scroll{overflow-x:auto}", ".scroll svg{display:block}"),
)


def draw_html(trees: Iterable[DrawnTree], title: str = "Trees", look: Look | None = None) -> str:
    """Draw trees as a standalone page, which needs no other file, no script and no network.

    >>> page = draw_html([DrawnTree(["They", "left"], [2, 0], ["nsubj", "root"])])
    >>> page.count("<svg "), page.count("<style>")
    (1, 1)
    """
    figures = [_figure(number, tree, look) for number, tree in enumerate(trees, start=1)]
    name = escape(printable(title))
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>',
        f"<title>{name}</title><style>{PAGE_STYLE}{style_sheet(look)}</style></head>",
        f"<body><h1>{name}</h1>",
        *figures,
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def draw_notebook(trees: Sequence[DrawnTree], rest: Sequence[str], name: str, more: int = 0) -> str:
    """What a notebook shows: some trees, and the texts of the rest behind a control. Its rules reach nothing else.

    ``more``: how many sentences the rest are, of which ``rest`` has the first.
    """
    rules = "".join(f".accord-document {rule}" for rule in _NOTEBOOK_RULES)
    figures = [_figure(number, tree, None) for number, tree in enumerate(trees, start=1)]
    if rest:
        lines = "".join(f'<li dir="auto">{escape(printable(text))}</li>' for text in rest)
        start = len(trees) + 1
        more = max(more, len(rest))
        listed = "" if more == len(rest) else f", the first {len(rest)} of them"
        figures.append(
            f"<details><summary>{more:,} more sentence{'' if more == 1 else 's'}{listed}</summary>"
            f'<p>document[{start - 1}:] draws from here on.</p><ol start="{start}">{lines}</ol></details>'
        )
    label = escape(printable(name), {'"': "&quot;"})
    style = f"<style>{rules}{style_sheet()}</style>"
    return f'<div class="accord-document" title="{label}">{style}\n' + "\n".join(figures) + "</div>\n"


def _figure(number: int, tree: DrawnTree, look: Look | None) -> str:
    caption = printable(tree.caption or " ".join(tree.forms))
    picture = render_svg(tree, None, look)
    return (
        f'<figure><figcaption dir="auto"><span class="number">{number}</span>{escape(caption)}</figcaption>\n'
        f'<div class="scroll">\n{picture}</div></figure>'
    )

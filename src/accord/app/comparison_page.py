# SPDX-License-Identifier: Apache-2.0
"""The page of ``accord compare --report``: scores, bars of the breakdowns, and both trees of sentences that differ."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

from accord.app.against import share_shown
from accord.drawing.html import PAGE_STYLE
from accord.drawing.sentences import tree_of
from accord.drawing.style import style_sheet
from accord.drawing.svg import render_svg
from accord.evaluation.comparison import Comparison

_STYLE = (
    "table{border-collapse:collapse;margin:0 0 1.5rem}td,th{padding:.15rem .7rem;text-align:right}"
    "td:first-child,th:first-child{text-align:left}.bar{fill:#74a9cf}.bar.b{fill:#fe9929}"
)


def page(found: Comparison, result: dict[str, Any], names: tuple[str, str, str], most: int) -> str:
    """A standalone page: no script, no other file."""
    title = f"{names[1]} and {names[2]}"
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>',
        f"<title>{escape(title)}</title><style>{PAGE_STYLE}{_STYLE}{style_sheet()}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f"<p>Gold: {escape(names[0])}. A is {escape(names[1])}, B is {escape(names[2])}.</p>",
        _tests(result),
    ]
    for name, rows in result["breakdowns"].items():
        parts.append(f"<h2>LAS by {escape(name)}</h2>{_bars(rows)}")
    for name, rows in result["confusions"].items():
        parts.append(f"<h2>Labels that {name} confuses</h2>{_rows(['gold', 'answer', 'words'], rows)}")
    parts.append(f"<h2>{result['different_sentences']} sentences differ</h2>")
    for row in result["differences"][: 2 * most]:
        parts.append(_sentence(found, row))
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _tests(result: dict[str, Any]) -> str:
    rows = [
        (
            name,
            f"{tests['bootstrap']['first']:.2f}",
            f"{tests['bootstrap']['second']:.2f}",
            f"{tests['bootstrap']['difference']:+.2f}",
            share_shown(tests["bootstrap"]["p_value"], tests["bootstrap"]["samples"]),
            f"{tests['permutation']['p_value']:.4g}",
            f"{tests['McNemar']['exact']:.4g}",
        )
        for name, tests in result["tests"].items()
    ]
    return _rows(["score", "A", "B", "difference", "p bootstrap", "p permutation", "p McNemar"], rows)


def _rows(head: list[str], rows: Any) -> str:
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return "<table><tr>" + "".join(f"<th>{escape(one)}</th>" for one in head) + f"</tr>{body}</table>"


def _bars(rows: dict[str, Any]) -> str:
    """Two bars a class, from 0 to 100."""
    lines, y = [], 4
    for name, row in list(rows.items())[:25]:
        lines.append(f'<text x="150" y="{y + 15}" text-anchor="end">{escape(name)}</text>')
        for place, key, kind in ((0, "A", "bar"), (10, "B", "bar b")):
            width = f"{row[key] * 4:.1f}"
            lines.append(f'<rect class="{kind}" x="160" y="{y + place}" width="{width}" height="9"/>')
        lines.append(f'<text x="570" y="{y + 15}">{row["A"]:.1f} / {row["B"]:.1f} ({row["words"]})</text>')
        y += 26
    look = 'font-size="13" font-family="sans-serif" fill="currentColor"'
    return f'<svg width="760" height="{y}" {look}>{"".join(lines)}</svg>'


def _sentence(found: Comparison, row: dict[str, Any]) -> str:
    gold = found.gold.sentences[row["index"]]
    parts = [f"<h3>{escape(str(row['sentence']))}</h3><p dir='auto'>{escape(row['text'])}</p>"]
    for name, system in (("A", found.first), ("B", found.second)):
        picture = render_svg(tree_of(system.sentences[row["index"]], "dependencies", gold=gold), style=None)
        parts.append(
            f"<figure><figcaption>{name}: {row[name]} of {row['words']} right; gold is drawn below where it differs"
            f'</figcaption><div class="scroll">{picture}</div></figure>'
        )
    return "".join(parts)

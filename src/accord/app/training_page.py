# SPDX-License-Identifier: Apache-2.0
"""The page of ``--report``: how a model was trained, with curves of its scores and losses, from what its file says."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from accord.data import open_output
from accord.drawing.html import PAGE_STYLE
from accord.models.file import ModelFile

_STYLE = (
    "table{border-collapse:collapse;margin:0 0 1.5rem}td,th{padding:.15rem .7rem;text-align:right}"
    "td:first-child,th:first-child{text-align:left}.curves{display:flex;flex-wrap:wrap;gap:1rem}"
)
_COLOURS = ("#1f77b4", "#d95f02", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#17becf")
_WIDTH, _HEIGHT, _LEFT, _TOP = 460, 260, 60, 24
_TOLD = ("language", "data", "also", "dev", "licence", "sentences", "words", "tokens", "words_per_cpu_second")


def write_training_page(model: str | Path, path: Path) -> None:
    """Write the page of a model file."""
    file = ModelFile(model)
    with open_output(path) as out:
        out.write(training_page(file.header, Path(file.path).name).encode())


def training_page(header: Mapping[str, Any], name: str) -> str:
    """A standalone page: no script, no other file."""
    card = header.get("card", {})
    facts = [(key, str(card[key])) for key in _TOLD if card.get(key) not in (None, "", [])]
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>',
        f"<title>{escape(name)}</title><style>{PAGE_STYLE}{_STYLE}</style></head><body>",
        f"<h1>{escape(name)}</h1>",
        _table(["model", str(header.get("kind", ""))], facts),
    ]
    for title, key in (("Scores on dev data", "scores"), ("Scores on test data", "test_scores")):
        if card.get(key):
            parts.append(f"<h2>{title}</h2>")
            parts.append(_table(["score", ""], [(one, f"{value:.2f}") for one, value in card[key].items()]))
    logs = list(_logs(header))
    for step, log, best in logs:
        parts.append(f"<h2>{escape(step)}: epochs</h2>{_curves(log, best)}{_epochs(log)}")
    if not logs:
        parts.append("<p>The file has no log of epochs.</p>")
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _logs(header: Mapping[str, Any]) -> Iterator[tuple[str, list[Mapping[str, Any]], int]]:
    """The steps that have a log of epochs, with the log and the best epoch."""
    steps = {str(header.get("kind", "model")): header, **header.get("parts", {})}
    for step, about in steps.items():
        card = about.get("card", {})
        if card.get("log"):
            yield step, card["log"], int(card.get("best_epoch", 0))


def _curves(log: Sequence[Mapping[str, Any]], best: int) -> str:
    epochs = [int(row["epoch"]) for row in log]
    scores = {name: [row["scores"].get(name, math.nan) for row in log] for name in log[-1]["scores"]}
    losses = {name: [row["figures"].get(name, math.nan) for row in log] for name in log[-1].get("figures", {})}
    pictures = [chart("scores on dev data", epochs, scores, best)] if scores else []
    if losses:
        pictures.append(chart("figures of the training", epochs, losses, best))
    pictures.append(chart("objective", epochs, {"objective": [row["objective"] for row in log]}, best))
    return f'<div class="curves">{"".join(pictures)}</div>'


def chart(title: str, places: Sequence[int], lines: Mapping[str, Sequence[float]], best: int) -> str:
    """Lines over epochs, with their names and last values beside them; a dashed line where the best epoch is."""
    values = [value for line in lines.values() for value in line if math.isfinite(value)]
    if not values:
        return ""
    low, high = min(values), max(values)
    margin = (high - low) * 0.05 or abs(high) * 0.05 or 1.0
    low, high = low - margin, high + margin
    first, span = min(places), max(max(places) - min(places), 1)
    bottom, right = _HEIGHT - 28, _WIDTH - 130

    def x(place: float) -> float:
        return _LEFT + (place - first) / span * (right - _LEFT)

    def y(value: float) -> float:
        return bottom - (value - low) / (high - low) * (bottom - _TOP)

    parts = [f'<text x="{_LEFT}" y="14" font-weight="bold">{escape(title)}</text>']
    for share in range(5):
        value = low + (high - low) * share / 4
        parts.append(f'<path d="M{_LEFT} {y(value):.1f}H{right}" stroke="currentColor" opacity=".15"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{_number(value)}</text>')
    for place in places[:: max(1, len(places) // 8)]:
        parts.append(f'<text x="{x(place):.1f}" y="{bottom + 18}" text-anchor="middle">{place}</text>')
    if best in places:
        line = f'd="M{x(best):.1f} {_TOP}V{bottom}" stroke="currentColor" stroke-dasharray="4 4" opacity=".5"'
        parts.append(f"<path {line}/>")
    for number, (name, line_values) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        known = [(place, value) for place, value in zip(places, line_values, strict=True) if math.isfinite(value)]
        points = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in known)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        parts += [
            f'<circle cx="{x(place):.1f}" cy="{y(value):.1f}" r="2.2" fill="{colour}"/>' for place, value in known
        ]
        last = _number(known[-1][1]) if known else ""
        where = f'x="{right + 10}" y="{_TOP + 12 + 15 * number}" fill="{colour}"'
        parts.append(f"<text {where}>{escape(name)} {last}</text>")
    look = f'width="{_WIDTH}" height="{_HEIGHT}" font-size="11" font-family="sans-serif" fill="currentColor"'
    return f'<svg role="img" aria-label="{escape(title)}" {look}>{"".join(parts)}</svg>'


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _epochs(log: Sequence[Mapping[str, Any]]) -> str:
    names = list(log[-1]["scores"])
    rows = [
        (
            str(row["epoch"]) + (" (best so far)" if row.get("best") else ""),
            *(f"{row['scores'].get(name, math.nan):.2f}" for name in names),
            f"{row['cpu_seconds']:.1f}",
        )
        for row in log
    ]
    return _table(["epoch", *names, "CPU s"], rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return "<table><tr>" + "".join(f"<th>{escape(one)}</th>" for one in head) + f"</tr>{body}</table>"

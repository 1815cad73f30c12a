# SPDX-License-Identifier: Apache-2.0
"""Figures of parsers for people: tables, and a picture of speed and accuracy by sentence length."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.app.measuring.parser import Figures, ParserFigures
from accord.figures import new_figure, write_figure


def parser_tables(measured: Sequence[ParserFigures]) -> str:
    """A row for each model and file, then a row for each class of sentence lengths."""
    whole = [["model", "order", "file", "UAS", "LAS", "words/CPU s", "load ms", "model MB", "peak MB"]]
    parts = [["model", "file", "length", "sentences", "words", "UAS", "LAS", "words/CPU s"]]
    for row in measured:
        file = Path(row["file"]).name
        costs = [f"{row['load_ms']:.1f}", f"{row['model_mb']:.1f}", f"{row['peak_memory_mb']:.0f}"]
        whole.append([row["model"], str(row["order"]), file, *_quality_and_speed(row), *costs])
        parts += [
            [row["model"], file, part["lengths"], str(part["sentences"]), str(part["words"]), *_quality_and_speed(part)]
            for part in row["by_length"]
        ]
    return f"{_aligned(whole, left=(0, 2))}\n\n{_aligned(parts, left=(0, 1, 2))}"


def plot_parsers(measured: Sequence[ParserFigures], path: str | Path | None = None) -> Any:
    """By sentence length, words per CPU second on the left, LAS and UAS on the right; one line per model.

    Each file has a row of its own. Returns the matplotlib figure, and writes it to ``path`` where one is given.
    """
    files = list(dict.fromkeys(row["file"] for row in measured))
    figure = new_figure(11, 4.4 * len(files))
    axes = figure.subplots(len(files), 2, squeeze=False)
    for (speed, accuracy), file in zip(axes, files, strict=True):
        for index, row in enumerate(row for row in measured if row["file"] == file):
            _plot_model(speed, accuracy, row, f"C{index}")
        speed.set_ylabel("words per CPU second")
        speed.set_yscale("log")
        accuracy.set_ylabel("percent of words")
        for axis in (speed, accuracy):
            axis.set_title(Path(file).name, fontsize="medium")
            axis.set_xlabel("words in the sentence")
            axis.grid(alpha=0.3)
            axis.legend()
    if path is not None:
        write_figure(figure, path)
    return figure


def _plot_model(speed: Any, accuracy: Any, row: ParserFigures, colour: str) -> None:
    lengths = [part["lengths"] for part in row["by_length"]]
    speeds = [part["words_per_cpu_second"] for part in row["by_length"]]
    speed.plot(lengths, speeds, "o-", color=colour, label=row["model"])
    heads = [part["UAS"] for part in row["by_length"]]
    arcs = [part["LAS"] for part in row["by_length"]]
    if row["LAS"] is not None:
        accuracy.plot(lengths, arcs, "o-", color=colour, label=f"{row['model']} LAS")
    accuracy.plot(lengths, heads, "o--", color=colour, label=f"{row['model']} UAS", alpha=0.7)


def _quality_and_speed(figures: Figures) -> list[str]:
    las = "-" if figures["LAS"] is None else f"{figures['LAS']:.2f}"
    return [f"{figures['UAS']:.2f}", las, f"{figures['words_per_cpu_second']:,.0f}"]


def _aligned(rows: list[list[str]], left: Sequence[int]) -> str:
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)

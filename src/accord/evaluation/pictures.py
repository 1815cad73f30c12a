# SPDX-License-Identifier: Apache-2.0
"""Pictures of calibration: accuracy against confidence, drawn with matplotlib, the extra ``plot``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.errors import ConfigError
from accord.evaluation.calibration import Calibration
from accord.figures import new_figure, write_figure


def plot_reliability(calibrations: Calibration | Mapping[str, Calibration], path: str | Path | None = None) -> Any:
    """For each calibration, accuracy against mean confidence of its bins, and below how many answers each bin holds.

    On the diagonal confidences are right; points below it claim too much. Returns the matplotlib figure, and writes it
    to ``path`` in the format of its suffix where one is given.
    """
    named = {"": calibrations} if isinstance(calibrations, Calibration) else dict(calibrations)
    if not named:
        raise ConfigError("there is no calibration to plot")
    figure = new_figure(4.6 * len(named), 5.6)
    axes = figure.subplots(2, len(named), sharex=True, sharey="row", squeeze=False, height_ratios=(3, 1))
    for column, (name, calibration) in enumerate(named.items()):
        _plot_accuracy(axes[0, column], calibration, name)
        _plot_counts(axes[1, column], calibration)
        axes[1, column].set_xlabel("confidence")
    axes[0, 0].set_ylabel("accuracy")
    axes[1, 0].set_ylabel("answers")
    if path is not None:
        write_figure(figure, path)
    return figure


def _plot_accuracy(axis: Any, calibration: Calibration, name: str) -> None:
    axis.plot((0, 1), (0, 1), ":", color="grey", label="calibrated")
    confidence = [part.confidence for part in calibration.bins]
    accuracy = [part.accuracy for part in calibration.bins]
    axis.vlines(confidence, accuracy, confidence, color="C1", linewidth=2, label="gap")
    axis.plot(confidence, accuracy, "o-", color="C0", label="bins")
    axis.set_xlim(0, 1.01)
    axis.set_ylim(0, 1.02)
    figures = f"ECE {calibration.ece:.3f}   MCE {calibration.mce:.3f}   Brier {calibration.brier:.3f}"
    axis.set_title(f"{name}\n{figures}".strip(), fontsize="medium")
    axis.legend(loc="upper left")


def _plot_counts(axis: Any, calibration: Calibration) -> None:
    widths = [max(part.high - part.low, 0.004) for part in calibration.bins]  # a bin of one value stays visible
    counts = [part.count for part in calibration.bins]
    lows = [min(part.low, 1 - width) for part, width in zip(calibration.bins, widths, strict=True)]
    axis.bar(lows, counts, widths, align="edge", color="C0", edgecolor="white", linewidth=0.5)
    axis.set_yscale("log")
    axis.set_ylim(bottom=0.7)  # one answer is a bar too

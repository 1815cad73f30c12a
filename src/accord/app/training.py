# SPDX-License-Identifier: Apache-2.0
"""What the verbs that train models made of a labeller have in common: reports of progress, and the end."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.app import options
from accord.learning import EpochReport
from accord.tasks.labeller import BatchReport, ChainModel


def say_pass(report: EpochReport) -> None:
    """A line on a pass over the training data."""
    scores = (f"dev {name} {value:.2f}" for name, value in report.scores.items())
    figures = (f"{name} {value:.6g}" for name, value in report.figures.items())
    line = "  ".join((f"pass {report.epoch}", f"loss {report.objective:.1f}", *scores, *figures))
    options.console().print(line, markup=False)


def say_iteration(report: BatchReport) -> bool:
    """A line on every twentieth iteration; training goes on."""
    if report.iteration % 20 == 0:
        options.console().print(f"iteration {report.iteration}  objective {report.objective:.2f}", markup=False)
    return True


def save_trained(model: ChainModel, card: Mapping[str, Any], output: Path) -> None:
    """Write a model with its card, and say how large it is, or that its training was interrupted."""
    dataclasses.replace(model, card={**card, **model.card}).save(output)
    options.leave_if_interrupted(model.card, output)
    options.console().print(f"{output}: {output.stat().st_size / 1e6:.1f} MB", markup=False)

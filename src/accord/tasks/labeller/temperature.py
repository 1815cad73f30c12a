# SPDX-License-Identifier: Apache-2.0
"""The temperature that makes a labeller's probabilities honest."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.learning import golden_section
from accord.tasks.labeller.model import Labeller
from accord.tasks.labeller.model_file import LabellerModel


def fit_temperature(
    model: LabellerModel, make: Callable[[Labeller], _text.Sequences], numbers: NDArray[np.int32]
) -> LabellerModel:
    """The model with the temperature under which the gold labels of dev data are most probable, token by token."""
    if not len(numbers):
        return model
    gold = np.ascontiguousarray(numbers, np.int64).reshape(len(numbers), -1)[:, :1]

    def loss(log_temperature: float) -> float:
        labeller = Labeller(dataclasses.replace(model, temperature=math.exp(log_temperature)))
        answer = labeller.label(make(labeller), label_probabilities=True, threads=model.config.threads)
        table = answer.label_probabilities
        return float(-np.log(np.maximum(np.take_along_axis(table, gold, axis=1), 1e-12)).mean())

    return dataclasses.replace(model, temperature=math.exp(golden_section(loss, -5.0, 3.0, 12)))

# SPDX-License-Identifier: Apache-2.0
"""A trained stack at work: level by level, each seeing what the earlier ones decided."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.tasks.labeller import Labeller, LabellerModel
from accord.tasks.stack.columns import column_names
from accord.tasks.stack.level import ViewOf


@dataclass(frozen=True)
class StackedLabels:
    """By level: the number of the label of each token, and where it was asked for the probability of being outside."""

    decisions: dict[str, NDArray[np.int32]]
    probabilities: dict[str, NDArray[np.float64]]


class StackedLabeller:
    """The models of a stack, first to last, with the views of its levels."""

    def __init__(self, models: Mapping[str, LabellerModel], views: Mapping[str, ViewOf]) -> None:
        self.models = dict(models)
        self._levels = [
            (name, Labeller(model), views[name], column_names(model.templates)) for name, model in models.items()
        ]

    def label(self, tokens: Any, *, probabilities: Collection[str] = (), threads: int = 0) -> StackedLabels:
        """The labels of all levels. ``probabilities``: the levels whose labels get them, all labels of each token."""
        found = StackedLabels({}, {})
        for name, labeller, view, columns in self._levels:
            sequences = view(tokens, found.decisions).sequences(columns)
            answer = labeller.label(sequences, label_probabilities=name in probabilities, threads=threads)
            found.decisions[name] = answer.numbers[:, 0]
            if name in probabilities:
                found.probabilities[name] = answer.label_probabilities
        return found

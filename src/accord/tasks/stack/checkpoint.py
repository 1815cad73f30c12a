# SPDX-License-Identifier: Apache-2.0
"""What training a stack gives, and how an unfinished training is kept: by level, and by fold of a level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.learning import Checkpoint
from accord.tasks.labeller import LabellerModel

Numbers = NDArray[np.int32]
_UNFINISHED = "unfinished"


@dataclass(frozen=True)
class StackResult:
    """What training a stack gives.

    ``decisions``: of all but the last level about the training data, each by a model that did not see the sequence.
    ``folds``: by sequence. ``seen``: by level and fold, the sequences that the model of the fold was trained on.
    """

    models: dict[str, LabellerModel]
    logs: dict[str, list[dict[str, Any]]]
    decisions: dict[str, Numbers]
    folds: NDArray[np.int64]
    seen: dict[str, list[NDArray[np.int64]]]


class StackCheckpoint:
    """The checkpoint of a stack's training; without a file it keeps nothing."""

    def __init__(self, checkpoint: Checkpoint | None) -> None:
        self._checkpoint = checkpoint
        self._decided: Numbers | None = None
        self._done = 0

    def restore(self, result: StackResult, levels: Sequence[str]) -> None:
        """Put the finished levels of a checkpoint into a result."""
        saved = None if self._checkpoint is None else self._checkpoint.load()
        if saved is None:
            return
        if not np.array_equal(saved.arrays["folds"], result.folds):
            raise ConfigError(f"{saved.path}: cannot resume with other training data")
        for name in levels:
            model = saved.model(name, LabellerModel)
            if model is not None:
                result.models[name], result.logs[name] = model, list(saved.state["logs"][name])
            if name in saved.arrays:
                result.decisions[name] = np.asarray(saved.arrays[name], np.int32)
                result.seen[name] = [np.flatnonzero(result.folds != k) for k in range(int(result.folds.max()) + 1)]
        self._done = int(saved.state["done"])
        self._decided = np.array(saved.arrays[_UNFINISHED], np.int32) if self._done else None

    def unfinished(self, tokens: int) -> tuple[Numbers, int]:
        """The decisions of a level about the folds that are done, and the number of these folds; given once."""
        decided, done = self._decided, self._done
        self._decided, self._done = None, 0
        return (np.zeros(tokens, np.int32), 0) if decided is None else (decided, done)

    def save(self, result: StackResult, decided: Numbers | None = None, done: int = 0) -> None:
        if self._checkpoint is None:
            return
        arrays: dict[str, NDArray[Any]] = {"folds": result.folds, **result.decisions}
        if decided is not None:
            arrays[_UNFINISHED] = decided
        self._checkpoint.save({"logs": result.logs, "done": done}, arrays, result.models)

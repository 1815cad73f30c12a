# SPDX-License-Identifier: Apache-2.0
"""Training of a stack: no level sees decisions of a model that was trained on the same sequences.

Train:   level by level. A level's model learns from all sequences, seen through the decisions of earlier levels. For
         the levels above, the sequences are cut into folds, and the decisions about a fold are those of a model of the
         other folds (jack-knifing). Decisions of the final model would be too good: it knows the answers by heart.
Cost:    folds + 1 trainings of each level, one of the last.
Paper:   Qian and Liu (2013), "Disfluency Detection Using Multi-step Stacked Learning".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.learning import SILENT, Reporter
from accord.tasks.labeller import Labeller, LabellerModel
from accord.tasks.labeller.problem import Problem
from accord.tasks.labeller.training import train_labeller
from accord.tasks.stack.columns import Columns, numbered_templates, tokens_of, used_columns
from accord.tasks.stack.level import Level

Numbers = NDArray[np.int32]


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


@dataclass(frozen=True)
class Stack:
    """Levels, first to last, and the number of folds of the training data."""

    levels: Sequence[Level]
    folds: int = 10

    def train(
        self,
        tokens: Any,
        lengths: NDArray[np.int64],
        gold: Mapping[str, Numbers],
        *,
        given: StackResult | None = None,
        reporter: Reporter = SILENT,
    ) -> StackResult:
        """Train all levels. ``tokens`` is what the views of the levels read; ``gold`` has the labels of each level.

        ``given``: a result of the same sequences and folds, whose levels are taken as they are.
        """
        count = len(lengths)
        if int(np.sum(lengths)) == 0:
            raise ConfigError("there is nothing to train on")
        if self.folds < 2 or count < 2:
            raise ConfigError(f"a stack needs two folds and two sequences: {self.folds} folds, {count} sequences")
        folds = np.arange(count) % min(self.folds, count)
        result = StackResult({}, {}, {}, folds, {})
        if given is not None:
            if not np.array_equal(given.folds, folds):
                raise ConfigError("the levels that are given were trained on other folds")
            result = StackResult(dict(given.models), dict(given.logs), dict(given.decisions), folds, dict(given.seen))
        for number, level in enumerate(self.levels):
            if level.name in result.models:
                continue
            columns = level.view(tokens, result.decisions)
            trained = train_labeller(_problem(level, columns, gold[level.name]), level.trainer, reporter=reporter)
            result.models[level.name], result.logs[level.name] = trained.model, trained.log
            if number + 1 < len(self.levels):
                self._decide(level, columns, gold[level.name], result, reporter)
        return result

    def _decide(self, level: Level, columns: Columns, gold: Numbers, result: StackResult, reporter: Reporter) -> None:
        """The decisions of a level about all sequences, fold by fold."""
        decided = np.zeros(len(gold), np.int32)
        result.seen[level.name] = []
        for fold in range(int(result.folds.max()) + 1):
            others = np.flatnonzero(result.folds != fold)
            problem = _problem(level, columns.some(others), gold[tokens_of(columns.lengths, others)])
            labeller = Labeller(train_labeller(problem, level.trainer).model)
            own = np.flatnonzero(result.folds == fold)
            sequences = columns.some(own).sequences(_names(level, columns))
            found = labeller.label(sequences, threads=level.trainer.threads).numbers[:, 0]
            decided[tokens_of(columns.lengths, own)] = found
            result.seen[level.name].append(others)
            reporter.note(f"{level.name}: fold {fold + 1} of {int(result.folds.max()) + 1}")
        result.decisions[level.name] = decided


def _names(level: Level, columns: Columns) -> list[str]:
    return used_columns(level.templates, list(columns.values))


def _problem(level: Level, columns: Columns, gold: Numbers) -> Problem:
    names = _names(level, columns)
    return Problem(
        columns.sequences(names),
        np.ascontiguousarray(gold, np.int32),
        level.labels,
        masks=level.masks,
        costs=() if level.cost is None else (level.cost,),
        templates=numbered_templates(level.templates, names),
    )

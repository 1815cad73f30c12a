# SPDX-License-Identifier: Apache-2.0
"""Training of a stack: no level sees decisions of a model that was trained on the same sequences.

Train:   level by level. A level's model learns from all sequences, seen through the decisions of earlier levels. For
         the levels above, the sequences are cut into folds, and the decisions about a fold are those of a model of the
         other folds (jack-knifing). Decisions of the final model would be too good: it knows the answers by heart.
Cost:    folds + 1 trainings of each level, one of the last.
Resume:  a checkpoint keeps the levels and the folds that are done; the model of an interrupted run that went on is the
         same as that of a run that was not interrupted.
Paper:   Qian and Liu (2013), "Disfluency Detection Using Multi-step Stacked Learning".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.learning import SILENT, Checkpoint, Reporter, TrainingResult
from accord.tasks.labeller import Labeller, LabellerModel
from accord.tasks.labeller.problem import Problem
from accord.tasks.labeller.training import train_labeller
from accord.tasks.stack.checkpoint import StackCheckpoint, StackResult
from accord.tasks.stack.columns import Columns, numbered_templates, tokens_of, used_columns
from accord.tasks.stack.level import Level

Numbers = NDArray[np.int32]


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
        checkpoint: Checkpoint | None = None,
    ) -> StackResult:
        """Train all levels. ``tokens`` is what the views of the levels read; ``gold`` has the labels of each level.

        ``given``: a result of the same sequences and folds, whose levels are taken as they are.
        A Ctrl-C ends the training without a model; ``checkpoint`` keeps what is done.
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
        kept = StackCheckpoint(checkpoint)
        kept.restore(result, [level.name for level in self.levels])
        for number, level in enumerate(self.levels):
            decides = number + 1 < len(self.levels)
            if level.name in result.models and (level.name in result.decisions or not decides):
                continue
            columns = level.view(tokens, result.decisions)
            if level.name not in result.models:
                trained = _trained(_problem(level, columns, gold[level.name]), level, reporter)
                result.models[level.name], result.logs[level.name] = trained.model, trained.log
                kept.save(result)
            if decides:
                self._decide(level, columns, gold[level.name], result, reporter, kept)
        return result

    def _decide(
        self,
        level: Level,
        columns: Columns,
        gold: Numbers,
        result: StackResult,
        reporter: Reporter,
        kept: StackCheckpoint,
    ) -> None:
        """The decisions of a level about all sequences, fold by fold."""
        decided, done = kept.unfinished(len(gold))
        result.seen[level.name] = []
        for fold in range(int(result.folds.max()) + 1):
            others = np.flatnonzero(result.folds != fold)
            result.seen[level.name].append(others)
            if fold < done:
                continue
            problem = _problem(level, columns.some(others), gold[tokens_of(columns.lengths, others)])
            labeller = Labeller(_trained(problem, level, SILENT).model)
            own = np.flatnonzero(result.folds == fold)
            sequences = columns.some(own).sequences(_names(level, columns))
            found = labeller.label(sequences, threads=level.trainer.threads).numbers[:, 0]
            decided[tokens_of(columns.lengths, own)] = found
            reporter.note(f"{level.name}: fold {fold + 1} of {int(result.folds.max()) + 1}")
            kept.save(result, decided, fold + 1)
        result.decisions[level.name] = decided


def _trained(problem: Problem, level: Level, reporter: Reporter) -> TrainingResult[LabellerModel]:
    """A finished training; an unfinished level would spoil those above it."""
    trained = train_labeller(problem, level.trainer, reporter=reporter)
    if trained.interrupted:
        raise KeyboardInterrupt
    return trained


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

# SPDX-License-Identifier: Apache-2.0
"""Labellers that learn by batches: the log-likelihood of all sequences, maximised by L-BFGS.

A checkpoint holds the weights, every ``CHECKPOINT_ITERATIONS`` iterations. A resumed run starts from these weights with
an empty history, so its path to the optimum differs from that of an uninterrupted run; the optimum is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from accord._core import tasks as _tasks
from accord.errors import ConfigError
from accord.learning import SILENT, Checkpoint, Progress, Reporter
from accord.tasks.labeller.config import LabellerConfig
from accord.tasks.labeller.model_file import LabellerModel
from accord.tasks.labeller.problem import PAD, PreparedProblem, Problem, native

CHECKPOINT_ITERATIONS = 20  # between two checkpoints, and between two lines of report


@dataclass(frozen=True)
class BatchReport:
    """One iteration of L-BFGS."""

    iteration: int
    objective: float
    gradient_norm: float
    evaluations: int


@dataclass(frozen=True)
class BatchResult:
    """A model, the last iteration, and whether the user ended the training there."""

    model: LabellerModel
    last: BatchReport
    features: int
    interrupted: bool


def train_batch(
    problem: Problem,
    config: LabellerConfig,
    *,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
    goal: float = -1e300,
) -> BatchResult:
    """Train until nothing is gained, or the objective has fallen to ``goal``."""
    prepared = PreparedProblem(problem, config)
    trainer = native(
        lambda: _tasks.BatchTrainer(
            prepared.settings,
            problem.sequences,
            prepared.numbers,
            prepared.cluster_lexicon,
            l2=config.l2,
            least_count=config.least_count,
            unseen=config.unseen,
            unseen_constant=config.unseen_transitions,
            threads=config.threads,
        )
    )
    done = _resume(trainer, checkpoint)
    interrupted = False
    last = BatchReport(done, 0.0, 0.0, 0)

    def report(iteration: int, objective: float, gradient_norm: float, evaluations: int) -> bool:
        nonlocal interrupted, last
        last = BatchReport(done + iteration, objective, gradient_norm, evaluations)
        try:
            reporter.progress(Progress(1, 1, last.iteration, config.iterations, objective, 0.0))
            if last.iteration % CHECKPOINT_ITERATIONS == 0:
                reporter.note(f"iteration {last.iteration}  objective {objective:.2f}")
                if checkpoint is not None:
                    checkpoint.save({"iteration": last.iteration}, {"weights": trainer.weights()})
        except KeyboardInterrupt:
            interrupted = True
        return not interrupted

    if done < config.iterations:
        trainer.minimize(
            iterations=config.iterations - done,
            l1=config.l1,
            history=6,
            gradient_tolerance=1e-5,
            decrease_tolerance=config.tolerance,
            period=10,
            goal=goal,
            report=report,
        )
    if checkpoint is not None and last.iteration > done:
        checkpoint.save({"iteration": last.iteration}, {"weights": trainer.weights()})
    model = prepared.model(trainer.freeze(config.bytes, PAD, config.prune))
    return BatchResult(model, last, trainer.features, interrupted)


def _resume(trainer: Any, checkpoint: Checkpoint | None) -> int:
    """Take the weights of a checkpoint where there is one to go on from; the iterations that made them."""
    saved = None if checkpoint is None else checkpoint.load()
    if saved is None:
        return 0
    try:
        trainer.evaluate(np.ascontiguousarray(saved.arrays["weights"], np.float64))
    except (KeyError, ValueError):
        raise ConfigError(f"{saved.path}: cannot resume with other training data") from None
    return int(saved.state["iteration"])

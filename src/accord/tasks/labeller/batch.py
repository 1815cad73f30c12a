# SPDX-License-Identifier: Apache-2.0
"""Labellers that learn by batches: the log-likelihood of all sequences, maximised by L-BFGS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from accord._core import tasks as _tasks
from accord.tasks.labeller.config import LabellerConfig
from accord.tasks.labeller.model_file import LabellerModel
from accord.tasks.labeller.problem import PAD, PreparedProblem, Problem, native


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


def train_batch(problem: Problem, config: LabellerConfig, on_iteration: Callable[[BatchReport], bool]) -> BatchResult:
    """Train until nothing is gained, or ``on_iteration`` says so."""
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
    interrupted = False
    last = BatchReport(0, 0.0, 0.0, 0)

    def report(iteration: int, objective: float, gradient_norm: float, evaluations: int) -> bool:
        nonlocal interrupted, last
        last = BatchReport(iteration, objective, gradient_norm, evaluations)
        try:
            return bool(on_iteration(last))
        except KeyboardInterrupt:
            interrupted = True
            return False

    trainer.minimize(
        iterations=config.iterations,
        l1=config.l1,
        history=6,
        gradient_tolerance=1e-5,
        decrease_tolerance=config.tolerance,
        period=10,
        goal=-1e300,
        report=report,
    )
    model = prepared.model(trainer.freeze(config.bytes, PAD, config.prune))
    return BatchResult(model, last, trainer.features, interrupted)

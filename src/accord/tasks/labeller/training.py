# SPDX-License-Identifier: Apache-2.0
"""Training of sequence labellers, and of models made of one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TypeVar

from accord.errors import ConfigError
from accord.learning import EpochReport, LoopState, Progress, TrainingResult, train
from accord.tasks.labeller.batch import BatchReport, train_batch
from accord.tasks.labeller.chain_model import ChainModel
from accord.tasks.labeller.config import LabellerConfig
from accord.tasks.labeller.costs import read_costs
from accord.tasks.labeller.model_file import LabellerModel
from accord.tasks.labeller.online import LabellerTask
from accord.tasks.labeller.problem import Problem

Model = TypeVar("Model", bound=ChainModel)
Dev = TypeVar("Dev")


def train_labeller(
    problem: Problem,
    config: LabellerConfig,
    evaluate: Callable[[LabellerModel], dict[str, float]] | None = None,
    *,
    on_epoch: Callable[[EpochReport, LoopState, LabellerModel], None] = lambda *_: None,
    on_progress: Callable[[Progress], None] = lambda _: None,
    on_iteration: Callable[[BatchReport], bool] = lambda _: True,
) -> TrainingResult[LabellerModel]:
    """Train; ``evaluate`` gives dev scores of a model, the first of which decides when to stop."""
    if len(problem.sequences) == 0 or problem.sequences.total() == 0:
        raise ConfigError("there is nothing to train on")
    if config.costs and not problem.costs:
        if problem.tags:
            raise ConfigError("costs: labels of two layers take their costs from Problem.costs")
        problem = dataclasses.replace(problem, costs=read_costs(config.costs, problem.labels))
    if config.method != "lbfgs":
        return train(
            LabellerTask(problem, config, evaluate),
            epochs=config.epochs,
            patience=config.patience,
            seed=config.seed,
            on_epoch=on_epoch,
            on_progress=on_progress,
        )
    result = train_batch(problem, config, on_iteration)
    last = result.last
    scores = evaluate(result.model) if evaluate else {}
    figures = {"iterations": float(last.iteration), "features": float(result.features)}
    line = EpochReport(last.iteration, last.objective, 0.0, 0.0, 0.0, scores, figures, best=True)
    state = LoopState(epoch=last.iteration, best_epoch=last.iteration, log=[line.to_dict()])
    on_epoch(line, state, result.model)
    return TrainingResult(result.model, state.log, last.iteration, result.interrupted)


def train_chain(
    problem: Problem,
    make: Callable[[LabellerModel], Model],
    config: LabellerConfig,
    scores: Callable[[Model, Dev], dict[str, float]],
    dev: Dev | None = None,
    *,
    on_epoch: Callable[[EpochReport], None] = lambda _: None,
    on_iteration: Callable[[BatchReport], bool] = lambda _: True,
) -> Model:
    """Train the chain of a model that ``make`` makes of it; ``scores`` of the model on dev data decide when to stop.

    Where the user interrupted the training, the model's card says so.
    """
    result = train_labeller(
        problem,
        config.labeller(),
        None if dev is None else lambda chain: scores(make(chain), dev),
        on_epoch=lambda report, *_: on_epoch(report),
        on_iteration=on_iteration,
    )
    model = make(result.snapshot)
    return dataclasses.replace(model, card={**model.card, "interrupted": True}) if result.interrupted else model

# SPDX-License-Identifier: Apache-2.0
"""Training of sequence labellers, and of models made of one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from accord.errors import ConfigError, MissingDependencyError
from accord.learning import SILENT, Checkpoint, EpochReport, Reporter, TrainingResult, train
from accord.models.stored import StoredModel
from accord.tasks.labeller.batch import train_batch
from accord.tasks.labeller.chain_model import ChainModel
from accord.tasks.labeller.config import DUAL, LabellerConfig
from accord.tasks.labeller.costs import read_costs
from accord.tasks.labeller.model_file import LabellerModel
from accord.tasks.labeller.online import LabellerTask
from accord.tasks.labeller.problem import Problem

SMALL = 12  # bits of a dictionary to begin with; it grows with the features

Model = TypeVar("Model", bound=ChainModel)
Dev = TypeVar("Dev")

NEURAL_CHUNK = 2048  # sentences between two reports of progress


def train_labeller(
    problem: Problem,
    config: LabellerConfig,
    evaluate: Callable[[LabellerModel], dict[str, float]] | None = None,
    *,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
    whole: Callable[[LabellerModel], StoredModel | None] | None = None,
    goal: float = -1e300,
) -> TrainingResult[LabellerModel]:
    """Train; ``evaluate`` gives dev scores of a model, the first of which decides when to stop.

    ``checkpoint``, ``whole``: see :func:`accord.learning.train`. ``goal``: lbfgs stops when its objective is this low.
    """
    if len(problem.sequences) == 0 or problem.sequences.total() == 0:
        raise ConfigError("there is nothing to train on")
    if config.costs and not problem.costs:
        if problem.tags or len(problem.layers) > 1:
            raise ConfigError("costs: labels of several layers take their costs from Problem.costs")
        problem = dataclasses.replace(problem, costs=read_costs(config.costs, problem.labels))
    config.sparsity.check()
    if problem.neural is not None:
        if config.sparsity.active:
            raise ConfigError("sparsity chooses features of linear scorers; a network has none")
        return train(
            _neural_task(problem, config, evaluate),
            epochs=problem.neural.epochs,
            patience=problem.neural.patience,
            seed=config.seed,
            chunk=NEURAL_CHUNK,
            reporter=reporter,
            checkpoint=checkpoint,
            whole=whole,
        )
    if config.sparsity.active:
        problem, config = _with_chosen_features(problem, config, reporter)
    if config.method != "lbfgs":
        return train(
            LabellerTask(problem, config, evaluate),
            epochs=config.epochs,
            patience=config.patience,
            seed=config.seed,
            reporter=reporter,
            checkpoint=checkpoint,
            whole=whole,
        )
    result = train_batch(problem, config, reporter=reporter, checkpoint=checkpoint, goal=goal)
    last = result.last
    scores = evaluate(result.model) if evaluate else {}
    figures = {"iterations": float(last.iteration), "features": float(result.features)}
    line = EpochReport(last.iteration, last.objective, 0.0, 0.0, 0.0, scores, figures, best=True)
    reporter.epoch(line)
    return TrainingResult(result.model, [line.to_dict()], last.iteration, result.interrupted, scores)


def _neural_task(
    problem: Problem, config: LabellerConfig, evaluate: Callable[[LabellerModel], dict[str, float]] | None
) -> Any:
    try:
        import_module("torch")
    except ImportError:
        raise MissingDependencyError(
            "training a neural scorer needs PyTorch: pip install 'accord[neural]' (labelling does not)"
        ) from None
    from accord.torch.chain_task import NeuralChainTask  # only here: PyTorch is needed for nothing else

    return NeuralChainTask(problem, config, evaluate)


def _with_chosen_features(
    problem: Problem, config: LabellerConfig, reporter: Reporter
) -> tuple[Problem, LabellerConfig]:
    """The problem with those templates and features that the choosing run leaves, in tables that shrink with them."""
    choosing = dataclasses.replace(
        config,
        method=config.sparsity.loss,
        step="sgd",
        rate=1.0,
        l2=0.0,
        cost=1.0,
        table="dictionary",
        bits=SMALL,
        batch=1,
        least_count=1,  # rare values tell that a template is worth its place
    )
    if config.method in ("lbfgs", *DUAL) and config.sparsity.by_feature:
        raise ConfigError(f"method {config.method!r} cannot leave out single features of a template: choose templates")
    selection = LabellerTask(problem, choosing, None).choose(reporter)
    left = dataclasses.replace(problem, templates=selection.templates, features=selection.features)
    return left, dataclasses.replace(config, table="dictionary", bits=min(config.bits, SMALL))


def train_chain(
    problem: Problem,
    make: Callable[[LabellerModel], Model],
    config: LabellerConfig,
    scores: Callable[[Model, Dev], dict[str, float]],
    dev: Dev | None = None,
    *,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
    whole: Callable[[LabellerModel], Model] | None = None,
) -> TrainingResult[Model]:
    """Train the chain of a model that ``make`` makes of it; ``scores`` of the model on dev data decide when to stop.

    ``whole``: what makes the model that is kept during training, where ``make`` leaves something out.
    """
    result = train_labeller(
        problem,
        config.labeller(),
        None if dev is None else lambda chain: scores(make(chain), dev),
        reporter=reporter,
        checkpoint=checkpoint,
        whole=whole or make,
    )
    return TrainingResult(make(result.model), result.log, result.best_epoch, result.interrupted, result.scores)

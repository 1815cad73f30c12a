# SPDX-License-Identifier: Apache-2.0
"""Training a parser on the common loop, whatever its scorer."""

from __future__ import annotations

import dataclasses
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from accord.data import Document
from accord.errors import ConfigError, MissingDependencyError
from accord.learning import SILENT, Checkpoint, Learnable, LoopState, Reporter, TrainingResult, train
from accord.tasks.parser.answers import Pruning
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.linear_task import ParserTask
from accord.tasks.parser.model_file import ParserModel
from accord.tasks.parser.temperature import fit_temperature

SMALL = 12  # bits of a dictionary to begin with; it grows with the features
CHUNK, NEURAL_CHUNK = 256, 2048  # sentences between reports of progress; a network's batches are made of one chunk


class TrainableParser(Learnable[ParserModel], Protocol):
    """A parser in training, whatever its scorer."""

    config: ParserConfig
    snapshot_type: type[ParserModel]
    pruning: Pruning | None  # what the pruner left of the training data
    left_out: int  # sentences that are not trained on
    partial: int  # sentences with unknown heads or labels

    def save_state(self) -> list[NDArray[np.uint8]]: ...

    def load_state(self, blocks: list[NDArray[np.uint8]]) -> None: ...


def parser_task(
    training: Document, dev: Document | None, config: ParserConfig, reporter: Reporter = SILENT
) -> TrainableParser:
    """The task of a configuration; a neural scorer needs PyTorch."""
    config.sparsity.check()
    if config.scorer == "linear":
        return _linear_task(training, dev, config, reporter)
    if config.sparsity.active:
        raise ConfigError("sparsity chooses features of linear scorers; a network has none")
    try:
        import_module("torch")
    except ImportError:
        raise MissingDependencyError(
            "training a neural scorer needs PyTorch: pip install 'accord[neural]' (parsing does not)"
        ) from None
    from accord.torch.task import NeuralTask  # only here: PyTorch is needed for nothing else

    return NeuralTask(training, dev, config)


def _linear_task(training: Document, dev: Document | None, config: ParserConfig, reporter: Reporter) -> ParserTask:
    """The task of a linear scorer, on those features that the choosing run leaves, where there is one."""
    if not config.sparsity.active:
        return ParserTask(training, dev, config, reporter)
    if not config.unsupported:
        raise ConfigError("sparsity and unsupported = false both say which features learn: use one of them")
    left = dataclasses.replace(config, table="dictionary", arc_bits=SMALL, label_bits=SMALL, part_bits=SMALL)
    choosing = dataclasses.replace(
        left, rule=config.sparsity.loss, step="sgd", l2=0.0, batch=1, tree_labels="false", answers="trees"
    )
    chosen = ParserTask(training, None, choosing, reporter).choose()
    return ParserTask(training, dev, left, reporter, chosen=chosen)


def train_parser(
    training: Document,
    dev: Document | None = None,
    config: ParserConfig | None = None,
    *,
    task: TrainableParser | None = None,
    state: LoopState | None = None,
    best: ParserModel | None = None,
    card: dict[str, Any] | None = None,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[ParserModel]:
    """Train a parser; the result holds the best model by dev score (the last one without dev data)."""
    config = config or ParserConfig()
    if config.scorer == "both":
        from accord.tasks.parser.both import train_both  # which trains each of the two by this function

        return train_both(training, dev, config, card=card, reporter=reporter, checkpoint=checkpoint)
    task = task or parser_task(training, dev, config, reporter)
    if task.left_out:
        why = "their heads are no tree of the kind being trained, or too few"
        reporter.note(f"{task.left_out} sentences left out: {why}")
    if task.partial:
        reporter.note(f"{task.partial} sentences have unknown heads or labels, which are completed in training")
    neural = config.scorer == "neural"
    result = train(
        task,
        epochs=config.neural.epochs if neural else config.epochs,
        patience=config.neural.patience if neural else config.patience,
        chunk=NEURAL_CHUNK if neural else CHUNK,
        seed=config.seed,
        state=state,
        best=best,
        reporter=reporter,
        checkpoint=checkpoint,
        keep_always=True,
    )
    about = {
        **(card or {}),
        "log": result.log,
        "best_epoch": result.best_epoch,
        "left_out": task.left_out,
        "partial": task.partial,
    }
    if task.pruning is not None:
        about["pruner"] = {"heads_per_word": task.pruning.heads_per_word, "recall": 100 * task.pruning.recall}
    best_model = dataclasses.replace(result.model, card=about)
    if dev is not None and not result.interrupted:
        try:
            best_model = fit_temperature(best_model, dev, threads=config.threads, reporter=reporter)
        except KeyboardInterrupt:  # the weights are there
            result = dataclasses.replace(result, interrupted=True)
    return dataclasses.replace(result, model=best_model)

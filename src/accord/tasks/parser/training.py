# SPDX-License-Identifier: Apache-2.0
"""Training a parser on the common loop, whatever its scorer."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from accord.data import Document
from accord.errors import MissingDependencyError
from accord.learning import EpochReport, Learnable, LoopState, Progress, TrainingResult, train
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.linear_task import ParserTask
from accord.tasks.parser.model_file import ParserModel
from accord.tasks.parser.temperature import fit_temperature

CHUNK, NEURAL_CHUNK = 256, 2048  # sentences between reports of progress; a network's batches are made of one chunk


class TrainableParser(Learnable[ParserModel], Protocol):
    """A parser in training, whatever its scorer."""

    config: ParserConfig
    left_out: int  # sentences that are not trained on
    partial: int  # sentences with unknown heads or labels

    def save_state(self) -> list[NDArray[np.uint8]]: ...

    def load_state(self, blocks: list[NDArray[np.uint8]]) -> None: ...


def parser_task(training: Document, dev: Document | None, config: ParserConfig) -> TrainableParser:
    """The task of a configuration; a neural scorer needs PyTorch."""
    if config.scorer == "linear":
        return ParserTask(training, dev, config)
    try:
        import_module("torch")
    except ImportError:
        raise MissingDependencyError(
            "training a neural scorer needs PyTorch: pip install 'accord[neural]' (parsing does not)"
        ) from None
    from accord.torch.task import NeuralTask  # only here: PyTorch is needed for nothing else

    return NeuralTask(training, dev, config)


def train_parser(
    training: Document,
    dev: Document | None = None,
    config: ParserConfig | None = None,
    *,
    task: TrainableParser | None = None,
    state: LoopState | None = None,
    best: ParserModel | None = None,
    card: dict[str, Any] | None = None,
    on_progress: Callable[[Progress], None] = lambda _: None,
    on_epoch: Callable[[EpochReport, LoopState, ParserModel], None] = lambda *_: None,
) -> TrainingResult[ParserModel]:
    """Train a parser; the result holds the best model by dev score (the last one without dev data)."""
    config = config or ParserConfig()
    task = task or parser_task(training, dev, config)
    neural = config.scorer == "neural"
    result = train(
        task,
        epochs=config.neural.epochs if neural else config.epochs,
        patience=config.neural.patience if neural else config.patience,
        chunk=NEURAL_CHUNK if neural else CHUNK,
        seed=config.seed,
        state=state,
        best=best,
        on_progress=on_progress,
        on_epoch=on_epoch,
    )
    about = {
        **(card or {}),
        "log": result.log,
        "best_epoch": result.best_epoch,
        "left_out": task.left_out,
        "partial": task.partial,
    }
    best_model = dataclasses.replace(result.snapshot, card=about)
    if dev is not None and not result.interrupted:
        try:
            best_model = fit_temperature(best_model, dev, threads=config.threads)
        except KeyboardInterrupt:  # the weights are there
            result = dataclasses.replace(result, interrupted=True)
    return dataclasses.replace(result, snapshot=best_model)

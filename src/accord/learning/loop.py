# SPDX-License-Identifier: Apache-2.0
"""One training loop for every task: epochs in a seeded order, dev scores, early stop, best snapshot, checkpoints.

A task brings a :class:`Learnable`; the loop decides what is trained when, and knows nothing of sentences or features.
Interrupting (Ctrl-C) ends training with the best snapshot so far; before the first epoch is over there is none, and the
interrupt goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Snapshot = TypeVar("Snapshot")


@dataclass(frozen=True)
class UpdateReport:
    """What a chunk of updates did: the sum of the rule's losses and of the answers' losses."""

    objective: float = 0.0
    mistakes: float = 0.0
    updates: float = 0.0


class Learnable(Protocol[Snapshot]):
    """What a task must be able to do to be trained."""

    def __len__(self) -> int:
        """Number of training instances."""

    def size_of(self, index: int) -> int:
        """Size of an instance in the unit that speeds are quoted in (words)."""

    def update(self, order: NDArray[np.int64]) -> UpdateReport:
        """Train on these instances, in this order."""

    def finish_epoch(self) -> dict[str, float]:
        """End-of-epoch work; returns figures worth reporting (a duality gap, say)."""

    def snapshot(self) -> Snapshot:
        """The model as it would be used now."""

    def evaluate(self, snapshot: Snapshot) -> dict[str, float]:
        """Dev scores; the first one decides which snapshot is best. Empty without dev data."""


@dataclass(frozen=True)
class EpochReport:
    """One line of the training log."""

    epoch: int
    objective: float
    mistakes: float
    words_per_second: float
    cpu_seconds: float
    scores: dict[str, float] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    best: bool = False

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Progress:
    """Where training stands inside an epoch."""

    epoch: int
    epochs: int
    done: int
    total: int
    objective: float
    words_per_second: float


@dataclass
class LoopState:
    """What a resumed run needs to go on as if it had never stopped."""

    epoch: int = 0
    best_epoch: int = 0
    best_score: float = float("-inf")
    log: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class TrainingResult(Generic[Snapshot]):
    snapshot: Snapshot
    log: list[dict[str, Any]]
    best_epoch: int
    interrupted: bool


def epoch_order(count: int, seed: int, epoch: int) -> NDArray[np.int64]:
    """The order of instances in an epoch: a function of seed and epoch alone, so that resuming repeats nothing."""
    return np.random.default_rng([seed, epoch]).permutation(count).astype(np.int64)


def train(
    task: Learnable[Snapshot],
    *,
    epochs: int,
    patience: int,
    seed: int,
    state: LoopState | None = None,
    best: Snapshot | None = None,
    chunk: int = 256,
    on_progress: Callable[[Progress], None] = lambda _: None,
    on_epoch: Callable[[EpochReport, LoopState, Snapshot], None] = lambda *_: None,
) -> TrainingResult[Snapshot]:
    """Train until the epochs are over, dev has not improved for ``patience`` epochs, or the user interrupts."""
    state = state or LoopState()
    interrupted = False
    try:
        while state.epoch < epochs and (state.best_epoch == 0 or state.epoch - state.best_epoch < patience):
            report, snapshot = _epoch(task, epochs, seed, chunk, state, on_progress)
            state.epoch += 1
            if report.best:
                best, state.best_epoch = snapshot, state.epoch
                state.best_score = _first(report.scores)
            state.log.append(report.to_dict())
            on_epoch(report, state, snapshot)
    except KeyboardInterrupt:
        if best is None:
            raise
        interrupted = True
    if best is None:
        best, state.best_epoch = task.snapshot(), state.epoch
    return TrainingResult(best, state.log, state.best_epoch, interrupted)


def _first(scores: dict[str, float]) -> float:
    return next(iter(scores.values()), float("-inf"))


def _epoch(
    task: Learnable[Snapshot],
    epochs: int,
    seed: int,
    chunk: int,
    state: LoopState,
    on_progress: Callable[[Progress], None],
) -> tuple[EpochReport, Snapshot]:
    order = epoch_order(len(task), seed, state.epoch)
    objective = mistakes = 0.0
    words = 0
    started, cpu_started = time.perf_counter(), time.process_time()
    for begin in range(0, len(order), chunk):
        piece = order[begin : begin + chunk]
        report = task.update(piece)
        objective += report.objective
        mistakes += report.mistakes
        words += sum(task.size_of(int(index)) for index in piece)
        speed = words / max(time.perf_counter() - started, 1e-9)
        done = begin + len(piece)
        on_progress(Progress(state.epoch + 1, epochs, done, len(order), objective / max(done, 1), speed))
    speed = words / max(time.perf_counter() - started, 1e-9)
    figures = task.finish_epoch()
    cpu = time.process_time() - cpu_started
    snapshot = task.snapshot()
    scores = task.evaluate(snapshot)
    # Without dev data the last epoch counts as the best.
    best = not scores or _first(scores) > state.best_score
    return EpochReport(state.epoch + 1, objective, mistakes, speed, cpu, scores, figures, best), snapshot

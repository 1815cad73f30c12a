# SPDX-License-Identifier: Apache-2.0
"""One training loop for every task: epochs in a seeded order, dev scores, early stop, best snapshot, checkpoints.

A task brings a :class:`Learnable`; the loop decides what is trained when, and knows nothing of sentences or features.
Interrupting (Ctrl-C) ends training with the best snapshot so far; before the first epoch is over there is none, and the
interrupt goes on. With a :class:`~accord.learning.checkpoint.Checkpoint` the state is kept at the end of epochs, and a
later run goes on from there: it gives the model of a run that was never interrupted. A large state is kept only when
enough time has passed since it was last kept, so that keeping costs at most a fiftieth of the time.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.learning.checkpoint import Checkpoint
from accord.learning.reporter import SILENT, EpochReport, Progress, Reporter
from accord.models.stored import StoredModel

Snapshot = TypeVar("Snapshot")

SMALL_STATE = 16e6  # bytes that are always kept
KEEPING_SECONDS = 4e-9  # for each byte: copy, checksum and writing
KEEPING_SHARE = 0.02  # of the time may go into keeping


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


class Resumable(Protocol):
    """What a task must be able to do besides for its training to be resumed. Its snapshots are stored models."""

    @property
    def snapshot_type(self) -> type[StoredModel]: ...

    def save_state(self) -> list[NDArray[np.uint8]]:
        """All that the updates have changed so far."""

    def load_state(self, blocks: Sequence[NDArray[np.uint8]]) -> None:
        """Go on from there; a state of other settings or data raises ConfigError."""


@dataclass
class LoopState:
    """What a resumed run needs to go on as if it had never stopped."""

    epoch: int = 0
    best_epoch: int = 0
    best_score: float | None = None  # none yet, or no dev data: a header of JSON has no infinity
    log: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class TrainingResult(Generic[Snapshot]):
    """What training gives, whatever was trained.

    ``log``: a line for every epoch. ``scores``: those of the model on dev data, the first of which decided.
    ``interrupted``: the user stopped the training, and the model is the best so far.
    """

    model: Snapshot
    log: list[dict[str, Any]]
    best_epoch: int
    interrupted: bool = False
    scores: dict[str, float] = field(default_factory=dict)

    @property
    def snapshot(self) -> Snapshot:
        """The model, by its older name."""
        return self.model


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
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
    whole: Callable[[Snapshot], StoredModel | None] | None = None,
    keep_always: bool = False,
) -> TrainingResult[Snapshot]:
    """Train until the epochs are over, dev has not improved for ``patience`` epochs, or the user interrupts.

    ``checkpoint``: where the state is kept, and resumed from; the task is :class:`Resumable` then. ``whole`` makes of a
    snapshot the model that is to stand in the checkpoint's model file, or None where more is to be trained before there
    is a whole model; by default the snapshot is the model. ``keep_always``: after every epoch, whatever that costs.
    """
    keeper = None if checkpoint is None else _Keeper(task, checkpoint, whole, keep_always)
    if keeper is not None and state is None:
        state, best = keeper.load()
    state = state or LoopState()
    interrupted = False
    try:
        while state.epoch < epochs and (state.best_epoch == 0 or state.epoch - state.best_epoch < patience):
            report, snapshot = _epoch(task, epochs, seed, chunk, state, reporter)
            state.epoch += 1
            if report.best:
                best, state.best_epoch = snapshot, state.epoch
                state.best_score = _first(report.scores) if report.scores else None
            state.log.append(report.to_dict())
            reporter.epoch(report)
            if keeper is not None:
                keeper.save(state, best, improved=report.best)
    except KeyboardInterrupt:
        if best is None:
            raise
        interrupted = True
    if best is None:
        best, state.best_epoch = task.snapshot(), state.epoch
    scores: dict[str, float] = next((line["scores"] for line in state.log if line["epoch"] == state.best_epoch), {})
    return TrainingResult(best, state.log, state.best_epoch, interrupted, scores)


class _Keeper(Generic[Snapshot]):
    """The loop's way to a checkpoint and back."""

    def __init__(
        self,
        task: Learnable[Snapshot],
        checkpoint: Checkpoint,
        whole: Callable[[Snapshot], StoredModel | None] | None,
        always: bool,
    ) -> None:
        self._always = always
        self._kept = time.perf_counter()  # when the state was last kept
        self._missed = False  # a best snapshot that was not kept yet
        self._bytes = 0
        self._task = task
        self._resumable = cast(Resumable, task)
        self._checkpoint = checkpoint
        self._whole = whole or (lambda snapshot: cast("StoredModel | None", snapshot))
        self._instances = [len(task), sum(task.size_of(index) for index in range(len(task)))]

    def load(self) -> tuple[LoopState | None, Snapshot | None]:
        saved = self._checkpoint.load()
        if saved is None:
            return None, None
        if saved.state["instances"] != self._instances:
            raise ConfigError(f"{saved.path}: cannot resume with other training data")
        self._resumable.load_state([np.asarray(saved.arrays[name]) for name in sorted(saved.arrays, key=int)])
        best = saved.model("best", self._resumable.snapshot_type)
        return LoopState(**saved.state["loop"]), cast("Snapshot | None", best)

    def save(self, state: LoopState, best: Snapshot | None, *, improved: bool) -> None:
        self._missed |= improved
        if self._bytes and not self._affordable():
            return
        blocks = {str(number): block for number, block in enumerate(self._resumable.save_state())}
        self._bytes = sum(block.nbytes for block in blocks.values())
        if not self._affordable():
            return
        found: StoredModel | None = None
        if self._missed and best is not None and self._checkpoint.output is not None:
            found = self._whole(best)
        if found is not None:
            about = {**found.card, "log": state.log, "best_epoch": state.best_epoch}
            found = dataclasses.replace(found, card=about)
        models = {} if best is None else {"best": cast(StoredModel, best)}
        self._checkpoint.save({"loop": asdict(state), "instances": self._instances}, blocks, models, best=found)
        self._kept, self._missed = time.perf_counter(), False

    def _affordable(self) -> bool:
        passed = time.perf_counter() - self._kept
        return self._always or self._bytes < SMALL_STATE or self._bytes * KEEPING_SECONDS < KEEPING_SHARE * passed


def _first(scores: dict[str, float]) -> float:
    return next(iter(scores.values()), float("-inf"))


def _epoch(
    task: Learnable[Snapshot],
    epochs: int,
    seed: int,
    chunk: int,
    state: LoopState,
    reporter: Reporter,
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
        reporter.progress(Progress(state.epoch + 1, epochs, done, len(order), objective / max(done, 1), speed))
    speed = words / max(time.perf_counter() - started, 1e-9)
    figures = task.finish_epoch()
    cpu = time.process_time() - cpu_started
    snapshot = task.snapshot()
    scores = task.evaluate(snapshot)
    # Without dev data the last epoch counts as the best.
    best = not scores or state.best_score is None or _first(scores) > state.best_score
    return EpochReport(state.epoch + 1, objective, mistakes, speed, cpu, scores, figures, best), snapshot

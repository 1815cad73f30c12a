# SPDX-License-Identifier: Apache-2.0
"""The training loop, with a learner that only remembers what it was asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from accord.learning import Checkpoint, LoopState, UpdateReport, epoch_order, train
from tests.tasks.toy_task import TruecaserModel


class Recorder:
    """Scores rise, then fall; every instance it was trained on is written down."""

    def __init__(self, scores: list[float], interrupt_at: int | None = None) -> None:
        self.scores = scores
        self.seen: list[list[int]] = []
        self.current: list[int] = []
        self.interrupt_at = interrupt_at

    def __len__(self) -> int:
        return 10

    def size_of(self, index: int) -> int:
        return index + 1

    def update(self, order: NDArray[np.int64]) -> UpdateReport:
        if self.interrupt_at is not None and len(self.seen) == self.interrupt_at:
            raise KeyboardInterrupt
        self.current += order.tolist()
        return UpdateReport(objective=float(len(order)))

    def finish_epoch(self) -> dict[str, float]:
        self.seen.append(self.current)
        self.current = []
        return {"figure": 1.0}

    def snapshot(self) -> int:
        return len(self.seen)

    def evaluate(self, snapshot: int) -> dict[str, float]:
        return {"score": self.scores[snapshot - 1]} if self.scores else {}


def test_the_best_epoch_wins_and_patience_ends_training() -> None:
    task = Recorder([1.0, 3.0, 2.0, 2.5, 9.0])
    result = train(task, epochs=5, patience=2, seed=0)
    assert result.snapshot == 2 and result.best_epoch == 2
    assert len(task.seen) == 4, "two epochs without improvement after the second"


def test_every_epoch_sees_every_instance_once_in_a_new_order() -> None:
    task = Recorder([1.0, 2.0, 3.0])
    train(task, epochs=3, patience=3, seed=5, chunk=3)
    assert all(sorted(seen) == list(range(10)) for seen in task.seen)
    assert task.seen[0] != task.seen[1]
    assert task.seen[1] == epoch_order(10, 5, 1).tolist()


def test_without_dev_the_last_epoch_counts() -> None:
    result = train(Recorder([]), epochs=3, patience=1, seed=0)
    assert result.snapshot == 3 and len(result.log) == 3


def test_an_interrupt_keeps_the_best_so_far() -> None:
    result = train(Recorder([1.0, 2.0, 3.0], interrupt_at=2), epochs=3, patience=3, seed=0)
    assert result.interrupted and result.snapshot == 2 and len(result.log) == 2


def test_an_interrupt_before_there_is_a_model_goes_on() -> None:
    with pytest.raises(KeyboardInterrupt):
        train(Recorder([1.0], interrupt_at=0), epochs=1, patience=1, seed=0)
    resumed = train(Recorder([1.0], interrupt_at=0), epochs=4, patience=9, seed=0, state=LoopState(2, 2, 5.0), best=7)
    assert resumed.interrupted and resumed.snapshot == 7 and resumed.best_epoch == 2


def test_a_resumed_run_continues_the_same_orders() -> None:
    whole, first, second = Recorder([1, 2, 3, 4]), Recorder([1, 2]), Recorder([3, 4])
    train(whole, epochs=4, patience=9, seed=3)
    state = LoopState()
    half = train(first, epochs=2, patience=9, seed=3, state=state)
    result = train(second, epochs=4, patience=9, seed=3, state=state, best=half.snapshot)
    assert first.seen + second.seen == whole.seen
    assert result.best_epoch == 4 and [line["epoch"] for line in result.log] == [1, 2, 3, 4]


class Large(Recorder):
    """A learner whose state would take seconds to write."""

    snapshot_type = TruecaserModel

    def __init__(self, bytes: int) -> None:
        super().__init__([1.0, 2.0, 3.0])
        self.bytes = bytes
        self.saved = 0

    def save_state(self) -> list[NDArray[np.uint8]]:
        self.saved += 1
        return [np.zeros(self.bytes, np.uint8)]


@pytest.mark.parametrize(("bytes", "always", "kept"), [(100, False, 3), (20_000_000, False, 0), (20_000_000, True, 3)])
def test_a_state_is_kept_where_that_is_cheap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bytes: int, always: bool, kept: int
) -> None:
    written: list[object] = []
    monkeypatch.setattr(Checkpoint, "save", lambda self, *given, **named: written.append(given))
    checkpoint = Checkpoint(tmp_path / "c", "toy", None)
    result = train(Large(bytes), epochs=3, patience=3, seed=0, checkpoint=checkpoint, keep_always=always)
    assert result.best_epoch == 3 and len(written) == kept

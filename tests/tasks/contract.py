# SPDX-License-Identifier: Apache-2.0
"""What holds for every task of the registry, whatever it does.

Each claim is a function of a trained task, or of one that needs no training; :data:`CLAIMS` lists them. A task of
another package is checked by the same functions: see tests/tasks/test_toy_task.py.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.learning import SILENT, Checkpoint, EpochReport, Reporter
from accord.models.file import ModelFile
from accord.tasks.registry import Example, Task


@dataclass(frozen=True)
class Trained:
    """A task with its example, the model of it and a worker."""

    task: Task
    example: Example
    model: Any
    worker: Any
    folder: Path

    def answers(self, worker: Any | None = None, threads: int = 1) -> list[Any]:
        found = self.worker if worker is None else worker
        return self.example.predict(found, self.example.inputs, threads)


def trained(task: Task, folder: Path) -> Trained:
    example = task.example()
    model = task.model(example.settings) if task.train is None else train(task, example).model
    return Trained(task, example, model, task.worker(model), folder)


def train(task: Task, example: Example, *, reporter: Reporter = SILENT, checkpoint: Checkpoint | None = None) -> Any:
    assert task.train is not None
    data = example.training, example.dev, example.settings
    return task.train(*data, card={}, reporter=reporter, checkpoint=checkpoint)


def arrays_of(model: Any) -> dict[str, bytes]:
    return {name: np.asarray(array).tobytes() for name, array in model.to_blocks()[1].items()}


def threads_change_nothing(one: Trained) -> None:
    assert one.answers(threads=1) == one.answers(threads=2)


def batches_change_nothing(one: Trained) -> None:
    alone = [one.example.predict(one.worker, [given], 1)[0] for given in one.example.inputs]
    assert alone == one.answers()


def no_input_is_no_error(one: Trained) -> None:
    assert one.example.predict(one.worker, [], 1) == []
    assert one.task.apply(one.worker, b"", {"threads": 1}).strip() == b""


def a_saved_model_answers_alike(one: Trained) -> None:
    path = one.folder / "saved.accord"
    one.model.save(path)
    again = one.task.model.load(path)
    assert arrays_of(again) == arrays_of(one.model)
    assert one.answers(one.task.worker(again)) == one.answers()
    assert ModelFile(path).header["kind"] in one.task.row.kinds


def load_gives_the_worker(one: Trained) -> None:
    path = one.folder / "loaded.accord"
    one.model.save(path)
    loaded = accord.load(path)
    if one.task.name in ("parser", "tagger", "tokenizer"):  # a pipeline of one step
        assert isinstance(loaded, accord.Pipeline)
        loaded = getattr(loaded, one.task.name)
    assert type(loaded) is type(one.worker)
    assert one.answers(loaded) == one.answers()


def the_first_of_the_best_is_the_best(one: Trained) -> None:
    if one.example.kbest is None:
        return
    for given, best in zip(one.example.inputs, one.answers(), strict=True):
        ranked = one.example.kbest(one.worker, given, 3)
        assert 1 <= len(ranked) <= 3 and ranked[0] == best
        assert all(ranked.count(each) == 1 for each in ranked)


def given_values_are_kept(one: Trained) -> None:
    if one.example.kept is not None:
        assert one.example.kept(one.worker)


def models_and_workers_can_be_pickled(one: Trained) -> None:
    model = pickle.loads(pickle.dumps(one.model))
    assert arrays_of(model) == arrays_of(one.model)
    assert one.answers(pickle.loads(pickle.dumps(one.worker))) == one.answers()


def training_again_gives_the_same_bytes(one: Trained) -> None:
    if one.task.train is not None:
        assert arrays_of(train(one.task, one.example).model) == arrays_of(one.model)


def scores_are_percentages_and_good_for_what_was_seen(one: Trained) -> None:
    scores = one.task.evaluate(one.worker, one.example.dev)
    assert scores and all(0 <= value <= 100 for value in scores.values())
    assert next(iter(scores.values())) > 50


class _Interrupt(Reporter):
    """Interrupts training at the end of its ``after``-th epoch."""

    def __init__(self, after: int) -> None:
        self.left = [after]

    def epoch(self, report: EpochReport) -> None:
        self.left[0] -= 1
        if self.left[0] == 0:
            raise KeyboardInterrupt


def an_interrupted_run_goes_on_where_it_stopped(one: Trained) -> None:
    """Interrupted in any epoch and resumed, the model is that of a run that was not interrupted."""
    if not one.example.resumes:
        return
    output = one.folder / "resumed.accord"
    for after in (1, 2, 4, 6):  # the steps of the pipeline have two epochs each
        if not _interrupted_and_resumed(one, output, after):
            assert after > 2, "training has two epochs"
            break


def _interrupted_and_resumed(one: Trained, output: Path, after: int) -> bool:
    def checkpoint(resume: bool) -> Checkpoint:
        settings = one.example.settings
        return Checkpoint.beside(output, one.task.name, settings, resume=resume, free=one.task.free)

    try:
        stopped = train(one.task, one.example, reporter=_Interrupt(after), checkpoint=checkpoint(False))
        if not stopped.interrupted:
            return False
    except KeyboardInterrupt:
        assert one.task.name == "pipeline", "only a pipeline needs all its steps to be a model"
    unfinished = [path.name for path in output.parent.iterdir() if path.name.endswith((".tmp", ".part"))]
    assert not unfinished, "nothing is half written"
    for path in output.parent.glob("resumed.accord*"):
        ModelFile(path)  # every file is whole
    kept = list(output.parent.glob("resumed.accord.checkpoint*"))
    assert bool(kept) == (after > 1), "a checkpoint is written at the end of an epoch"
    went_on = train(one.task, one.example, checkpoint=checkpoint(bool(kept)))
    assert arrays_of(went_on.model) == arrays_of(one.model)
    for path in output.parent.glob("resumed.accord*"):
        path.unlink()
    return True


def other_settings_do_not_resume(one: Trained) -> None:
    if not one.example.resumes:
        return
    output = one.folder / "other.accord"
    checkpoint = Checkpoint.beside(output, one.task.name, one.example.settings, free=one.task.free)
    train(one.task, one.example, checkpoint=checkpoint)
    assert checkpoint.exists()
    wrong = Checkpoint.beside(output, "another task", one.example.settings, resume=True)
    with pytest.raises(accord.ConfigError, match="a checkpoint of a"):
        wrong.load()


def the_service_answers(one: Trained) -> None:
    answer = one.task.answer(one.worker, one.example.request)
    assert answer
    assert json.loads(json.dumps(answer)) == answer
    with pytest.raises(accord.AccordError, match="request"):
        one.task.answer(one.worker, {"nonsense": 1})


CLAIMS: tuple[Callable[[Trained], None], ...] = (
    threads_change_nothing,
    batches_change_nothing,
    no_input_is_no_error,
    a_saved_model_answers_alike,
    load_gives_the_worker,
    the_first_of_the_best_is_the_best,
    given_values_are_kept,
    models_and_workers_can_be_pickled,
    training_again_gives_the_same_bytes,
    scores_are_percentages_and_good_for_what_was_seen,
    an_interrupted_run_goes_on_where_it_stopped,
    other_settings_do_not_resume,
    the_service_answers,
)

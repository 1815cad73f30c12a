# SPDX-License-Identifier: Apache-2.0
"""``accord train NAME``, made from the task's row of the registry.

At the end of epochs a checkpoint is written beside the model that is to be made, and in most tasks the best model so
far under its final name. Ctrl-C keeps the best model, ``--resume`` goes on from the checkpoint.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.app import console, options
from accord.app.reporter import ConsoleReporter
from accord.app.training_page import write_training_page
from accord.drawing.characters import printable
from accord.errors import ConfigError
from accord.learning import Checkpoint, TrainingResult
from accord.settings import read_table
from accord.tasks import registry
from accord.tasks.registry import Row, Task
from accord_command import stop


def train_command(row: Row) -> Callable[..., None]:
    """The function of ``accord train NAME``, with the options of the row; the task is imported when it runs."""

    def command(**given: Any) -> None:
        train(registry.task(row.name), **given)

    command.__doc__ = f"Train a {row.title}.\n\n{f'Example: {row.example}' if row.example else ''}"
    parameters = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in _options(row).items()
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command


def _options(row: Row) -> dict[str, tuple[Any, Any]]:
    """The parameters of a training command: annotation and default."""
    files = Annotated[list[Path], typer.Argument(metavar="TRAIN", help=row.learns)]
    dev = Annotated[Path | None, typer.Option("--dev", help="Data of the same kind that decides when to stop.")]
    also = Annotated[
        list[Path],
        typer.Option("--also", help="More training data; may be repeated, and a file named twice counts twice."),
    ]
    format = Annotated[str, typer.Option("--format", help=f"Format of the files: {', '.join(row.formats)}.")]
    found: dict[str, tuple[Any, Any]] = {
        "files": (files, inspect.Parameter.empty),
        "output": (options.NewModel, inspect.Parameter.empty),
        "dev": (dev, None),
        "config": (options.Config, None),
        "set": (options.Set, []),
    }
    if "also" in row.options:
        found["also"] = also, []
    if "device" in row.options:
        found["device"] = options.Device, None
    if "base" in row.options:
        found["base"] = options.Base, None
    found["card"] = options.Card, []
    if row.formats:
        found["format"] = format, "auto"
    if "keep-going" in row.options:
        found["keep_going"] = options.LeaveOut, False
    found["report"] = options.TrainingReport, None
    return {**found, "resume": (options.Resume, False), "keep_checkpoint": (options.KeepCheckpoint, False)}


def train(
    task: Task,
    *,
    files: list[Path],
    output: Path,
    dev: Path | None,
    config: Path | None,
    set: list[str],
    card: list[str],
    resume: bool,
    keep_checkpoint: bool,
    also: Sequence[Path] = (),
    device: str | None = None,
    base: str | None = None,
    format: str = "auto",
    keep_going: bool = False,
    report: Path | None = None,
) -> None:
    """Train a model of a task and write it."""
    if task.train is None:
        raise ConfigError(f"{task.name}: a {task.title} needs no training")
    if "device" in task.row.options:
        set = options.with_device(set, device, "neural.device")
    if base is not None:
        set = [*set, f"base={base}"]
    settings = task.settings_of(read_table(config, set), files[0], format)
    if device is not None:
        options.check_device(device, settings.scorer)
    with ConsoleReporter(task.row.unit) as reporter:
        how = {"format": format, "keep_going": keep_going, "reporter": reporter}
        training = task.read([*files, *also], settings, **how)
        held_out = None if dev is None else task.read([dev], settings, **how)
        if held_out is not None and (sizes := task.sizes(held_out)) and not any(sizes.values()):
            raise ConfigError(f"{dev}: there is nothing in the dev data")
        options.check_folder(output)
        if report is not None:
            options.check_folder(report)
        about = model_card(card, [*files, *also], dev, task.sizes(training))
        checkpoint = Checkpoint.beside(output, task.name, settings, resume=resume, card=about, free=task.free)
        with model_or_none(checkpoint):
            result = task.train(training, held_out, settings, card=about, reporter=reporter, checkpoint=checkpoint)
            model = finished(task, result, held_out, about)
    model.save(output)
    if report is not None:
        write_training_page(output, report)
    say_end(result, model.card["scores"], output, checkpoint, keep_checkpoint)


def finished(task: Task, result: TrainingResult[Any], dev: Any, card: Mapping[str, Any]) -> Any:
    """The model with its card: where it comes from, its scores on dev data and its log.

    A Ctrl-C during the evaluation leaves the scores of the training.
    """
    scores = dict(result.scores)
    if dev is not None and not result.interrupted:
        with suppress(KeyboardInterrupt):
            scores |= task.evaluate(task.worker(result.model), dev)
    about = {**card, **result.model.card, "log": result.log, "best_epoch": result.best_epoch, "scores": scores}
    if result.interrupted:
        about["interrupted"] = True
    return dataclasses.replace(result.model, card=about)


def model_card(pairs: list[str], files: Sequence[Path], dev: Path | None, sizes: Mapping[str, int]) -> dict[str, Any]:
    """Where a model comes from: its data, and what ``--card`` says."""
    card: dict[str, Any] = {"data": files[0].name, "dev": dev.name if dev else None, **sizes}
    if len(files) > 1:
        card["also"] = [file.name for file in files[1:]]
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise ConfigError(f"--card {pair!r}: expected key=value")
        card[key] = value
    return card


@contextmanager
def model_or_none(checkpoint: Checkpoint) -> Iterator[None]:
    """Training that a Ctrl-C ends before there is a model: say that none was written, with the status of it."""
    try:
        yield
    except KeyboardInterrupt:
        message = "interrupted before there was a model: none was written"
        if any(checkpoint.path.parent.glob(checkpoint.path.name + "*")):  # of the whole, or of a step
            message += f"; --resume goes on from {checkpoint.path}"
        stop(printable(message))


def say_end(
    result: TrainingResult[Any],
    scores: Mapping[str, float],
    output: Path,
    checkpoint: Checkpoint,
    keep_checkpoint: bool,
) -> None:
    """Say what was written; an interrupted run ends with the status of an interruption and keeps its checkpoint."""
    out = console.error_console()
    best = f", best of epoch {result.best_epoch}" if result.best_epoch else ""
    if result.interrupted:
        stop(printable(f"interrupted: the best model so far (epoch {result.best_epoch}) is in {output}"))
    if not keep_checkpoint:
        checkpoint.remove()
    told = "".join(f", {name} {value:.2f}" for name, value in scores.items())
    out.print(f"{output}: {output.stat().st_size / 1e6:.1f} MB{best}{told}", markup=False, soft_wrap=True)

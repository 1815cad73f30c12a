# SPDX-License-Identifier: Apache-2.0
"""``accord train``: from a treebank to a model file.

After every epoch the best model so far stands under its final name and a checkpoint beside it, so that an interrupted
run has lost nothing: Ctrl-C keeps the best, ``--resume`` goes on from the checkpoint.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from accord import data
from accord.app import options
from accord.app.signals import interrupts_wait, model_or_none
from accord.data.document import OnError
from accord.errors import ConfigError
from accord.learning import EpochReport, LoopState
from accord.learning import Progress as LoopProgress
from accord.models.file import ModelFile, write_model
from accord.settings import read_settings
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.model_file import ParserModel
from accord.tasks.parser.training import TrainableParser, parser_task, train_parser


class Checkpoint:
    """The state of an unfinished run, beside the model it is to become."""

    def __init__(self, output: Path) -> None:
        self.output = output
        self.path = output.with_name(output.name + ".checkpoint")

    def save(self, task: TrainableParser, state: LoopState, config: ParserConfig) -> None:
        header = {"kind": "checkpoint", "config": dataclasses.asdict(config), "state": dataclasses.asdict(state)}
        blocks = {str(number): block for number, block in enumerate(task.save_state())}
        write_model(self.path, header, blocks)

    def load(self, task: TrainableParser, config: ParserConfig) -> tuple[LoopState, ParserModel | None]:
        if not self.path.is_file():
            raise ConfigError(f"{self.path}: no checkpoint to resume from")
        file = ModelFile(self.path)
        # Length of training and threads may change between runs; everything else decides what is being trained. So does
        # the length for networks, whose steps shrink to nothing at the end.
        free = ("epochs", "patience", "threads", "neural.patience")
        saved, wanted = _flat(file.header["config"]), _flat(json.loads(json.dumps(dataclasses.asdict(config))))
        changed = [name for name in wanted if name not in free and saved.get(name) != wanted[name]]
        if changed:
            raise ConfigError(f"{self.path}: cannot resume with another {', '.join(changed)}")
        task.load_state([np.asarray(file.arrays[name]) for name in sorted(file.arrays, key=int)])
        state = LoopState(**file.header["state"])
        return state, ParserModel.load(self.output) if state.best_epoch else None

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)


def _flat(settings: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Settings by their full names."""
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        flat.update(_flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value})
    return flat


def _report_line(report: EpochReport) -> str:
    scores = "  ".join(f"dev {name} {value:.2f}" for name, value in report.scores.items())
    figures = "  ".join(f"{name} {value:.6g}" for name, value in report.figures.items())
    star = " *" if report.best and report.scores else ""
    return (
        f"epoch {report.epoch}  loss {report.objective:.1f}  {scores}  {figures}  "
        f"{report.words_per_second:,.0f} words/s  {report.cpu_seconds:.1f} CPU s{star}"
    )


def model_card(pairs: list[str], train_file: Path, dev_file: Path | None, training: data.Document) -> dict[str, Any]:
    card: dict[str, Any] = {
        "data": train_file.name,
        "dev": dev_file.name if dev_file else None,
        "sentences": len(training),
        "words": int(training.heads.size),
    }
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise ConfigError(f"--card {pair!r}: expected key=value")
        card[key] = value
    return card


def _training_data(files: list[Path], format: str, on_error: OnError) -> data.Document:
    """The sentences of all files, one file after the other."""
    documents = [data.read(file, format=format, on_error=on_error) for file in files]
    for document in documents:
        options.warn(document.problems)
    if len(documents) == 1:
        return documents[0]
    return data.Document.from_sentences((s for d in documents for s in d.sentences), name=documents[0].name)


def parser(
    train_file: Annotated[Path, typer.Argument(metavar="TRAIN", help="Treebank to train on.")],
    output: options.NewModel,
    dev: Annotated[Path | None, typer.Option("--dev", help="Treebank that decides when to stop.")] = None,
    config: options.Config = None,
    set: options.Set = [],  # noqa: B006
    also: Annotated[
        list[Path],
        typer.Option("--also", help="More training data; may be repeated, and a file named twice counts twice."),
    ] = [],  # noqa: B006
    device: options.Device = None,
    card: options.Card = [],  # noqa: B006
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint of an interrupted run.")] = False,
    keep_checkpoint: Annotated[
        bool, typer.Option("--keep-checkpoint", help="Keep the checkpoint, to train on with more epochs later.")
    ] = False,
    format: options.Format = "auto",
    keep_going: options.KeepGoing = False,
) -> None:
    """Train a dependency parser.

    Example: accord train parser train.conllu --dev dev.conllu --output en.accord --set projective=false
    """
    settings = read_settings(ParserConfig, config, options.with_device(set, device, "neural.device"))
    options.check_device(device, settings.scorer)
    on_error: OnError = "keep" if keep_going else "raise"
    training = _training_data([train_file, *also], format, on_error)
    dev_document = data.read(dev, format=format, on_error=on_error) if dev else None
    if dev_document is not None and (dev_document.heads < 0).any():
        raise ConfigError(f"{dev}: dev data must have a head for every word")
    options.check_folder(output)
    task = parser_task(training, dev_document, settings)
    out = options.console()
    if task.left_out:
        out.print(f"{task.left_out} sentences left out: their heads are no tree of the kind being trained, or too few")
    if task.partial:
        out.print(f"{task.partial} sentences have unknown heads or labels, which are completed in training")
    checkpoint = Checkpoint(output)
    state, best = checkpoint.load(task, settings) if resume else (LoopState(), None)
    about = model_card(card, train_file, dev, training)
    if also:
        about["also"] = [path.name for path in also]

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[figures]}"),
        TimeElapsedColumn(),
        TextColumn("eta"),
        TimeRemainingColumn(),
        console=out,
        transient=True,
    ) as bar:
        last_scores = ""
        line = bar.add_task(
            "training",
            total=(settings.neural if settings.scorer == "neural" else settings).epochs * len(task),
            figures="",
        )

        def on_progress(now: LoopProgress) -> None:
            bar.update(
                line,
                completed=(now.epoch - 1) * now.total + now.done,
                description=f"epoch {now.epoch}/{now.epochs}",
                figures=f"loss {now.objective:.3f}  {last_scores}  {now.words_per_second:,.0f} words/s",
            )

        def on_epoch(report: EpochReport, state: LoopState, model: ParserModel) -> None:
            nonlocal last_scores
            last_scores = "  ".join(f"{name} {value:.2f}" for name, value in report.scores.items())
            out.print(_report_line(report), markup=False, soft_wrap=True)
            with interrupts_wait():  # model and checkpoint belong together
                if report.best:
                    card = {**about, "log": state.log, "best_epoch": state.best_epoch}
                    dataclasses.replace(model, card=card).save(output)
                checkpoint.save(task, state, settings)

        with model_or_none():
            result = train_parser(
                training,
                dev_document,
                settings,
                task=task,
                state=state,
                best=best,
                card=about,
                on_progress=on_progress,
                on_epoch=on_epoch,
            )
    scores = result.log[result.best_epoch - 1]["scores"] if result.best_epoch and result.log else {}
    model = dataclasses.replace(result.snapshot, card={**result.snapshot.card, "scores": scores})
    model.save(output)
    if result.interrupted:
        out.print(f"interrupted: the best model so far (epoch {result.best_epoch}) is in {output}", soft_wrap=True)
        raise typer.Exit(130)
    if not keep_checkpoint:
        checkpoint.remove()
    out.print(f"{output}: {output.stat().st_size / 1e6:.1f} MB, best of epoch {result.best_epoch}", soft_wrap=True)

"""``accord train joint``: a model that finds segments and their types together."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from accord.app import options
from accord.app.signals import model_or_none
from accord.errors import ConfigError
from accord.learning import EpochReport
from accord.settings import read_settings
from accord.tasks.labeller import BatchReport
from accord.tasks.virtual import JointConfig, train_joint
from accord.tasks.virtual.files import read_corpus

CHARACTERS = ("scheme=BCDMES", "templates=joint_words")


def joint(
    train_file: Annotated[
        Path, typer.Argument(metavar="TRAIN", help="Words in columns with labels last, or CoNLL-U seen as characters.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.")],
    dev: Annotated[Path | None, typer.Option("--dev", help="The same kind of file, to score and to stop by.")] = None,
    config: Annotated[Path | None, typer.Option("--config", help="Settings as a TOML file.")] = None,
    set: options.Set = [],  # noqa: B006
) -> None:
    """Train a joint model: chunks of words, or from CoNLL-U words and their parts of speech out of characters.

    Example: accord train joint chunks.txt --dev dev.txt --output chunks.accord --set l2=2
    """
    if not output.resolve().parent.is_dir():
        raise ConfigError(f"{output}: there is no folder {output.parent}")
    training = read_corpus(train_file)
    defaults = CHARACTERS if isinstance(training.elements, list) and config is None else ()
    settings = read_settings(JointConfig, config, [*defaults, *set])
    held_out = read_corpus(dev) if dev else None
    if held_out is not None and isinstance(held_out.elements, list) != isinstance(training.elements, list):
        raise ConfigError(f"{dev}: one of the two files has words in columns, the other is CoNLL-U")
    out = options.console()
    scores: dict[str, float] = {}

    def on_epoch(report: EpochReport) -> None:
        scores.update(report.scores)
        told = "  ".join(f"dev {name} {value:.2f}" for name, value in report.scores.items())
        figures = "  ".join(f"{name} {value:.6g}" for name, value in report.figures.items())
        out.print(f"pass {report.epoch}  loss {report.objective:.1f}  {told}  {figures}", markup=False)

    def on_iteration(report: BatchReport) -> bool:
        if report.iteration % 20 == 0:
            out.print(f"iteration {report.iteration}  objective {report.objective:.2f}", markup=False)
        return True

    with model_or_none():
        model = train_joint(
            training.elements,
            training.segments,
            settings,
            dev=None if held_out is None else (held_out.elements, held_out.segments),
            on_epoch=on_epoch,
            on_iteration=on_iteration,
        )
    card = {"data": train_file.name, "dev": dev.name if dev else None, "scores": scores}
    dataclasses.replace(model, card={**card, **model.card}).save(output)
    options.leave_if_interrupted(model.card, output)
    out.print(f"{output}: {output.stat().st_size / 1e6:.1f} MB", markup=False)

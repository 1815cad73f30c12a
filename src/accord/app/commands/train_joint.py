# SPDX-License-Identifier: Apache-2.0
"""``accord train joint``: a model that finds segments and their types together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.app import options
from accord.app.signals import model_or_none
from accord.app.training import save_trained, say_iteration, say_pass
from accord.errors import ConfigError
from accord.learning import EpochReport
from accord.settings import read_settings
from accord.tasks.virtual import JointConfig, train_joint
from accord.tasks.virtual.files import read_corpus

CHARACTERS = ("scheme=BCDMES", "templates=joint_words")


def joint(
    train_file: Annotated[
        Path, typer.Argument(metavar="TRAIN", help="Words in columns with labels last, or CoNLL-U seen as characters.")
    ],
    output: options.NewModel,
    dev: Annotated[Path | None, typer.Option("--dev", help="The same kind of file, to score and to stop by.")] = None,
    config: options.Config = None,
    set: options.Set = [],  # noqa: B006
) -> None:
    """Train a joint model: chunks of words, or from CoNLL-U words and their parts of speech out of characters.

    Example: accord train joint chunks.txt --dev dev.txt --output chunks.accord --set l2=2
    """
    options.check_folder(output)
    training = read_corpus(train_file)
    defaults = CHARACTERS if isinstance(training.elements, list) and config is None else ()
    settings = read_settings(JointConfig, config, [*defaults, *set])
    held_out = read_corpus(dev) if dev else None
    if held_out is not None and isinstance(held_out.elements, list) != isinstance(training.elements, list):
        raise ConfigError(f"{dev}: one of the two files has words in columns, the other is CoNLL-U")
    scores: dict[str, float] = {}

    def on_epoch(report: EpochReport) -> None:
        scores.update(report.scores)
        say_pass(report)

    with model_or_none():
        model = train_joint(
            training.elements,
            training.segments,
            settings,
            dev=None if held_out is None else (held_out.elements, held_out.segments),
            on_epoch=on_epoch,
            on_iteration=say_iteration,
        )
    card = {"data": train_file.name, "dev": dev.name if dev else None, "scores": scores}
    save_trained(model, card, output)

# SPDX-License-Identifier: Apache-2.0
"""``accord train tokenizer``: from a treebank to a tokeniser and sentence splitter."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from accord import data
from accord.app import options
from accord.app.signals import model_or_none
from accord.learning import EpochReport, LoopState
from accord.settings import read_settings
from accord.tasks.tokenizer import TokenizerConfig, TokenizerModel
from accord.tasks.tokenizer.training import train_tokenizer


def tokenizer(
    train_files: Annotated[list[Path], typer.Argument(metavar="TRAIN...", help="Treebanks to train on.")],
    output: options.NewModel,
    dev: Annotated[Path | None, typer.Option("--dev", help="Treebank that decides when to stop.")] = None,
    config: options.Config = None,
    set: options.Set = [],  # noqa: B006
    format: options.Format = "auto",
) -> None:
    """Train a tokeniser and sentence splitter.

    Example: accord train tokenizer train.conllu --dev dev.conllu --output tokens.accord
    """
    settings = read_settings(TokenizerConfig, config, set)
    documents = [data.read(file, format=format) for file in train_files]
    held_out = [data.read(dev, format=format)] if dev else []
    options.check_folder(output)
    out = options.console()

    def on_epoch(report: EpochReport, state: LoopState, model: TokenizerModel) -> None:
        scores = "  ".join(f"dev {name} {value:.2f}" for name, value in report.scores.items())
        star = " *" if report.best and report.scores else ""
        speed = f"{report.words_per_second:,.0f} characters/s"
        out.print(f"epoch {report.epoch}  loss {report.objective:.1f}  {scores}  {speed}{star}", markup=False)

    card = {"data": [file.name for file in train_files], "dev": dev.name if dev else None}
    with model_or_none():
        result = train_tokenizer(documents, held_out, settings, card=card, on_epoch=on_epoch)
    dataclasses.replace(result.snapshot, card={**result.snapshot.card, "log": result.log}).save(output)
    if result.interrupted:
        out.print(f"interrupted: the best model so far (epoch {result.best_epoch}) is in {output}", soft_wrap=True)
        raise typer.Exit(130)
    out.print(f"{output}: {output.stat().st_size / 1e6:.1f} MB, best of epoch {result.best_epoch}", soft_wrap=True)

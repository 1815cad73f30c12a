# SPDX-License-Identifier: Apache-2.0
"""``accord train ner``: from labelled tokens to a model of entities or chunks."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from accord.app import options
from accord.app.signals import model_or_none
from accord.app.training import save_trained, say_iteration, say_pass
from accord.evaluation.spans import evaluate_spans
from accord.settings import read_settings
from accord.tasks.spans import SpanLabeller, SpansConfig, read_labelled, tag_column, train_spans


def ner(
    train_file: Annotated[Path, typer.Argument(metavar="TRAIN", help="Labelled tokens: columns, or CoNLL-U.")],
    output: options.NewModel,
    dev: Annotated[Path | None, typer.Option("--dev", help="Labelled tokens that decide when to stop.")] = None,
    config: options.Config = None,
    set: options.Set = [],  # noqa: B006
    format: Annotated[str, typer.Option("--format", help="auto, columns or conllu (labels in MISC).")] = "auto",
) -> None:
    """Train a labeller of spans: named entities, or chunks with --set templates=chunk.

    Example: accord train ner train.txt --dev dev.txt --output names.accord --set l2=0.5
    """
    options.check_folder(output)
    settings = read_settings(SpansConfig, config, set)
    settings = dataclasses.replace(settings, tag=tag_column(train_file, settings, format))
    training = read_labelled(train_file, settings, format=format)
    held_out = read_labelled(dev, settings, format=format) if dev else None

    with model_or_none():
        model = train_spans(training, held_out, settings, on_epoch=say_pass, on_iteration=say_iteration)
    card: dict[str, object] = {
        "data": train_file.name,
        "dev": dev.name if dev else None,
        "tokens": len(training.labels),
    }
    if held_out is not None:
        found = SpanLabeller(model).label(held_out.document, threads=settings.threads).labels
        result = evaluate_spans(held_out.labels, found, held_out.lengths)
        options.console().print(result.table(), markup=False)
        card["scores"] = {"precision": result.spans.precision, "recall": result.spans.recall, "F1": result.spans.f1}
    save_trained(model, card, output)

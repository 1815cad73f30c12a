"""``accord train ner``: from labelled tokens to a model of entities or chunks."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from accord.app import options
from accord.app.signals import model_or_none
from accord.errors import ConfigError
from accord.evaluation.spans import evaluate_spans
from accord.learning import EpochReport
from accord.settings import read_settings
from accord.tasks.labeller import BatchReport
from accord.tasks.spans import SpanLabeller, SpansConfig, read_labelled, tag_column, train_spans


def ner(
    train_file: Annotated[Path, typer.Argument(metavar="TRAIN", help="Labelled tokens: columns, or CoNLL-U.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.")],
    dev: Annotated[Path | None, typer.Option("--dev", help="Labelled tokens that decide when to stop.")] = None,
    config: Annotated[Path | None, typer.Option("--config", help="Settings as a TOML file.")] = None,
    set: options.Set = [],  # noqa: B006
    format: Annotated[str, typer.Option("--format", help="auto, columns or conllu (labels in MISC).")] = "auto",
) -> None:
    """Train a labeller of spans: named entities, or chunks with --set templates=chunk.

    Example: accord train ner train.txt --dev dev.txt --output names.accord --set l2=0.5
    """
    if not output.resolve().parent.is_dir():
        raise ConfigError(f"{output}: there is no folder {output.parent}")
    settings = read_settings(SpansConfig, config, set)
    settings = dataclasses.replace(settings, tag=tag_column(train_file, settings, format))
    training = read_labelled(train_file, settings, format=format)
    held_out = read_labelled(dev, settings, format=format) if dev else None
    out = options.console()

    def on_epoch(report: EpochReport) -> None:
        scores = "  ".join(f"dev {name} {value:.2f}" for name, value in report.scores.items())
        figures = "  ".join(f"{name} {value:.6g}" for name, value in report.figures.items())
        out.print(f"pass {report.epoch}  loss {report.objective:.1f}  {scores}  {figures}", markup=False)

    def on_iteration(report: BatchReport) -> bool:
        if report.iteration % 20 == 0:
            out.print(f"iteration {report.iteration}  objective {report.objective:.2f}", markup=False)
        return True

    with model_or_none():
        model = train_spans(training, held_out, settings, on_epoch=on_epoch, on_iteration=on_iteration)
    card: dict[str, object] = {
        "data": train_file.name,
        "dev": dev.name if dev else None,
        "tokens": len(training.labels),
    }
    if held_out is not None:
        found = SpanLabeller(model).label(held_out.document, threads=settings.threads).labels
        result = evaluate_spans(held_out.labels, found, held_out.lengths)
        out.print(result.table(), markup=False)
        card["scores"] = {"precision": result.spans.precision, "recall": result.spans.recall, "F1": result.spans.f1}
    dataclasses.replace(model, card={**card, **model.card}).save(output)
    options.leave_if_interrupted(model.card, output)
    out.print(f"{output}: {output.stat().st_size / 1e6:.1f} MB", markup=False)

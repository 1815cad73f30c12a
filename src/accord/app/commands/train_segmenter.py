"""``accord train segmenter``: from segmented text to a word segmenter."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from accord.app import options
from accord.app.commands.segment import score_table
from accord.app.signals import model_or_none
from accord.data.segmented import read_segmented
from accord.errors import ConfigError
from accord.evaluation.segmentation import evaluate_segmentation
from accord.learning import EpochReport
from accord.settings import read_settings
from accord.tasks.segmenter import Segmenter, SegmenterConfig, train_segmenter
from accord.tasks.segmenter.training import ThresholdReport


def segmenter(
    train_file: Annotated[
        Path, typer.Argument(metavar="TRAIN", help="Segmented text: a sentence a line, blanks between words.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.")],
    dev: Annotated[Path | None, typer.Option("--dev", help="Segmented text that decides when to stop.")] = None,
    config: Annotated[Path | None, typer.Option("--config", help="Settings as a TOML file.")] = None,
    set: options.Set = [],  # noqa: B006
) -> None:
    """Train a word segmenter.

    Example: accord train segmenter train.seg --dev dev.seg --output words.accord --set words=names.txt
    """
    if not output.resolve().parent.is_dir():
        raise ConfigError(f"{output}: there is no folder {output.parent}")
    settings = read_settings(SegmenterConfig, config, set)
    training = read_segmented(train_file)
    held_out = read_segmented(dev) if dev else None
    out = options.console()

    def on_epoch(report: EpochReport) -> None:
        scores = "  ".join(f"dev {name} {value:.2f}" for name, value in report.scores.items())
        out.print(f"pass {report.epoch}  loss {report.objective:.1f}  {scores}", markup=False)

    def on_thresholds(report: ThresholdReport) -> None:
        for threshold, f1 in sorted(report.f1.items()):
            name = {0.0: "chain alone", 2.0: "dictionary alone"}.get(threshold, f"threshold {threshold:.2f}")
            chosen = " *" if threshold == report.best else ""
            out.print(f"{name:<17} dev F1 {f1:.2f}{chosen}", markup=False)

    with model_or_none():
        model = train_segmenter(training, held_out, settings, on_epoch=on_epoch, on_thresholds=on_thresholds)
    card: dict[str, object] = {
        "data": train_file.name,
        "dev": dev.name if dev else None,
        "words": sum(map(len, training)),
    }
    if held_out is not None:
        found = Segmenter(model).segment(["".join(words) for words in held_out], threads=settings.threads)
        result = evaluate_segmentation(held_out, found, {word for words in training for word in words})
        out.print(score_table(result), markup=False)
        card["scores"] = {"F1": result.words.f1, "R_oov": result.recall_unseen, "R_iv": result.recall_seen}
    dataclasses.replace(model, card={**card, **model.card}).save(output)
    options.leave_if_interrupted(model.card, output)
    out.print(f"{output}: {output.stat().st_size / 1e6:.1f} MB", markup=False)

# SPDX-License-Identifier: Apache-2.0
"""``accord train segmenter``: from segmented text to a word segmenter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.app import options
from accord.app.commands.segment import score_table
from accord.app.signals import model_or_none
from accord.app.training import save_trained, say_pass
from accord.data.segmented import read_segmented
from accord.evaluation.segmentation import evaluate_segmentation
from accord.settings import read_settings
from accord.tasks.segmenter import Segmenter, SegmenterConfig, train_segmenter
from accord.tasks.segmenter.training import ThresholdReport


def segmenter(
    train_file: Annotated[
        Path, typer.Argument(metavar="TRAIN", help="Segmented text: a sentence a line, blanks between words.")
    ],
    output: options.NewModel,
    dev: Annotated[Path | None, typer.Option("--dev", help="Segmented text that decides when to stop.")] = None,
    config: options.Config = None,
    set: options.Set = [],  # noqa: B006
) -> None:
    """Train a word segmenter.

    Example: accord train segmenter train.seg --dev dev.seg --output words.accord --set words=names.txt
    """
    options.check_folder(output)
    settings = read_settings(SegmenterConfig, config, set)
    training = read_segmented(train_file)
    held_out = read_segmented(dev) if dev else None
    out = options.console()

    def on_thresholds(report: ThresholdReport) -> None:
        for threshold, f1 in sorted(report.f1.items()):
            name = {0.0: "chain alone", 2.0: "dictionary alone"}.get(threshold, f"threshold {threshold:.2f}")
            chosen = " *" if threshold == report.best else ""
            out.print(f"{name:<17} dev F1 {f1:.2f}{chosen}", markup=False)

    with model_or_none():
        model = train_segmenter(training, held_out, settings, on_epoch=say_pass, on_thresholds=on_thresholds)
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
    save_trained(model, card, output)

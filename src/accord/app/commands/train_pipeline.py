# SPDX-License-Identifier: Apache-2.0
"""``accord train pipeline``: tokeniser, tagger and parser as one model, with its card."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from accord import data
from accord.app import console, options
from accord.app.reporter import ConsoleReporter
from accord.app.training import model_card, model_or_none
from accord.app.training_page import write_training_page
from accord.data import Document
from accord.errors import ConfigError
from accord.learning import Checkpoint
from accord.models import model_path
from accord.settings import read_table
from accord.tasks.pipeline import Pipeline, PipelineModel
from accord.tasks.pipeline.card import card_text
from accord.tasks.pipeline.model import STEP_MODELS
from accord.tasks.pipeline.task import TASK
from accord.tasks.pipeline.training import StepConfigs, pipeline_scores, train_pipeline, treebank_files
from accord.tasks.treebanks import treebank_sizes


def pipeline(
    folder: Annotated[
        Path,
        typer.Argument(metavar="UD_FOLDER", help="Folder with *-train.conllu, and if possible *-dev, *-test.conllu."),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write; the card is written beside it.")],
    config: options.Config = None,
    set: options.Set = [],  # noqa: B006
    also: Annotated[
        list[Path], typer.Option("--also", help="More training data of the same kind, e.g. in another script.")
    ] = [],  # noqa: B006
    take: Annotated[
        list[str],
        typer.Option(
            "--take", help="step=MODEL: a step that is trained already, e.g. tokenizer=en or parser=my.accord."
        ),
    ] = [],  # noqa: B006
    distil: Annotated[
        Path | None,
        typer.Option(
            "--distil",
            help="Raw text, a paragraph in each line, that larger networks annotate for the parser to learn from. "
            "Settings of these networks begin with teacher. Needs PyTorch.",
        ),
    ] = None,
    teachers: Annotated[
        str | None,
        typer.Option("--teachers", help="With --distil: how many networks to train, or files of parsers, with commas."),
    ] = None,
    device: options.Device = None,
    card: options.Card = [],  # noqa: B006
    test: Annotated[bool, typer.Option("--test", help="Add scores on the test part to the card.")] = False,
    report: options.TrainingReport = None,
    resume: options.Resume = False,
    keep_checkpoint: options.KeepCheckpoint = False,
) -> None:
    """Train tokeniser, tagger and parser on a UD treebank, as one model with its card.

    Settings of a step begin with its name: --set parser.order=3.

    Example: accord train pipeline UD_English-EWT -o my.accord --set parser.order=3
    """
    options.check_folder(output)
    if report is not None:
        options.check_folder(report)
    given = [f"distil={distil}"] if distil is not None else []
    given += [f"teachers={teachers}"] if teachers is not None else []
    values = options.with_device([*set, *given], device, "parser.neural.device")
    configs = StepConfigs.read(read_table(config, values))
    if teachers is not None and not configs.pipeline.distil:
        raise ConfigError("--teachers goes with --distil, which names the text that they annotate")
    options.check_device(device, configs.parser.scorer)
    configs.steps()
    taken = _taken(take)
    files = treebank_files(folder)
    for part, path in files.items():
        use = {"dev": "decides when to stop", "test": "scored at the end" if test else "not used"}
        about_part = use.get(part, "trained on")
        console.error_console().print(f"{part}: {path} ({about_part})", markup=False, soft_wrap=True)
    training = [data.read(path) for path in (files["train"], *also)]
    dev = data.read(files["dev"]) if "dev" in files else None
    if test and "test" not in files:
        raise ConfigError(f"{folder}: no file is named *-test.conllu")
    out = console.error_console()
    about = model_card(card, [files["train"], *also], files.get("dev"), treebank_sizes(training[0]))
    final = train_and_write(
        output,
        training,
        dev,
        configs,
        taken=taken,
        card=about,
        test=data.read(files["test"]) if test else None,
        resume=resume,
        keep_checkpoint=keep_checkpoint,
    )
    if report is not None:
        write_training_page(output, report)
    for part, key in (("dev", "scores"), ("test", "test_scores")):
        if final.get(key):
            out.print(f"{part} ({files[part]}):", markup=False, soft_wrap=True)
            out.print(json.dumps(final[key], indent=1), markup=False)


def train_and_write(
    output: Path,
    training: Sequence[Document],
    dev: Document | None,
    configs: StepConfigs,
    *,
    card: Mapping[str, Any],
    taken: PipelineModel | None = None,
    test: Document | None = None,
    resume: bool = False,
    keep_checkpoint: bool = False,
) -> dict[str, Any]:
    """Train a pipeline, measure it, and write its file and its card; returns what the card tells."""
    checkpoint = Checkpoint.beside(output, "pipeline", configs, resume=resume, free=TASK.free)
    with ConsoleReporter() as reporter, model_or_none(checkpoint):
        model = train_pipeline(
            training, dev, configs, taken=taken, card=card, reporter=reporter, checkpoint=checkpoint
        ).model
    final = dict(model.card)
    if test is not None:
        final["test_scores"] = pipeline_scores(Pipeline(model), test, spacing=configs.tokenizer.spacing)
    checked = training[0] if dev is None else dev
    started = time.process_time()
    Pipeline(model).parse(checked, tags="predict", threads=1) if model.parser else Pipeline(model).tag(
        checked, tags="predict"
    )
    final["words_per_cpu_second"] = round(checked.heads.size / max(time.process_time() - started, 1e-9))
    model = dataclasses.replace(model, card=final)
    model.save(output)
    if not keep_checkpoint:
        checkpoint.remove()
    text = card_text(model, output.stat().st_size)
    output.with_suffix(".md").write_text(text, encoding="utf-8")
    size = output.stat().st_size / 1e6
    console.error_console().print(f"{output}: {size:.1f} MB; card: {output.with_suffix('.md')}", markup=False)
    return final


def _taken(pairs: list[str]) -> PipelineModel:
    """The finished steps of ``step=MODEL`` pairs."""
    steps: dict[str, Any] = {}
    for pair in pairs:
        step, equals, name = pair.partition("=")
        if not equals or step not in STEP_MODELS:
            raise ConfigError(f"--take {pair!r}: expected step=MODEL, the step one of {', '.join(STEP_MODELS)}")
        steps[step] = STEP_MODELS[step].load(model_path(name))
    return PipelineModel(**steps)

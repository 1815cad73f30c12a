# SPDX-License-Identifier: Apache-2.0
"""``accord train all``: the pipelines of all languages of a table, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.app import console, options
from accord.app.commands.train_pipeline import train_and_write
from accord.errors import ConfigError
from accord.models import model_path
from accord.settings import read_table
from accord.tasks.pipeline.languages import TABLE, Language, joined_part, read_languages, read_part, treebank_file
from accord.tasks.pipeline.training import StepConfigs
from accord.tasks.treebanks import treebank_sizes


def all_languages(
    data: Annotated[Path, typer.Option("--data", help="Folder with treebanks, or with folders of them.")],
    to: Annotated[Path, typer.Option("--to", "-o", help="Folder of the models and their cards; made if need be.")],
    only: Annotated[
        str, typer.Option("--only", help="Languages of the table, with commas; all without it.", show_default=False)
    ] = "",
    table: Annotated[
        Path, typer.Option("--table", help="Table of languages as a TOML file.", show_default=False)
    ] = TABLE,
    set: options.Set = [],  # noqa: B006
    device: options.Device = None,
    resume: options.Resume = False,
) -> None:
    """Train the pipelines of all languages that the package knows treebanks and settings for.

    Models that are in the folder already are left alone with --resume, and an unfinished one goes on.

    Example: accord train all --only sv,pt --data ud-treebanks --to models
    """
    rows = _chosen(read_languages(table), only)
    extra = read_table(None, options.with_device(set, device, "parser.neural.device"))
    for row in rows:
        configs = _configs(row, extra, to)
        options.check_device(device, configs.parser.scorer)
        configs.steps()
        if row.start and row.start not in {earlier.code for earlier in rows[: rows.index(row)]}:
            model_path(configs.parser.neural.start)
        for name in (*row.train, *row.dev):
            treebank_file(data, name)
    to.mkdir(parents=True, exist_ok=True)
    out = console.error_console()
    for row in rows:
        output = to / f"{row.code}.accord"
        if resume and output.with_suffix(".md").is_file():
            out.print(f"{row.code}: {output} is there", markup=False, soft_wrap=True)
            continue
        output.with_suffix(".md").unlink(missing_ok=True)  # the card says that a model is finished
        out.print(f"{row.code}: {row.name}, {row.licence}", markup=False, soft_wrap=True)
        training, dev = read_part(data, row.train), joined_part(read_part(data, row.dev))
        card = row.card(treebank_sizes(joined_part(training)))
        begun = any(to.glob(f"{output.name}.checkpoint*"))
        final = train_and_write(output, training, dev, _configs(row, extra, to), card=card, resume=resume and begun)
        scores = final.get("scores", {})
        told = ", ".join(f"{name} {scores[name]:.2f}" for name in ("raw LAS", "words LAS") if name in scores)
        out.print(f"{row.code}: dev {told}", markup=False, soft_wrap=True)


def _configs(row: Language, extra: Mapping[str, Any], folder: Path) -> StepConfigs:
    """The settings of a row; a network that it begins with is the one of the folder, or else the packaged one."""
    started = {}
    if row.start:
        own = folder / f"{row.start}.accord"
        started["parser.neural.start"] = str(own) if own.is_file() else row.start
    return StepConfigs.read({**row.settings, **started, **extra})


def _chosen(rows: dict[str, Language], only: str) -> list[Language]:
    codes = [code.strip() for code in only.split(",") if code.strip()] or list(rows)
    for code in codes:
        if code not in rows:
            raise ConfigError(f"--only {code}: the table has {', '.join(rows)}")
    return [rows[code] for code in dict.fromkeys(codes)]

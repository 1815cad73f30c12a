# SPDX-License-Identifier: Apache-2.0
"""``accord info``: what a model is, where it comes from and how it was trained."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from accord.drawing.characters import printable
from accord.models import model_path, packaged_models
from accord.models.file import ModelFile, block_kind
from accord.models.stored import understood
from accord.settings import setting_texts
from accord.tasks import registry

_ORDER = ("tokenizer", "tagger", "parser")


def info(
    model: Annotated[
        str, typer.Argument(help="A packaged name or a model file; without it, the packaged models.")
    ] = "",
    task: Annotated[
        str, typer.Option("--task", help="Instead of a model: the settings, commands and files of a task.")
    ] = "",
    explain: Annotated[bool, typer.Option("--explain", help="Say what each setting means.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The complete header as JSON.")] = False,
    report: Annotated[
        Path | None, typer.Option("--report", help="HTML page to write: how it was trained, with curves by epoch.")
    ] = None,
) -> None:
    """Show a model's settings, data, licence and scores, or with --task a task's reference page.

    Example: accord info en
    """
    out = Console(highlight=False)
    if task:
        from accord.app.reference import reference_page

        typer.echo(reference_page(registry.task(task)), nl=False)
        return
    if not model:
        for name in packaged_models():
            out.print(f"{name}\t{model_path(name).name}")
        return
    file = ModelFile(model_path(model))
    if report is not None:
        from accord.app.training_page import write_training_page

        write_training_page(file.path, report)
        return
    if as_json:
        typer.echo(json.dumps(file.header, ensure_ascii=False, indent=1, sort_keys=True))
        return
    row = registry.row_of_kind(file.header.get("kind"), file.path)
    table = Table(show_header=False, box=None, pad_edge=False)
    with understood(file.path, row.title):
        for cells in (*_facts(file, row), *_scores(file.header), *_settings(file.header, explain), *_log(file.header)):
            table.add_row(*(escape(printable(cell)) if cell else "" for cell in cells))
    out.print(table)


def _facts(file: ModelFile, row: registry.Row) -> Iterator[tuple[str, ...]]:
    """What the model is and where it comes from."""
    header = file.header
    yield from (("kind", str(header["kind"])), ("task", row.title), ("command", f"accord {row.verb}"))
    yield "size", f"{file.size / 1e6:.1f} MB"
    sizes: Counter[str] = Counter()
    for name, array in file.arrays.items():
        sizes[block_kind(name).title] += array.nbytes
    for title, size in sizes.most_common(3):
        yield f"  {title}", f"{size / 1e6:.1f} MB"
    if parts := header.get("parts", {}):
        yield "parts", ", ".join(name for name in _ORDER if name in parts) or ", ".join(parts)
    card = header.get("card", {})
    for key in ("language", "data", "also", "licence", "words", "words_per_cpu_second", "best_epoch"):
        if key in card and (key != "best_epoch" or card[key]):
            yield key, str(card[key])


def _scores(header: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    card = header.get("card", {})
    if "pruner" in card:
        yield "pruner heads a word", f"{card['pruner']['heads_per_word']:.2f}"
        yield "pruner recall", f"{card['pruner']['recall']:.2f} % of gold heads"
    for kind in ("scores", "test_scores"):
        for name, value in card.get(kind, {}).items():
            yield f"{'test ' if kind == 'test_scores' else ''}{name}", f"{value:.2f}"
    if "labels" in header:
        yield "labels", str(len(header["labels"]))


def _settings(header: Mapping[str, Any], explain: bool) -> Iterator[tuple[str, ...]]:
    parts = header.get("parts", {})
    for step, about in {"": header, **{f"{name}.": part for name, part in parts.items()}}.items():
        meanings = _meanings(about.get("kind")) if explain else {}
        for name, value in _flat(about.get("config", {})):
            yield f"{step}config.{name}", str(value), meanings.get(name, "")
        for number, line in enumerate(_chosen_templates(about)):
            yield "" if number else f"{step}templates", line


def _log(header: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Epochs, or the components of a mixture; rerankers of earlier versions have these in the log, without time."""
    card = header.get("card", {})
    log = card.get("log", [])
    for each in log or card.get("components", []):
        told = [f"{name} {value:.2f}" for name, value in each["scores"].items()]
        if "cpu_seconds" in each:
            told.append(f"({each['cpu_seconds']:.0f} CPU s)")
        yield each.get("component") or f"epoch {each['epoch']}", "  ".join(told)


def _meanings(kind: str | None) -> dict[str, str]:
    """What the settings of a kind of models mean, by their full names."""
    known = any(kind in row.kinds for row in registry.rows())
    return setting_texts(registry.task_of_kind(kind).settings) if known else {}


def _chosen_templates(header: Mapping[str, Any]) -> list[str]:
    """The templates that training chose, by section, below a line that says how many; nothing where it chose none."""
    if header.get("config", {}).get("sparsity", {}).get("groups", "none") == "none":
        return []
    lines = [line.strip() for line in header.get("templates", "").splitlines()]
    return [line.lstrip("# ") if number == 0 else line for number, line in enumerate(lines) if line]


def _flat(config: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Settings by their full names; those of a network or of sparsity only where there is one."""
    for name, value in config.items():
        if not isinstance(value, dict):
            yield prefix + name, value
        elif config.get("scorer") == name or (name == "sparsity" and value.get("groups", "none") != "none"):
            yield from _flat(value, f"{prefix}{name}.")

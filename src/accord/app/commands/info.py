# SPDX-License-Identifier: Apache-2.0
"""``accord info``: what a model is, where it comes from and how it was trained."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from accord.models import model_path, packaged_models
from accord.models.file import ModelFile
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
    if as_json:
        typer.echo(json.dumps(file.header, ensure_ascii=False, indent=1, sort_keys=True))
        return
    header = file.header
    card = header.get("card", {})
    table = Table(show_header=False, box=None, pad_edge=False)
    row = registry.row_of_kind(header.get("kind"), file.path)
    table.add_row("kind", str(header.get("kind")))
    table.add_row("task", row.title)
    table.add_row("command", f"accord {row.verb}")
    table.add_row("size", f"{file.size / 1e6:.1f} MB")
    parts = header.get("parts", {})
    if parts:
        table.add_row("parts", ", ".join(name for name in _ORDER if name in parts) or ", ".join(parts))
    for key in ("language", "data", "also", "licence", "words", "words_per_cpu_second", "best_epoch"):
        if key in card:
            table.add_row(key, str(card[key]))
    if "pruner" in card:
        table.add_row("pruner heads a word", f"{card['pruner']['heads_per_word']:.2f}")
        table.add_row("pruner recall", f"{card['pruner']['recall']:.2f} % of gold heads")
    for kind in ("scores", "test_scores"):
        for name, value in card.get(kind, {}).items():
            table.add_row(f"{'test ' if kind == 'test_scores' else ''}{name}", f"{value:.2f}")
    if "labels" in header:
        table.add_row("labels", str(len(header["labels"])))
    for step, about in {"": header, **{f"{name}.": part for name, part in parts.items()}}.items():
        meanings = _meanings(about.get("kind")) if explain else {}
        for name, value in _flat(about.get("config", {})):
            table.add_row(f"{step}config.{name}", str(value), meanings.get(name, ""))
        for number, line in enumerate(_chosen_templates(about)):
            table.add_row("" if number else f"{step}templates", escape(line))
    for epoch in card.get("log", []):
        scores = "  ".join(f"{name} {value:.2f}" for name, value in epoch["scores"].items())
        table.add_row(f"epoch {epoch['epoch']}", f"{scores}  ({epoch['cpu_seconds']:.0f} CPU s)")
    out.print(table)


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

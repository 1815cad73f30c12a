# SPDX-License-Identifier: Apache-2.0
"""Reference pages of tasks, written from their rows of the registry.

python -m accord.app.reference docs/reference     writes a page for every task
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from accord.app.service.routes import path_of
from accord.tasks import registry
from accord.tasks.registry import Row, Task


def reference_page(task: Task) -> str:
    """The page of a task as Markdown: commands, files, service, settings."""
    row = task.row
    lines = [f"# {row.title[0].upper()}{row.title[1:]}", "", row.gives, ""]
    lines += ["Written from the registry by `python -m accord.app.reference docs/reference`.", ""]
    lines += ["## Commands", "", "```", *_commands(row), "```", "", *_facts(row), "", "## Python", "", *_python(task)]
    lines += ["", "## Service", "", f"`POST {path_of(row)}` with a JSON object like", "", "```json"]
    lines += [json.dumps(dict(task.example().request), ensure_ascii=False), "```", "", "## Settings", ""]
    lines += ["Each is given by `--set name=value` or in a TOML file by `--config`.", ""]
    lines += ["| setting | default | values | meaning |", "|---|---|---|---|", *_settings(task.settings)]
    return "\n".join(lines) + "\n"


def _commands(row: Row) -> list[str]:
    if not row.learns:
        return [f"accord {row.verb} FILE"]
    return [row.example or f"accord train {row.name} TRAIN --output MODEL", f"accord {row.verb} FILE --model MODEL"]


def _facts(row: Row) -> list[str]:
    facts = [f"- trained on: {row.learns}" if row.learns else "- needs no training: its model is its settings"]
    if row.formats:
        facts.append(f"- formats (`--format`): {', '.join(row.formats)}")
    facts.append(f"- kinds of model files: {', '.join(row.kinds)}")
    if row.aliases:
        facts.append(f"- older names of `accord train {row.name}`: {', '.join(row.aliases)}")
    if row.verb_aliases:
        facts.append(f"- older names of `accord {row.verb}`: {', '.join(row.verb_aliases)}")
    return facts


def _python(task: Task) -> list[str]:
    return [
        f"- settings: `{_name(task.settings)}`",
        f"- model: `{_name(task.model)}`",
        f"- worker: `{_name(task.worker)}`; `accord.load(MODEL)` gives one"
        if task.row.name not in ("parser", "tagger", "tokenizer")
        else f"- worker: `{_name(task.worker)}`; `accord.load(MODEL)` gives a pipeline with it as its only step",
    ]


def _name(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"


def _settings(kind: type[Any], prefix: str = "") -> Iterator[str]:
    """Rows of the table; the settings of a group stand behind its own."""
    groups: list[tuple[str, type[Any]]] = []
    for field in dataclasses.fields(kind):
        inner = field.metadata.get("group")
        if inner is None and field.default is dataclasses.MISSING and field.default_factory is not dataclasses.MISSING:
            inner = type(field.default_factory())  # the settings of a step
        if inner is not None:
            groups.append((prefix + field.name, inner))
            continue
        meaning = str(field.metadata.get("help", "")).replace("|", "\\|").replace("<", "\\<")
        default = json.dumps(field.default) if field.default != "" else '""'
        yield f"| `{prefix}{field.name}` | `{default}` | {_values(field)} | {meaning} |"
    for name, inner in groups:
        yield from _settings(inner, "" if name == "pipeline" else f"{name}.")


def _values(field: dataclasses.Field[Any]) -> str:
    """What a setting may be."""
    choices, low, high = (field.metadata.get(key) for key in ("choices", "low", "high"))
    if choices:
        return ", ".join(choices)
    if isinstance(field.default, bool):
        return "true, false"
    if low is None and high is None:
        return "text" if isinstance(field.default, str) else "a number"
    return f"≥ {low}" if high is None else f"≤ {high}" if low is None else f"{low} to {high}"


def write_pages(folder: Path) -> list[Path]:
    """Write the page of every task into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for task in registry.tasks():
        path = folder / f"{task.name}.md"
        path.write_text(reference_page(task), encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    for page in write_pages(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/reference")):
        print(page)

# SPDX-License-Identifier: Apache-2.0
"""``accord validate``: what Universal Dependencies would not accept in treebanks."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from accord import data
from accord.app import console, options
from accord.data.files import source_name
from accord.evaluation.validation import Validator


def validate(
    files: Annotated[list[str], typer.Argument(help="Treebank files; - or nothing is standard input.")] = ["-"],  # noqa: B006
    level: Annotated[int, typer.Option("--level", min=1, max=3, help="1: format; 2: columns; 3: trees.")] = 3,
    most: Annotated[int, typer.Option("--most", min=0, help="Problems of each test to list; 0 means all.")] = 20,
    format: options.Format = "auto",
) -> None:
    """Check treebanks by levels 1 to 3 of Universal Dependencies. The exit status is 1 where there are problems.

    Example: accord validate my.conllu --level 2
    """
    validator = Validator(level)
    counts: Counter[str] = Counter()
    for file in files:
        for block in data.stream(file, format=format, on_error="keep"):
            for problem in validator.problems(block):
                name = f"L{problem.level} {problem.test}"
                counts[name] += 1
                if not most or counts[name] <= most:
                    typer.echo(f"{source_name(file)}: {problem}")
    out = console.error_console()
    for name, count in sorted(counts.items()):
        out.print(f"{name}: {count}", markup=False)
    out.print("valid" if not counts else f"{counts.total()} problems", markup=False)
    if counts:
        raise typer.Exit(1)

# SPDX-License-Identifier: Apache-2.0
"""``accord rewrite``: treebanks changed by rules, streamed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord import data
from accord.app import console, options
from accord.data.files import open_output
from accord.data.search import Rewriter
from accord.errors import ConfigError


def rewrite(
    rule: Annotated[str, typer.Argument(help="PATTERN => EDITS; with --rules, a file to rewrite.")],
    files: Annotated[list[str], typer.Argument(help="Treebank files; - or nothing is standard input.")] = ["-"],  # noqa: B006
    rules: Annotated[
        Path | None, typer.Option("--rules", help="A file with one rule in each line; # begins a comment.")
    ] = None,
    to: options.To = "-",
    format: options.Format = "auto",
    keep_going: options.KeepGoing = False,
) -> None:
    """Change words that match tree patterns; sentences without a match stay byte for byte.

    Example: accord rewrite '[] >dobj O => O.deprel=obj' old.conllu --to new.conllu
    """
    chosen = [rule]
    if rules is not None:
        if not rules.is_file():
            raise ConfigError(f"{rules}: no such file")
        lines = (line.strip() for line in rules.read_text(encoding="utf-8").splitlines())
        chosen = [line for line in lines if line and not line.startswith("#")]
        files = [rule] if files == ["-"] else [rule, *files]
    rewriter = Rewriter(chosen)
    total = 0
    with open_output(to) as out:
        for file in files:
            for block in data.stream(file, format=format, on_error="keep" if keep_going else "raise"):
                console.warn(block.problems)
                changed, count = rewriter(block)
                out.write(changed.to_bytes())
                total += count
    console.error_console().print(f"{total} matches changed", markup=False)

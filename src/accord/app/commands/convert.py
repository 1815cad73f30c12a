# SPDX-License-Identifier: Apache-2.0
"""``accord convert``: between the formats of treebanks."""

from __future__ import annotations

from typing import Annotated

import typer

from accord.app import console, options
from accord.data import convert as convert_file


def convert(
    file: Annotated[str, typer.Argument(help="A file, or - for standard input.")],
    output: Annotated[
        str, typer.Option("--output", help="Format to write: conllu, conllx, json, or plain: the text.")
    ] = "conllu",
    to: options.To = "-",
    format: options.Format = "auto",
    keep_going: options.KeepGoing = False,
) -> None:
    """Convert between CoNLL-U, CoNLL-X and JSON lines.

    Example: accord convert treebank.conllu.xz --output json --to treebank.jsonl.gz
    """
    if output == "plain":
        from accord import data
        from accord.app.commands.parse import plain_text
        from accord.data.files import open_output

        with open_output(to) as out:
            for block in data.stream(file, format=format, on_error="keep" if keep_going else "raise"):
                console.warn(block.problems)
                out.write(plain_text(block).encode())
        return
    problems = convert_file(file, to, output, input_format=format, on_error="keep" if keep_going else "raise")
    console.warn(problems)

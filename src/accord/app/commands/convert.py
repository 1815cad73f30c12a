# SPDX-License-Identifier: Apache-2.0
"""``accord convert``: between the formats of treebanks."""

from __future__ import annotations

from typing import Annotated

import typer

from accord.app import console, options
from accord.data import convert as convert_file
from accord.data.document import OnError
from accord.errors import FormatError


def convert(
    file: Annotated[str, typer.Argument(help="A file, or - for standard input.")],
    output: Annotated[
        str, typer.Option("--output", help="Format to write: conllu, conllx, json, brackets, or plain: the text.")
    ] = "conllu",
    to: options.To = "-",
    format: options.Format = "auto",
    phrases: Annotated[
        str | None,
        typer.Option(
            "--phrases", help="Make constituents of dependencies, named after their heads' upos, xpos or deprel."
        ),
    ] = None,
    strip: Annotated[
        str, typer.Option("--strip", help="Constituents: take out empties, functions, root; with commas between.")
    ] = "",
    heads: Annotated[
        str | None, typer.Option("--heads", help="Constituents: add dependencies by these head rules, e.g. ud-english.")
    ] = None,
    labels: Annotated[
        str | None, typer.Option("--labels", help="Labels of these dependencies by rules, e.g. ud-english.")
    ] = None,
    carrier: Annotated[
        str | None, typer.Option("--carrier", help="Constituents in CoNLL-U: comment (the default) or misc.")
    ] = None,
    keep_going: options.KeepGoing = False,
) -> None:
    """Convert between CoNLL-U, CoNLL-X, JSON lines and brackets of constituents.

    Example: accord convert treebank.mrg --heads ud-english --labels ud-english --to treebank.conllu
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
    change = None
    left_out: list[FormatError] | None = [] if keep_going else None
    if strip or heads or labels or carrier or phrases:
        from accord.app.constituents import tree_change

        change = tree_change(
            strip=strip, heads=heads, labels=labels, carrier=carrier, phrases=phrases, left_out=left_out
        )
    on_error: OnError = "keep" if keep_going else "raise"
    problems = convert_file(file, to, output, input_format=format, on_error=on_error, change=change)
    console.warn([*problems, *(left_out or ())])

# SPDX-License-Identifier: Apache-2.0
"""``accord show``: drawings of the trees in a file."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from accord import data
from accord.app import options
from accord.data import Sentence
from accord.data.files import open_output
from accord.drawing import draw_page, draw_sentence
from accord.drawing.sentences import Layer
from accord.errors import ConfigError


def show(
    file: Annotated[str, typer.Argument(help="A treebank file, or - for standard input.")],
    output: Annotated[str, typer.Option("--output", help="text, svg or html.")] = "text",
    to: options.To = "-",
    sentence: Annotated[
        int, typer.Option("--sentence", min=0, help="Only this sentence, counted from 1; 0 means all.")
    ] = 0,
    limit: Annotated[int, typer.Option("--limit", min=0, help="Most sentences to draw; 0 means all.")] = 0,
    width: Annotated[
        int, typer.Option("--width", min=0, help="Columns of a text drawing; 0 means the width of the terminal.")
    ] = 0,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw text with ASCII characters only.")] = False,
    layer: Annotated[
        str, typer.Option("--layer", help="dependencies, constituents, or both: those that the file has.")
    ] = "both",
    format: options.Format = "auto",
    keep_going: options.LeaveOut = False,
) -> None:
    """Draw trees of dependencies and of constituents, with the probabilities of arcs where the file has them.

    Example: accord show parsed.conllu --sentence 3 --output svg --to tree.svg
    """
    if output not in ("text", "svg", "html"):
        raise typer.BadParameter(f"{output!r}: expected text, svg or html", param_hint="--output")
    layers: tuple[Layer, ...] = ("both", "dependencies", "constituents")
    drawn = options.check_choice(layer, layers, "--layer")
    blocks = data.stream(file, format=format, on_error="keep" if keep_going else "raise")
    all_sentences = (s for block in blocks for s in block.sentences if len(s) > 0)
    chosen = islice(all_sentences, sentence - 1, sentence) if sentence else islice(all_sentences, limit or None)
    with open_output(to) as out:
        if output == "text":
            found = False
            for one in chosen:
                found = True
                out.write((draw_sentence(one, "text", width=width or None, ascii=ascii, layer=drawn) + "\n\n").encode())
        else:
            sentences = list(chosen)
            found = bool(sentences)
            if output == "html":
                out.write(draw_page(sentences, title=file, layer=drawn).encode())
            elif found:
                out.write(draw_sentence(single(sentences), "svg", layer=drawn).encode())
        if sentence and not found:
            raise ConfigError(f"{file}: there is no sentence {sentence}")


def single(sentences: list[Sentence]) -> Sentence:
    """The one sentence of an SVG picture."""
    if len(sentences) != 1:
        raise ConfigError(f"svg draws one sentence, not {len(sentences)}: choose it with --sentence, or use html")
    return sentences[0]

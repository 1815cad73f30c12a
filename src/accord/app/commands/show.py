# SPDX-License-Identifier: Apache-2.0
"""``accord show``: drawings of the trees in a file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, repeat
from typing import Annotated, Any

import typer

from accord import data
from accord.app import options
from accord.data import Sentence
from accord.data.files import open_output
from accord.drawing import Look, draw_page, draw_sentence
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
    gold: Annotated[
        str | None, typer.Option("--gold", help="The same sentences with gold trees: where they differ is drawn, too.")
    ] = None,
    enhanced: Annotated[
        bool, typer.Option("--enhanced", help="Also draw the enhanced graph of DEPS, with its empty nodes.")
    ] = False,
    direction: Annotated[str, typer.Option("--direction", help="svg, html: auto, ltr or rtl.")] = "auto",
    distance: Annotated[int, typer.Option("--distance", min=0, help="svg, html: pixels between words.")] = 18,
    vertical: Annotated[bool, typer.Option("--vertical", help="svg, html: one word a line.")] = False,
    widest: Annotated[
        int, typer.Option("--widest", min=0, help="svg, html: wider pictures get one word a line; 0: none do.")
    ] = 0,
    colour: Annotated[
        list[str],
        typer.Option("--colour", help="svg, html: arc, label, word, tag or paper = colour.", show_default=False),
    ] = [],  # noqa: B006
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
    if gold is not None and enhanced:
        raise typer.BadParameter("--gold and --enhanced exclude each other", param_hint="--gold")
    layers: tuple[Layer, ...] = ("both", "dependencies", "constituents")
    shown = options.check_choice(layer, layers, "--layer")
    look = Look(direction, distance, vertical, widest, tuple(map(_colour, colour)))
    first, last = (sentence - 1, sentence) if sentence else (0, limit or None)

    def chosen_of(name: str) -> Iterator[Sentence]:
        blocks = data.stream(name, format=format, on_error="keep" if keep_going else "raise")
        return islice((s for block in blocks for s in block.sentences if len(s) > 0), first, last)

    chosen = chosen_of(file)
    golds: Iterator[Sentence | None] = repeat(None) if gold is None else chain(chosen_of(gold), repeat(None))
    how: dict[str, Any] = {"enhanced": enhanced, "layer": shown, "look": look}
    with open_output(to) as out:
        if output == "text":
            found = False
            for one, other in zip(chosen, golds, strict=False):
                found = True
                drawn = draw_sentence(one, "text", width=width or None, ascii=ascii, gold=other, **how)
                out.write((drawn + "\n\n").encode())
        else:
            sentences = list(chosen)
            found = bool(sentences)
            if output == "html":
                others = None if gold is None else (one for one in golds if one is not None)
                out.write(draw_page(sentences, title=file, gold=others, **how).encode())
            elif found:
                out.write(draw_sentence(single(sentences), "svg", gold=next(golds), **how).encode())
        if sentence and not found:
            raise ConfigError(f"{file}: there is no sentence {sentence}")


def _colour(text: str) -> tuple[str, str]:
    part, equals, colour = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text!r}: expected PART=COLOUR", param_hint="--colour")
    return part.strip(), colour.strip()


def single(sentences: list[Sentence], how: str = "choose it with --sentence") -> Sentence:
    """The one sentence of an SVG picture; ``how`` it is chosen among several."""
    if len(sentences) != 1:
        raise ConfigError(f"svg draws one sentence, not {len(sentences)}: {how}, or use html")
    return sentences[0]

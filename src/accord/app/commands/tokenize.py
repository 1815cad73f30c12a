# SPDX-License-Identifier: Apache-2.0
"""``accord tokenize``: sentences, tokens and words of plain text, streamed."""

from __future__ import annotations

from typing import Annotated

import typer

from accord.app import options
from accord.data.files import open_output
from accord.tasks.tokenizer import Tokenizer
from accord.tasks.tokenizer.model import MODES, TokenizerModel

OUTPUTS = ("conllu", "json")


def tokenize(
    files: Annotated[list[str], typer.Argument(help="Text files; - or nothing is standard input.")] = ["-"],  # noqa: B006
    model: options.Model = "en",
    input: Annotated[
        str,
        typer.Option(
            "--input", help="text; sentences: one in each line; tokens: one sentence in each line, with blanks."
        ),
    ] = "text",
    offsets: Annotated[
        bool, typer.Option("--offsets", help="Add TokenRange=begin:end, counted in characters, to MISC.")
    ] = False,
    output: Annotated[str, typer.Option("--output", help="conllu or json.")] = "conllu",
    lexicon: options.Lexicon = None,
    lexicon_mode: options.LexiconMode = "prefer",
    to: options.To = "-",
    threads: options.Threads = 0,
    encoding: options.Encoding = "utf-8",
    errors: options.Errors = "strict",
    keep_going: options.LeaveOut = False,
    rejected: options.RejectedFile = None,
) -> None:
    """Split text into sentences, tokens and words.

    Example: accord tokenize letter.txt --model en --offsets
    """
    options.check_choice(input, MODES, "--input")
    options.check_choice(output, OUTPUTS, "--output")
    tokenizer = Tokenizer(TokenizerModel.load(model), options.token_words(lexicon, lexicon_mode))
    with open_output(to) as out:
        reading = options.Reading(input, "auto", offsets, keep_going, threads, encoding, errors, rejected)
        for document in reading.documents(files, tokenizer):
            out.write(document.to_bytes(output))
            if to == "-":
                out.flush()

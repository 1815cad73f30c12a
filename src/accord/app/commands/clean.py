# SPDX-License-Identifier: Apache-2.0
"""``accord clean``: transcripts of speech without fillers and edits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, BinaryIO

import typer

from accord.app import options
from accord.data.files import open_output
from accord.tasks.cleaner import Cleaner, read_utterances
from accord.tasks.cleaner.cleaned import CleanedUtterance
from accord.tasks.cleaner.sources import FORMATS

OUTPUTS = ("text", "json", "html", "conllu")
BLOCK = 4096  # utterances that are cleaned together


def clean(
    files: Annotated[list[str], typer.Argument(help="Text, CHAT, JSON lines or CoNLL-U; - is standard input.")],
    model: options.ModelFile,
    mark: Annotated[bool, typer.Option("--mark", help="Mark fillers and edits, and keep all words.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Leave fillers and edits out (text: the default).")] = False,
    fillers: Annotated[bool, typer.Option("--fillers", help="Only fillers, or with --edits both.")] = False,
    edits: Annotated[bool, typer.Option("--edits", help="Only edits, or with --fillers both.")] = False,
    lookahead: Annotated[
        int | None,
        typer.Option("--lookahead", min=0, help="Decide on each word when so many words after it are known."),
    ] = None,
    format: Annotated[str, typer.Option("--format", help="auto, text, chat, json or conllu.")] = "auto",
    output: Annotated[str, typer.Option("--output", help="text, json, html or conllu.")] = "text",
    to: options.To = "-",
    threads: options.Threads = 0,
) -> None:
    """Take fillers ("uh", "I mean") and edits (what a speaker took back) out of transcripts, or mark them.

    Example: accord clean talk.txt --model speech.accord --mark
    """
    options.check_choice(format, FORMATS, "--format")
    options.check_choice(output, OUTPUTS, "--output")
    if mark and remove:
        raise typer.BadParameter("--mark and --remove exclude each other", param_hint="--mark")
    both = fillers == edits
    cleaner = Cleaner.load(model)

    def cleaned() -> Iterator[CleanedUtterance]:
        for file in files:
            utterances = read_utterances(file, format)
            while block := list(islice(utterances, BLOCK if lookahead is None else 1)):
                yield from cleaner.clean(block, fillers or both, edits or both, lookahead, threads)

    with open_output(to) as out:
        _write(out, cleaned(), output, mark, remove, live=lookahead is not None)


def _write(
    out: BinaryIO, utterances: Iterator[CleanedUtterance], output: str, mark: bool, remove: bool, *, live: bool
) -> None:
    """``live``: each utterance goes out as soon as it is cleaned."""
    if output == "html":
        from accord.tasks.cleaner.page import transcript_page

        out.write(transcript_page(utterances).encode())
    elif output == "conllu":
        from accord.tasks.cleaner.treebank import clean_document, marked_document

        out.write((marked_document(utterances) if mark else clean_document(utterances)).to_bytes())
    elif output == "json":
        for one in utterances:
            out.write((json.dumps(one.to_json(remove=remove), ensure_ascii=False) + "\n").encode())
            if live:
                out.flush()
    else:
        for one in utterances:
            out.write(f"{one.marked if mark else one.text}\n".encode())
            if live:
                out.flush()

# SPDX-License-Identifier: Apache-2.0
"""``accord joint``: segments and their types by a joint model."""

from __future__ import annotations

from typing import Annotated

import typer

from accord.app import options
from accord.data.columns import read_columns, write_columns
from accord.data.files import open_input, open_output
from accord.errors import ConfigError, FormatError
from accord.tasks.joint import JointLabeller
from accord.tasks.joint.files import columns_of, conllu_of_segments, labels_of_segments


def joint(
    file: Annotated[
        str, typer.Argument(help="Words in columns, or one text in each line: what the model was trained on.")
    ],
    model: options.ModelFile,
    nbest: Annotated[int, typer.Option("--nbest", min=1, help="Texts: the k best answers of each, best first.")] = 1,
    to: options.To = "-",
    threads: options.Threads = 0,
) -> None:
    """Find segments and their types together; add a column of labels, or write words and tags as CoNLL-U.

    Example: accord joint news.txt --model chunks.accord
    """
    labeller = JointLabeller.load(model)
    if not labeller.model.characters:
        if nbest > 1:
            raise ConfigError("--nbest is for models of characters")
        read = read_columns(file, tag=1 if file != "-" and columns_of(file) > 1 else None, label=None)
        found = labeller(read.document, threads=threads)
        lengths = read.document.lengths.tolist()
        labels = [label for one, n in zip(found, lengths, strict=True) for label in labels_of_segments(one, n)]
        write_columns(to, read, labels)
        return
    texts = _read_texts(file)
    with open_output(to) as out:
        if nbest == 1:
            for text, segments in zip(texts, labeller(texts, threads=threads), strict=True):
                out.write(conllu_of_segments(text, segments).encode())
            return
        for number, text in enumerate(texts):
            for rank, one in enumerate(labeller.kbest(texts, number, nbest), 1):
                about = (f"# nbest = {rank}", f"# probability = {one.probability:.6f}")
                out.write(conllu_of_segments(text, one.value, about).encode())


def _read_texts(file: str) -> list[str]:
    """The lines of a file, without blanks inside and around; empty lines are passed over."""
    with open_input(file) as source:
        data = source.read()
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise FormatError(f"not UTF-8: byte {error.start + 1}", file=file) from None
    texts = ("".join(line.split()) for line in lines)
    return [text for text in texts if text]

# SPDX-License-Identifier: Apache-2.0
"""``accord joint``: segments and their types, or columns of labels, by a joint model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, BinaryIO

import typer

from accord import data
from accord.app import options
from accord.app.against import significance_table
from accord.data import Document
from accord.data.columns import read_columns
from accord.data.files import open_input, open_output
from accord.errors import ConfigError, FormatError
from accord.evaluation.significance import mcnemar
from accord.tasks.joint import JointLabeller, right_elements, score_columns, score_segments
from accord.tasks.joint.columns import Columns
from accord.tasks.joint.files import (
    columns_of,
    conllu_of_segments,
    given_labels,
    is_conllu,
    label_file,
    read_label_columns,
    with_columns,
)
from accord.tasks.joint.files import read_corpus as read_gold
from accord.tasks.joint.model import SureSegment
from accord.tasks.joint.segments import labels_of_segments
from accord.tasks.joint.training import right_words


def joint(
    file: Annotated[
        str, typer.Argument(help="Words in columns, or one text in each line: what the model was trained on.")
    ],
    model: options.ModelFile,
    nbest: Annotated[int, typer.Option("--nbest", min=1, help="Texts, columns: the k best answers, best first.")] = 1,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Add how sure each tag is, and the place and type of each segment.")
    ] = False,
    keep: Annotated[
        str,
        typer.Option(
            "--keep", help="given: keep the labels of the last column, or the words and UPOS of CoNLL-U; find the rest."
        ),
    ] = "",
    evaluate: Annotated[
        bool, typer.Option("--evaluate", help="The file has labels; print how well the answer agrees with the labels.")
    ] = False,
    against: options.Against = None,
    to: options.To = "-",
    threads: options.Threads = 0,
) -> None:
    """Find segments and their types together; add a column of labels, or write words and tags as CoNLL-U.

    Example: accord joint news.txt --model chunks.accord
    """
    if keep not in ("", "given"):
        raise typer.BadParameter(f"{keep!r}: expected given", param_hint="--keep")
    if nbest > 1 and (probabilities or evaluate or keep):
        raise typer.BadParameter("--nbest goes alone", param_hint="--nbest")
    options.check_against(against, evaluate)
    labeller = JointLabeller.load(model)
    if nbest > 1 and not labeller.model.characters and labeller.model.columns is None:
        raise ConfigError("--nbest is for models of characters and of columns")
    if labeller.model.columns is not None and evaluate and probabilities:
        raise ConfigError("--probabilities goes without --evaluate")
    with open_output(to) as out:
        if labeller.model.columns is not None:
            if evaluate:
                _score_columns(labeller, labeller.model.columns, file, against, threads, out)
            else:
                answer = label_file(
                    labeller, file, keep=bool(keep), probabilities=probabilities, nbest=nbest, threads=threads
                )
                out.write(answer)
        elif evaluate:
            out.write(_scores(labeller, file, against, threads).encode())
        elif labeller.model.characters:
            _label_texts(labeller, file, nbest, probabilities, bool(keep), threads, out)
        else:
            _label_columns(labeller, file, probabilities, bool(keep), threads, out)


def _scores(labeller: JointLabeller, file: str, against: str | None, threads: int) -> str:
    other = JointLabeller.load(against) if against is not None else None
    gold = read_gold(file)
    found = labeller(gold.elements, threads=threads)
    lines = []
    for name, typed in (("segments with types", True), ("segments", False)):
        score = score_segments(gold.segments, found, typed=typed)
        lines.append(
            f"{name:<20} {score.gold_total:>6}  precision {score.precision:.2f}  "
            f"recall {score.recall:.2f}  F1 {score.f1:.2f}\n"
        )
    if other is not None:
        answers = (found, other(gold.elements, threads=threads))
        test = mcnemar(*(right_elements(gold.segments, each, gold.lengths) for each in answers))
        lines.append(significance_table({"elements": test}, str(against)) + "\n")
    return "".join(lines)


def _score_columns(
    labeller: JointLabeller, columns: Columns, file: str, against: str | None, threads: int, out: BinaryIO
) -> None:
    other = JointLabeller.load(against) if against is not None else None
    gold = read_label_columns(file, len(columns.kinds))
    assert isinstance(gold.elements, Document)
    found = labeller.columns(gold.elements, threads=threads)
    for name, value in score_columns(columns.kinds, gold.columns, found, gold.lengths).items():
        out.write(f"{name:<12} {value:.2f}\n".encode())
    if other is not None:
        answers = (found, other.columns(gold.elements, threads=threads))
        test = mcnemar(*(right_words(columns.kinds, gold.columns, each, gold.lengths) for each in answers))
        out.write((significance_table({"words": test}, str(against)) + "\n").encode())


def _label_columns(
    labeller: JointLabeller, file: str, probabilities: bool, keep: bool, threads: int, out: BinaryIO
) -> None:
    columns = 2 if file == "-" else columns_of(file)
    wanted = 3 if keep else 2
    read = read_columns(file, tag=1 if file != "-" and columns >= wanted else None, label=-1 if keep else None)
    found = labeller.label(
        read.document, given=read.labels if keep else None, probabilities=probabilities, threads=threads
    )
    added: list[list[str]] = []
    for sure, length in zip(found, read.document.lengths.tolist(), strict=True):
        added += _rows(sure, int(length), probabilities)
    out.write(with_columns(read, added))


def _rows(sure: Sequence[SureSegment], length: int, probabilities: bool) -> list[list[str]]:
    """The new columns of each word: its label, and how sure place and type of its segment are."""
    rows = [[label] for label in labels_of_segments([one.segment for one in sure], length)]
    if probabilities:
        figures = [["_", "_"] for _ in range(length)]
        for one in sure:
            for i in range(one.segment.start, one.segment.end):
                figures[i] = [f"{one.place_probability:.4f}", f"{one.type_probability:.4f}"]
        rows = [row + more for row, more in zip(rows, figures, strict=True)]
    return rows


def _label_texts(
    labeller: JointLabeller, file: str, nbest: int, probabilities: bool, keep: bool, threads: int, out: BinaryIO
) -> None:
    given = None
    if is_conllu(file):
        texts, labels = given_labels(data.read(file))
        given = labels if keep else None
    elif keep:
        raise ConfigError(f"{file}: --keep needs CoNLL-U, whose words and UPOS are kept")
    else:
        texts = _read_texts(file)
    if nbest == 1:
        found = labeller.label(texts, given=given, probabilities=probabilities, threads=threads)
        for text, sure in zip(texts, found, strict=True):
            misc = [f"SegConf={one.place_probability:.4f}|TagConf={one.type_probability:.4f}" for one in sure]
            segments = [one.segment for one in sure]
            out.write(conllu_of_segments(text, segments, misc=misc if probabilities else None).encode())
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

# SPDX-License-Identifier: Apache-2.0
"""``accord spans``: entities or chunks in files of tokens."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Annotated

import numpy as np
import typer

from accord.app import options
from accord.app.against import significance_table
from accord.data import Document
from accord.data.files import open_output
from accord.evaluation.significance import mcnemar
from accord.evaluation.spans import evaluate_spans, spans_of_labels
from accord.ranked import Ranked
from accord.tasks.spans import LabelledFile, SpanLabeller, SpanLabels, read_labelled
from accord.tasks.spans.files import document_of_characters
from accord.tasks.spans.labels import UNKNOWN


def spans(
    model: options.ModelFile,
    files: Annotated[
        list[str], typer.Argument(help="Tokens in columns, CoNLL-U or text; - or nothing is standard input.")
    ] = ["-"],  # noqa: B006
    nbest: Annotated[
        int,
        typer.Option(
            "--nbest", min=1, help="The k best labellings of each sentence, best first, each under a comment."
        ),
    ] = 1,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Add the probabilities of each label and of each span.")
    ] = False,
    marginals: options.Marginals = False,
    keep: Annotated[
        str,
        typer.Option(
            "--keep", help="given: keep the labels of the file (last column, or MISC), find those that are _."
        ),
    ] = "",
    evaluate: Annotated[
        bool, typer.Option("--evaluate", help="The file has labels; print how well the answer agrees with the labels.")
    ] = False,
    against: options.Against = None,
    format: Annotated[
        str, typer.Option("--format", help="auto, columns, conllu, or text (tokenised, and written as CoNLL-U).")
    ] = "auto",
    tokenizer: Annotated[
        str, typer.Option("--tokenizer", help="The model that tokenises and tags text; models of characters need none.")
    ] = "en",
    to: options.To = "-",
    threads: options.Threads = 0,
) -> None:
    """Find spans of tokens: entities or chunks. Writes one more column, or NER= in MISC of CoNLL-U.

    Example: accord spans news.txt --model names.accord --probabilities
    """
    if keep not in ("", "given"):
        raise typer.BadParameter(f"{keep!r}: expected given", param_hint="--keep")
    probabilities |= marginals
    if nbest > 1 and (probabilities or evaluate):
        raise typer.BadParameter("--nbest goes with neither --probabilities nor --evaluate", param_hint="--nbest")
    options.check_against(against, evaluate)
    labeller = SpanLabeller.load(model)
    other = SpanLabeller.load(against) if against is not None else None
    config = labeller.model.config
    with open_output(to) as out:
        for file in files:
            read = read_labelled(
                file,
                config,
                format=format,
                labels=evaluate or keep == "given",
                tokenize=partial(_tokenized, labeller=labeller, model=tokenizer),
            )
            given = read.labels if keep else None
            if nbest > 1:
                out.write(_ranked(labeller, read, nbest, given))
                continue
            answer = labeller.label(read.document, given=given, probabilities=probabilities, threads=threads)
            if evaluate:
                out.write((evaluate_spans(read.labels, answer.labels, read.lengths).table() + "\n").encode())
                if other is not None:
                    found = other.label(read.document, threads=threads).labels
                    test = mcnemar(*(_right(read, labels) for labels in (answer.labels, found)))
                    out.write((significance_table({"labels": test}, str(against)) + "\n").encode())
                continue
            columns, keys = [answer.labels], [config.key]
            if probabilities:
                sure = [UNKNOWN] * len(answer.labels)
                for span, probability in zip(answer.spans, answer.span_probability, strict=True):
                    sure[span.start : span.end] = [f"{probability:.4f}"] * (span.end - span.start)
                columns += [[f"{p:.4f}" for p in answer.probability.tolist()], sure]
                keys += [f"{config.key}Conf", f"{config.key}SpanConf"]
            out.write(read.to_bytes(columns, keys))


def _right(read: LabelledFile, labels: list[str]) -> list[bool]:
    """Of each token, whether it lies in the same span as in gold, or in none as there."""
    places = [
        {at: span for span in spans_of_labels(each, read.lengths) for at in range(span.start, span.end)}
        for each in (read.labels, labels)
    ]
    return [places[0].get(at) == places[1].get(at) for at in range(len(labels))]


def _tokenized(text: str, labeller: SpanLabeller, model: str) -> Document:
    """The document of a text: its words with their tags, or its characters where these are what the model labels."""
    if labeller.model.characters:
        return document_of_characters(text)
    from accord.tasks.pipeline import Pipeline

    pipeline = Pipeline.load(model)
    return pipeline.tag(pipeline.tokenize(text))


def _ranked(labeller: SpanLabeller, read: LabelledFile, k: int, given: list[str] | None) -> bytes:
    starts = np.concatenate([[0], np.cumsum(read.lengths)]).tolist()
    parts = []
    for sentence, first, last in zip(read.document.sentences, starts[:-1], starts[1:], strict=True):
        known = None if given is None else given[first:last]
        for rank, one in enumerate(labeller.kbest(sentence, k, given=known), 1):
            if read.columns is None:
                about = (*sentence.comments, f"# nbest = {rank}", f"# probability = {one.probability:.6f}")
                again = Document.from_sentences([dataclasses.replace(sentence, comments=about)])
                entries = [{labeller.model.config.key: found} for found in one.value.labels]
                parts.append(again.replace(misc=entries).to_bytes())
            else:
                parts.append(_columns(read, one, rank, first, last))
    return b"".join(parts)


def _columns(read: LabelledFile, one: Ranked[SpanLabels], rank: int, first: int, last: int) -> bytes:
    assert read.columns is not None
    lines = [read.columns.lines[index] for index in read.columns.word_lines[first:last]]
    rows = [line + read.columns.separator + found for line, found in zip(lines, one.value.labels, strict=True)]
    return ("\n".join([f"# {rank} {one.probability:.6f}", *rows]) + "\n\n").encode()

"""``accord parse``: trees for the sentences of files, streamed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Annotated, BinaryIO

import typer

import accord
from accord import data
from accord.app import options, pictures
from accord.data import Document, Sentence
from accord.data.files import open_output
from accord.data.jsonlines import sentence_to_json
from accord.tasks.parser import Parser

OUTPUTS = ("same", "conllu", "conllx", "json", "text", "svg", "html")
KEEPS = ("nothing", "given")


def parse(
    files: Annotated[list[str], typer.Argument(help="Tagged treebank files; - or nothing is standard input.")] = ["-"],  # noqa: B006
    model: Annotated[str, typer.Option("--model", "-m", help="A packaged model or a model file.")] = "en",
    output: Annotated[
        str, typer.Option("--output", help=f"{', '.join(OUTPUTS)}; same: the format of the input.")
    ] = "same",
    to: Annotated[str, typer.Option("--to", "-o", help="File to write; - is standard output.")] = "-",
    nbest: Annotated[int, typer.Option("--nbest", min=1, help="The k best trees of each sentence, best first.")] = 1,
    marginals: Annotated[bool, typer.Option("--marginals", help="Add ArcConf and LabelConf to MISC.")] = False,
    keep: Annotated[
        str, typer.Option("--keep", help="given: keep the heads and labels of the input, fill in those that are _.")
    ] = "nothing",
    threads: options.Threads = 0,
    format: options.Format = "auto",
    keep_going: options.KeepGoing = False,
) -> None:
    """Parse tagged sentences into dependency trees.

    Example: accord parse tagged.conllu --model en --output text
    """
    if output not in OUTPUTS:
        raise typer.BadParameter(f"{output!r}: expected one of {', '.join(OUTPUTS)}", param_hint="--output")
    if keep not in KEEPS:
        raise typer.BadParameter(f"{keep!r}: expected one of {', '.join(KEEPS)}", param_hint="--keep")
    if nbest > 1 and marginals:
        raise typer.BadParameter("--nbest and --marginals exclude each other", param_hint="--marginals")
    parser = accord.load(model)
    documents = _parsed(parser, files, nbest, marginals, keep == "given", threads, format, keep_going)
    with open_output(to) as out:
        if output in ("svg", "html"):
            sentences = [s for document in documents for s in document.sentences if len(s) > 0]
            drawing = (
                pictures.page(sentences, title="accord parse")
                if output == "html"
                else pictures.picture(pictures.single(sentences), "svg")
            )
            out.write(drawing.encode())
            return
        for document in documents:
            if nbest > 1 and output == "json":
                _write_lists(document, out)
            else:
                _write(document, output, out)


def _write(document: Document, output: str, out: BinaryIO) -> None:
    if output == "text":
        for sentence in document.sentences:
            if len(sentence) > 0:
                out.write((pictures.picture(sentence, "text") + "\n\n").encode())
    else:
        out.write(document.to_bytes(None if output == "same" else output))


def _write_lists(document: Document, out: BinaryIO) -> None:
    """One line a sentence: the list of its trees."""
    trees: list[str] = []
    for sentence in document.sentences:
        if sentence.verbatim is not None:
            continue
        if trees and sentence.comment("nbest") in (None, "1"):
            out.write(f"[{','.join(trees)}]\n".encode())
            trees = []
        trees.append(sentence_to_json(sentence))
    if trees:
        out.write(f"[{','.join(trees)}]\n".encode())


def _parsed(
    parser: Parser,
    files: list[str],
    nbest: int,
    marginals: bool,
    keep_given: bool,
    threads: int,
    format: str,
    keep_going: bool,
) -> Iterator[Document]:
    for file in files:
        for block in data.stream(file, format=format, on_error="keep" if keep_going else "raise"):
            options.warn(block.problems)
            given = parser.given(block, threads=threads) if keep_given else None
            if given is not None:
                options.warn(given.problems)
            if nbest == 1:
                yield parser.parse(block, marginals=marginals, keep=given, threads=threads)
            else:
                ranked = (_ranked(parser, sentence, nbest, keep_given) for sentence in block.sentences)
                yield Document.from_sentences([tree for trees in ranked for tree in trees])


def _ranked(parser: Parser, sentence: Sentence, k: int, keep_given: bool) -> Iterator[Sentence]:
    """The sentence once per tree, with its rank and score as comments."""
    if len(sentence) == 0:
        yield sentence
        return
    own = ("# nbest =", "# score =", "# certified =")
    kept = tuple(comment for comment in sentence.comments if not comment.startswith(own))
    given = parser.given(Document.from_sentences([sentence])) if keep_given else None
    for rank, tree in enumerate(parser.kbest(sentence, k, keep=given), 1):
        words = tuple(
            dataclasses.replace(word, head=head, deprel=deprel)
            for word, head, deprel in zip(sentence.words, tree.heads, tree.deprels, strict=True)
        )
        doubt = () if tree.certified else ("# certified = no",)
        comments = (*kept, f"# nbest = {rank}", f"# score = {tree.score:.6f}", *doubt)
        yield dataclasses.replace(sentence, words=words, comments=comments)

"""``accord parse``: trees for the sentences of files, streamed."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

import accord
from accord import data
from accord.app import options, pictures
from accord.app.parsing import Parsing
from accord.data import Document, Sentence
from accord.data.files import open_output
from accord.data.jsonlines import sentence_to_json
from accord.inference.rules import Rule, parse_rule, read_rules
from accord.tasks.parser import Parser, Search

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
    constraint: Annotated[
        list[str],
        typer.Option("--constraint", help="A rule, e.g. 'at-most-one nsubj'; may be repeated.", show_default=False),
    ] = [],  # noqa: B006
    constraints: Annotated[Path | None, typer.Option("--constraints", help="Rules as a TOML file.")] = None,
    solver: Annotated[
        str | None,
        typer.Option(
            "--solver",
            help="auto, chart, ad3, subgradient, bp, branch_and_bound, ilp or lp, instead of the model's.",
            show_default=False,
        ),
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="The provably best tree of the candidate arcs, by branch and bound.")
    ] = False,
    iterations: Annotated[
        int | None, typer.Option("--iterations", min=1, help="Most rounds of the solver.", show_default=False)
    ] = None,
    budget_ms: Annotated[
        float | None,
        typer.Option("--budget-ms", help="Time for each sentence; then the best tree so far.", show_default=False),
    ] = None,
    status: Annotated[
        bool, typer.Option("--status", help="Say in a comment of each sentence whether its tree is proved best.")
    ] = False,
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
    if exact and solver not in (None, "branch_and_bound"):
        raise typer.BadParameter("--exact chooses the solver", param_hint="--solver")
    if budget_ms is not None and not budget_ms > 0:
        raise typer.BadParameter("a budget is more than 0", param_hint="--budget-ms")
    rules: list[Rule] = [parse_rule(text) for text in constraint]
    if constraints is not None:
        rules.extend(read_rules(constraints))
    if (rules or status) and nbest > 1:
        raise typer.BadParameter("--nbest goes with neither rules nor --status", param_hint="--nbest")
    if rules and marginals:
        raise typer.BadParameter("--marginals are those of the model without rules", param_hint="--marginals")
    search = Search(
        solver="branch_and_bound" if exact else solver,
        iterations=iterations,
        seconds=math.inf if budget_ms is None else budget_ms / 1000,
    )
    parsing = Parsing(
        accord.load(model),
        tuple(rules),
        search,
        marginals=marginals,
        keep=keep == "given",
        threads=threads,
        status=status,
    )
    documents = _parsed(parsing, files, nbest, format, keep_going)
    with open_output(to) as out:
        if output in ("svg", "html"):
            sentences = [s for document in documents for s in document.sentences if len(s) > 0]
            drawing = (
                pictures.page(sentences, title="accord parse")
                if output == "html"
                else pictures.picture(pictures.single(sentences), "svg")
            )
            out.write(drawing.encode())
        else:
            for document in documents:
                if nbest > 1 and output == "json":
                    _write_lists(document, out)
                else:
                    _write(document, output, out)
    parsing.report()


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


def _parsed(parsing: Parsing, files: list[str], nbest: int, format: str, keep_going: bool) -> Iterator[Document]:
    for file in files:
        for block in data.stream(file, format=format, on_error="keep" if keep_going else "raise"):
            options.warn(block.problems)
            if nbest == 1:
                yield parsing.parse(block)
            else:
                ranked = (tree for s in block.sentences for tree in _ranked(parsing.parser, s, nbest, parsing.keep))
                yield Document.from_sentences(ranked)


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

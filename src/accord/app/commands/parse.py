"""``accord parse``: trees for the sentences of files, streamed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

import accord
from accord.app import options
from accord.app.parsing import Parsing
from accord.app.sources import INPUTS, documents
from accord.data import Document
from accord.data.files import open_output
from accord.data.jsonlines import sentence_to_json
from accord.errors import ConfigError
from accord.inference.rules import Rule, parse_rule, read_rules
from accord.tasks.network.config import PRECISIONS
from accord.tasks.parser import Search
from accord.tasks.pipeline.model import TAGS

OUTPUTS = ("same", "conllu", "conllx", "json", "text", "svg", "html")
KEEPS = ("nothing", "given")


def parse(
    files: Annotated[list[str], typer.Argument(help="Text or treebank files; - or nothing is standard input.")] = ["-"],  # noqa: B006
    model: Annotated[str, typer.Option("--model", "-m", help="A packaged model or a model file.")] = "en",
    output: Annotated[
        str, typer.Option("--output", help=f"{', '.join(OUTPUTS)}; same: the format of the input.")
    ] = "same",
    input: Annotated[
        str,
        typer.Option(
            "--input",
            help="treebank; text; sentences: one a line; tokens: one sentence a line, blanks between tokens; auto.",
        ),
    ] = "auto",
    tags: Annotated[
        str,
        typer.Option("--tags", help="auto: tag words that have no tags; predict: tag all words anew; keep: never tag."),
    ] = "auto",
    offsets: Annotated[
        bool, typer.Option("--offsets", help="Text: add TokenRange=begin:end, counted in characters, to MISC.")
    ] = False,
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
    step_rule: Annotated[
        str | None,
        typer.Option("--step-rule", help="Steps of --solver subgradient: increases or level.", show_default=False),
    ] = None,
    budget_ms: Annotated[
        float | None,
        typer.Option("--budget-ms", help="Time for each sentence; then the best tree so far.", show_default=False),
    ] = None,
    status: Annotated[
        bool, typer.Option("--status", help="Say in a comment of each sentence whether its tree is proved best.")
    ] = False,
    precision: Annotated[
        str | None,
        typer.Option("--precision", help="float32 or int8: arithmetic of neural models.", show_default=False),
    ] = None,
    threads: options.Threads = 0,
    format: options.Format = "auto",
    keep_going: options.KeepGoing = False,
) -> None:
    """Parse text or treebanks into dependency trees.

    Example: accord parse letter.txt --model en --output text
    """
    if output not in OUTPUTS:
        raise typer.BadParameter(f"{output!r}: expected one of {', '.join(OUTPUTS)}", param_hint="--output")
    if input not in INPUTS:
        raise typer.BadParameter(f"{input!r}: expected one of {', '.join(INPUTS)}", param_hint="--input")
    if tags not in TAGS:
        raise typer.BadParameter(f"{tags!r}: expected one of {', '.join(TAGS)}", param_hint="--tags")
    if keep not in KEEPS:
        raise typer.BadParameter(f"{keep!r}: expected one of {', '.join(KEEPS)}", param_hint="--keep")
    if precision not in (None, *PRECISIONS):
        raise typer.BadParameter(f"{precision!r}: expected one of {', '.join(PRECISIONS)}", param_hint="--precision")
    if nbest > 1 and marginals:
        raise typer.BadParameter("--nbest and --marginals exclude each other", param_hint="--marginals")
    if exact and solver not in (None, "branch_and_bound"):
        raise typer.BadParameter("--exact chooses the solver", param_hint="--solver")
    if budget_ms is not None and not budget_ms > 0:
        raise typer.BadParameter("a budget is more than 0", param_hint="--budget-ms")
    rules: list[Rule] = [parse_rule(text) for text in constraint]
    if constraints is not None:
        rules.extend(read_rules(constraints))
    if status and nbest > 1:
        raise typer.BadParameter("--nbest says itself which trees are proved, without --status", param_hint="--nbest")
    search = Search(
        solver="branch_and_bound" if exact else solver,
        iterations=iterations,
        step_rule=step_rule,
        seconds=math.inf if budget_ms is None else budget_ms / 1000,
    )
    pipeline = accord.load(model, precision=precision)
    if pipeline.parser is None:
        raise ConfigError(f"{model}: this model has no parser")
    parsing = Parsing(
        pipeline.parser,
        tuple(rules),
        search,
        marginals=marginals,
        keep=keep == "given",
        threads=threads,
        status=status,
        tags=tags,
    )
    tagged = (
        pipeline.tag(block, tags=tags, threads=threads)
        if nbest > 1
        else pipeline.tagged_first(block, tags, threads=threads)
        for file in files
        for block in documents(
            file,
            pipeline,
            input=input,
            format=format,
            offsets=offsets,
            keep_going=keep_going,
            threads=threads,
            named=len(files) > 1,
        )
    )
    parsed = _parsed(parsing, tagged, nbest)
    with open_output(to) as out:
        if output in ("svg", "html"):
            from accord.app import pictures  # only those who draw wait for the brush

            sentences = [s for document in parsed for s in document.sentences if len(s) > 0]
            drawing = (
                pictures.page(sentences, title="accord parse")
                if output == "html"
                else pictures.picture(pictures.single(sentences), "svg")
            )
            out.write(drawing.encode())
        else:
            for document in parsed:
                if nbest > 1 and output == "json":
                    _write_lists(document, out)
                else:
                    _write(document, output, out)
    parsing.report()


def _write(document: Document, output: str, out: BinaryIO) -> None:
    if output == "text":
        from accord.app import pictures

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


def _parsed(parsing: Parsing, blocks: Iterator[Document], nbest: int) -> Iterator[Document]:
    for block in blocks:
        if nbest == 1:
            yield parsing.parse(block)
        else:
            yield parsing.ranked(block, nbest)

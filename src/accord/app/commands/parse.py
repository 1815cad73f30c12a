# SPDX-License-Identifier: Apache-2.0
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
from accord.app.sources import Reading
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
    files: options.TextFiles = ["-"],  # noqa: B006
    model: options.Model = "en",
    output: Annotated[
        str, typer.Option("--output", help=f"{', '.join(OUTPUTS)}; same: the format of the input.")
    ] = "same",
    input: options.Input = "auto",
    tags: Annotated[
        str,
        typer.Option("--tags", help="auto: tag words that have no tags; predict: tag all words anew; keep: never tag."),
    ] = "auto",
    offsets: options.Offsets = False,
    to: options.To = "-",
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
    options.check_choice(output, OUTPUTS, "--output")
    reading = Reading(input, format, offsets, keep_going, threads)
    tag_mode = options.check_choice(tags, TAGS, "--tags")
    options.check_choice(keep, KEEPS, "--keep")
    options.check_choice(precision, (None, *PRECISIONS), "--precision")
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
        tags=tag_mode,
    )
    tagged = (
        pipeline.tag(block, tags=tag_mode, threads=threads)
        if nbest > 1
        else pipeline.tagged_first(block, tag_mode, threads=threads)
        for block in reading.documents(files, pipeline)
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

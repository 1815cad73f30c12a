# SPDX-License-Identifier: Apache-2.0
"""``accord parse``: trees for the sentences of files, streamed."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from accord.app import options
from accord.app.parsing import Parsing
from accord.app.sources import Reading
from accord.data import Document
from accord.data.files import open_output
from accord.data.jsonlines import sentence_to_json
from accord.errors import ConfigError
from accord.inference.rules import parse_rule, read_rules
from accord.tasks.network.config import PRECISIONS
from accord.tasks.parser import ParseOptions, Search
from accord.tasks.parser.options import TAGS
from accord.tasks.pipeline import Pipeline

OUTPUTS = ("same", "conllu", "conllx", "json", "text", "svg", "html")
KEEPS = ("nothing", "given")
DEFAULTS = ParseOptions()
_option = partial(options.setting_option, ParseOptions)
_search = partial(options.setting_option, Search)


def parse(
    files: options.TextFiles = ["-"],  # noqa: B006
    model: options.Model = "en",
    output: Annotated[
        str, typer.Option("--output", help=f"{', '.join(OUTPUTS)}; same: the format of the input.")
    ] = "same",
    input: options.Input = "auto",
    tags: Annotated[str, _option("tags", "--tags")] = DEFAULTS.tags,
    offsets: options.Offsets = False,
    to: options.To = "-",
    nbest: Annotated[int, _option("k", "--nbest")] = DEFAULTS.k,
    probabilities: Annotated[bool, _option("probabilities", "--probabilities")] = DEFAULTS.probabilities,
    marginals: options.Marginals = False,
    keep: Annotated[str, _option("keep", "--keep")] = "nothing",
    constraint: Annotated[list[str], _option("rules", "--constraint")] = [],  # noqa: B006
    constraints: Annotated[Path | None, typer.Option("--constraints", help="Rules as a TOML file.")] = None,
    solver: Annotated[str | None, _search("solver", "--solver")] = DEFAULTS.search.solver,
    exact: Annotated[
        bool, typer.Option("--exact", help="The provably best tree of the candidate arcs, by branch and bound.")
    ] = False,
    iterations: Annotated[int | None, _search("iterations", "--iterations")] = DEFAULTS.search.iterations,
    step_rule: Annotated[str | None, _search("step_rule", "--step-rule")] = DEFAULTS.search.step_rule,
    budget_ms: Annotated[float | None, _search("seconds", "--budget-ms", show_default=False)] = None,
    status: Annotated[bool, _option("status", "--status")] = DEFAULTS.status,
    precision: Annotated[
        str | None,
        typer.Option("--precision", help="float32 or int8: arithmetic of neural models.", show_default=False),
    ] = None,
    threads: Annotated[int, _option("threads", "--threads")] = DEFAULTS.threads,
    format: options.Format = "auto",
    keep_going: options.KeepGoing = False,
) -> None:
    """Parse text or treebanks into dependency trees.

    Example: accord parse letter.txt --model en --output text
    """
    options.check_choice(output, OUTPUTS, "--output")
    reading = Reading(input, format, offsets, keep_going, threads)
    options.check_choice(keep, KEEPS, "--keep")
    options.check_choice(precision, (None, *PRECISIONS), "--precision")
    probabilities = probabilities or marginals
    if nbest > 1 and probabilities:
        raise typer.BadParameter("--nbest and --probabilities exclude each other", param_hint="--probabilities")
    if exact and solver not in (None, "branch_and_bound"):
        raise typer.BadParameter("--exact chooses the solver", param_hint="--solver")
    if budget_ms is not None and not budget_ms > 0:
        raise typer.BadParameter("a budget is more than 0", param_hint="--budget-ms")
    if status and nbest > 1:
        raise typer.BadParameter("--nbest says itself which trees are proved, without --status", param_hint="--nbest")
    asked = ParseOptions(
        rules=(*map(parse_rule, constraint), *(() if constraints is None else read_rules(constraints))),
        search=Search(
            solver="branch_and_bound" if exact else solver,
            iterations=iterations,
            step_rule=step_rule,
            seconds=DEFAULTS.search.seconds if budget_ms is None else budget_ms / 1000,
        ),
        k=nbest,
        probabilities=probabilities,
        keep="given" if keep == "given" else None,
        tags=options.check_choice(tags, TAGS, "--tags"),
        status=status,
        threads=threads,
    )
    pipeline = Pipeline.load(model, precision=precision)
    if pipeline.parser is None:
        raise ConfigError(f"{model}: this model has no parser")
    parsing = Parsing(pipeline.parser, asked)
    parsed = (parsing.parse(pipeline.ready_to_parse(block, asked)) for block in reading.documents(files, pipeline))
    with open_output(to) as out:
        if output in ("svg", "html"):
            from accord.app.commands.show import single  # only those who draw wait for the brush
            from accord.drawing import draw_page, draw_sentence

            sentences = [s for document in parsed for s in document.sentences if len(s) > 0]
            page = output == "html"
            drawing = draw_page(sentences, "accord parse") if page else draw_sentence(single(sentences), "svg")
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
        from accord.drawing import draw_sentence

        for sentence in document.sentences:
            if len(sentence) > 0:
                out.write((draw_sentence(sentence, "text") + "\n\n").encode())
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

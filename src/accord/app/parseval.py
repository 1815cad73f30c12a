# SPDX-License-Identifier: Apache-2.0
"""``accord evaluate --parseval``: brackets of constituents, as evalb counts them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import typer

from accord import data
from accord.app.against import significance_json, significance_table
from accord.data.constituents import MissingTree, read_brackets
from accord.data.files import open_input
from accord.data.formats import format_of_content, format_of_name
from accord.errors import FormatError
from accord.evaluation import paired_bootstrap
from accord.evaluation.bracket_parameters import BracketParameters
from accord.evaluation.parseval import Bracketing, BracketScore, parseval
from accord.evaluation.score import percentage


def read_bracketings(file: str, format: str) -> Iterator[Bracketing]:
    """The trees of a file: brackets, where ``(())`` is a sentence without a tree, or a treebank that holds trees."""
    with open_input(file) as source:
        content = source.read()
    if format == "auto":
        format = format_of_name(file) or format_of_content(file, content, whole=True) or "conllu"
    if format == "brackets":
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            raise FormatError(f"not UTF-8 ({error.reason})", file=file, line=line) from None
        for found in read_brackets(text, file=file):
            yield Bracketing(None, ()) if isinstance(found, MissingTree) else Bracketing(found.tree, found.forms)
        return
    for sentence in data.read(file, format=format):
        tree = sentence.constituents
        if tree is None:
            raise FormatError("the sentence has no constituents", file=file, line=sentence.line)
        yield Bracketing(tree, sentence.forms)


def print_parseval(
    gold: str,
    system: str,
    *,
    parameters: str,
    over_characters: bool,
    format: str,
    other: str | None,
    samples: int,
    as_json: bool,
) -> None:
    """The table of evalb, for all sentences and for short ones; a paired bootstrap where there is another system."""
    chosen = BracketParameters.load(parameters)
    wanted = list(read_bracketings(gold, format))

    def score(name: str) -> BracketScore:
        try:
            return parseval(wanted, read_bracketings(name, format), chosen, over_characters=over_characters)
        except FormatError as error:
            raise FormatError(error.reason, file=name) if error.file is None else error from None

    found = score(system)
    tests = {}
    if other is not None:
        tests["F1"] = paired_bootstrap(found.counts(), score(other).counts(), f1_of_counts, samples=samples)
    short = found.up_to(chosen.cutoff)
    if as_json:
        about = {"against": significance_json(tests)} if tests else {}
        report = {**found.to_json(), f"up to {chosen.cutoff} words": short.to_json(), **about}
        typer.echo(json.dumps(report, indent=1))
        return
    typer.echo(score_table({"all": found, f"<= {chosen.cutoff} words": short}))
    if other is not None:
        typer.echo(significance_table(tests, other))


def f1_of_counts(sums: object) -> float:
    """F1 of a row of sums: correct, gold and system brackets."""
    correct, gold, system = (int(value) for value in sums)  # type: ignore[attr-defined]
    return percentage(2 * correct, gold + system)


def score_table(scores: dict[str, BracketScore]) -> str:
    """A column for each score."""
    lines = [f"{'':<24}" + "".join(f"{name:>14}" for name in scores)]
    rows = {name: score.to_json() for name, score in scores.items()}
    for key in next(iter(rows.values())):
        cells = (row[key] for row in rows.values())
        texts = (f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in cells)
        lines.append(f"{key.replace('_', ' '):<24}" + "".join(f"{text:>14}" for text in texts))
    return "\n".join(lines)

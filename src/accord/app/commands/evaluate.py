"""``accord evaluate``: a system's trees against gold ones."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from accord import data, evaluation
from accord.app import options
from accord.errors import FormatError


def evaluate(
    gold: Annotated[str, typer.Argument(help="The right trees.")],
    system: Annotated[str, typer.Argument(help="The trees to be judged, over the same text.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="F1 by official name, percentages; details beside them.")
    ] = False,
    breakdown: Annotated[
        bool, typer.Option("--breakdown", help="Also by relation, distance and sentence length.")
    ] = False,
    format: options.Format = "auto",
) -> None:
    """Score trees with the CoNLL 2018 metrics, and with UAS/LAS as the older literature counts them.

    Example: accord evaluate gold.conllu system.conllu --json
    """
    gold_document, system_document = data.read(gold, format=format), data.read(system, format=format)
    result = evaluation.evaluate(gold_document, system_document, gold_name=gold, system_name=system)
    try:
        classic = {
            "all words": evaluation.attachment(gold_document, system_document),
            "without punctuation": evaluation.attachment(gold_document, system_document, punctuation="exclude"),
        }
    except FormatError:
        classic = {}  # the words differ: only the aligned metrics have a meaning
    if as_json:
        report = {
            **{name: score.f1 for name, score in result.items()},
            "details": result.to_json(),
            "attachment": {name: score.to_json() for name, score in classic.items()},
        }
        typer.echo(json.dumps(report, indent=1))
        return
    typer.echo(result.table())
    for name, score in classic.items():
        typer.echo(
            f"{name + ' (with subtypes)':<36} UAS {score.uas:.2f}  LAS {score.las:.2f}  "
            f"complete trees {score.uem:.2f} / {score.lem:.2f}"
        )
    if breakdown and classic:
        _print_breakdown(gold_document, system_document)


def _print_breakdown(gold: data.Document, system: data.Document) -> None:
    for title, rows in (
        ("relation", evaluation.by_relation(gold, system)),
        ("distance", evaluation.by_distance(gold, system)),
    ):
        typer.echo(f"\nby {title}")
        for name, score in rows.items():
            figures = f"P {score.precision:6.2f}  R {score.recall:6.2f}  F1 {score.f1:6.2f}  n {score.gold_total}"
            typer.echo(f"{name:<16} {figures}")
    typer.echo("\nby sentence length")
    for name, length in evaluation.by_sentence_length(gold, system).items():
        typer.echo(f"{name:<16} UAS {length.uas:6.2f}  LAS {length.las:6.2f}  words {length.words}")

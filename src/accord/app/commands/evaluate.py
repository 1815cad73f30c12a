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
    as_json: Annotated[bool, typer.Option("--json", help="F1 by official name, percentages; details beside them.")] = False,
    breakdown: Annotated[bool, typer.Option("--breakdown", help="Also by relation, distance and sentence length.")] = False,
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
        tables = {
            "relation": evaluation.by_relation(gold_document, system_document),
            "distance": evaluation.by_distance(gold_document, system_document),
        }
        for title, rows in tables.items():
            typer.echo(f"\nby {title}")
            for name, scored in sorted(rows.items(), key=lambda item: -item[1].gold_total):
                typer.echo(f"{name:<16} P {scored.precision:6.2f}  R {scored.recall:6.2f}  F1 {scored.f1:6.2f}  n {scored.gold_total}")
        typer.echo("\nby sentence length")
        for name, length in evaluation.by_sentence_length(gold_document, system_document).items():
            typer.echo(f"{name:<16} UAS {length.uas:6.2f}  LAS {length.las:6.2f}  words {length.words}")

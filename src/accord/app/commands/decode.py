# SPDX-License-Identifier: Apache-2.0
"""``accord decode``: the best tree for a file of arc scores, under rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from accord import data
from accord.data.arrays import read_array
from accord.errors import FormatError
from accord.inference.graph import SETTINGS
from accord.inference.rules import Rule, decode_tree, parse_rule, read_rules


def decode(
    scores: Annotated[
        Path, typer.Argument(help="A .npy file: (n+1, n+1) by head and dependent, or with labels as a third axis.")
    ],
    constraint: Annotated[
        list[str],
        typer.Option("--constraint", help="A rule, e.g. 'at-most-one nsubj'; may be repeated.", show_default=False),
    ] = [],  # noqa: B006
    constraints: Annotated[Path | None, typer.Option("--constraints", help="Rules as a TOML file.")] = None,
    words: Annotated[
        Path | None, typer.Option("--words", help="A treebank whose first sentence gives words and tags.")
    ] = None,
    labels: Annotated[str, typer.Option("--labels", help="Names of the labels, separated by commas.")] = "",
    projective: Annotated[bool, typer.Option("--projective", help="Projective trees only.")] = False,
    single_root: Annotated[bool, typer.Option("--single-root", help="Exactly one word depends on the root.")] = False,
    solver: Annotated[str, typer.Option("--solver", help=f"{', '.join(SETTINGS)}.")] = "ad3",
) -> None:
    """Find the best tree for scores of arcs under rules; prints heads, labels, value, bound and status as JSON.

    Example: accord decode scores.npy --constraint 'forbid 3 -> 5' --constraint 'max-dependents 4 @ 2.5'
    """
    array = read_array(scores)
    rules: list[Rule] = [parse_rule(text) for text in constraint]
    if constraints is not None:
        rules.extend(read_rules(constraints))
    names = labels.split(",") if labels else []
    sentence = None
    if words is not None:
        document = data.read(words)
        if len(document) == 0:
            raise FormatError("no sentence", file=str(words))
        sentence = document.sentences[0].words
    try:
        answer = decode_tree(
            array,
            rules,
            words=sentence,
            labels=names or None,
            projective=projective,
            single_root=single_root,
            solver=solver,
        )
    except ValueError as error:
        raise FormatError(str(error), file=str(scores)) from None
    report = {
        "heads": answer.heads[1:].tolist(),
        "labels": None
        if answer.labels is None
        else [names[label] if names else label for label in answer.labels[1:].tolist()],
        "value": answer.value,
        "bound": answer.bound,
        "status": answer.status,
        "broken": [str(rule) for rule in answer.broken],
    }
    typer.echo(json.dumps(report))

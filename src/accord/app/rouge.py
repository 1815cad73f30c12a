# SPDX-License-Identifier: Apache-2.0
"""``accord evaluate --rouge``: summaries of a system against summaries that people wrote, topic by topic.

A file of summaries has one in each line. A JSON line is an object with ``summaries``, a list of references, or with
``text``, which is what ``accord summarize --output json`` calls the summary.
"""

from __future__ import annotations

import json

import numpy as np
import typer
from numpy.typing import NDArray

from accord.app.against import significance_json, significance_table
from accord.data.files import COMPRESSION_SUFFIXES, open_input, source_name
from accord.errors import FormatError
from accord.evaluation import PairedBootstrap, paired_bootstrap
from accord.evaluation.rouge import NAMES, Combine, Rouge
from accord.tasks.summarizer.stop_words import ENGLISH


def print_rouge(
    gold: str,
    system: str,
    *,
    stems: bool,
    without_stop_words: bool,
    combine: Combine,
    other: str | None,
    samples: int,
    as_json: bool,
) -> None:
    """Means over topics of precision, recall and F1, in percent; paired bootstraps where there is another system."""
    references = read_summaries(gold)
    rouge = Rouge(stems=stems, stop_words=ENGLISH if without_stop_words else frozenset(), combine=combine)
    systems = read_systems(system, references, gold)
    means, f1 = rouge.corpus(references, systems), rouge.mean_f1(references, systems)
    table = {
        name: {"precision": 100 * score.precision, "recall": 100 * score.recall, "f1": 100 * f1[name]}
        for name, score in means.items()
    }
    tests: dict[str, PairedBootstrap] = {}
    if other is not None:
        one, two = (_f1(rouge, references, texts) for texts in (systems, read_systems(other, references, gold)))
        tests = {name: paired_bootstrap(one[name], two[name], samples=samples) for name in means}
    if as_json:
        about = {"against": significance_json(tests)} if tests else {}
        typer.echo(json.dumps({"topics": len(systems), **table, **about}, indent=1))
        return
    typer.echo(f"{'':<10} precision  recall      F1   ({len(systems)} topics)")
    for name, row in table.items():
        typer.echo(f"{name:<10} {row['precision']:9.2f} {row['recall']:7.2f} {row['f1']:7.2f}")
    if other is not None:
        typer.echo(significance_table(tests, other))


def read_systems(file: str, references: list[list[str]], gold: str) -> list[str]:
    """The summaries of a system, one for each topic."""
    found = read_summaries(file)
    if len(references) != len(found):
        raise FormatError(f"{len(found)} summaries for the {len(references)} topics of {gold}", file=file)
    for number, texts in enumerate(found, start=1):
        if len(texts) != 1:
            raise FormatError(f"expected one summary, not {len(texts)}", file=file, line=number)
    return [texts[0] for texts in found]


def _f1(rouge: Rouge, references: list[list[str]], systems: list[str]) -> dict[str, NDArray[np.float64]]:
    """F1 of each topic in percent, by the name of the measure."""
    each = [rouge.score(written, system) for written, system in zip(references, systems, strict=True)]
    return {name: np.array([100 * scores[name].f1 for scores in each]) for name in NAMES}


def read_summaries(file: str) -> list[list[str]]:
    """The summaries of each topic of a file."""
    name, plain = source_name(file), file
    for suffix in COMPRESSION_SUFFIXES:
        plain = plain.removesuffix(suffix)
    with open_input(file) as source:
        lines = source.read().removeprefix(b"\xef\xbb\xbf").splitlines()
    try:
        texts = [line.decode("utf-8") for line in lines]
    except UnicodeDecodeError:
        raise FormatError("not UTF-8", file=name) from None
    if not plain.endswith((".json", ".jsonl")):
        return [[text] for text in texts]
    return [_of_json(text, name, number) for number, text in enumerate(texts, start=1) if text.strip()]


def _of_json(line: str, name: str, number: int) -> list[str]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise FormatError("not a line of JSON", file=name, line=number) from None
    if isinstance(found, dict):
        texts = found.get("summaries", [found.get("text")])
        if isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts):
            return texts
    raise FormatError("expected an object with summaries or text", file=name, line=number)

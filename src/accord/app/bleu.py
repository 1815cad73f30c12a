# SPDX-License-Identifier: Apache-2.0
"""``accord evaluate --bleu``: texts of a system against references, as corpus BLEU.

Files are those of ``--rouge``: a text in each line, or JSON lines with ``summaries`` (references) or ``text``.
"""

from __future__ import annotations

import json

import typer

from accord.app.against import significance_json, significance_table
from accord.app.rouge import read_summaries, read_systems
from accord.evaluation import paired_bootstrap
from accord.evaluation.bleu import Bleu, Splitting, bleu_of_counts


def print_bleu(
    gold: str, system: str, *, splitting: Splitting, lowercase: bool, other: str | None, samples: int, as_json: bool
) -> None:
    """Corpus BLEU with precisions and brevity penalty; a paired bootstrap where there is another system."""
    references = read_summaries(gold)
    bleu = Bleu(splitting, lowercase)
    counts = bleu.counts(references, read_systems(system, references, gold))
    score = bleu_of_counts(counts.sum(axis=0))
    tests = {}
    if other is not None:
        theirs = bleu.counts(references, read_systems(other, references, gold))
        tests["BLEU"] = paired_bootstrap(counts, theirs, lambda sums: bleu_of_counts(sums).bleu, samples=samples)
    if as_json:
        about = {"against": significance_json(tests)} if tests else {}
        typer.echo(json.dumps({"texts": len(references), **score.to_json(), **about}, indent=1))
        return
    precisions = " / ".join(f"{one:.1f}" for one in score.precisions)
    typer.echo(f"BLEU {score.bleu:.2f}  ({precisions}, brevity penalty {score.brevity_penalty:.3f})")
    if other is not None:
        typer.echo(significance_table(tests, other))

# SPDX-License-Identifier: Apache-2.0
"""``accord evaluate --compression``: which words a system kept, against those that people kept.

Both files are JSON lines with ``tokens`` and ``mask``, as ``accord compress --output json`` writes them. Where several
people compressed a sentence, the system is compared with each of them, and the counts are added.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import typer

from accord.app.against import significance_json, significance_table
from accord.errors import FormatError
from accord.evaluation import evaluate_compression, mcnemar, paired_bootstrap
from accord.evaluation.bleu import Bleu, bleu_of_counts
from accord.evaluation.compression import CompressionEvaluation, Relation, kept_counts
from accord.tasks.compressor.pairs import Mask, Pair, read_pairs
from accord.tasks.compressor.relations import relations_of_masks

Relations = Sequence[set[Relation]] | None


def print_compression(
    gold: str, system: str, *, parser: str | None, other: str | None, samples: int, as_json: bool
) -> None:
    """All figures; with a parser also F1 of relations, with another system also tests of significance."""
    pairs = read_pairs([gold])
    masks = _masks(system, pairs, gold)
    found, bleu = _figures(pairs, masks, parser)
    tests = {} if other is None else _tests(pairs, masks, _masks(other, pairs, gold), samples)
    if as_json:
        about = {"against": significance_json(tests)} if tests else {}
        typer.echo(json.dumps({**found.to_json(), "bleu": bleu, **about}, indent=1))
        return
    typer.echo(f"{found.sentences} compressions, {found.words} words")
    for name, value in {**found.figures(), "bleu": bleu}.items():
        typer.echo(f"{name.replace('_', ' '):<12} {value:6.2f}")
    if other is not None:
        typer.echo(significance_table(tests, other))


def _masks(file: str, gold: Sequence[Pair], name: str) -> list[Mask]:
    """What a system kept, checked to be of the same sentences."""
    found = read_pairs([file])
    if len(found) != len(gold):
        raise FormatError(f"{len(found)} sentences for the {len(gold)} of {name}", file=file)
    for number, (pair, expected) in enumerate(zip(found, gold, strict=True), start=1):
        if pair.words != expected.words:
            raise FormatError(f"sentence {number} has other tokens than that of {name}", file=file)
        if len(pair.masks) != 1:
            raise FormatError(f"sentence {number}: expected one compression, not {len(pair.masks)}", file=file)
    return [pair.masks[0] for pair in found]


def _figures(pairs: Sequence[Pair], masks: Sequence[Mask], parser: str | None) -> tuple[CompressionEvaluation, float]:
    """The system against each reference, and BLEU against all of them."""
    expected = [mask for pair in pairs for mask in pair.masks]
    answers = [mask for pair, mask in zip(pairs, masks, strict=True) for _ in pair.masks]
    gold_relations: Relations = None
    system_relations: Relations = None
    if parser is not None:
        gold_relations = relations_of_masks([pair.words for pair in pairs for _ in pair.masks], expected, parser)
        once = relations_of_masks([pair.words for pair in pairs], masks, parser)
        system_relations = [found for pair, found in zip(pairs, once, strict=True) for _ in pair.masks]
    figures = evaluate_compression(expected, answers, gold_relations=gold_relations, system_relations=system_relations)
    return figures, bleu_of_counts(_bleu_counts(pairs, masks).sum(axis=0)).bleu


def _bleu_counts(pairs: Sequence[Pair], masks: Sequence[Mask]) -> Any:
    references = [[_text(pair.words, mask) for mask in pair.masks] for pair in pairs]
    systems = [_text(pair.words, mask) for pair, mask in zip(pairs, masks, strict=True)]
    return Bleu("none").counts(references, systems)


def _tests(pairs: Sequence[Pair], first: Sequence[Mask], second: Sequence[Mask], samples: int) -> dict[str, Any]:
    """McNemar over all decisions, and paired bootstraps over sentences of micro F1 and BLEU."""
    kept = [_kept_counts(pairs, masks) for masks in (first, second)]
    bleu = [_bleu_counts(pairs, masks) for masks in (first, second)]
    return {
        "words": mcnemar(_right(pairs, first), _right(pairs, second)),
        "micro F1": paired_bootstrap(kept[0], kept[1], _f1, samples=samples),
        "BLEU": paired_bootstrap(bleu[0], bleu[1], lambda sums: bleu_of_counts(sums).bleu, samples=samples),
    }


def _right(pairs: Sequence[Pair], masks: Sequence[Mask]) -> list[bool]:
    return [
        one == other
        for pair, mask in zip(pairs, masks, strict=True)
        for expected in pair.masks
        for one, other in zip(expected, mask, strict=True)
    ]


def _kept_counts(pairs: Sequence[Pair], masks: Sequence[Mask]) -> Any:
    """A row for each sentence, whatever the number of its references."""
    rows = [
        kept_counts(pair.masks, [mask] * len(pair.masks)).sum(axis=0) for pair, mask in zip(pairs, masks, strict=True)
    ]
    return np.array(rows).reshape(-1, 4)


def _f1(sums: Any) -> float:
    total = float(sums[1] + sums[2])
    return 200 * float(sums[0]) / total if total else 0.0


def _text(words: Sequence[str], mask: Mask) -> str:
    return " ".join(word for word, kept in zip(words, mask, strict=True) if kept)

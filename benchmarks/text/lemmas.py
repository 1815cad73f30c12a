# SPDX-License-Identifier: Apache-2.0
"""Train and test lemmatizers on treebanks that have training data; print one table.

    python -m benchmarks lemmas                       # dev parts of five treebanks, gold tags
    python -m benchmarks lemmas --part test en_ewt

One core, CPU time. Words are unseen when training does not have their form with their UPOS. The last column leaves the
lexicon empty, so that the rules alone answer.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np

from accord import data
from accord.evaluation import evaluate_tagging
from accord.tasks.lemmatizer import Lemmatizer
from benchmarks.places import DATA

SHARED = DATA / "ud"
TREEBANKS = ("en_ewt", "sl_sst", "tr_imst", "pt_bosque", "nl_lassysmall")
HEADER = (
    "| treebank | training words | lemmas | seen words | unseen words | training CPU | words per CPU second | size "
    "| rules alone |\n|---|---|---|---|---|---|---|---|---|"
)


def main() -> None:
    """Print a row for each treebank."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("treebanks", nargs="*", default=TREEBANKS)
    arguments.add_argument("--part", default="dev", choices=("dev", "test"))
    options = arguments.parse_args()
    print(HEADER)
    for name in options.treebanks:
        print(row(name, options.part), flush=True)


def row(name: str, part: str) -> str:
    training, asked = (data.read(SHARED / f"{name}-ud-{piece}.conllu.xz") for piece in ("train", part))
    start = time.process_time()
    lemmatizer = Lemmatizer.train(training)
    trained = time.process_time()
    answers = lemmatizer(asked)
    seconds = max(time.process_time() - trained, 1e-9)
    seen = {word: {"seen"} for word in words_with_tags(training)}
    gold = asked.column("lemma")
    result = evaluate_tagging(gold, answers, forms=words_with_tags(asked), training=seen)
    assert result.known is not None and result.unknown is not None
    alone = evaluate_tagging(gold, without_lexicon(lemmatizer)(asked)).all.percent
    return (
        f"| {name} | {len(training.heads):,} | {result.all.percent:.2f} | {result.known.percent:.2f} "
        f"| {result.unknown.percent:.2f} of {result.unknown.words:,} | {trained - start:.1f} s "
        f"| {len(gold) / seconds:,.0f} | {lemmatizer.size / 1e6:.2f} MB | {alone:.2f} |"
    )


def words_with_tags(document: data.Document) -> Sequence[str]:
    return [f"{form} {tag}" for form, tag in zip(document.column("form"), document.column("upos"), strict=True)]


def without_lexicon(lemmatizer: Lemmatizer) -> Lemmatizer:
    header, arrays = lemmatizer.to_blocks()
    empty = {"lexicon": np.zeros(16, np.uint16), "lexicon_fingerprints": np.zeros(16, np.uint32)}
    return Lemmatizer.from_blocks(header, {**arrays, **empty})


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Paths and non-projective arcs as parts of a non-projective parser (Martins, Smith & Xing 2009): do they pay?

    python -m benchmarks path_parts --treebank nl_lassysmall --sentences 1500 --epochs 3

Four models, each with the parts of the one before and more: siblings and grandparents; valencies; non-projective arcs;
paths. The first sentences of the training part train them, the dev part is all they are measured on. Decoding by AD3
alone, and with the search that is the default where AD3 leaves a gap; one core, CPU time.
"""

from __future__ import annotations

import argparse
import dataclasses
import time

import numpy as np
from numpy.typing import NDArray

from accord import data, evaluation
from accord.settings import read_settings
from accord.tasks.parser import Parser, ParserConfig
from accord.tasks.parser.training import train_parser
from benchmarks.places import DATA

FAMILIES = ("sibling,grandparent", "valency", "nonprojective", "path")
OPTIMAL = 0
HEADER = (
    "| parts | dev UAS / LAS | non-projective arcs: precision, recall | AD3: certified, words per CPU second "
    "| with search: UAS, certified, words per CPU second | training CPU |\n|---|---|---|---|---|---|"
)


def read_parts(treebank: str, sentences: int) -> tuple[data.Document, data.Document]:
    found = [path for kind in ("ud", "conllx") for path in (DATA / kind).glob(f"{treebank}*-train.con*.xz")]
    train = data.read(found[0])
    dev = data.read(found[0].with_name(found[0].name.replace("-train.", "-dev.")))
    return data.Document.from_sentences(train.sentences[:sentences] if sentences else train.sentences), dev


def nonprojective_words(heads: NDArray[np.int32], lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For each word, whether some word between it and its head does not descend from the head."""
    found = []
    for tree in np.split(heads, np.cumsum(lengths)[:-1]):
        above = [{0}]  # each word's ancestors
        for word in range(1, len(tree) + 1):
            climbed, here = set(), word
            while here:
                here = int(tree[here - 1])
                climbed.add(here)
            above.append(climbed)
        for word, head in enumerate(tree.tolist(), 1):
            between = range(min(word, head) + 1, max(word, head))
            found.append(any(head not in above[k] for k in between))
    return np.array(found)


def measure(train: data.Document, dev: data.Document, parts: str, settings: list[str]) -> str:
    # Search of dev trees while training would cost more than training.
    config = read_settings(ParserConfig, None, ["threads=1", f"parts={parts}", "search_nodes=0", *settings])
    started = time.process_time()
    parser = Parser(train_parser(train, dev, config).snapshot)
    training = time.process_time() - started

    def decoded(parser: Parser) -> tuple[NDArray[np.int32], float, float]:
        started = time.process_time()
        trees = parser.trees(dev, threads=1)
        speed = dev.heads.size / (time.process_time() - started)
        return trees.heads, 100 * float((trees.statuses == OPTIMAL).mean()), speed

    scores = evaluation.attachment(dev, parser.parse(dev, threads=1))
    heads, certified, speed = decoded(parser)
    searching = dataclasses.replace(config, search_nodes=30)
    searched, proved, slow = decoded(Parser(dataclasses.replace(parser.model, config=searching)))
    crossing = nonprojective_words(heads, dev.lengths)
    gold = nonprojective_words(dev.heads, dev.lengths)
    right = int((crossing & gold & (heads == dev.heads)).sum())
    return (
        f"| {parts.replace(',', ', ')} | {scores.uas:.2f} / {scores.las:.2f} "
        f"| {100 * right / max(1, crossing.sum()):.1f} %, {100 * right / max(1, gold.sum()):.1f} % "
        f"| {certified:.1f} %, {speed:,.0f} "
        f"| {100 * float((searched == dev.heads).mean()):.2f}, {proved:.1f} %, {slow:,.0f} | {training:.0f} s |"
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--treebank", default="nl_lassysmall", help="a code such as nl_lassysmall or da_cdt")
    arguments.add_argument("--sentences", type=int, default=0, help="so many of the training part; 0: all")
    arguments.add_argument("--epochs", type=int, default=5)
    arguments.add_argument("--set", action="append", default=[], help="a setting as key=value")
    options = arguments.parse_args()
    train, dev = read_parts(options.treebank, options.sentences)
    share = 100 * float(nonprojective_words(dev.heads, dev.lengths).mean())
    print(
        f"{options.treebank}: {train.heads.size:,} training words; {share:.1f} % of the dev arcs are non-projective\n"
    )
    print(HEADER, flush=True)
    for count in range(1, len(FAMILIES) + 1):
        settings = [f"epochs={options.epochs}", *options.set]
        print(measure(train, dev, ",".join(FAMILIES[:count]), settings), flush=True)


if __name__ == "__main__":
    main()

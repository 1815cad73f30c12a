# SPDX-License-Identifier: Apache-2.0
"""Projective parsers of first to third order by exact charts, as in Koo & Collins (2010), and what pruning does.

    python -m benchmarks chart_orders [--epochs 2] [--pruned model1] [--set key=value]

The Penn Treebank sample, unlabelled, gold tags; the parser's default learner, every tree of training and dev found by
the chart. Prints for each model dev UAS over all words, CPU seconds of training (the pruner's and dev parses included)
and words per CPU second on dev. Then, for one of them as trained, what the pruner leaves of dev at several thresholds:
heads a word, the share of words whose gold head is left, UAS, and speed.
"""

from __future__ import annotations

import argparse
import dataclasses
import statistics
import time

import numpy as np

from accord import data
from accord.learning import train
from accord.settings import read_settings
from accord.tasks.parser import Parser, ParserConfig, ParserModel
from accord.tasks.parser.linear_task import ParserTask
from accord.tasks.parser.treebank import attachment_scores
from benchmarks.places import DATA

SAMPLE = DATA / "ptb_sample"
MODELS = {
    "arcs": "",
    "sibling": "sibling",
    "model0": "grandparent",
    "second": "sibling,grandparent",
    "model1": "sibling,grandparent,grand_sibling",
    "third": "sibling,grandparent,grand_sibling,tri_sibling",
}
NAMES = {
    "arcs": "arcs",
    "sibling": "siblings",
    "model0": "grandparents (model 0)",
    "second": "siblings, grandparents",
    "model1": "siblings, grandparents, grand-siblings (model 1)",
    "third": "all of these and tri-siblings",
}
THRESHOLDS = (0.1, 0.03, 0.01, 0.001, 0.0001)
OPTIMAL = 0


def train_model(parts: str, training: data.Document, dev: data.Document, settings: list[str]) -> ParserModel:
    values = ["threads=1", "projective=true", "labels=none", f"parts={parts}", *settings]
    config = read_settings(ParserConfig, None, values)
    task = ParserTask(training, dev, config)
    return train(task, epochs=config.epochs, patience=config.epochs, seed=config.seed).snapshot


def quality_and_speed(parser: Parser, dev: data.Document) -> tuple[float, float]:
    """UAS and words per CPU second, the median of three runs."""
    seconds = []
    for _ in range(3):
        started = time.process_time()
        trees = parser.trees(dev, threads=1)
        seconds.append(time.process_time() - started)
    assert np.all(trees.statuses == OPTIMAL), "a chart is exact"
    return attachment_scores(dev, trees.heads, None).uas, dev.heads.size / statistics.median(seconds)


def print_pruning(model: ParserModel, dev: data.Document) -> None:
    print("| threshold | heads a word | gold heads left | dev UAS | words per CPU second |\n|---|---|---|---|---|")
    for threshold in THRESHOLDS:
        config = dataclasses.replace(model.config, pruner_threshold=threshold)
        parser = Parser(dataclasses.replace(model, config=config))
        left = parser.pruning(dev, threads=1)
        uas, speed = quality_and_speed(parser, dev)
        print(f"| {threshold:g} | {left.heads_per_word:.2f} | {100 * left.recall:.2f} % | {uas:.2f} | {speed:,.0f} |")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--epochs", type=int, default=2)
    arguments.add_argument("--models", nargs="*", default=list(MODELS), choices=MODELS)
    arguments.add_argument("--pruned", default="model1", choices=[name for name in MODELS if name != "arcs"])
    arguments.add_argument("--set", action="append", default=[], help="a setting of all models as key=value")
    options = arguments.parse_args()
    training, dev = (data.read(SAMPLE / f"wsj-{part}.conll.xz") for part in ("train", "dev"))
    settings = [f"epochs={options.epochs}", *options.set]
    print("| parts | dev UAS | training CPU s | words per CPU second |\n|---|---|---|---|", flush=True)
    pruned = None
    for name in options.models:
        started = time.process_time()
        model = train_model(MODELS[name], training, dev, settings)
        seconds = time.process_time() - started
        uas, speed = quality_and_speed(Parser(model), dev)
        print(f"| {NAMES[name]} | {uas:.2f} | {seconds:.0f} | {speed:,.0f} |", flush=True)
        pruned = model if name == options.pruned else pruned
    if pruned is not None:
        print(f"\n{NAMES[options.pruned]}, at most {pruned.config.pruner_heads} heads a word:\n")
        print_pruning(pruned, dev)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""The pruner's curve: how many gold heads it keeps, and how many heads a word, by its threshold.

    python -m benchmarks pruner [--treebank en_ewt] [--set clusters=FILE] [--set key=value]

Trains pruners of one and of two stages on the training part, everything else as a second-order parser has it by
default, and prunes the dev part. One core, CPU time; speed is that of pruning alone.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from collections.abc import Iterator

from accord import Parser, data
from accord.settings import read_settings
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.linear_task import ParserTask
from benchmarks.places import DATA

TREEBANKS = DATA / "ud"
THRESHOLDS = {1: (0.01, 0.015, 0.02, 0.03), 2: (0.002, 0.003, 0.0035, 0.004, 0.005, 0.006, 0.008)}


def rows(training: data.Document, dev: data.Document, config: ParserConfig) -> Iterator[str]:
    started = time.process_time()
    task = ParserTask(training, dev, config)
    task.prepare_pruner()
    model = task.snapshot()
    trained = time.process_time() - started
    for threshold in THRESHOLDS[config.pruner_stages]:
        parser = Parser(dataclasses.replace(model, config=dataclasses.replace(config, pruner_threshold=threshold)))
        started = time.process_time()
        found = parser.pruning(dev, threads=1)
        seconds = time.process_time() - started
        yield (
            f"| {config.pruner_stages} | {threshold} | {found.heads_per_word:.2f} | {100 * found.recall:.2f} "
            f"| {found.words / seconds:,.0f} | {trained:.0f} |"
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--treebank", default="en_ewt", help="code of a UD treebank with training and dev data")
    arguments.add_argument("--stages", type=int, nargs="*", default=[1, 2], choices=(1, 2))
    arguments.add_argument("--set", action="append", default=[], help="a setting of the parser as key=value")
    options = arguments.parse_args()
    training, dev = (data.read(TREEBANKS / f"{options.treebank}-ud-{part}.conllu.xz") for part in ("train", "dev"))
    print("| stages | threshold | heads a word | gold heads kept, % | words/s | training CPU s |")
    print("|---|---|---|---|---|---|")
    for stages in options.stages:
        settings = ["threads=1", "order=2", *options.set, f"pruner_stages={stages}"]
        for row in rows(training, dev, read_settings(ParserConfig, None, settings)):
            print(row, flush=True)


if __name__ == "__main__":
    main()

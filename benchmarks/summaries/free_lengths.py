# SPDX-License-Identifier: Apache-2.0
"""Compressions without a budget: how long they are before and after calibration, and the time of a given rate.

    python -m benchmarks free_lengths [--sentences 1000] [--test 300] [--epochs 3]

Models learn from Google's training sentences; the first 300 development sentences choose the epoch and the bonus of
kept words. Rate and F1 of kept words are of test sentences that are compressed without a budget, F1 over all words.
The last column is CPU time of features and decoding where a rate is asked for, without parsing.
"""

from __future__ import annotations

import argparse
import dataclasses
import time

import numpy as np

from accord.evaluation import evaluate_compression
from accord.tasks.compressor import Compressor, CompressorConfig
from accord.tasks.compressor.budget import Budget
from accord.tasks.compressor.training import train_compressor
from accord.tasks.pipeline import Pipeline
from benchmarks.summaries.compression import NAMES, SETTINGS
from benchmarks.summaries.compression_corpora import read_corpus


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=1000, help="sentences to learn from at most")
    parser.add_argument("--test", type=int, default=300, help="sentences to test on at most")
    parser.add_argument("--epochs", type=int, default=3)
    given = parser.parse_args()
    pipeline = Pipeline.load("en")
    sizes = {"train": given.sentences, "dev": 300, "test": given.test}
    train, dev, test = (read_corpus("google", part, size, pipeline, None) for part, size in sizes.items())
    gold = [one.kept.tolist() for one in test.instances]
    rate = float(np.concatenate([one.kept for one in test.instances]).mean())
    print(f"\n{len(train.instances)} sentences to learn from, {len(gold)} to test on; people keep {100 * rate:.1f} %\n")
    print("| system | rate before | F1 before | rate after | F1 after | ms a sentence at a rate |\n" + "|---" * 6 + "|")
    for method in ("tree", "bigram", "relaxed", "crf"):
        config = CompressorConfig(method=method, epochs=given.epochs, threads=1, **SETTINGS.get(method, {}))
        model = train_compressor(train, dev, config).model
        row = []
        for one in (dataclasses.replace(model, length_bonus=0.0), model):
            compressor = Compressor(one, pipeline)
            found = [compressor.kept(each.analysis).kept.tolist() for each in test.instances]
            figures = evaluate_compression(gold, found).figures()
            row += [f"{figures['rate']:.1f}", f"{figures['micro_f1']:.2f}"]
        started = time.process_time()
        for each in test.instances:
            compressor.kept(each.analysis, Budget(rate=rate))
        spent = 1000 * (time.process_time() - started) / len(gold)
        print(f"| {NAMES[method]} | {' | '.join(row)} | {spent:.2f} |", flush=True)


if __name__ == "__main__":
    main()

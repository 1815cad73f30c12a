# SPDX-License-Identifier: Apache-2.0
"""How fast max-margin training closes its gap, by both kinds of steps: edits of telephone calls.

    python -m benchmarks dual_steps [--passes 50] [--dual-c 0.1]

The chain of edits of a cleaner with one step, on the training calls of TalkBank with the tags of the data; a missed
edit costs 2. `m3n` moves each utterance towards its argmax, `smo` moves mass from one labelling to another. Both solve
the same problem, so their duals rise to the same value. F is that of edited words of the development calls, by the
weights after the last pass and by the mean of all weights.
"""

from __future__ import annotations

import argparse
import dataclasses
import time

import numpy as np

from accord.tasks.cleaner import CleanerConfig
from accord.tasks.cleaner.features import EDITS
from accord.tasks.cleaner.gold import read_gold
from accord.tasks.cleaner.levels import stack_of
from accord.tasks.cleaner.scoring import word_scores
from accord.tasks.cleaner.training import gold_labels
from accord.tasks.labeller.problem import number_labels
from accord.tasks.stack import Stack, StackedLabeller
from benchmarks.places import DATA

SHOWN = (1, 2, 3, 5, 10, 20, 30, 50, 100)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--passes", type=int, default=50)
    arguments.add_argument("--dual-c", type=float, default=0.1)
    given = arguments.parse_args()
    training, dev = (read_gold([DATA / "disfluency" / f"swbd_talkbank-{part}.tsv.xz"]) for part in ("train", "dev"))
    utterances = training.utterances
    tags, _ = number_labels(list(utterances.tags or []))
    logs, ends = {}, []
    for method in ("m3n", "smo"):
        for average in (False, True):
            config = CleanerConfig(
                method=method, steps=1, tags="given", epochs=given.passes, dual_c=given.dual_c, threads=1
            )
            (level,) = (one for one in stack_of(config, tags).levels if one.name == EDITS)
            level = dataclasses.replace(level, trainer=dataclasses.replace(level.trainer, average=average))
            started = time.process_time()
            result = Stack([level], folds=2).train(utterances, utterances.lengths, gold_labels(training))
            seconds = time.process_time() - started
            logs[method] = [line["figures"] for line in result.logs[EDITS]]
            labels = StackedLabeller(result.models, {EDITS: level.view}).label(dev.utterances, threads=1)
            scores = word_scores(dev.edits, np.asarray(labels.decisions[EDITS]) != 0)
            weights = "mean" if average else "last"
            cells = [f"{one:.1f}" for one in (*scores, seconds)]
            ends.append(f"| {method} | {weights} | {' | '.join(cells)} |")
    print("| passes | dual, m3n | dual, smo | gap, m3n | gap, smo |\n|--:|--:|--:|--:|--:|")
    for passes in (one for one in SHOWN if one <= given.passes):
        duals = [f"{log[passes - 1]['dual']:.3f}" for log in logs.values()]
        gaps = [f"{100 * log[passes - 1]['gap'] / log[passes - 1]['primal']:.2f} %" for log in logs.values()]
        print(f"| {passes} | {' | '.join([*duals, *gaps])} |")
    print("\n| steps | weights | dev P | dev R | dev F | CPU s |\n|---|---|--:|--:|--:|--:|")
    print("\n".join(ends))


if __name__ == "__main__":
    main()

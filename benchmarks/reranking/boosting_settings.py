# SPDX-License-Identifier: Apache-2.0
"""What the settings of boosting are worth on dev lists: smoothing, the weight of the start, weights of pairs, the loss.

    python -m benchmarks boosting_settings --lists FOLDER [--corpus wsj] [--limit 700] [--k 30] [--rounds 20000]

The lists are those of `python -m benchmarks reranking --lists FOLDER`. Test lists are not read. Each row boosts for all
rounds; dev lists say how good the model is after the best number of rounds, and after all of them.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from accord.settings import make_settings
from accord.tasks.reranker import RerankerConfig, read_lists
from accord.tasks.reranker.dataset import Dataset
from accord.tasks.reranker.features import NUMBERS
from accord.tasks.reranker.linear import best_rounds
from accord.tasks.reranker.pairs import Pairs, replay
from benchmarks.inference.solver_tables import table
from benchmarks.reranking.reranking import Lists, features, shortened

SMOOTHING = (0.0, 0.0001, 0.0005, 0.0025, 0.01, 0.05, 0.25)
USUAL = 0.0025


def boosted(pairs: Pairs, weight: float, dev: Dataset, loss: str, smoothing: float, rounds: int) -> tuple[str, ...]:
    """Best rounds, features, dev score at the best number of rounds and after all of them, and the loss by then."""
    begin = time.process_time()
    boosting = pairs.boosting(weight, loss, smoothing, True)
    boosting.run(rounds)
    chosen, steps = boosting.features(), boosting.steps()
    start = np.zeros(len(NUMBERS))
    start[0] = weight
    best = best_rounds(dev, chosen, steps, start)
    scores = []
    for count in (best, len(steps)):
        weights = replay(chosen, steps, count, pairs.features)
        scores.append(f"{dev.score(dev.linear(weights, dev.numbers, start)).chosen:.2f}")
    used = len(np.unique(chosen[:best]))
    share = f"{100 * used / pairs.features:.1f} %"
    return f"{best:,}", share, *scores, f"{time.process_time() - begin:.0f}"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--lists", type=Path, required=True)
    asked.add_argument("--corpus", default="wsj")
    asked.add_argument("--limit", type=int, default=700)
    asked.add_argument("--k", type=int, default=30)
    asked.add_argument("--rounds", type=int, default=20_000)
    given = asked.parse_args()
    lists: dict[str, Lists] = {}
    for part in ("train", "dev"):
        every = read_lists(given.lists / f"{given.corpus}-{part}.jsonl")
        lists[part] = shortened(every[: given.limit] if part == "train" else every, given.k)
    _, _, data = features(lists, make_settings(RerankerConfig, {}))
    train, dev = data["train"], data["dev"]
    start = train.numbers[:, 0]
    weighted, unit = (Pairs.of(train, start, weighted=each) for each in (True, False))
    weight = weighted.calibrated()
    plan = [("smoothing", weighted, weight, "exp", smoothing) for smoothing in SMOOTHING]
    plan += [
        ("start 1", weighted, 1.0, "exp", USUAL),
        ("no start", weighted, 0.0, "exp", USUAL),
        ("pairs alike", unit, unit.calibrated(), "exp", USUAL),
        ("logarithmic loss", weighted, weight, "log", USUAL),
    ]
    rows = [
        (name, f"{smoothing:g}", f"{from_:.2f}", *boosted(pairs, from_, dev, loss, smoothing, given.rounds))
        for name, pairs, from_, loss, smoothing in plan
    ]
    print(
        f"{len(lists['train']):,} lists, {len(lists['dev']):,} dev lists; base {dev.score(dev.numbers[:, 0]).first:.2f}"
    )
    heads = ("", "smoothing", "start", "best rounds", "features", "dev", f"dev, {given.rounds:,} rounds", "CPU s")
    table("Settings of boosting", heads, rows)


if __name__ == "__main__":
    main()

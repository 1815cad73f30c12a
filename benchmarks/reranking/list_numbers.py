# SPDX-License-Identifier: Apache-2.0
"""What numbers beside features, and costs, are worth to rerankers: log-linear models and MIRA on dev lists.

    python -m benchmarks reranking_numbers --lists FOLDER [--corpora wsj tag ...] [--limit N] [--k 30] [--l2 10 30 100]

The lists are those of `python -m benchmarks reranking --lists FOLDER`. Test lists are not read. *score*: the base
model's score alone, which penalties hardly touch; *all*: also consensus, size and right branch, penalised as features
are. The last table has one corpus of them with larger penalties, dev and training lists: with these hardly a feature
counts, so that it shows what a log-linear model makes of the numbers.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path

from accord.settings import make_settings
from accord.tasks.reranker import RerankerConfig, read_lists
from accord.tasks.reranker.dataset import Dataset
from accord.tasks.reranker.linear import train_maxent, train_mira
from benchmarks.inference.solver_tables import table
from benchmarks.reranking.reranking import features, shortened

WAYS = (("all", "likelihood"), ("all", "margin"), ("score", "likelihood"), ("score", "margin"))
HEAVY = (100, 1000, 3000)


def config(**values: object) -> RerankerConfig:
    return make_settings(RerankerConfig, {"threads": 1, **values})


def maxent_on_dev(train: Dataset, dev: Dataset, numbers: str, loss: str, l2: str) -> str:
    found = train_maxent(train, dev, config(**{"numbers": numbers, "maxent.loss": loss, "maxent.l2": l2}))
    return f"{dev.score(found.scores(dev)).chosen:.2f}"


def mira_on_dev(train: Dataset, dev: Dataset, numbers: str) -> str:
    return f"{dev.score(train_mira(train, dev, config(numbers=numbers)).scores(dev)).chosen:.2f}"


def heavy_rows(train: Dataset, dev: Dataset) -> list[tuple[str, ...]]:
    """What a log-linear model of likelihood does with numbers where penalties hold features back."""
    rows = []
    for numbers, l2 in product(("all", "score"), HEAVY):
        found = train_maxent(
            train, None, config(**{"numbers": numbers, "maxent.loss": "likelihood", "maxent.l2": f"{l2}"})
        )
        weights = (f"{one:+.2f}" if one else "" for one in found.numbers)
        figures = (f"{each.score(found.scores(each)).chosen:.2f}" for each in (train, dev))
        rows.append((numbers, f"{l2:,}", *figures, *weights))
    return rows


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--lists", type=Path, required=True)
    asked.add_argument("--corpora", nargs="+", default=["wsj", "tag"])
    asked.add_argument("--limit", type=int, default=0, help="so many training lists, from the first on; 0: all")
    asked.add_argument("--k", type=int, default=30)
    asked.add_argument("--l2", nargs="+", default=["10", "30", "100"])
    given = asked.parse_args()
    rows: list[tuple[str, ...]] = []
    heavy: list[tuple[str, ...]] = []
    for corpus in given.corpora:
        every = {part: read_lists(given.lists / f"{corpus}-{part}.jsonl") for part in ("train", "dev")}
        every["train"] = every["train"][: given.limit or None]
        _, _, data = features({part: shortened(one, given.k) for part, one in every.items()}, config())
        train, dev = data["train"], data["dev"]
        first = [f"{one.score(one.numbers[:, 0]).first:.2f}" for one in (train, dev)]
        found = [maxent_on_dev(train, dev, *way, " ".join(given.l2)) for way in WAYS]
        mira = [mira_on_dev(train, dev, numbers) for numbers in ("all", "score")]
        rows.append((corpus, f"{len(train):,}", first[1], *found, *mira))
        heavy = [("base", "", *first, *[""] * 5), *heavy_rows(train, dev)]
    names = [f"maxent, {numbers}, {loss}" for numbers, loss in WAYS]
    table("Numbers and losses, dev", ("lists", "train", "base", *names, "MIRA, all", "MIRA, score"), rows)
    weights = ("score", "consensus", "sharp consensus", "parts", "right branch")
    table(f"Likelihood with larger penalties, {corpus}", ("numbers", "l2", "train", "dev", *weights), heavy)


if __name__ == "__main__":
    main()

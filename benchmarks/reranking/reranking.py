# SPDX-License-Identifier: Apache-2.0
"""Rerankers on lists of real parsers: every method, mixtures, and the work of boosting.

    python -m benchmarks reranking [--corpus wsj|tag|neural|gum|fr|sv] [--lists FOLDER] [--limit N] [--k N] [--rounds N]
                                  [--methods boosting maxent mira hidden] [--parts 5] [--base MODEL]

A parser is trained: a linear one, of spines of order 2 (tag), or a network that begins with that of `en-phrases` and
reads gold tags, as the others do (neural). Its settings are trained again on five parts of the training data for the
lists to learn from (50 candidates each). `--base` is a parser that learnt from the training data before, which is then
not trained. Dev lists choose settings and weights; test lists are read once. `--lists` is a folder where lists are
kept: those that are there are not made again. `--limit`: so many training lists, from the first on. `--parts`: training
lists of so many of the five parts, where time is short.

For phrases the measure is F1 of brackets as evalb counts them, for dependencies LAS with punctuation. *gap* is the
share of the way to the oracle, *errors* the share of the base model's errors that is gone.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Document, read
from accord.learning import SILENT
from accord.settings import make_settings
from accord.tasks import registry
from accord.tasks.reranker import CandidateList, RerankerConfig, read_lists, write_lists
from accord.tasks.reranker.dataset import Dataset, kept_features
from accord.tasks.reranker.features import NUMBERS, Extractor, Floats
from accord.tasks.reranker.hidden import hidden_maker, train_hidden
from accord.tasks.reranker.linear import train_boosting, train_maxent, train_mira
from accord.tasks.reranker.mixture import normalised, tuned
from accord.tasks.reranker.pairs import Pairs, savings
from accord.tasks.reranker.sources import SOURCES, Base
from accord.tasks.reranker.training import score_scale, template_texts
from benchmarks.places import DATA

K, FOLDS = 50, 5
CORPORA = {
    "wsj": ("constituents", "ptb_sample/wsj-{}.mrg.xz"),
    "tag": ("constituents", "ptb_sample/wsj-{}.mrg.xz"),
    "neural": ("constituents", "ptb_sample/wsj-{}.mrg.xz"),
    "gum": ("constituents", "constituency/en_gumfree-{}.mrg.xz"),
    "fr": ("parser", "ud/fr_sequoia-ud-{}.conllu.xz"),
    "sv": ("parser", "ud/sv_talbanken-ud-{}.conllu.xz"),
}
NETWORK = {"start": "en-phrases", "tags": "given", "batch_words": 1000, "epochs": 12}
SETTINGS: dict[str, dict[str, object]] = {
    "constituents": {"method": "mira", "epochs": 8, "bits": 18, "threads": 1},
    "parser": {"threads": 1},
    "tag": {"model": "tag", "epochs": 6, "threads": 1},
    "neural": {"scorer": "neural", "threads": 1, "neural": NETWORK},
}
METHODS = ("boosting", "maxent", "mira", "hidden")
HIDDEN = ("tag/head", "highest/head", "lexical/sibling")
Lists = list[CandidateList[Any]]


def trained(task: Any, settings: Any, parts: dict[str, Document]) -> Any:
    """A model that says which epoch was its best."""
    result = task.train(parts["train"], parts["dev"], settings, card={}, reporter=SILENT, checkpoint=None)
    return dataclasses.replace(result.model, card={"best_epoch": result.best_epoch})


def made_lists(corpus: str, folder: Path | None, made: int, given: Path | None) -> dict[str, Lists]:
    """The lists of the three parts of a corpus, read where they were kept."""
    files = {part: None if folder is None else folder / f"{corpus}-{part}.jsonl" for part in ("train", "dev", "test")}
    if all(file is not None and file.is_file() for file in files.values()):
        return {part: read_lists(file) for part, file in files.items() if file is not None}
    name, pattern = CORPORA[corpus]
    task = registry.task(name)
    parts: dict[str, Document] = {part: read(DATA / pattern.format(part)) for part in files}
    settings = task.settings_of(SETTINGS.get(corpus, SETTINGS[name]), DATA / pattern.format("train"))
    model = trained(task, settings, parts) if given is None else task.model.load(given)
    base = Base(task, SOURCES[name], model)
    lists = {part: base.lists(parts[part], K) for part in ("dev", "test")}
    lists["train"] = base.jackknifed(parts["train"], K, FOLDS, parts=made)
    for part, file in files.items():
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_lists(lists[part], file)
    return lists


def shortened(lists: Lists, k: int) -> Lists:
    """The lists that have candidates, with the first k of them."""
    return [dataclasses.replace(one, ranked=one.ranked[:k]) for one in lists if len(one)]


class Table:
    """Rows of the report; test lists are looked at here and nowhere else."""

    def __init__(self, dev: Dataset, test: Dataset) -> None:
        self.dev, self.test = dev, test
        print("| method | dev | test | gap | errors | CPU s |\n|---|---|---|---|---|---|")
        first = test.score(test.numbers[:, 0])
        print(f"| base | {dev.score(dev.numbers[:, 0]).first:.2f} | {first.first:.2f} | | | |")
        self.oracle = f"| oracle | {dev.score(dev.numbers[:, 0]).oracle:.2f} | {first.oracle:.2f} | 100 % | | |"
        self._clock = time.process_time()

    def row(self, name: str, dev: Floats, test: Floats) -> None:
        one, other = self.dev.score(dev), self.test.score(test)
        seconds = time.process_time() - self._clock
        gains = f"{other.closed:.1f} % | {other.error_reduction:.1f} %"
        print(f"| {name} | {one.chosen:.2f} | {other.chosen:.2f} | {gains} | {seconds:.0f} |", flush=True)
        self._clock = time.process_time()


def features(lists: dict[str, Lists], config: RerankerConfig) -> tuple[Extractor, str, dict[str, Dataset]]:
    kind = lists["train"][0].kind
    text, hidden = template_texts(config, kind)
    plain = Extractor(kind, text, config.head_rules)
    costs = [plain.costs(one, plain.gold_parts(one)) for one in lists["train"]]
    extractor = Extractor(kind, text, config.head_rules, score_scale(lists["train"], costs))
    rows = [extractor(one) for one in lists["train"]]
    keys = kept_features(rows, config.least_count)
    data = {"train": Dataset.of(rows, keys)}
    del rows
    for part in lists.keys() - {"train"}:
        data[part] = Dataset.of([extractor(one) for one in lists[part]], keys)
    return extractor, hidden, data


def boosting_work(data: Dataset, config: RerankerConfig, rounds: int) -> None:
    """Rounds of boosting beyond what is needed: counted work and time, beside some rounds of the naive algorithm."""
    start = np.zeros(len(NUMBERS))
    start[0] = 1.0
    pairs = Pairs.of(data, data.numbers @ start)
    weight = pairs.calibrated()
    smoothing = 0.0025
    sparse, naive = (pairs.boosting(weight, "exp", smoothing, each) for each in (True, False))
    begin = time.process_time()
    naive.run(5)
    naive_seconds = (time.process_time() - begin) / 5
    begin = time.process_time()
    done = sparse.run(rounds)
    seconds = (time.process_time() - begin) / max(done, 1)
    same = naive.steps().tobytes() == sparse.steps()[:5].tobytes()
    work = sparse.work()
    print(f"\nBoosting: {len(pairs.weights):,} pairs, {pairs.features:,} features, {sparse.entries:,} entries.")
    print(f"The first rounds of both algorithms are {'the same' if same else 'NOT the same'}.\n")
    print("| rounds | times less work |\n|---|---|")
    ends = [1, 10, 100, 1000, 10_000, 50_000, 100_000]
    for first, last in pairwise(ends):
        if last <= done:
            begin_at = first if first == 1 else first + 1
            print(f"| {begin_at:,} to {last:,} | {savings(work, sparse.entries, begin_at, last):,.1f} |")
    print(f"| 1 to {done:,} | {savings(work, sparse.entries, 1, done):,.1f} |")
    passes = float(work.sum()) / sparse.entries
    times = naive_seconds / seconds if seconds else 0.0
    used = len(np.unique(sparse.features()))
    print(f"\n{passes:.1f} passes over the data in all; a round took {1e3 * seconds:.2f} ms of CPU time and")
    print(f"{1e3 * naive_seconds:.0f} ms by the naive algorithm: {times:,.0f} times less.")
    print(f"{used:,} features of {pairs.features:,} were chosen ({100 * used / pairs.features:.1f} %).")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--corpus", default="wsj", choices=sorted(CORPORA))
    asked.add_argument("--lists", type=Path)
    asked.add_argument("--limit", type=int, default=0)
    asked.add_argument("--k", type=int, default=K, help=f"candidates of a list, {K} at most")
    asked.add_argument("--rounds", type=int, default=0, help="rounds of boosting whose work is counted; 0: none")
    asked.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS)
    asked.add_argument("--parts", type=int, default=FOLDS, help=f"parts of {FOLDS} whose training lists are made")
    asked.add_argument("--base", type=Path, help="a parser of these training data, instead of a new one")
    given = asked.parse_args()
    config = make_settings(
        RerankerConfig,
        {"threads": 2, "hidden.epochs": 2, "boosting.smoothing": "0.0025 0.01"},
    )
    lists = made_lists(given.corpus, given.lists, given.parts, given.base)
    if given.limit:
        lists["train"] = lists["train"][: given.limit]
    for part, every in lists.items():
        lists[part] = shortened(every, given.k)
    sizes = ", ".join(f"{len(one):,} {part}" for part, one in lists.items())
    print(f"Lists of {given.corpus}, up to {given.k} candidates: {sizes}.", flush=True)
    extractor, hidden_text, data = features(lists, config)
    train, dev, test = (data[part] for part in ("train", "dev", "test"))
    print(f"{len(train.keys):,} features, {len(train.columns) / int(train.bounds[-1]):.0f} a candidate.\n")
    table = Table(dev, test)
    components: dict[str, tuple[Floats, Floats]] = {"base": (dev.numbers[:, 0], test.numbers[:, 0])}
    for name, learnt in (
        ("boosting", train_boosting),
        ("maxent", train_maxent),
        ("mira", train_mira),
    ):
        if name not in given.methods:
            continue
        found = learnt(train, dev, config)
        components[name] = normalised(dev, found.scores(dev)), normalised(test, found.scores(test))
        chosen = {key: value for key, value in found.figures.items() if key in ("smoothing", "rounds", "l2", "epochs")}
        told = ", ".join(f"{key} {value:g}" for key, value in chosen.items())
        table.row(f"{name} ({told})", *components[name])
    for name in HIDDEN if "hidden" in given.methods else ():
        maker = hidden_maker(extractor, hidden_text, *name.split("/"), config.hidden, {})
        model = train_hidden(f"hidden/{name}", maker, lists["train"], train, lists["dev"], dev, config)
        scores = [model.scores(maker, lists[part]) for part in ("dev", "test")]
        components[name] = normalised(dev, scores[0]), normalised(test, scores[1])
        table.row(f"hidden/{name} + base", scores[0] + dev.numbers[:, 0], scores[1] + test.numbers[:, 0])
    for name, members in (
        ("MIX: base and hidden", ("base", *HIDDEN)),
        ("MIX + boosting", ("base", *HIDDEN, "boosting")),
        ("boosting and maxent", ("base", "boosting", "maxent")),
        ("all", tuple(components)),
    ):
        if not set(members) <= set(components):
            continue
        weights = tuned(dev, [components[one][0] for one in members])
        mixed = [np.stack([components[one][part] for one in members], axis=1) @ weights for part in (0, 1)]
        table.row(name, *mixed)
    print(table.oracle)
    if given.rounds:
        boosting_work(train, config, given.rounds)


if __name__ == "__main__":
    main()

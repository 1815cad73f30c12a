# SPDX-License-Identifier: Apache-2.0
"""Train and test parsers of orders 1 to 3 on every treebank that has training data; print one table.

    python -m benchmarks treebanks                                   # all of UD, CoNLL-X and the Penn Treebank sample
    python -m benchmarks treebanks --only en_ewt --orders 3 --set epochs=8

One core, CPU time. The dev part chooses the epoch (where there is none, the last tenth of the training part serves);
the test part is read once at the end. Figures count all words, labels with subtypes; in brackets without UPOS=PUNCT
where there are UPOS tags. Where `_` stands on complete trees it is a label like others.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from accord import data, evaluation
from accord.settings import read_settings
from accord.tasks.parser import Parser, ParserConfig, ParserModel
from accord.tasks.parser.training import train_parser
from benchmarks.places import DATA

KINDS = (("ud", "-ud-train.conllu.xz"), ("conllx", "-train.conll.xz"), ("ptb_sample", "-train.conll.xz"))
OPTIMAL = 0


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    treebank: str
    order: int
    words: int
    dev: str
    test: str
    epoch: int
    training_seconds: float
    words_per_second: float
    model_megabytes: float
    pruning: str
    certified: str

    def markdown(self) -> str:
        return (
            f"| {self.treebank} | {self.order} | {self.words:,} | {self.dev} | {self.test} | {self.epoch} | "
            f"{self.training_seconds:.0f} s | {self.words_per_second:,.0f} | {self.model_megabytes:.1f} MB | "
            f"{self.pruning} | {self.certified} |"
        )


HEADER = (
    "| treebank | order | training words | dev UAS / LAS | test UAS / LAS | best epoch | training CPU "
    "| words per CPU second | model | heads a word, recall (dev) | certified (test) |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|"
)


def treebanks(folder: Path) -> dict[str, Path]:
    """The training part of each treebank by its code."""
    return {
        path.name.removesuffix(ending): path
        for kind, ending in KINDS
        for path in sorted((folder / kind).glob("*" + ending))
    }


def read_parts(training: Path) -> tuple[data.Document, data.Document, data.Document]:
    def part(name: str) -> Path:
        return training.with_name(training.name.replace("-train.", f"-{name}."))

    train, test = data.read(training), data.read(part("test"))
    if part("dev").is_file():
        return train, data.read(part("dev")), test
    sentences = list(train.sentences)
    cut = len(sentences) * 9 // 10
    from_sentences = data.Document.from_sentences
    return from_sentences(sentences[:cut]), from_sentences(sentences[cut:]), test


def scores(gold: data.Document, parsed: data.Document, tagged: bool) -> str:
    everything = evaluation.attachment(gold, parsed)
    if not tagged:
        return f"{everything.uas:.2f} / {everything.las:.2f}"
    without = evaluation.attachment(gold, parsed, punctuation="exclude")
    return f"{everything.uas:.2f} / {everything.las:.2f} ({without.uas:.2f} / {without.las:.2f})"


def measure(treebank: str, training: Path, order: int, settings: list[str]) -> Row:
    train, dev, test = read_parts(training)
    tagged = training.parent.name == "ud"
    config = read_settings(ParserConfig, None, ["threads=1", f"order={order}", "blank_label=auto", *settings])
    started = time.process_time()
    result = train_parser(train, dev, config)
    training_seconds = time.process_time() - started
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "model.accord"
        result.snapshot.save(path)
        parser = Parser(ParserModel.load(path))
        megabytes = path.stat().st_size / 1e6
        seconds = []
        for _ in range(3):
            started = time.process_time()
            trees = parser.trees(test, threads=1)
            seconds.append(time.process_time() - started)
        pruning = certified = "-"
        if config.part_names():
            left = parser.pruning(dev, threads=1)
            pruning = f"{left.heads_per_word:.2f}, {100 * left.recall:.2f} %"
            certified = f"{100 * float((trees.statuses == OPTIMAL).mean()):.1f} %"
        return Row(
            treebank,
            order,
            int(train.heads.size),
            scores(dev, parser.parse(dev, threads=1), tagged),
            scores(test, parser.parse(test, threads=1), tagged),
            result.best_epoch,
            training_seconds,
            test.heads.size / statistics.median(seconds),
            megabytes,
            pruning,
            certified,
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--folder", type=Path, default=DATA)
    arguments.add_argument("--only", nargs="*", help="codes such as en_ewt")
    arguments.add_argument("--orders", nargs="*", type=int, default=[1, 2, 3])
    arguments.add_argument("--set", action="append", default=[], help="a setting as key=value")
    options = arguments.parse_args()
    print(HEADER, flush=True)
    for treebank, training in treebanks(options.folder).items():
        if options.only and treebank not in options.only:
            continue
        for order in options.orders:
            print(measure(treebank, training, order, options.set).markdown(), flush=True)


if __name__ == "__main__":
    main()

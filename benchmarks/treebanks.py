"""Train and test a parser on every treebank that has training data; print one table.

    python benchmarks/treebanks.py                     # all of ../shared/data/ud with a training part
    python benchmarks/treebanks.py --only en_ewt --set rule=crf

One core, CPU time. The dev part chooses the epoch, the test part is read once at the end. Figures count all words,
labels with subtypes; in brackets without UPOS=PUNCT.
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

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "ud"


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    treebank: str
    words: int
    dev: str
    test: str
    epoch: int
    training_seconds: float
    words_per_second: float
    model_megabytes: float

    def markdown(self) -> str:
        return (
            f"| {self.treebank} | {self.words:,} | {self.dev} | {self.test} | {self.epoch} | "
            f"{self.training_seconds:.0f} s | {self.words_per_second:,.0f} | {self.model_megabytes:.1f} MB |"
        )


HEADER = (
    "| treebank | training words | dev UAS / LAS | test UAS / LAS | best epoch | training CPU "
    "| words per CPU second | model |\n"
    "|---|---|---|---|---|---|---|---|"
)


def scores(gold: data.Document, parsed: data.Document) -> str:
    everything = evaluation.attachment(gold, parsed)
    without = evaluation.attachment(gold, parsed, punctuation="exclude")
    return f"{everything.uas:.2f} / {everything.las:.2f} ({without.uas:.2f} / {without.las:.2f})"


def measure(treebank: str, folder: Path, settings: list[str]) -> Row:
    train, dev, test = (data.read(folder / f"{treebank}-ud-{part}.conllu.xz") for part in ("train", "dev", "test"))
    config = read_settings(ParserConfig, None, ["threads=1", *settings])
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
            parsed = parser.parse(test, threads=1)
            seconds.append(time.process_time() - started)
        return Row(
            treebank,
            int(train.heads.size),
            scores(dev, parser.parse(dev, threads=1)),
            scores(test, parsed),
            result.best_epoch,
            training_seconds,
            test.heads.size / statistics.median(seconds),
            megabytes,
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--folder", type=Path, default=SHARED)
    arguments.add_argument("--only", nargs="*", help="codes such as en_ewt")
    arguments.add_argument("--set", action="append", default=[], help="a setting as key=value")
    options = arguments.parse_args()
    found = sorted(path.name.split("-ud-")[0] for path in options.folder.glob("*-ud-train.conllu.xz"))
    print(HEADER, flush=True)
    for treebank in found:
        if not options.only or treebank in options.only:
            print(measure(treebank, options.folder, options.set).markdown(), flush=True)


if __name__ == "__main__":
    main()

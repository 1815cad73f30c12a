# SPDX-License-Identifier: Apache-2.0
"""Rules over a neural parser: how often its trees break them, and what keeping them costs.

    python -m benchmarks neural_rules MODEL TREEBANK [--rounds 3]

Three rules, each alone and all together: no head has two dependents nsubj, the root has one dependent, punctuation
(UPOS=PUNCT in the treebank) has none. Trees are searched without the model's own single root, so that the second rule
has something to do; a row with it stands beside. Breaches are counted here from heads and labels, not by the code that
keeps rules. Sentences that had to be parsed without some rule are counted and named, those whose tree is not proved
best are counted, and answers that are no trees are an error. CPU time is that of one thread, the median over rounds.
"""

from __future__ import annotations

import argparse
import dataclasses
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord import data
from accord.models import model_path
from accord.tasks.parser import Parser, ParserModel, Trees

ONE_SUBJECT, ONE_ROOT, BARE_PUNCTUATION = "at-most-one nsubj", "max-dependents 1 of ROOT", "max-dependents 0 of PUNCT"
RULES = (ONE_SUBJECT, ONE_ROOT, BARE_PUNCTUATION)


class Breaches:
    """By rule, which sentences of a treebank break it."""

    def __init__(self, document: data.Document) -> None:
        self.lengths = document.lengths.astype(np.int64)
        self.sentence = np.repeat(np.arange(len(document)), self.lengths)
        self.positions = self.lengths + 1
        self.first = np.cumsum(self.positions) - self.positions  # of each sentence: its root
        punctuation = np.array(document.column("upos")) == "PUNCT"
        self.punctuation = np.zeros(int(self.positions.sum()), bool)
        self.punctuation[np.flatnonzero(punctuation) + self.sentence[punctuation] + 1] = True

    def find(self, heads: NDArray[np.int32], deprels: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
        size = len(self.punctuation)
        place = self.first[self.sentence] + heads  # of each word's head
        subjects = np.bincount(place[np.array(deprels) == "nsubj"], minlength=size)
        dependents = np.bincount(place, minlength=size)
        root = np.zeros(size, bool)
        root[self.first] = True
        broken = {
            ONE_SUBJECT: subjects > 1,
            ONE_ROOT: root & (dependents != 1),
            BARE_PUNCTUATION: self.punctuation & (dependents > 0),
        }
        return {rule: self._by_sentence(found) for rule, found in broken.items()}

    def _by_sentence(self, found: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.add.reduceat(found, self.first) > 0


@dataclass(frozen=True)
class Measured:
    trees: Trees
    seconds: float


def measure(parser: Parser, document: data.Document, rules: Sequence[str], rounds: int) -> Measured:
    seconds = []
    for _ in range(rounds):
        started = time.process_time()
        trees = parser.trees(document, threads=1, constraints=rules)
        seconds.append(time.process_time() - started)
    for problem in parser.annotated(document, trees).check_trees(single_root=False):
        raise problem
    return Measured(trees, statistics.median(seconds))


def row(name: str, run: Measured, free: Trees, document: data.Document, parser: Parser) -> str:
    names = np.array(parser.labels)[run.trees.labels]
    right = run.trees.heads == document.heads
    labelled = right & (names == np.array(document.column("deprel")))
    breaches = Breaches(document)
    broken = breaches.find(run.trees.heads, names.tolist())
    cells = [f"{100 * broken[rule].mean():.2f} %" for rule in RULES]
    changed = len(np.unique(breaches.sentence[(run.trees.heads != free.heads) | (run.trees.labels != free.labels)]))
    unproved = sum(status != "optimal" for status in run.trees.status)
    figures = (
        f"{changed} | {len(run.trees.unkept)} | {unproved} | {100 * right.mean():.2f} | {100 * labelled.mean():.2f}"
    )
    return f"| {name} | {' | '.join(cells)} | {figures} | {run.seconds:.2f} |"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model", help="a packaged model or a file, its parser labelled")
    options.add_argument("treebank", help="gold trees and tags; each sentence has words")
    options.add_argument("--rounds", type=int, default=3)
    arguments = options.parse_args()
    document = data.read(arguments.treebank)
    model = ParserModel.load(model_path(arguments.model))
    if not model.labels or not document.lengths.all():
        raise SystemExit("this measures labelled parsers on sentences with words")
    parser = Parser(dataclasses.replace(model, single_root=False))
    gold = Breaches(document).find(document.heads, list(document.column("deprel")))
    shares = ", ".join(f"{100 * gold[rule].mean():.2f} % ({rule})" for rule in RULES)
    print(f"{len(document)} sentences, {document.heads.size} words. Gold trees break the rules in {shares}.\n")
    columns = ("changed", "rules given up", "not proved best", "UAS", "LAS", "CPU s")
    print(f"| rules | {' | '.join(RULES)} | {' | '.join(columns)} |\n|{'---|' * (1 + len(RULES) + len(columns))}")
    free = measure(parser, document, (), arguments.rounds)
    print(row("none", free, free.trees, document, parser), flush=True)
    rooted = Parser(dataclasses.replace(model, single_root=True))
    run = measure(rooted, document, (), arguments.rounds)
    print(row("none; single root in the search", run, free.trees, document, rooted), flush=True)
    for rules in (*((rule,) for rule in RULES), RULES):
        run = measure(parser, document, rules, arguments.rounds)
        name = "all three" if len(rules) > 1 else rules[0]
        print(row(name, run, free.trees, document, parser), flush=True)
        for index, reasons in run.trees.unkept.items():
            print(f"sentence {index + 1}: {'; '.join(map(str, reasons))}")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""What rules on trees cost: the best tree, the five best trees and probabilities under rules, for each sentence.

    python -m benchmarks rule_costs MODEL... [--length 24] [--sentences 20]

The first table parses all of UD English-EWT dev with and without one rule. It divides the difference in time by the
number of sentences whose plain tree breaks the rule. The second table takes the first sentences of one length, and asks
about each sentence on its own. The third table is for `decode_tree` on random scores, without a model: rules that are
folded into the scores. All times are CPU times of one thread.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from accord import Document, data
from accord.inference.rules import decode_tree
from accord.tasks.parser import Parser
from benchmarks.places import DATA

DEV = DATA / "ud" / "en_ewt-ud-dev.conllu.xz"
ON_TREES = "at-most-one nsubj"
RULES = ("forbid-label appos", "nsubj head-not PUNCT @ 2", ON_TREES)
FOLDED = ("forbid 2 -> 5", "forbid-label appos", "nsubj head-not PUNCT @ 2", "no-crossing")
LABELS = ("nsubj", "appos", *map(str, range(38)))


def seconds(ask: Callable[[], object]) -> float:
    started = time.process_time()
    ask()
    return time.process_time() - started


def searched(parser: Parser, document: Document) -> str:
    """The time of the search for trees that keep a rule, for each sentence that breaks it."""
    soft = parser.trees(document, rules=[f"{ON_TREES} @ 1e-9"], threads=1)
    broken = len(soft.broken)
    free = min(seconds(lambda: parser.trees(document, threads=1)) for _ in range(2))
    ruled = min(seconds(lambda: parser.trees(document, rules=[ON_TREES], threads=1)) for _ in range(2))
    return f"{len(document)} | {broken} | {free:.2f} | {ruled:.2f} | {1000 * (ruled - free) / max(broken, 1):.1f}"


def asked(parser: Parser, sentences: Sequence[Document], rule: str) -> list[str]:
    """The median and the largest time of a sentence: of five trees, and of probabilities."""
    trees = [seconds(lambda one=one: parser.kbest(one.sentences[0], 5, rules=[rule])) for one in sentences]
    sums = [
        seconds(lambda one=one: parser.parse(one, rules=[rule], probabilities=True, threads=1)) for one in sentences
    ]
    return [f"{1000 * statistics.median(times):.1f} (at most {1000 * max(times):.1f})" for times in (trees, sums)]


def folded(length: int, rules: Sequence[str], projective: bool) -> str:
    """The time of the best tree for random scores, in milliseconds: the best of five means over twenty trees."""
    draw = np.random.default_rng(0)
    scores = [draw.normal(size=(length + 1, length + 1, len(LABELS))) for _ in range(20)]
    given = {"words": ["NOUN"] * length, "labels": LABELS, "projective": projective}
    times = [seconds(lambda: [decode_tree(one, rules, **given) for one in scores]) for _ in range(5)]
    return f"{1000 * min(times) / len(scores):.2f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="+", help="packaged names, or model files of labelled parsers")
    options.add_argument("--length", type=int, default=24, help="words of each sentence of the second table")
    options.add_argument("--sentences", type=int, default=20, help="how many sentences the second table takes")
    arguments = options.parse_args()
    document = data.read(DEV)
    print(f"`{ON_TREES}`:\n")
    print("| model | sentences | break the rule | CPU s without the rule | with it | ms for each broken sentence |")
    print("|---|---|---|---|---|---|", flush=True)
    for path in arguments.models:
        print(f"| {Path(path).name} | {searched(Parser.load(path), document)} |", flush=True)
    chosen = [sentence for sentence in document.sentences if len(sentence.words) == arguments.length]
    sentences = [Document.from_sentences([sentence]) for sentence in chosen[: arguments.sentences]]
    print(f"\n{len(sentences)} sentences of {arguments.length} words, CPU ms:\n")
    print("| model | rule | five trees | probabilities |\n|---|---|---|---|", flush=True)
    for path in arguments.models:
        parser = Parser.load(path)
        for rule in RULES:
            print(f"| {Path(path).name} | `{rule}` | {' | '.join(asked(parser, sentences, rule))} |", flush=True)
    print(f"\n{arguments.length} words, {len(LABELS)} labels, random scores, CPU ms:\n")
    print("| rule | all trees | projective trees |\n|---|---|---|", flush=True)
    for rule in (None, *FOLDED):
        times = [folded(arguments.length, [rule] if rule else [], projective) for projective in (False, True)]
        print(f"| {f'`{rule}`' if rule else 'none'} | {' | '.join(times)} |", flush=True)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""What the packaged parsers of phrases and of dependencies gain when they must agree.

    python -m benchmarks agreement [--sentences 150]

The sentences are the first ones of GUM (the free part), whose phrases and Universal Dependencies people annotated;
words are given, tags are those of the pipeline `en`. The weight of dependencies beside phrases is chosen on dev by the
sum of F1 and UAS; the test part is read once. UAS counts all words. Certified: sentences whose answer is proved to be
the best pair.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Sequence

import accord
from accord.data import Document, read
from accord.inference.agreement import Agreement
from accord.tasks.constituents import ConstituencyParser
from accord.tasks.constituents.agreeing import AgreeingParsers
from accord.tasks.constituents.treebank import tree_of_spans, word_tags
from benchmarks.constituents.parsers import brackets, trees
from benchmarks.inference.solver_tables import table
from benchmarks.places import DATA

WEIGHTS = (0.25, 0.5, 1.0, 2.0)


class Part:
    """Sentences with gold phrases and gold heads, and the same with predicted tags."""

    def __init__(self, name: str, count: int) -> None:
        phrases = trees(f"constituency/en_gumfree-{name}")
        heads = read(DATA / f"ud/en_gumfree-ud-{name}.conllu.xz")
        pairs = zip(phrases.sentences, heads.sentences, strict=True)
        same = [(one, other) for one, other in pairs if one.forms == other.forms]
        chosen = list(itertools.islice(same, count))
        self.phrases = Document.from_sentences([one for one, _ in chosen])
        self.heads = [[word.head for word in other.words] for _, other in chosen]
        plain = Document.from_sentences([other for _, other in chosen])
        self.given = accord.load("en")(plain.replace(xpos=["_"] * int(plain.heads.size)))

    def attached(self, found: Sequence[Sequence[int | None]]) -> float:
        pairs = [(a, b) for mine, gold in zip(found, self.heads, strict=True) for a, b in zip(mine, gold, strict=True)]
        return 100 * sum(a == b for a, b in pairs) / len(pairs)


def alone(part: Part, parsers: AgreeingParsers) -> tuple[float, float]:
    found = [one.tree for one in parsers.phrases.trees(part.given, threads=1)]
    heads = [[word.head for word in sentence.words] for sentence in parsers.parser.parse(part.given).sentences]
    return brackets(found, part.phrases).f1, part.attached(heads)


def together(part: Part, parsers: AgreeingParsers) -> tuple[float, float, float, float]:
    begin = time.process_time()
    found: list[Agreement] = [parsers.agreement(sentence) for sentence in part.given.sentences]
    speed = int(part.given.heads.size) / (time.process_time() - begin)
    sentences = zip(found, part.given.sentences, strict=True)
    made = [tree_of_spans(one.spans, word_tags(sentence), parsers.phrases.labels) for one, sentence in sentences]
    f1 = brackets(made, part.phrases).f1
    proved = 100 * sum(one.certified for one in found) / len(found)
    return f1, part.attached([one.heads.tolist() for one in found]), proved, speed


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--sentences", type=int, default=150)
    given = asked.parse_args()
    parser, phrases = accord.load("en").parser, ConstituencyParser.load("en-phrases")
    rows: list[tuple[str, ...]] = []
    dev, test = (Part(name, given.sentences) for name in ("dev", "test"))
    results = {}
    for weight in WEIGHTS:
        results[weight] = together(dev, AgreeingParsers(parser, phrases, weight))
    best = max(WEIGHTS, key=lambda weight: sum(results[weight][:2]))
    for name, part in (("dev", dev), ("test", test)):
        both = AgreeingParsers(parser, phrases, best)
        f1, uas = alone(part, both)
        rows.append((name, "each alone", "", f"{f1:.2f}", f"{uas:.2f}", "", ""))
        answers = results if part is dev else {best: together(part, both)}
        for weight, (f1, uas, proved, speed) in answers.items():
            rows.append((name, "agreed", f"{weight}", f"{f1:.2f}", f"{uas:.2f}", f"{proved:.1f} %", f"{speed:,.0f}"))
    table("GUM", ("set", "parsers", "weight", "F1", "UAS", "certified", "words/s"), rows)


if __name__ == "__main__":
    main()

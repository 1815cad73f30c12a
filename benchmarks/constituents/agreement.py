# SPDX-License-Identifier: Apache-2.0
"""What the packaged parsers of phrases and of dependencies, and the tagger, gain when they must agree.

    python -m benchmarks agreement [--sentences 150]

The sentences are the first ones of GUM (the free part), whose phrases and Universal Dependencies people annotated;
words are given, tags are those of the pipeline `en`. The weight of dependencies beside phrases is chosen on dev by the
sum of F1 and UAS; the test part is read once. UAS counts all words. Certified: sentences whose answer is proved to be
the best pair. Tags: UPOS; where the tagger takes part, by the packaged rules of tags and phrases (ud-english).
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Sequence

import accord
from accord.data import Document, read
from accord.data.constituents.tag_rules import TagRules
from accord.inference.agreement import Agreement
from accord.tasks.constituents import ConstituencyParser
from accord.tasks.constituents.agreeing import AgreeingParsers
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
        self.tags = [word.upos for sentence in plain.sentences for word in sentence.words]
        none = ["_"] * len(self.tags)
        self.given = accord.load("en")(plain.replace(upos=none, xpos=none, feats=none, lemmas=none))

    def attached(self, found: Sequence[Sequence[int | None]]) -> float:
        pairs = [(a, b) for mine, gold in zip(found, self.heads, strict=True) for a, b in zip(mine, gold, strict=True)]
        return 100 * sum(a == b for a, b in pairs) / len(pairs)


def scores(part: Part, document: Document) -> tuple[float, float, float]:
    """F1, UAS and share of right tags."""
    heads = [[word.head for word in sentence.words] for sentence in document.sentences]
    tags = [word.upos for sentence in document.sentences for word in sentence.words]
    right = sum(a == b for a, b in zip(tags, part.tags, strict=True))
    f1 = brackets([sentence.constituents for sentence in document.sentences], part.phrases).f1
    return f1, part.attached(heads), 100 * right / len(tags)


def together(part: Part, parsers: AgreeingParsers) -> tuple[float, ...]:
    """The same of answers that agree, the share of them that is proved, and words a CPU second."""
    begin = time.process_time()
    found: list[Agreement] = [parsers.agreement(sentence) for sentence in part.given.sentences]
    speed = int(part.given.heads.size) / (time.process_time() - begin)
    proved = 100 * sum(one.certified for one in found) / len(found)
    return *scores(part, parsers(part.given)), proved, speed


def shown(figures: Sequence[float]) -> list[str]:
    return [*(f"{value:.2f}" for value in figures[:3]), f"{figures[3]:.1f} %", f"{figures[4]:,.0f}"]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--sentences", type=int, default=150)
    given = asked.parse_args()
    english, phrases = accord.load("en"), ConstituencyParser.load("en-phrases")
    rows: list[tuple[str, ...]] = []
    dev, test = (Part(name, given.sentences) for name in ("dev", "test"))
    pairs = {weight: AgreeingParsers(english.parser, phrases, weight) for weight in WEIGHTS}
    results = {weight: together(dev, pair) for weight, pair in pairs.items()}
    best = max(WEIGHTS, key=lambda weight: sum(results[weight][:2]))
    rules = TagRules.load("ud-english")
    trio = AgreeingParsers(english.parser, phrases, best, tagger=english.tagger, rules=rules)
    for name, part in (("dev", dev), ("test", test)):
        rows.append((name, "each alone", "", *(f"{value:.2f}" for value in scores(part, phrases(part.given))), "", ""))
        answers = results if part is dev else {best: together(part, pairs[best])}
        for weight, figures in answers.items():
            rows.append((name, "phrases and heads", f"{weight}", *shown(figures)))
        rows.append((name, "and tags", f"{best}", *shown(together(part, trio))))
    table("GUM", ("set", "who agrees", "weight", "F1", "UAS", "tags", "certified", "words/s"), rows)


if __name__ == "__main__":
    main()

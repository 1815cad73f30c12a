# SPDX-License-Identifier: Apache-2.0
"""Dependencies that head rules make of constituents, beside dependencies that people made of the same sentences.

    python -m benchmarks head_rules

The Penn sample has unlabelled dependencies by rules of others; GUM has Universal Dependencies beside its constituents.
Percent of words with the same head, and for GUM with the same head and label (without subtypes); with and without
punctuation.
"""

from __future__ import annotations

from accord.data import read
from accord.data.constituents.dependencies import LabelRules, dependencies
from accord.data.constituents.head_rules import HeadRules
from benchmarks.inference.solver_tables import table
from benchmarks.places import DATA

PAIRS = {
    "Penn sample, dev": ("ptb_sample/wsj-dev.mrg.xz", "ptb_sample/wsj-dev.conll.xz"),
    "GUM, dev": ("constituency/en_gumfree-dev.mrg.xz", "ud/en_gumfree-ud-dev.conllu.xz"),
}
RULES = ("collins", "yamada-matsumoto", "ud-english", "left", "right")
PUNCTUATION = frozenset({",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH"})


def agreement(trees: str, gold: str, rules: str) -> tuple[float, float, float]:
    """Same heads over all words and without punctuation, and same heads and labels over all words."""
    labels = LabelRules.load("ud-english")
    same = same_label = words = inner = same_inner = 0
    for tree, sentence in zip(read(DATA / trees), read(DATA / gold), strict=True):
        assert tree.constituents is not None
        heads, names = dependencies(tree.constituents, tree.forms, HeadRules.load(rules), labels)
        for head, name, word, tag in zip(heads, names, sentence, tree.constituents.tags, strict=True):
            words += 1
            same += head == word.head
            same_label += head == word.head and name.split(":")[0] == word.deprel.split(":")[0]
            if tag not in PUNCTUATION:
                inner += 1
                same_inner += head == word.head
    return 100 * same / words, 100 * same_inner / inner, 100 * same_label / words


def main() -> None:
    rows = []
    for corpus, files in PAIRS.items():
        for rules in RULES:
            heads, inner, labelled = agreement(*files, rules)
            shown = f"{labelled:.2f}" if corpus.startswith("GUM") else ""
            rows.append((corpus, rules, f"{heads:.2f}", f"{inner:.2f}", shown))
    table("Dependencies by head rules", ("corpus", "rules", "heads", "without punctuation", "heads and labels"), rows)


if __name__ == "__main__":
    main()

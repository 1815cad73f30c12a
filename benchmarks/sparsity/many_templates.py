# SPDX-License-Identifier: Apache-2.0
"""The large sets of templates that a budget chooses from: 96 for chunks, 452 for entities, 684 for arcs."""

from __future__ import annotations

from itertools import combinations, product


def ngrams(attribute: str, longest: int, window: int) -> list[str]:
    """Runs of up to so many neighbouring words of which at least one lies in the window around the word."""
    starts = [(first, n) for n in range(1, longest + 1) for first in range(-window - n + 1, window + 1)]
    return [
        " ".join(f"here{offset:+d}.{attribute}".replace("+0", "") for offset in range(first, first + n))
        for first, n in starts
    ]


def _section(lines: list[str]) -> str:
    return "[state]\nbias\n" + "\n".join(lines) + "\n\n[pair]\nbias\n"


def chunk_templates() -> tuple[str, int]:
    """96 templates of tags, words and shapes, and the pair of labels."""
    lines = ngrams("xpos", 5, 5) + ngrams("form", 3, 3) + ngrams("shape", 2, 1)
    return _section(lines), len(lines)


def entity_templates() -> tuple[str, int]:
    """452 templates: tags, words, shapes, prefixes, suffixes, and what kinds of characters words have."""
    lines = ngrams("xpos", 5, 5) + ngrams("form", 3, 3) + ngrams("shape", 3, 3)
    for kind, size in product(("prefix", "suffix"), (1, 2, 3)):
        lines += ngrams(f"{kind}{size}", 3, 3)
    for kind in ("case", "punctuation", "digits"):
        lines += ngrams(kind, 5, 5)
    return _section(lines), len(lines)


def arc_templates(wanted: int = 684) -> tuple[str, int]:
    """Conjunctions of words, lemmas, tags and shapes of head and dependent, with tags around and between them, and with
    direction and distance; the first ``wanted`` from the shortest to the longest."""
    sides = ("form", "lemma", "upos", "shape")
    heads = [f"head.{one}" for one in sides]
    dependents = [f"dependent.{one}" for one in sides]
    one_side = [[a] for a in heads] + [[a] for a in dependents]
    pairs = [[a, b] for a, b in product(heads, dependents)]
    same = [list(pair) for side in (heads, dependents) for pair in combinations(side, 2)]
    triples = [[*pair, one] for pair in combinations(heads, 2) for one in dependents]
    triples += [[one, *pair] for one in heads for pair in combinations(dependents, 2)]
    contexts = [
        ["head-1.upos"],
        ["head+1.upos"],
        ["dependent-1.upos"],
        ["dependent+1.upos"],
        ["between.upos"],
        ["head-1.upos", "dependent-1.upos"],
        ["head-1.upos", "dependent+1.upos"],
        ["head+1.upos", "dependent-1.upos"],
        ["head+1.upos", "dependent+1.upos"],
    ]
    core = one_side + pairs + same + triples
    with_context = [[*pair, *context] for context in contexts for pair in pairs if "upos" in " ".join(pair)]
    with_context += [[*one, *context] for context in contexts for one in one_side]
    relations = ["", "direction", "distance", "direction distance"]
    lines = [" ".join([*units, relation]).strip() for units in [*core, *with_context] for relation in relations]
    lines = list(dict.fromkeys(lines))[:wanted]
    return "[arc]\nbias\ndirection distance\n" + "\n".join(lines) + "\n", len(lines)


if __name__ == "__main__":
    for name, make in (("chunks", chunk_templates), ("entities", entity_templates), ("arcs", arc_templates)):
        print(f"{name}: {make()[1]} templates")

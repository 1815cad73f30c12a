# SPDX-License-Identifier: Apache-2.0
"""From dependencies to constituents: each word that has dependents is a phrase with all that depends on it.

Such trees are flat. The head of a phrase is one of its bare words, the one that the phrase is named after.
"""

from __future__ import annotations

from collections.abc import Sequence

from accord.data.constituents.brackets import leaf_of_word
from accord.data.constituents.carriers import word_tags
from accord.data.constituents.shapes import TreeBuilder
from accord.data.constituents.tree import Constituents
from accord.data.sentence import Sentence
from accord.errors import ConfigError

NAMES = ("upos", "xpos", "deprel")


def phrases_of_dependencies(
    heads: Sequence[int | None], tags: Sequence[str], names: Sequence[str]
) -> Constituents | None:
    """The tree of projective dependencies with one root; None where they are something else.

    ``names``: what the phrase of each word is called, with ``P`` behind. The root has a phrase even if it is alone.

    >>> phrases_of_dependencies([2, 0, 4, 2], ["DT", "VB", "DT", "NN"], ["DET", "VERB", "DET", "NOUN"])
    Constituents((VERBP (DT 1) (VB 2) (NOUNP (DT 3) (NN 4))))
    """
    below: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads, 1):
        if head is None or not 0 <= head <= len(heads) or head == word:
            return None
        below[head].append(word)
    if len(below[0]) != 1:
        return None
    built = TreeBuilder()
    waiting: list[tuple[int, int, bool]] = [(below[0][0], -1, True)]  # word, parent, and whether it stands for a phrase
    order = 0
    while waiting:
        word, parent, whole = waiting.pop()
        if not whole or (not below[word] and parent >= 0):
            order += 1
            if word != order:  # arcs cross, or form a circle
                return None
            built.add(tags[word - 1], parent, word)
            continue
        node = built.add(f"{names[word - 1]}P", parent)
        children = sorted([*((other, True) for other in below[word]), (word, False)], reverse=True)
        waiting += [(child, node, full) for child, full in children]
    return built.tree() if order == len(heads) else None


def with_phrases_of(sentence: Sentence, name: str) -> Constituents | None:
    """The tree of a sentence's dependencies; phrases are named after a column of their heads."""
    if name not in NAMES:
        raise ConfigError(f"phrases named after {name!r}: expected one of {', '.join(NAMES)}")
    names = [str(getattr(word, name)).split(":")[0] for word in sentence.words]
    return phrases_of_dependencies(sentence.heads, word_tags(sentence), [leaf_of_word(one) for one in names])

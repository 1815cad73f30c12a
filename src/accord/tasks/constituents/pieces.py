# SPDX-License-Identifier: Apache-2.0
"""Sentences that are too long for a chart, in pieces: cut behind punctuation where there is some."""

from __future__ import annotations

from collections.abc import Sequence

from accord.data import Sentence
from accord.data.constituents import Constituents
from accord.data.constituents.shapes import TreeBuilder

STOPS = frozenset(".!?;:,。！？；：，、")


def cut_sentence(sentence: Sentence, longest: int) -> list[Sentence]:
    """The sentence in pieces of at most so many words; in one where it is not longer.

    A piece ends behind the last punctuation mark of its second half, else after ``longest`` words.
    """
    words = sentence.words
    if len(words) <= longest:
        return [sentence]
    pieces, begin = [], 0
    while len(words) - begin > longest:
        ends = range(begin + longest, begin + longest // 2, -1)
        end = next((end for end in ends if words[end - 1].form in STOPS), begin + longest)
        pieces.append((begin, end))
        begin = end
    pieces.append((begin, len(words)))
    return [
        Sentence.from_words(
            [word.form for word in words[begin:end]],
            lemmas=[word.lemma for word in words[begin:end]],
            upos=[word.upos for word in words[begin:end]],
            xpos=[word.xpos for word in words[begin:end]],
            feats=[word.feats for word in words[begin:end]],
        )
        for begin, end in pieces
    ]


def joined(trees: Sequence[Constituents], label: str) -> Constituents:
    """Trees of pieces side by side under one phrase."""
    built = TreeBuilder()
    root = built.add(label, -1)
    words = 0
    for tree in trees:
        first = len(built.labels)
        for name, parent, leaf in zip(tree.labels, tree.parents, tree.leaves, strict=True):
            above = root if parent < 0 else first + parent
            built.add(name, above, leaf + words if isinstance(leaf, int) else leaf)
        words += tree.words
    return built.tree()

# SPDX-License-Identifier: Apache-2.0
"""Treebanks as the joint parser sees them, and how right its answers are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from accord.data import Document, Sentence
from accord.data.constituents import Constituents, expand_unaries
from accord.evaluation.bracket_parameters import BracketParameters
from accord.evaluation.parseval import Bracketing, parseval
from accord.evaluation.score import Score
from accord.learning import spread
from accord.tasks.constituents.treebank import learnt_trees
from accord.tasks.joint_constituents.model import JointTree

PLAIN = BracketParameters.load("plain")
Gold = Sequence[tuple[Sequence[str], Constituents]]  # words and their tree


@dataclass(frozen=True)
class Trees:
    """What the joint parser learns of a treebank: words, and trees whose preterminals are the tags."""

    words: list[list[str]]
    trees: list[Constituents]

    @staticmethod
    def of(document: Document, *, functions: bool) -> Trees:
        sentences = [sentence for sentence in document.sentences if len(sentence) > 0]
        kept = Document.from_sentences(sentences, name=document.name)
        words = [[form.replace(" ", "") for form in sentence.forms] for sentence in sentences]
        return Trees(words, learnt_trees(kept, functions=functions))

    @cached_property
    def texts(self) -> list[str]:
        return ["".join(words) for words in self.words]

    @cached_property
    def document(self) -> Document:
        """The words with the tags of their trees in XPOS, which templates look at."""
        pairs = zip(self.words, self.trees, strict=True)
        return Document.from_sentences(Sentence.from_words(words, xpos=tree.tags) for words, tree in pairs)

    def few(self, most: int) -> Trees:
        """At most so many of the trees, from all over them."""
        return Trees(spread(self.words, most), spread(self.trees, most))


@dataclass(frozen=True)
class JointScores:
    """F1 of words, of words with their tags, and of brackets over characters, in percent."""

    words: Score
    tags: Score
    brackets: Score

    def to_dict(self) -> dict[str, float]:
        return {"brackets": self.brackets.f1, "tags": self.tags.f1, "words": self.words.f1}


def joint_scores(gold: Gold, found: Sequence[JointTree]) -> JointScores:
    """Compare answers with gold words and trees: words by their characters; words with tags; brackets.

    A bracket is right if its label, its characters and all boundaries of words inside are right.
    """
    words, tags = np.zeros(3, np.int64), np.zeros(3, np.int64)
    for (forms, tree), one in zip(gold, found, strict=True):
        wanted, given = _places(forms), _places(one.words)
        words += len(set(wanted) & set(given)), len(wanted), len(given)
        tagged = set(zip(wanted, tree.tags, strict=True)) & set(zip(given, one.tags, strict=True))
        tags += len(tagged), len(wanted), len(given)
    brackets = parseval(
        (Bracketing(tree, forms) for forms, tree in gold),
        (Bracketing(one.tree, one.words) for one in found),
        PLAIN,
        over_characters=True,
    ).brackets
    return JointScores(Score(*words.tolist()), Score(*tags.tolist()), brackets)


def _places(forms: Sequence[str]) -> list[tuple[int, int]]:
    return list(pairwise(np.cumsum([0, *map(len, forms)]).tolist()))


def gold_of(document: Document) -> list[tuple[list[str], Constituents]]:
    """Words and trees of a treebank as measures compare them: without empty elements and function tags."""
    trees = Trees.of(document, functions=False)
    return [(words, expand_unaries(tree)) for words, tree in zip(trees.words, trees.trees, strict=True)]

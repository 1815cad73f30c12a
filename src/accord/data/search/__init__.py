# SPDX-License-Identifier: Apache-2.0
"""Search in treebanks: patterns of words, arcs, paths and order, with negation and named words; and rewriting.

>>> from accord.data import Document, Sentence
>>> tree = Sentence.from_words(["They", "saw", "her"], heads=[2, 0, 2], deprels=["nsubj", "root", "obj"])
>>> pattern = Pattern("V >nsubj S; V >obj O; S .. O")
>>> [match.words for match in pattern.search(Document.from_sentences([tree]))]
[{'V': 2, 'S': 1, 'O': 3}]
"""

from accord.data.search.matching import Match
from accord.data.search.pattern import Pattern
from accord.data.search.rewriting import Rewriter

__all__ = ["Match", "Pattern", "Rewriter"]

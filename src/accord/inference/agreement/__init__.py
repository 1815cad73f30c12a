# SPDX-License-Identifier: Apache-2.0
"""A tree of phrases, a dependency tree and tags that agree.

Every phrase holds exactly one word whose head is outside of it: the head of the phrase. Where tags take part, rules say
which tags the head of a phrase may have, by the phrase's label, and which tags its bare words may have.

>>> import numpy as np
>>> from accord.inference.constituents import Spans
>>> from accord.inference.trees import Projective
>>> phrases, arcs = np.zeros((4, 4)), np.zeros((4, 4))
>>> phrases[0, 2], arcs[0, 2], arcs[3, 1] = 1.0, 2.0, 1.5  # words 1 and 2 want to be a phrase, and to have other heads
>>> found = agree(Spans(phrases), Projective(arcs, single_root=True))
>>> found.heads.tolist(), [span[:2] for span in found.spans], found.certified
([2, 0, 2], [(0, 3), (0, 2)], True)
"""

from accord.inference.agreement.parties import ChainOfTags, DistributionOfHeads, Heads, Known, Tags
from accord.inference.agreement.rows import PhraseTags, outside_words
from accord.inference.agreement.search import Agreement, agree

__all__ = [
    "Agreement",
    "ChainOfTags",
    "DistributionOfHeads",
    "Heads",
    "Known",
    "PhraseTags",
    "Tags",
    "agree",
    "outside_words",
]

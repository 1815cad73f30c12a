# SPDX-License-Identifier: Apache-2.0
"""Compression without training: parts of the tree that English can spare go first.

The words that stay are a part of the tree with its top (subtree deletion). A word is worth more the more it says (names
and nouns more than adverbs) and the higher it stands in the tree. Cutting a dependent off costs what its relation means
to the head: a subject or an auxiliary much, an adjective or an aside little. Sayings and labels before a colon hang on
what they are about (:mod:`~accord.tasks.compressor.english.turning`). What belongs to its head so much that the rest
would be no sentence, or would say something else, costs much as well (:mod:`~accord.tasks.compressor.english.bonds`).
Where no length is asked for, each word has a price: short sentences stay nearly whole then, and long ones lose much.
The numbers are set by hand and not learnt from any corpus.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from accord.errors import ConstraintError
from accord.inference.compression import Compression, CompressionProblem, Length, compress
from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.english.bonds import bonds_of, places_of
from accord.tasks.compressor.english.turning import without_label, without_saying

_WORTH = {"PROPN": 3.0, "NOUN": 2.5, "VERB": 2.5, "NUM": 2.5, "ADJ": 1.5, "PRON": 1.0, "ADV": 0.8, "SYM": 1.0}
_LITTLE = 0.3
# What is lost when a dependent goes and its head stays.
_CUTS = {
    **dict.fromkeys(("nsubj", "csubj", "obj", "aux", "cop", "case", "mark", "fixed", "flat", "goeswith"), 12.0),
    "ccomp": 20.0,
    **dict.fromkeys(("xcomp", "compound:prt"), 12.0),
    **dict.fromkeys(("det", "nummod"), 8.0),
    "expl": 6.0,
    **dict.fromkeys(("iobj", "compound", "nmod:poss"), 4.0),
    "obl:agent": 3.0,
    **dict.fromkeys(("cc", "acl", "nmod"), 2.0),
    "amod": 1.5,
    **dict.fromkeys(("obl", "conj", "advcl"), 1.0),
    **dict.fromkeys(("advmod", "acl:relcl", "appos", "parataxis", "punct", "obl:tmod", "nmod:tmod"), 0.3),
}
_OTHER_CUT = 0.5
_BOUND_CUT = 8.0  # of words and marks that belong to their heads
_PLACE_CUT = 3.0  # of what stands behind a verb in place of an object
_PRICE = 0.85  # of a word where no length is asked for: about 60 % of the words of news stay
_NEGATIONS = frozenset(["not", "n't", "n’t", "never", "no", "hardly"])


def grammar_problem(analysis: Analysis, price: float = 0.0, **rules: Any) -> CompressionProblem:
    """The tree programme of a sentence; ``price``: what a kept word costs."""
    depths = np.array(analysis.depths, np.float64)
    worth = np.array([_WORTH.get(tag, _LITTLE) for tag in analysis.upos]) / depths**0.5 - price
    costs = [_cut(analysis, word) for word in range(len(analysis))]
    for word in bonds_of(analysis):
        costs[word] = max(costs[word], _BOUND_CUT)
    for word in places_of(analysis):
        costs[word] = max(costs[word], _PLACE_CUT)
    heads = np.array([-1, *analysis.heads], np.int32)
    return CompressionProblem(worth, heads=heads, cuts=-np.array(costs), **rules)


def grammar_answer(analysis: Analysis, length: Length | None, conditions: Mapping[str, Any]) -> Compression:
    """The best part of the tree. Words to keep bring their heads along; a negation stays with what it denies.

    Where a number of words is asked for, the answer may have one word less.
    """
    turned = without_saying(without_label(analysis))
    price = 0.0
    if length is None:
        price = _PRICE
    elif length.low == length.high > 1:  # a rate: what is no sentence with so many words may be one with a word less
        length = Length(length.low - 1, length.high)
    negations = np.array([form.lower() in _NEGATIONS for form in turned.forms], np.bool_) & ~conditions["drop"]
    negations &= np.array([head > 0 for head in turned.heads], np.bool_)
    if negations.any():
        with suppress(ConstraintError):  # a budget that is too small for them
            return compress(grammar_problem(turned, price, tied=negations, **conditions), length)
    return compress(grammar_problem(turned, price, **conditions), length)


def _cut(analysis: Analysis, word: int) -> float:
    label, form = analysis.deprels[word], analysis.forms[word].lower()
    if form in _NEGATIONS:
        return _CUTS["nsubj"]
    if label == "punct" and word == len(analysis) - 1:
        return _CUTS["det"]
    return _CUTS.get(label, _CUTS.get(label.partition(":")[0], _OTHER_CUT))

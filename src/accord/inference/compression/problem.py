# SPDX-License-Identifier: Apache-2.0
"""Compression problems: scores of a sentence, and what must hold for the words that stay.

With a sentence of n words, kept words K and the neighbours among them (0 stands for both ends of the sentence):

    score = sum over K of words[i]  +  sum over neighbours (i, j) of bigrams[i, j]
          + the score of a tree

There are four programmes, told apart by what is given:

    words     nothing else: any words may stay. O(n); for all lengths O(n L).
    subtree   ``heads`` without ``bigrams`` or a table of arcs: whole subtrees of the given tree are deleted. Arcs and
              cuts of this tree may have scores, one a word: ``arcs[m]`` when word m is kept, ``cuts[m]`` when it is
              deleted and its head is kept. O(n); for all lengths O(n L).
    bigrams   ``bigrams``: neighbours among the kept words are scored. O(n^2), for all lengths O(n^2 L).
    joint     ``arcs`` as a table: a projective tree over the kept words is found with them, whose arcs are scored; one
              word depends on the root. O(n^3), for all lengths O(n^5).

Rules narrow the choice in every programme: words that must stay or go, pairs "if word a stays, word b stays", and a
given tree (``heads``), which makes every kept word keep its head, with arcs that are never cut (``tied``).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import compressions as _core
from accord.errors import ConstraintError

Numbers = NDArray[np.float64]


class CompressionProblem:
    """Scores of one sentence, with rules.

    Parameters
    ----------
    words:
        A score for each of n words that stays; -inf for a word that cannot.
    arcs:
        ``(n+1, n+1)`` scores of arcs over the kept words, row = head, row 0 the root; or with ``heads`` one score a
        word, for the arc of the given tree.
    bigrams:
        ``(n+1, n+1)`` scores of neighbours among the kept words, row = the earlier word. Row 0 is for first words,
        column 0 for last ones.
    heads:
        A given tree, as n+1 heads with ``heads[0] == -1``: every kept word keeps its head.
    cuts:
        With ``heads``, a score for each word that is deleted while its head stays.
    tied:
        With ``heads``, True for words that are deleted only with their heads. A tied word that depends on the root
        stays.
    costs:
        A whole number for each word, by which lengths are counted; 1 where not given.
    keep, drop:
        Boolean arrays: words that must stay, and words that must go.
    rules:
        Pairs (word, needed word), numbered from 1: if the first stays, so does the second.
    empty:
        The score of keeping no word; None where that is not allowed.
    """

    def __init__(
        self,
        words: ArrayLike,
        *,
        arcs: ArrayLike | None = None,
        bigrams: ArrayLike | None = None,
        heads: ArrayLike | None = None,
        cuts: ArrayLike | None = None,
        tied: ArrayLike | None = None,
        costs: ArrayLike | None = None,
        keep: ArrayLike | None = None,
        drop: ArrayLike | None = None,
        rules: Sequence[tuple[int, int]] = (),
        empty: float | None = None,
    ) -> None:
        self.words: Numbers = _scores(words, None, "words")
        n = self.words.size
        self.heads = None if heads is None else _heads(heads, n)
        given = None if arcs is None else np.asarray(arcs, np.float64)
        self.tree_arcs = None if given is None or given.ndim != 1 else _scores(given, (n,), "arcs of the given tree")
        self.arcs = None if given is None or given.ndim == 1 else _scores(given, (n + 1, n + 1), "arcs")
        self.bigrams = None if bigrams is None else _scores(bigrams, (n + 1, n + 1), "bigrams")
        self.cuts = None if cuts is None else _scores(cuts, (n,), "cuts")
        self.tied = _mask(tied, n, "tied")
        self.keep, self.drop = _mask(keep, n, "keep"), _mask(drop, n, "drop")
        self.costs = _whole(costs, n)
        self.rules = tuple((int(word), int(needs)) for word, needs in rules)
        self.empty = empty
        self._check()

    @property
    def programme(self) -> str:
        """``words``, ``subtree``, ``bigrams`` or ``joint``."""
        if self.arcs is not None:
            return "joint"
        if self.bigrams is not None:
            return "bigrams"
        return "words" if self.heads is None else "subtree"

    def score(self, kept: ArrayLike, heads: ArrayLike | None = None) -> float:
        """The score of keeping these words, in the joint programme with these heads; -inf where rules forbid it."""
        stays = np.asarray(kept, np.bool_)
        if not self.allows(stays):
            return -np.inf
        places = np.flatnonzero(stays) + 1
        total = float(self.words[stays].sum()) if places.size else float(self.empty or 0.0)
        if self.bigrams is not None and places.size:
            path = [0, *places.tolist(), 0]
            total += sum(float(self.bigrams[i, j]) for i, j in itertools.pairwise(path))
        if self.arcs is not None and places.size:
            chosen = np.asarray(heads)
            total += float(self.arcs[chosen[places], places].sum())
        if self.heads is not None:
            with_head = np.append(True, stays)[self.heads[1:]]
            total += float(self.tree_arcs[stays].sum()) if self.tree_arcs is not None else 0.0
            total += float(self.cuts[with_head & ~stays].sum()) if self.cuts is not None else 0.0
        return total

    def allows(self, kept: ArrayLike) -> bool:
        """Whether the kept words keep all rules; lengths aside."""
        stays = np.asarray(kept, np.bool_)
        if (self.keep & ~stays).any() or (self.drop & stays).any() or (self.empty is None and not stays.any()):
            return False
        if self.heads is not None:
            with_head = np.append(True, stays)[self.heads[1:]]
            if (stays & ~with_head).any() or (self.tied & with_head & ~stays).any():
                return False
        return all(stays[needs - 1] or not stays[word - 1] for word, needs in self.rules)

    @cached_property
    def constant(self) -> float:
        """What every compression earns: the cuts below the root, of which words that stay pay theirs back."""
        if self.cuts is None or self.heads is None:
            return 0.0
        return float(self.cuts[self.heads[1:] == 0].sum())

    @cached_property
    def native(self) -> Any:
        """The programme in the core. The scores of arcs and cuts of a given tree are scores of words there."""
        try:
            return self._made()
        except ValueError as error:
            raise ConstraintError(str(error)) from None

    def _made(self) -> Any:
        words = np.append(0.0, self.folded_words())
        empty = -np.inf if self.empty is None else float(self.empty)
        costs = np.append(0, self.costs).astype(np.int32)
        table = np.zeros(0) if self.bigrams is None else np.ascontiguousarray(self.bigrams).reshape(-1)
        rules = np.array(self.word_rules, np.int32).reshape(-1, 2)
        if self.programme == "words":  # a tree in which every word depends on the root
            flat = np.zeros(words.size, np.int32)
            return _core.subtrees(words, flat, np.zeros(words.size, np.uint8), empty, costs, rules)
        if self.heads is not None and self.programme == "subtree":
            tied = np.append(False, self.tied).astype(np.uint8)
            tied[[needs for word, needs in self.rules if self._known((word, needs)) and self.heads[needs] == word]] = 1
            return _core.subtrees(words, self.heads, tied, empty, costs, rules)
        if self.arcs is None:
            return _core.bigrams(words, table, empty, costs, rules)
        return _core.joint(words, np.ascontiguousarray(self.arcs).reshape(-1), table, empty, costs, rules)

    @cached_property
    def fates(self) -> NDArray[np.uint8]:
        """For the core, n+1 entries: 1 for words that must stay, 2 for those that must go."""
        marks = np.where(self.keep, 1, np.where(self.drop, 2, 0))
        if self.heads is not None and self.programme != "subtree":
            marks = np.where(self.tied & (self.heads[1:] == 0), 1, marks)
        return np.append(0, marks).astype(np.uint8)

    def additions(self, values: ArrayLike | float) -> Numbers:
        """One finite number a word, from one for all or an array."""
        array = np.asarray(values, np.float64)
        if array.shape not in ((), self.words.shape) or not np.isfinite(array).all():
            raise ConstraintError(f"additions must be one finite number, or {self.words.size} of them")
        return np.broadcast_to(array, self.words.shape)

    def folded_words(self) -> Numbers:
        """The scores of words with those of the arcs and cuts of the given tree.

        On sets that keep every head, a cut is worth what its head earns and the deleted word pays.
        """
        words = self.words.copy()
        if self.heads is None:
            return words
        if self.tree_arcs is not None:
            words += self.tree_arcs
        if self.cuts is not None:
            words -= self.cuts
            inner = self.heads[1:] > 0
            np.add.at(words, self.heads[1:][inner] - 1, self.cuts[inner])
        return words

    @property
    def word_rules(self) -> list[tuple[int, int]]:
        """Pairs (word, needed word) that the programme does not know itself and a search must enforce."""
        rules = [rule for rule in self.rules if not self._known(rule)]
        if self.heads is not None and self.programme != "subtree":
            arcs = [(m, int(h)) for m, h in enumerate(self.heads) if h > 0]
            rules += arcs + [(h, m) for m, h in arcs if self.tied[m - 1]]
        return rules

    def _known(self, rule: tuple[int, int]) -> bool:
        """Whether the programme of subtrees has the rule: a word needs its head, or a head its dependent."""
        word, needs = rule
        if self.heads is None or self.programme != "subtree":
            return False
        return bool(self.heads[word] == needs or self.heads[needs] == word)

    def _check(self) -> None:
        n = self.words.size
        if self.heads is None and (self.cuts is not None or self.tied.any() or self.tree_arcs is not None):
            raise ConstraintError("cuts, tied words and arcs with one score a word need heads")
        if self.cuts is not None and not np.isfinite(self.cuts).all():
            raise ConstraintError("cuts must be finite; tied forbids a cut")
        stays = self.keep if self.heads is None else self.keep | (self.tied & (self.heads[1:] == 0))
        if (stays & self.drop).any():
            raise ConstraintError(f"word {int(np.flatnonzero(stays & self.drop)[0]) + 1} must both stay and go")
        for pair in self.rules:
            if not all(1 <= word <= n for word in pair):
                raise ConstraintError(f"rule {pair}: words are numbered from 1 to {n}")
        if self.empty is not None and not np.isfinite(self.empty):
            raise ConstraintError("the score of keeping nothing must be finite, or None")


def _scores(values: ArrayLike, shape: tuple[int, ...] | None, what: str) -> Numbers:
    array = np.asarray(values, np.float64)
    if array.ndim != 1 if shape is None else array.shape != shape:
        raise ConstraintError(f"{what} must be an array of shape {shape or '(n,)'}, not {array.shape}")
    if np.isnan(array).any() or (array == np.inf).any():
        raise ConstraintError(f"{what} must not be NaN or +infinity")
    return array


def _heads(heads: ArrayLike, n: int) -> NDArray[np.int32]:
    array = np.asarray(heads)
    if array.shape != (n + 1,) or not np.issubdtype(array.dtype, np.integer):
        raise ConstraintError(f"heads must be {n + 1} whole numbers, the first of them -1")
    if n and not 0 <= array[1:].min() <= array[1:].max() <= n:
        raise ConstraintError(f"heads must be words 1 to {n}, or 0 for the root")
    above = array.copy()
    above[0] = 0
    for _ in range(int(n).bit_length() + 1):  # twice as far up each time
        above = above[above]
    if above.any():
        raise ConstraintError("heads must form a tree, not a circle")
    out = array.astype(np.int32)
    out[0] = -1
    return out


def _mask(values: ArrayLike | None, n: int, what: str) -> NDArray[np.bool_]:
    array = np.zeros(n, np.bool_) if values is None else np.asarray(values)
    if array.shape != (n,) or array.dtype != np.bool_:
        raise ConstraintError(f"{what} must be {n} booleans")
    return array


def _whole(costs: ArrayLike | None, n: int) -> NDArray[np.int32]:
    array = np.ones(n, np.int32) if costs is None else np.asarray(costs)
    if array.shape != (n,) or (n and (array != np.floor(array)).any()):
        raise ConstraintError(f"costs must be {n} whole numbers")
    if n and (array.min() < 0 or array.sum() > 2**24):
        raise ConstraintError("costs must not be negative, and their sum at most 2^24")
    return array.astype(np.int32)

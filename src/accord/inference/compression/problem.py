# SPDX-License-Identifier: Apache-2.0
"""Compression problems: scores of a sentence, and what must hold for the words that stay.

With a sentence of n words, kept words K and the neighbours among them (0 stands for both ends of the sentence):

    score = sum over K of words[i]  +  sum over neighbours (i, j) of bigrams[i, j]
          + the score of a tree

There are six programmes, told apart by what is given:

    words     nothing else: any words may stay. O(n); for all lengths O(n L).
    subtree   ``heads`` without ``bigrams`` or a table of arcs: whole subtrees of the given tree are deleted. Arcs and
              cuts of this tree may have scores, one a word: ``arcs[m]`` when word m is kept, ``cuts[m]`` when it is
              deleted and its head is kept. O(n); for all lengths O(n L).
    bigrams   ``bigrams``: neighbours among the kept words are scored. O(n^2), for all lengths O(n^2 L).
    joint     ``arcs`` as a table: a projective tree over the kept words is found with them, whose arcs are scored; one
              word depends on the root. O(n^3), for all lengths O(n^5).
    statuses  ``statuses`` with ``heads``: whether a word is kept is scored together with whether its head in the given
              tree is. Any words may stay, and the tree may have crossing arcs. O(n); for all lengths O(n L).
    status_bigrams
              ``statuses`` and ``bigrams``. O(n^3), for all lengths O(n^5). With crossing arcs the time doubles for
              each head of a crossing arc; beyond ten of them an integer program finds the answer.

Rules narrow the choice in every programme: words that must stay or go, pairs "if word a stays, word b stays", and a
given tree (``heads``), which without ``statuses`` makes every kept word keep its head, with arcs that are never cut
(``tied``).
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
from accord.inference.compression.reading import Numbers, read_costs, read_heads, read_mask, read_scores


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
        A given tree, as n+1 heads with ``heads[0] == -1``: every kept word keeps its head, unless ``statuses`` are
        given.
    statuses:
        With ``heads``, ``(n, 2, 2)`` scores: entry ``[m, a, b]`` is earned where a says whether the word is kept (1) or
        deleted (0), and b says the same of its head. The root counts as kept.
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
        statuses: ArrayLike | None = None,
        cuts: ArrayLike | None = None,
        tied: ArrayLike | None = None,
        costs: ArrayLike | None = None,
        keep: ArrayLike | None = None,
        drop: ArrayLike | None = None,
        rules: Sequence[tuple[int, int]] = (),
        empty: float | None = None,
    ) -> None:
        self.words: Numbers = read_scores(words, None, "words")
        n = self.words.size
        self.heads = None if heads is None else read_heads(heads, n)
        given = None if arcs is None else np.asarray(arcs, np.float64)
        self.tree_arcs = (
            None if given is None or given.ndim != 1 else read_scores(given, (n,), "arcs of the given tree")
        )
        self.arcs = None if given is None or given.ndim == 1 else read_scores(given, (n + 1, n + 1), "arcs")
        self.bigrams = None if bigrams is None else read_scores(bigrams, (n + 1, n + 1), "bigrams")
        self.statuses = None if statuses is None else read_scores(statuses, (n, 2, 2), "statuses")
        self.cuts = None if cuts is None else read_scores(cuts, (n,), "cuts")
        self.tied = read_mask(tied, n, "tied")
        self.keep, self.drop = read_mask(keep, n, "keep"), read_mask(drop, n, "drop")
        self.costs = read_costs(costs, n)
        self.rules = tuple((int(word), int(needs)) for word, needs in rules)
        self.empty = empty
        self._check()

    @property
    def programme(self) -> str:
        """``words``, ``subtree``, ``bigrams``, ``joint``, ``statuses`` or ``status_bigrams``."""
        if self.statuses is not None:
            return "statuses" if self.bigrams is None else "status_bigrams"
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
            if self.statuses is not None:
                total += float(self.statuses[np.arange(stays.size), stays.astype(int), with_head.astype(int)].sum())
            total += float(self.tree_arcs[stays].sum()) if self.tree_arcs is not None else 0.0
            total += float(self.cuts[with_head & ~stays].sum()) if self.cuts is not None else 0.0
        return total

    def allows(self, kept: ArrayLike) -> bool:
        """Whether the kept words keep all rules; lengths aside."""
        stays = np.asarray(kept, np.bool_)
        if (self.keep & ~stays).any() or (self.drop & stays).any() or (self.empty is None and not stays.any()):
            return False
        if self.keeps_heads:
            with_head = np.append(True, stays)[self._given_heads[1:]]
            if (stays & ~with_head).any() or (self.tied & with_head & ~stays).any():
                return False
        return all(stays[needs - 1] or not stays[word - 1] for word, needs in self.rules)

    @property
    def keeps_heads(self) -> bool:
        """Whether a tree is given in which every kept word keeps its head."""
        return self.heads is not None and self.statuses is None

    @property
    def crossing_heads(self) -> int:
        """How many words of the given tree have dependents whose arcs must be lifted until none crosses another."""
        return 0 if self.heads is None else crossing_heads(self.heads)

    @property
    def needs_program(self) -> bool:
        """Whether the tree has too many crossing arcs for the programme, so that an integer program must answer."""
        return self.programme == "status_bigrams" and self.crossing_heads > _core.most_crossing_heads

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
        if self.statuses is not None:
            scores = np.concatenate((np.zeros(4), self.statuses.reshape(-1)))
            return _core.statuses(words, scores, self._given_heads, table, empty, costs, rules)
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
        if self.keeps_heads and self.programme != "subtree":
            arcs = [(m, int(h)) for m, h in enumerate(self._given_heads) if h > 0]
            rules += arcs + [(h, m) for m, h in arcs if self.tied[m - 1]]
        return rules

    @property
    def _given_heads(self) -> NDArray[np.int32]:
        assert self.heads is not None
        return self.heads

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
        if self.statuses is not None:
            if self.heads is None:
                raise ConstraintError("statuses need heads")
            if self.cuts is not None or self.tied.any() or self.tree_arcs is not None or self.arcs is not None:
                raise ConstraintError("statuses score what arcs, cuts and tied words would: give one or the other")
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


def crossing_heads(heads: NDArray[np.int32]) -> int:
    """How many words of a tree, given as n+1 heads, have dependents that must be lifted until no arc crosses another.

    >>> crossing_heads(np.array([-1, 3, 4, 0, 3], np.int32))
    1
    """
    return int(_core.crossing_heads(heads))

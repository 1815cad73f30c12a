# SPDX-License-Identifier: Apache-2.0
"""Projective trees whose scores look at two or three arcs at once, exactly.

A tree's score is the sum of its parts' scores. Parts are tuples of words, 0 the artificial root:

=================  ===============  ==================================================================================
family             tuple            part of a tree when
=================  ===============  ==================================================================================
``arcs``           (h, m)           h is the head of m
``sibling``        (h, s, m)        s and m are consecutive modifiers of h on one side, s the nearer
``grandparent``    (g, h, m)        g is the head of h, h that of m
``grand_sibling``  (g, h, s, m)     both together
``tri_sibling``    (h, t, s, m)     t, s and m are consecutive modifiers of h on one side, outwards
=================  ===============  ==================================================================================

The head stands for what is missing: ``(h, h, m)`` says that m is the first modifier of h on its side,
``(h, s, h)`` that s is the last one. Nothing is scored on a side without modifiers.

>>> import numpy as np
>>> arcs = np.zeros((4, 4))
>>> sibling = np.zeros((4, 4, 4))
>>> sibling[2, 2, 3] = 1.0  # word 3 is the first right modifier of word 2
>>> sibling[2, 3, 2] = 1.0  # and the last one
>>> t = HigherOrder(arcs, sibling=sibling, grandparent=([[0, 2, 1]], [0.5]), single_root=True)
>>> t.argmax()
Tree(heads=array([-1,  2,  0,  2], dtype=int32), score=2.5, labels=None)

Time is O(n^3) for arcs and siblings, O(n^4) with grandparents or third-order parts of one kind, O(n^5) with both kinds
in full; with few candidate heads a word it is far less.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import trees as _core
from accord.errors import ConstraintError
from accord.inference import _parts
from accord.inference.trees import Tree, is_projective, is_tree

__all__ = ["FAMILIES", "HigherOrder", "Marginals", "Model", "PartScores", "parts"]

Model: TypeAlias = Literal["full", "model0", "model1", "model2", "carreras"]
#: Scores of a family: an array with an axis a word of its tuple, or tuples (one a row) and their scores.
PartScores: TypeAlias = _parts.PartScores
#: Words in the tuples of each family.
FAMILIES = _parts.FAMILIES
_MODELS = ("full", "model0", "model1", "model2", "carreras")
_NO_TREE = "no projective tree is made of the candidate arcs"


@dataclass(frozen=True, eq=False)
class Marginals:
    """Probability of every part: arrays like the scores, or one entry a tuple where tuples were given."""

    arcs: NDArray[np.float64]
    sibling: NDArray[np.float64] | None = None
    grandparent: NDArray[np.float64] | None = None
    grand_sibling: NDArray[np.float64] | None = None
    tri_sibling: NDArray[np.float64] | None = None


class HigherOrder:
    """A distribution over projective trees.

    Parameters
    ----------
    arcs:
        ``(n+1, n+1)`` scores, row = head; ``-inf`` where an arc is no candidate. Column 0 and the diagonal are ignored.
    sibling, grandparent, grand_sibling, tri_sibling:
        Scores of the families, each as an array with one axis a word, or as ``(tuples, scores)``: tuples that are not
        given score 0, a tuple given twice scores the sum. ``-inf`` forbids a part. Tuples of arcs that are no
        candidates have no effect; :func:`parts` lists the others.
    single_root:
        Whether exactly one word depends on the artificial root.
    model:
        Which of the given parts count. ``"full"``: all. ``"model0"``: arcs and grandparents. ``"model1"``: all but
        tri-siblings. ``"model2"``: all, but grandparent and grand-sibling parts only for the last two modifiers of a
        side. ``"carreras"``: arcs, siblings, and the grandparent part of the last modifier of a side.

    References
    ----------
    Carreras (2007), "Experiments with a higher-order projective dependency parser".
    Koo and Collins (2010), "Efficient third-order dependency parsers".
    """

    def __init__(
        self,
        arcs: ArrayLike,
        *,
        sibling: PartScores | None = None,
        grandparent: PartScores | None = None,
        grand_sibling: PartScores | None = None,
        tri_sibling: PartScores | None = None,
        single_root: bool = False,
        model: Model = "full",
    ) -> None:
        if model not in _MODELS:
            raise ValueError(f"model must be one of {', '.join(_MODELS)}, not {model!r}")
        self.arcs: NDArray[np.float64] = _parts.checked_arcs(arcs)
        self.single_root = single_root
        self.model = model
        given = {
            "sibling": sibling,
            "grandparent": grandparent,
            "grand_sibling": grand_sibling,
            "tri_sibling": tri_sibling,
        }
        families = {name: value for name, value in given.items() if value is not None}
        self._layout = _parts.layout(self.arcs, list(families))
        self._scores = np.zeros(self._layout.size)
        slots, tuples = self._layout.list_parts(_core.Part.arc)
        self._scores[slots] = self.arcs[tuple(tuples.T)]
        # Per family: the slot of each entry given (-1: of no part), in the shape in which it was given.
        self._slots: dict[str, NDArray[np.int64]] = {}
        for name, value in families.items():
            self._slots[name], scores = _parts.placed(self._layout, name, value, self.words)
            used = self._slots[name] >= 0
            np.add.at(self._scores, self._slots[name][used], scores[used])
        if not (self._scores < np.inf).all():
            raise ValueError("the score of a part is NaN or +infinity")

    @property
    def words(self) -> int:
        """n, the number of words."""
        return len(self.arcs) - 1

    def argmax(self) -> Tree:
        """The best tree.

        >>> HigherOrder(np.zeros((3, 3)), grandparent=([[0, 1, 2]], [1.0])).argmax().heads
        array([-1,  0,  1], dtype=int32)
        """
        value, heads = self._layout.argmax(self._scores, self._model, self.single_root)
        if np.isneginf(value):
            raise ConstraintError(_NO_TREE)
        return Tree(heads, value)

    def with_bonus(self, bonus: ArrayLike) -> HigherOrder:
        """The distribution with ``(n+1, n+1)`` numbers added to the scores of arcs.

        >>> HigherOrder(np.zeros((3, 3))).with_bonus([[0, 0, 0], [0, 0, 2], [0, 0, 0]]).argmax().score
        2.0
        """
        given = copy.copy(self)
        given.__dict__.pop("_log_partition", None)
        added = np.asarray(bonus, np.float64)
        given.arcs, given._scores = self.arcs + added, self._scores.copy()
        slots, tuples = self._layout.list_parts(_core.Part.arc)
        given._scores[slots] += added[tuple(tuples.T)]
        return given

    def log_partition(self) -> float:
        """log of the sum of exp(score) over all trees.

        >>> round(math.exp(HigherOrder(np.zeros((5, 5))).log_partition()))
        55
        """
        return self._log_partition

    def marginals(self) -> Marginals:
        """Probability of every part, in the shape in which its family was given.

        >>> t = HigherOrder(np.zeros((3, 3)), grandparent=([[0, 1, 2], [0, 2, 1]], [0.0, 0.0]))
        >>> t.marginals().grandparent.round(3)  # one of three trees each
        array([0.333, 0.333])
        """
        value, flat = self._layout.marginals(self._scores, self._model, self.single_root)
        if np.isneginf(value):
            raise ConstraintError(_NO_TREE)
        arcs = np.zeros_like(self.arcs)
        slots, tuples = self._layout.list_parts(_core.Part.arc)
        arcs[tuple(tuples.T)] = flat[slots]
        # Slot -1 reads the zero at the end.
        extended = np.append(flat, 0.0)
        return Marginals(arcs, **{name: extended[slots] for name, slots in self._slots.items()})

    def kbest(self, k: int) -> list[Tree]:
        """The k best distinct trees, best first; fewer only if fewer exist.

        >>> [tree.score for tree in HigherOrder(np.zeros((3, 3)), grandparent=([[0, 1, 2]], [1.0])).kbest(5)]
        [1.0, 0.0, 0.0]
        """
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        values, heads = self._layout.kbest(self._scores, self._model, self.single_root, k)
        if len(values) == 0:
            raise ConstraintError(_NO_TREE)
        return [Tree(tree, float(value)) for value, tree in zip(values, heads, strict=True)]

    def sample(self, count: int, *, seed: int = 0) -> NDArray[np.int32]:
        """Exact independent samples: ``(count, n+1)`` heads. The i-th row depends on the seed and i alone.

        >>> HigherOrder(np.zeros((3, 3))).sample(100, seed=1).shape
        (100, 3)
        """
        self.log_partition()
        heads: NDArray[np.int32] = self._layout.sample(self._scores, self._model, self.single_root, count, seed % 2**64)
        return heads

    def entropy(self) -> float:
        """Shannon entropy in nats.

        >>> round(math.exp(HigherOrder(np.zeros((4, 4)), single_root=True).entropy()), 6)  # seven trees, all alike
        7.0
        """
        self.log_partition()
        return float(self._layout.entropy(self._scores, self._model, self.single_root))

    def score(self, heads: ArrayLike) -> float:
        """Sum of the scores of a tree's parts; -inf when an arc is no candidate.

        >>> HigherOrder(np.ones((3, 3)), grandparent=([[0, 1, 2]], [0.5])).score([-1, 0, 1])
        2.5
        """
        slots = self._layout.parts_of(self._model, self._checked_heads(heads))
        return -math.inf if slots is None else float(self._scores[slots].sum())

    def log_probability(self, heads: ArrayLike) -> float:
        """log P(tree); -inf for heads outside the distribution's set of trees.

        >>> round(math.exp(HigherOrder(np.zeros((3, 3))).log_probability([-1, 0, 0])), 6)
        0.333333
        """
        tree = self._checked_heads(heads)
        inside = is_tree(tree, single_root=self.single_root) and is_projective(tree)
        return self.score(tree) - self.log_partition() if inside else -math.inf

    @property
    def _model(self) -> _core.PartModel:
        return _core.PartModel[self.model]

    @cached_property
    def _log_partition(self) -> float:
        value = float(self._layout.log_partition(self._scores, self._model, self.single_root))
        if np.isneginf(value):
            raise ConstraintError(_NO_TREE)
        return value

    def _checked_heads(self, heads: ArrayLike) -> NDArray[np.int32]:
        tree = np.asarray(heads)
        if tree.shape != (self.words + 1,) or not np.issubdtype(tree.dtype, np.integer):
            raise ValueError(f"heads must be {self.words + 1} integers (heads[0] is the root's)")
        if ((tree[1:] < 0) | (tree[1:] > self.words)).any():
            raise ValueError(f"heads must lie in 0..{self.words}")
        return np.ascontiguousarray(tree, dtype=np.int32)


def parts(candidates: ArrayLike, family: str) -> NDArray[np.int32]:
    """The tuples of a family that are made of candidate arcs: what a scorer has to score.

    ``candidates`` is a boolean ``(n+1, n+1)`` array, row = head.

    >>> mask = np.zeros((3, 3), dtype=bool)
    >>> mask[0, 1] = mask[1, 2] = True
    >>> parts(mask, "sibling").tolist()
    [[0, 0, 1], [0, 1, 0], [1, 1, 2], [1, 2, 1]]
    >>> parts(mask, "grandparent").tolist()
    [[0, 1, 2]]
    """
    if family not in FAMILIES:
        raise ValueError(f"family must be one of {', '.join(FAMILIES)}, not {family!r}")
    mask = np.asarray(candidates)
    if mask.dtype != np.bool_ or mask.ndim != 2 or mask.shape[0] != mask.shape[1] or mask.size == 0:
        raise ValueError("candidates must be a boolean (n+1, n+1) array")
    tuples: NDArray[np.int32] = _parts.layout(np.where(mask, 0.0, -np.inf), [family]).list_parts(_core.Part[family])[1]
    return tuples

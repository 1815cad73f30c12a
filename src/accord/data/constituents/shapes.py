# SPDX-License-Identifier: Apache-2.0
"""The same tree in other shapes: without empty elements or function tags, with chains as one label, in twos.

Every function takes a tree and gives a tree. ``collapse_unaries`` and ``expand_unaries`` undo each other, and so do
``binarise`` and ``debinarise``, as long as labels contain no mark of theirs (``→`` inside, ``|`` in front).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from accord.data.constituents.labels import CHAIN_JOINT, category
from accord.data.constituents.tree import Constituents, Leaf
from accord.errors import ConfigError

Side = Literal["left", "right"]
ROOT_LABELS = ("", "TOP", "ROOT", "S1", "VROOT")
PART_MARK = "|"  # before the label of a node that binarisation added


class TreeBuilder:
    """A tree that grows in preorder."""

    def __init__(self) -> None:
        self.labels: list[str] = []
        self.parents: list[int] = []
        self.leaves: list[Leaf] = []

    def add(self, label: str, parent: int, leaf: Leaf = None) -> int:
        """Add a node after all nodes that are there; gives its index."""
        self.labels.append(label)
        self.parents.append(parent)
        self.leaves.append(leaf)
        return len(self.labels) - 1

    def tree(self) -> Constituents:
        return Constituents(tuple(self.labels), tuple(self.parents), tuple(self.leaves))


def relabelled(tree: Constituents, new: Callable[[str], str]) -> Constituents:
    """The tree with other labels on its phrases and preterminals."""
    return Constituents(tuple(map(new, tree.labels)), tree.parents, tree.leaves)


def without_functions(tree: Constituents) -> Constituents:
    """The tree without function tags and indices.

    >>> tree, _ = Constituents.from_text("(S (NP-SBJ-1 (PRP They)) (VP (VBD left)))")
    >>> without_functions(tree)
    Constituents((S (NP (PRP 1)) (VP (VBD 2))))
    """
    return relabelled(tree, category)


def without_empties(tree: Constituents) -> Constituents | None:
    """The tree without empty elements and without phrases that hold nothing else; None where nothing is left.

    >>> tree, _ = Constituents.from_text("(S (NP (-NONE- *PRO*)) (VP (VB Go)))")
    >>> without_empties(tree)
    Constituents((S (VP (VB 1))))
    """
    if tree.words == 0:
        return None
    if all(leaf is None or isinstance(leaf, int) for leaf in tree.leaves):
        return tree
    return _kept(tree, [end > begin for begin, end in tree.spans])


def without_root(tree: Constituents) -> Constituents:
    """The tree without an outer bracket (``""``, ``TOP``, ``ROOT``, ``S1``) around a single phrase."""
    while tree.labels[0] in ROOT_LABELS and len(tree.children[0]) == 1 and tree.leaves[1] is None:
        tree = _kept(tree, [False] + [True] * (len(tree) - 1))
    return tree


def plain(tree: Constituents) -> Constituents | None:
    """The tree as parsers and measures see it: no empty elements, no function tags, no outer bracket."""
    full = without_empties(tree)
    return None if full is None else without_root(without_functions(full))


def _kept(tree: Constituents, keep: list[bool]) -> Constituents:
    """The tree of the nodes that stay; children of a node that goes hang from the next one above it."""
    built = TreeBuilder()
    places: list[int] = []  # of each node, or of the nearest node above it that stays
    for node, (label, parent, leaf) in enumerate(zip(tree.labels, tree.parents, tree.leaves, strict=True)):
        above = places[parent] if parent >= 0 else -1
        places.append(built.add(label, above, leaf) if keep[node] else above)
    return built.tree()


def collapse_unaries(tree: Constituents) -> Constituents:
    """Every phrase whose only child is a phrase becomes one with it: ``(S (VP ...))`` becomes ``(S→VP ...)``.

    Preterminals are no part of chains: each span has at most one phrase, and words keep their tags.
    """
    built = TreeBuilder()
    places: list[int] = []
    for label, parent, leaf in zip(tree.labels, tree.parents, tree.leaves, strict=True):
        above = places[parent] if parent >= 0 else -1
        if leaf is None and parent >= 0 and len(tree.children[parent]) == 1:
            built.labels[above] += CHAIN_JOINT + label
            places.append(above)
        else:
            places.append(built.add(label, above, leaf))
    return built.tree()


def expand_unaries(tree: Constituents) -> Constituents:
    """Undo :func:`collapse_unaries`.

    >>> tree, _ = Constituents.from_text("(S→VP (VB Go) (ADVP (RB home)))")
    >>> expand_unaries(tree)
    Constituents((S (VP (VB 1) (ADVP (RB 2)))))
    """
    built = TreeBuilder()
    places: list[int] = []
    for label, parent, leaf in zip(tree.labels, tree.parents, tree.leaves, strict=True):
        place = places[parent] if parent >= 0 else -1
        for part in label.split(CHAIN_JOINT) if leaf is None else (label,):
            place = built.add(part, place, leaf)
        places.append(place)
    return built.tree()


def binarise(tree: Constituents, side: Side = "left", *, siblings: int | None = 0) -> Constituents:
    """Every phrase with more than two children gets helper nodes, until no node has more than two.

    Parameters
    ----------
    side: where helper nodes stand: ``"left"`` groups the first children first, ``"right"`` the last ones.
    siblings: how many of its outermost children (the two that spec-like grammars use, say) a helper node names in its
        label after the label of the phrase; None names all of them.

    >>> tree, _ = Constituents.from_text("(NP (DT a) (JJ big) (JJ old) (NN dog))")
    >>> binarise(tree, "right", siblings=1)
    Constituents((NP (DT 1) (|NP|JJ (JJ 2) (|NP|JJ (JJ 3) (NN 4)))))
    >>> debinarise(binarise(tree)) == tree
    True
    """
    if side not in ("left", "right"):
        raise ConfigError(f"side = {side!r}: expected left or right")
    built = TreeBuilder()
    # Nodes still to be added, the next one last: children of the original (one index, or a run of them), and a parent.
    waiting: list[tuple[tuple[int, ...], str, int]] = [((0,), "", -1)]
    while waiting:
        run, owner, parent = waiting.pop()
        if len(run) == 1:
            node = run[0]
            label = tree.labels[node]
            place = built.add(label, parent, tree.leaves[node])
            children = tree.children[node]
        else:
            named = run if side == "right" else run[::-1]
            told = [tree.labels[child] for child in named[: len(named) if siblings is None else siblings]]
            label, children = owner, run
            place = built.add(PART_MARK + PART_MARK.join([owner, *told]), parent)
        halves: list[tuple[int, ...]] = [(child,) for child in children]
        if len(children) > 2:
            halves = [children[:-1], children[-1:]] if side == "left" else [children[:1], children[1:]]
        waiting += [(half, label, place) for half in reversed(halves)]
    return built.tree()


def debinarise(tree: Constituents) -> Constituents:
    """Undo :func:`binarise`: take out the nodes that it added."""
    return _kept(
        tree,
        [
            leaf is not None or not label.startswith(PART_MARK)
            for label, leaf in zip(tree.labels, tree.leaves, strict=True)
        ],
    )

# SPDX-License-Identifier: Apache-2.0
"""Constituents: a tree of labelled phrases over the words of one sentence.

The tree is stored flat, in preorder: a label and a parent for each node, and a leaf for each preterminal (a node over
one word). A leaf is the number of a word, counted from 1, or the text of an empty element, such as a trace. Words stand
in their order, so a tree is never discontinuous. Flat trees can be as deep as they are long: nothing here recurses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from accord.data.constituents.labels import category, functions
from accord.errors import FormatError

Leaf: TypeAlias = "int | str | None"
"""The word of a preterminal, the text of an empty element, or None for a phrase."""


@dataclass(frozen=True)
class Constituents:
    """A tree over the words 1 to n.

    >>> tree = Constituents.from_text("(S (NP-SBJ (PRP They)) (VP (VBD left)))")[0]
    >>> tree
    Constituents((S (NP-SBJ (PRP 1)) (VP (VBD 2))))
    >>> [(node.label, node.begin, node.end) for node in tree.phrases]
    [('S', 0, 2), ('NP-SBJ', 0, 1), ('VP', 1, 2)]
    >>> tree.root.children[0].functions
    ('SBJ',)
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]  # of each node in preorder; -1 for the root
    leaves: tuple[Leaf, ...]

    def __post_init__(self) -> None:
        defect = _defect(self.labels, self.parents, self.leaves)
        if defect is not None:
            raise FormatError(defect, file="<constituents>")

    @staticmethod
    def from_text(text: str) -> tuple[Constituents, tuple[str, ...]]:
        """The tree of one bracketed sentence, and its words."""
        from accord.data.constituents.brackets import single_tree

        found = single_tree(text)
        return found.tree, found.forms

    @property
    def words(self) -> int:
        """The number of words."""
        return self.spans[0][1]

    @property
    def root(self) -> Constituent:
        return Constituent(self, 0)

    @property
    def nodes(self) -> Iterator[Constituent]:
        """All nodes in preorder, preterminals too."""
        return (Constituent(self, index) for index in range(len(self.labels)))

    @property
    def phrases(self) -> Iterator[Constituent]:
        """The nodes that are no preterminals, in preorder."""
        return (Constituent(self, index) for index, leaf in enumerate(self.leaves) if leaf is None)

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """For each node, the words before its first one, and the number of its last one; equal for empty elements."""
        begins, seen = [], 0
        for leaf in self.leaves:
            begins.append(seen)
            seen += isinstance(leaf, int)
        ends = [begin + isinstance(leaf, int) for begin, leaf in zip(begins, self.leaves, strict=True)]
        for node in range(len(self.labels) - 1, 0, -1):
            parent = self.parents[node]
            ends[parent] = max(ends[parent], ends[node])
        return tuple(zip(begins, ends, strict=True))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each node, its children from left to right."""
        found: list[list[int]] = [[] for _ in self.labels]
        for node, parent in enumerate(self.parents[1:], start=1):
            found[parent].append(node)
        return tuple(map(tuple, found))

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The tag of each word: the label of its preterminal."""
        return tuple(label for label, leaf in zip(self.labels, self.leaves, strict=True) if isinstance(leaf, int))

    def brackets(self, forms: Sequence[str] | None = None, *, indent: int | None = None) -> str:
        """The tree in brackets: words by their forms, or by their numbers where none are given."""
        from accord.data.constituents.brackets import bracket_text

        return bracket_text(self, forms, indent=indent)

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return f"Constituents({self.brackets()})"


@dataclass(frozen=True, slots=True)
class Constituent:
    """One node of a tree: a view, made when it is asked for."""

    tree: Constituents
    index: int

    @property
    def label(self) -> str:
        return self.tree.labels[self.index]

    @property
    def category(self) -> str:
        """The label without function tags and indices."""
        return category(self.label)

    @property
    def functions(self) -> tuple[str, ...]:
        return functions(self.label)

    @property
    def leaf(self) -> Leaf:
        return self.tree.leaves[self.index]

    @property
    def begin(self) -> int:
        """How many words stand before the node."""
        return self.tree.spans[self.index][0]

    @property
    def end(self) -> int:
        """The number of its last word."""
        return self.tree.spans[self.index][1]

    @property
    def parent(self) -> Constituent | None:
        parent = self.tree.parents[self.index]
        return None if parent < 0 else Constituent(self.tree, parent)

    @property
    def children(self) -> tuple[Constituent, ...]:
        return tuple(Constituent(self.tree, child) for child in self.tree.children[self.index])

    def __repr__(self) -> str:
        return f"Constituent({self.label!r}, words {self.begin + 1} to {self.end})"


def _defect(labels: Sequence[str], parents: Sequence[int], leaves: Sequence[Leaf]) -> str | None:
    """Why the columns are no tree over words in their order, or None."""
    if not labels or len(labels) != len(parents) or len(labels) != len(leaves):
        return "a tree has a node, and a label, a parent and a leaf for each node"
    open_nodes: list[int] = []
    last_word = 0
    childless = -1  # a phrase that has no child yet
    for node, (parent, leaf) in enumerate(zip(parents, leaves, strict=True)):
        while open_nodes and open_nodes[-1] != parent:
            open_nodes.pop()
        if (parent != -1) if node == 0 else not open_nodes:
            return f"node {node} has the parent {parent}, which is not open in preorder"
        if childless >= 0 and parent != childless:
            return f"constituent {labels[childless]!r} has no words"
        childless = -1
        if leaf is None:
            childless = node
            open_nodes.append(node)
        elif isinstance(leaf, int):
            if leaf != last_word + 1:
                return f"word {leaf} follows word {last_word}: words stand in their order, each once"
            last_word = leaf
    return f"constituent {labels[childless]!r} has no words" if childless >= 0 else None

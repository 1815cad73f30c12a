# SPDX-License-Identifier: Apache-2.0
"""Headed trees: what feature templates see of trees of phrases and of dependency trees alike.

A headed tree has labelled nodes; one child of each inner node is its head, and the word at the end of a chain of heads
is the node's word. A tree of phrases gets its heads from head rules. In a dependency tree each word is one phrase: its
label is that of the arc, its head is the word's tag, and its other children are the phrases of the dependents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accord.data.constituents import Constituents
from accord.data.constituents.head_rules import HeadRules

_HeadCache = dict[tuple[str, tuple[str, ...]], int]


@dataclass(slots=True)
class HeadedTree:
    """Nodes in any order that has parents before children; words are counted from 0.

    ``heads``: of each node the place of its head among its children; -1 for a preterminal. ``words``: of each node the
    word at its head. ``begins`` and ``ends``: the words that it covers, and those between them.
    """

    labels: Sequence[str]
    parents: Sequence[int]
    children: Sequence[Sequence[int]]
    heads: list[int]
    words: list[int]
    begins: list[int]
    ends: list[int]


class PhraseHeads:
    """Makes headed trees of trees of phrases; remembers which child is the head of which labels."""

    def __init__(self, rules: HeadRules) -> None:
        self._rules = rules
        self._known: _HeadCache = {}

    def __call__(self, tree: Constituents) -> HeadedTree:
        """The tree, which has no empty elements."""
        labels, children, leaves = tree.labels, tree.children, tree.leaves
        count = len(labels)
        heads, words = [-1] * count, [0] * count
        for node in range(count - 1, -1, -1):
            leaf = leaves[node]
            if leaf is not None:
                words[node] = int(leaf) - 1
                continue
            own = children[node]
            key = labels[node], tuple([labels[child] for child in own])
            place = self._known.get(key)
            if place is None:
                place = self._known[key] = own.index(self._rules.head_child(tree, node))
            heads[node] = place
            words[node] = words[own[place]]
        begins, ends = [span[0] for span in tree.spans], [span[1] for span in tree.spans]
        return HeadedTree(labels, tree.parents, children, heads, words, begins, ends)


def headed_dependencies(heads: Sequence[int], deprels: Sequence[str], tags: Sequence[str]) -> HeadedTree:
    """A dependency tree: node 2 w is the phrase of word w, node 2 w + 1 its tag; the last node holds what has no head.

    >>> tree = headed_dependencies([2, 0, 2], ["nsubj", "root", "obj"], ["PRON", "VERB", "NOUN"])
    >>> [tree.labels[child] for child in tree.children[2]], tree.heads[2]
    (['nsubj', 'VERB', 'obj'], 1)
    """
    count = len(heads)
    root = 2 * count
    labels = [name for pair in zip(deprels, tags, strict=True) for name in pair] + ["TOP"]
    parents = [0] * (2 * count) + [-1]
    left: list[list[int]] = [[] for _ in range(count)]
    right: list[list[int]] = [[] for _ in range(count)]
    tops = []
    for word, head in enumerate(heads):
        parents[2 * word + 1] = 2 * word
        parents[2 * word] = root if head == 0 else 2 * (head - 1)
        if head == 0:
            tops.append(2 * word)
        elif word < head - 1:
            left[head - 1].append(2 * word)
        else:
            right[head - 1].append(2 * word)
    children: list[Sequence[int]] = []
    places = []
    for word in range(count):
        children += [[*left[word], 2 * word + 1, *right[word]], []]
        places += [len(left[word]), -1]
    children.append(tops)
    words = [word for word in range(count) for _ in range(2)] + [tops[0] // 2 if tops else 0]
    begins, ends = list(words), [word + 1 for word in words]
    for word, head in enumerate(heads):  # every word is covered by all words that it hangs from
        steps = 0
        while head and steps <= count:
            begins[2 * head - 2] = min(begins[2 * head - 2], word)
            ends[2 * head - 2] = max(ends[2 * head - 2], word + 1)
            head, steps = heads[head - 1], steps + 1
    begins[root], ends[root] = 0, count
    return HeadedTree(labels, parents, children, [*places, 0], words, begins, ends)

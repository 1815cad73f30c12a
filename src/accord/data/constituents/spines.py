# SPDX-License-Identifier: Apache-2.0
"""Derivations of a tree-adjoining grammar of spines, and the trees that they make.

Every word has a spine: its tag and the labels of the phrases that it heads, from the lowest to the highest; a run of
equal labels is one node of the spine. The spine of a modifier is adjoined to a node of its head's spine, by a *sister*
adjunction (it becomes an outer child of the node) or by a *regular* one (the node is doubled, and it becomes a child of
the upper copy). Words and adjunctions are a projective dependency tree. Going outwards on one side of a head, nodes
never move down the spine.

From a derivation to its tree: on each side of a node, modifiers are counted inside-out; a regular adjunction opens a
new level, and the modifier stands at the level that is reached. Levels of the two sides are laid over each other. So
the way back is many-to-one: levels that one side skips are lost, and so is a phrase that is the only child of one with
its own label.

Carreras, Collins and Koo: TAG, dynamic programming, and the perceptron for efficient, feature-rich parsing, CoNLL 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from accord.data.constituents.head_rules import HeadRules
from accord.data.constituents.shapes import TreeBuilder
from accord.data.constituents.tree import Constituents
from accord.errors import FormatError

ROOT = "*"


class Adjunction(NamedTuple):
    """How a word joins its head: the node of the head's spine (0 is the lowest), and whether the node is doubled."""

    head: int  # 0: the root
    node: int
    regular: bool


class Relation(NamedTuple):
    """What features see of an adjunction: the labels of the node, of its head child, and of the top of the modifier."""

    node: str
    below: str
    modifier: str
    regular: bool


@dataclass(frozen=True)
class Derivation:
    """The tag, the spine and the adjunction of each word.

    >>> tree, _ = Constituents.from_text("(S (NP (NNP John)) (VP (VP (VBD ate) (NP (NN cake))) (NP (NN today))))")
    >>> derivation = Derivation.from_tree(tree, HeadRules.load("collins"))
    >>> derivation.spines
    (('NP',), ('VP', 'S'), ('NP',), ('NP',))
    >>> derivation.adjunctions[3]
    Adjunction(head=2, node=0, regular=True)
    >>> derivation.tree() == tree
    True
    """

    tags: tuple[str, ...]
    spines: tuple[tuple[str, ...], ...]
    adjunctions: tuple[Adjunction, ...]

    def __post_init__(self) -> None:
        defect = self._defect()
        if defect is not None:
            raise FormatError(defect, file="<derivation>")

    @staticmethod
    def from_tree(tree: Constituents, heads: HeadRules | Sequence[int]) -> Derivation:
        """The derivation of a tree without empty elements; ``heads``: rules, or the head word of each node."""
        words = heads.head_words(tree) if isinstance(heads, HeadRules) else list(heads)
        spines: list[list[str]] = [[] for _ in range(tree.words)]
        adjunctions: list[Adjunction] = [Adjunction(0, 0, False)] * tree.words
        copies = [0] * tree.words  # of the topmost node of each spine, without the lowest one
        for node in _upwards(tree):
            head = words[node]
            spine = spines[head - 1]
            doubled = bool(spine) and spine[-1] == tree.labels[node]
            copies[head - 1] = copies[head - 1] + 1 if doubled else 0
            if not doubled:
                spine.append(tree.labels[node])
            place = next(p for p, child in enumerate(tree.children[node]) if words[child] == head)
            for side in (tree.children[node][:place][::-1], tree.children[node][place + 1 :]):
                for number, child in enumerate(side):
                    regular = copies[head - 1] > 0 and number == 0
                    adjunctions[words[child] - 1] = Adjunction(head, len(spine) - 1, regular)
        return Derivation(tree.tags, tuple(map(tuple, spines)), tuple(adjunctions))

    @property
    def heads(self) -> tuple[int, ...]:
        """The dependency tree: the head of each word, 0 for the root."""
        return tuple(adjunction.head for adjunction in self.adjunctions)

    def modifiers(self, head: int, *, left: bool) -> list[int]:
        """The modifiers of a word on one side, from the nearest to the farthest."""
        words = range(head - 1, 0, -1) if left else range(head + 1, len(self.tags) + 1)
        return [word for word in words if self.adjunctions[word - 1].head == head]

    def after_regular(self, word: int) -> bool:
        """Whether a modifier nearer to the head, on the same side, was adjoined regularly to the same node."""
        mine = self.adjunctions[word - 1]
        if mine.head == 0:
            return False
        nearer = range(word + 1, mine.head) if word < mine.head else range(mine.head + 1, word)
        others = (self.adjunctions[other - 1] for other in nearer)
        return any(other.head == mine.head and other.node == mine.node and other.regular for other in others)

    def relation(self, word: int) -> Relation:
        """The grammatical relation of a word to its head.

        >>> tree, _ = Constituents.from_text("(S (NP (NNP John)) (VP (VBD ate) (NP (NN cake))))")
        >>> Derivation.from_tree(tree, HeadRules.load("collins")).relation(3)
        Relation(node='VP', below='VBD', modifier='NP', regular=False)
        """
        mine = self.adjunctions[word - 1]
        top = self.spines[word - 1][-1] if self.spines[word - 1] else self.tags[word - 1]
        if mine.head == 0:
            return Relation(ROOT, ROOT, top, False)
        spine = self.spines[mine.head - 1]
        label = spine[mine.node]
        if mine.regular or self.after_regular(word):
            below = label
        else:
            below = spine[mine.node - 1] if mine.node else self.tags[mine.head - 1]
        return Relation(label, below, top, mine.regular)

    def tree(self) -> Constituents:
        """The tree that the adjunctions make."""
        made: list[_Phrase | int] = [0] * (len(self.tags) + 1)
        for word in _modifiers_first(self.heads):
            made[word] = self._projection(word, made)
        built = TreeBuilder()
        root = next(word for word, head in enumerate(self.heads, start=1) if head == 0)
        waiting: list[tuple[_Phrase | int, int]] = [(made[root], -1)]
        while waiting:
            piece, parent = waiting.pop()
            if isinstance(piece, int):
                built.add(self.tags[piece - 1], parent, piece)
                continue
            place = built.add(piece.label, parent)
            waiting += [(child, place) for child in reversed(piece.children)]
        return built.tree()

    def _projection(self, word: int, made: Sequence[_Phrase | int]) -> _Phrase | int:
        """The spine of a word with all that is adjoined to it."""
        sides = [self.modifiers(word, left=True), self.modifiers(word, left=False)]
        current: _Phrase | int = word
        for node, label in enumerate(self.spines[word - 1]):
            left, right = (self._levels(side, node) for side in sides)
            for level in range(max(len(left), len(right))):
                before = left[level] if level < len(left) else []
                after = right[level] if level < len(right) else []
                children = (*(made[m] for m in reversed(before)), current, *(made[m] for m in after))
                current = _Phrase(label, children)
        return current

    def _levels(self, modifiers: Sequence[int], node: int) -> list[list[int]]:
        """The modifiers at each level of a node, the lowest first."""
        levels: list[list[int]] = [[]]
        for word in modifiers:
            if self.adjunctions[word - 1].node == node:
                if self.adjunctions[word - 1].regular:
                    levels.append([])
                levels[-1].append(word)
        return levels

    def _defect(self) -> str | None:
        count = len(self.tags)
        if len(self.spines) != count or len(self.adjunctions) != count or not count:
            return "a derivation has words, and a spine and an adjunction for each word"
        if sum(adjunction.head == 0 for adjunction in self.adjunctions) != 1:
            return "one word hangs from the root"
        for word, (head, node, _) in enumerate(self.adjunctions, start=1):
            if not 0 <= head <= count or head == word:
                return f"the head {head} of word {word} is no other word"
            if head and not 0 <= node < len(self.spines[head - 1]):
                return f"word {word}: the spine of word {head} has no node {node}"
        for head in range(1, count + 1):
            for left in (True, False):
                nodes = [self.adjunctions[word - 1].node for word in self.modifiers(head, left=left)]
                if nodes != sorted(nodes):
                    return f"modifiers of word {head} move down its spine"
        return None


class _Phrase(NamedTuple):
    label: str
    children: tuple[_Phrase | int, ...]


def _upwards(tree: Constituents) -> list[int]:
    """The phrases of a tree, each after those inside it."""
    return [node for node in range(len(tree) - 1, -1, -1) if tree.leaves[node] is None]


def _modifiers_first(heads: Sequence[int]) -> list[int]:
    """The words, each after its modifiers."""
    order: list[int] = []
    below: dict[int, list[int]] = {}
    for word, head in enumerate(heads, start=1):
        below.setdefault(head, []).append(word)
    waiting = list(below.get(0, []))
    while waiting:
        word = waiting.pop()
        order.append(word)
        waiting += below.get(word, [])
    if len(order) != len(heads):
        raise FormatError("the adjunctions form a cycle", file="<derivation>")
    return order[::-1]

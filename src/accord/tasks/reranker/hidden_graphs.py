# SPDX-License-Identifier: Apache-2.0
"""Candidates as forests of words with hidden values: which values a word may take, its features, and its edges.

Domains: ``lexical``, a few values of each word form; ``tag``, of each tag; ``highest``, of each label of the highest
phrase that a word heads; ``categories``, of each category of a word in an ontology, with the tag where it has none.
Edges: ``head``, between a word and its head; ``sibling``, between a word and its inner neighbour, which is the head
where there is none. In a sequence both are the unit before. Koo & Collins, HLT/EMNLP 2005.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.tasks.reranker.features import Extractor
from accord.tasks.reranker.headed import HeadedTree
from accord.tasks.reranker.lists import CandidateList
from accord.tasks.reranker.sequence_places import PLACES as SEQUENCE_PLACES
from accord.tasks.reranker.sequence_places import SequenceFeatures, units
from accord.tasks.reranker.templates import Templates
from accord.tasks.reranker.tree_places import word_paths

_CONJUNCTIONS = frozenset(("CC", "CCONJ", "cc", "CONJP"))
TREE_PLACES: dict[str, tuple[str, ...]] = {
    "hidden": ("domain", "word", "tag", "highest", "up", "down", "modifier_rule", "modifier_gpar"),
    "heads": ("word", "rule", "gpar"),
    "edge": ("head", "modifier", "label", "side", "adjacent", "coordination", "rule", "gpar"),
}
UNIT_PLACES: dict[str, tuple[str, ...]] = {
    "hidden": ("domain", *SEQUENCE_PLACES["unit"]),
    "edge": ("domain", *SEQUENCE_PLACES["unit"]),
}
Domain = tuple[tuple[str, int], ...]  # names and numbers of values: several where a word has several categories


@dataclass(frozen=True)
class Node:
    """A word: its values, and the features that are joined with each."""

    domain: Domain
    features: tuple[str, ...]


@dataclass(frozen=True)
class Graph:
    """The words of a candidate, the place of the parent of each (-1: none), and the features of the edges to it."""

    nodes: tuple[Node, ...]
    parents: tuple[int, ...]
    edges: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Domains:
    """Which values a word has."""

    domain: str
    values: int
    word_values: int
    categories: Mapping[str, tuple[str, ...]]

    def of(self, word: str, tag: str, highest: str) -> Domain:
        if self.domain == "lexical":
            return ((f"w:{word}", self.word_values),)
        if self.domain == "highest":
            return ((f"h:{highest}", self.values),)
        if self.domain == "categories":
            found = self.categories.get(word, ())
            if found:
                return tuple((f"c:{name}", self.word_values) for name in found)
        return ((f"t:{tag}", self.values),)


def read_categories(text: str) -> dict[str, tuple[str, ...]]:
    """The categories of words: 'word<TAB>category' a line.

    >>> read_categories("bank\\tgroup\\nbank\\tplace")
    {'bank': ('group', 'place')}
    """
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        word, tab, name = line.partition("\t")
        if tab and name.strip() and name.strip() not in found.setdefault(word.lower(), []):
            found[word.lower()].append(name.strip())
    return {word: tuple(names) for word, names in found.items()}


class GraphMaker:
    """Makes graphs of the candidates of a list."""

    def __init__(self, extractor: Extractor, templates: Templates, domains: Domains, edges: str) -> None:
        self._extractor = extractor
        self._templates = templates
        self._domains = domains
        self._sibling = edges == "sibling"

    def __call__(self, one: CandidateList[Any]) -> list[Graph]:
        known: dict[Any, Any] = {}
        if self._extractor.kind.view == "tree":
            tags = one.tags if self._extractor.kind.name == "dependencies" else one.ranked[0].value.tags
            words = [word.lower() for word in one.words]
            trees = [self._extractor.headed(candidate.value, one) for candidate in one.ranked]
            return [self._tree(tree, words, tags, known) for tree in trees]
        return [self._sequence(candidate.value, one, known) for candidate in one.ranked]

    def _sequence(self, value: Any, one: CandidateList[Any], known: dict[Any, Any]) -> Graph:
        kind = self._extractor.kind.name
        places = SequenceFeatures(kind, self._templates, one.words, one.tags).unit_values(value)
        nodes, edges = [], []
        for (word, label, tag), values in zip(units(kind, value, one.words, one.tags), places, strict=True):
            if values not in known:
                domain = self._domains.of(word.lower(), label if tag == "_" else tag, label)
                names = tuple(self._templates.names("hidden", ("", *values)))
                known[values] = Node(domain, names), tuple(self._templates.names("edge", ("", *values)))
            node, edge = known[values]
            nodes.append(node)
            edges.append(edge)
        return Graph(tuple(nodes), tuple(range(-1, len(nodes) - 1)), tuple(edges))

    def _tree(self, tree: HeadedTree, words: Sequence[str], tags: Sequence[str], known: dict[Any, Any]) -> Graph:
        count = len(words)
        rules = [_rule(tree, node) for node in range(len(tree.labels))]
        modifier: list[tuple[int, int] | None] = [None] * count  # where a word's highest phrase hangs: node, place
        heads: list[list[int]] = [[] for _ in range(count)]
        for node, place in enumerate(tree.heads):
            if place < 0:
                continue
            heads[tree.words[node]].append(node)
            for other, child in enumerate(tree.children[node]):
                if other != place:
                    modifier[tree.words[child]] = node, other
        nodes, parents, edges = [], [], []
        for word, (path, highest) in enumerate(word_paths(tree)):
            at = modifier[word]
            rule, gpar, parent = "", "", -1
            edge: tuple[str, ...] = ()
            if at is not None:
                rule = _marked(tree, *at)
                gpar = f"{_above(tree, at[0])} {rule}"
                parent, edge = self._edge(tree, *at, rule, gpar, known)
            own = tuple((rules[node], _above(tree, node)) for node in heads[word])
            key = word, path, highest, rule, gpar, own
            if key not in known:
                known[key] = self._node(words[word], tags[word], path, highest, rule, gpar, own)
            nodes.append(known[key])
            parents.append(parent)
            edges.append(edge)
        return Graph(tuple(nodes), tuple(parents), tuple(edges))

    def _node(
        self,
        word: str,
        tag: str,
        path: tuple[str, ...],
        highest: int,
        rule: str,
        gpar: str,
        heads: Sequence[tuple[str, str]],
    ) -> Node:
        up, down = " ".join(path[highest:]), " ".join(path[: highest + 1])
        names = self._templates.names("hidden", ("", word, tag, path[highest], up, down, rule, gpar))
        for own, above in heads:
            names += self._templates.names("heads", (word, own, f"{above} {own}"))
        return Node(self._domains.of(word, tag, path[highest]), tuple(names))

    def _edge(
        self, tree: HeadedTree, node: int, place: int, rule: str, gpar: str, known: dict[Any, Any]
    ) -> tuple[int, tuple[str, ...]]:
        """The word that a modifier is joined to, and the features of the edge."""
        children, head = tree.children[node], tree.heads[node]
        inner = place + 1 if place < head else place - 1
        joined = children[inner] if self._sibling else children[head]
        key = rule, gpar
        if key not in known:
            coordination = any(tree.labels[child] in _CONJUNCTIONS for child in children)
            values = (
                *(tree.labels[children[head]], tree.labels[children[place]], tree.labels[node]),
                *("left" if place < head else "right", "+" if inner == head else "-", "+" if coordination else "-"),
                *(rule, gpar),
            )
            known[key] = tuple(self._templates.names("edge", values))
        return tree.words[joined], known[key]


def _rule(tree: HeadedTree, node: int) -> str:
    if tree.heads[node] < 0:
        return ""
    names = [tree.labels[child] for child in tree.children[node]]
    names[tree.heads[node]] += "!"
    return f"{tree.labels[node]} > {' '.join(names)}"


def _marked(tree: HeadedTree, node: int, place: int) -> str:
    """The rule of a node with its head and one of its modifiers marked."""
    names = [tree.labels[child] for child in tree.children[node]]
    names[tree.heads[node]] += "!"
    names[place] += "?"
    return f"{tree.labels[node]} > {' '.join(names)}"


def _above(tree: HeadedTree, node: int) -> str:
    parent = tree.parents[node]
    return tree.labels[parent] if parent >= 0 else "STOP"

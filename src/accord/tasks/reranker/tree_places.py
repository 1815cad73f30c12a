# SPDX-License-Identifier: Apache-2.0
"""The places of headed trees, and the features of the trees of a list.

Most subtrees of a list's trees are in many of them. What can be seen at the places of a node depends on its children,
its siblings and what stands above; nodes that are alike in this have their features computed once for a list.

Collins & Koo 2005 (rules, bigrams, trigrams, modifiers, prepositions, distances); Charniak & Johnson 2005 (heavy
phrases, neighbours, parallel conjuncts, words with what is above them, right branches).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.tasks.reranker.headed import HeadedTree
from accord.tasks.reranker.templates import Templates

STOP = "STOP"
PLACES: dict[str, tuple[str, ...]] = {
    # a phrase and its children; `above` is the rule above it
    "rule": ("label", "rule", "parent", "above", "word", "tag", "length", "first", "last"),
    # two children side by side on one side of the head, the outer one may be STOP
    "bigram": ("side", "label", "left", "right", "left_word", "right_word", "parent", "above"),
    # three children in a row, STOP at both ends, the head marked with !
    "trigram": ("label", "left", "middle", "right", "parent"),
    # a child that is not the head
    "modifier": (
        *("side", "parent", "label", "head", "modifier", "adjacent", "coordination", "distance"),
        *("head_word", "modifier_word", "head_tag", "modifier_tag", "inner", "rule"),
    ),
    # words between a child and the head: = n, <= n, >= n, one place for each that is true
    "distance": ("label", "head", "modifier", "distance"),
    # a child whose head is a closed-class word with a child of its own behind it: a preposition and its noun
    "preposition": ("label", "head", "modifier", "argument", "head_word", "preposition", "argument_word"),
    # a phrase and the words around its ends
    "span": (
        *("label", "parent", "length", "first", "last", "before", "after", "first_word", "last_word"),
        *("before_word", "after_word", "to_end"),
    ),
    # two children with a conjunction between them
    "conjuncts": ("label", "left", "right", "same", "left_rule", "right_rule", "lengths"),
    # a word, the phrases that it heads and those above them
    "word": ("word", "tag", "highest", "above", "up2", "up3", "down", "path"),
}
_CLOSED = frozenset(
    [
        "DT",
        "IN",
        "CC",
        "MD",
        "TO",
        "PRP",
        "PRP$",
        "WDT",
        "WP",
        "WP$",
        "WRB",
        "EX",
        "RP",
        "POS",
        "ADP",
        "AUX",
        "CCONJ",
        "DET",
        "PART",
        "PRON",
        "SCONJ",
    ]  # of PTB and of UD
)
_AUXILIARIES = frozenset(
    [
        "be",
        "am",
        "is",
        "are",
        "was",
        "were",
        "been",
        "being",
        "have",
        "has",
        "had",
        "having",
        "do",
        "does",
        "did",
        "'s",
        "'re",
        "'m",
        "'ve",
        "'d",
    ]
)
_CONJUNCTIONS = frozenset(("CC", "CCONJ", "cc", "CONJP"))
_FARTHEST = 30


class _Child(NamedTuple):
    label: str
    word: int
    begin: int
    end: int
    inner: tuple[str, ...]  # labels of its children
    argument: tuple[str, int] | None  # label and word of the child behind its head


class _Local(NamedTuple):
    """A node with its children: all that places see of it but what is above."""

    label: str
    begin: int
    end: int
    head: int
    children: tuple[_Child, ...]


class TreeFeatures:
    """Features of the trees of one list: they share words and tags."""

    def __init__(self, templates: Templates, forms: Sequence[str], tags: Sequence[str]) -> None:
        self._templates = templates
        self._lower, self._upper = split_templates(templates)
        self._forms = [form.lower() for form in forms]
        self._tags = list(tags)
        self._closed = [
            tag in _CLOSED or form in _AUXILIARIES for form, tag in zip(self._forms, self._tags, strict=True)
        ]
        self._locals: dict[_Local, int] = {}
        self._by_number: list[_Local] = []
        self._below: dict[int, NDArray[np.uint64]] = {}
        self._nodes: dict[tuple[int, int], NDArray[np.uint64]] = {}
        self._words: dict[tuple[int, tuple[str, ...], int], NDArray[np.uint64]] = {}
        self._wanted = [name for name in ("word",) if name in templates or f"{name}+" in templates]

    def keys(self, tree: HeadedTree) -> NDArray[np.uint64]:
        """The features of a tree, each as often as it occurs."""
        numbers = self._numbers(tree)
        found = []
        for node, number in enumerate(numbers):
            if number < 0:
                continue
            keys = self._below.get(number)
            if keys is None:
                keys = self._below[number] = self._node_keys(self._lower, number, -1)
            found.append(keys)
            parent = tree.parents[node]
            above = numbers[parent] if parent >= 0 else -1
            keys = self._nodes.get((number, above))
            if keys is None:
                keys = self._nodes[number, above] = self._node_keys(self._upper, number, above)
            found.append(keys)
        if self._wanted:
            found += self._word_keys(tree)
        return np.concatenate(found) if found else np.zeros(0, np.uint64)

    def _numbers(self, tree: HeadedTree) -> list[int]:
        """Of each phrase the number of its :class:`_Local`; -1 for preterminals."""
        labels, heads, words, begins, ends = tree.labels, tree.heads, tree.words, tree.begins, tree.ends
        numbers = []
        for node, own in enumerate(tree.children):
            if heads[node] < 0:
                numbers.append(-1)
                continue
            children = tuple(
                [
                    _Child(
                        labels[child],
                        words[child],
                        begins[child],
                        ends[child],
                        tuple([labels[one] for one in tree.children[child]]),
                        self._argument(tree, child),
                    )
                    for child in own
                ]
            )
            local = _Local(labels[node], begins[node], ends[node], heads[node], children)
            number = self._locals.get(local)
            if number is None:
                number = self._locals[local] = len(self._by_number)
                self._by_number.append(local)
            numbers.append(number)
        return numbers

    def _argument(self, tree: HeadedTree, node: int) -> tuple[str, int] | None:
        place = tree.heads[node]
        if place < 0 or not self._closed[tree.words[node]] or place + 1 >= len(tree.children[node]):
            return None
        behind = tree.children[node][place + 1]
        return tree.labels[behind], tree.words[behind]

    def _node_keys(self, templates: Templates, number: int, above: int) -> NDArray[np.uint64]:
        local = self._by_number[number]
        upper = self._by_number[above] if above >= 0 else None
        found: list[int] = []
        for lexical, wanted in _sections(templates):
            for place, values in self.places(local, upper, lexical, wanted):
                found += templates.keys(wanted[place], values)
        return np.array(found, np.uint64)

    def _name(self, label: str, word: int, lexical: bool) -> str:
        return f"{label}/{self._forms[word]}" if lexical and self._closed[word] else label

    def _rule(self, local: _Local, lexical: bool) -> str:
        names = [self._name(child.label, child.word, lexical) for child in local.children]
        names[local.head] += "!"
        return f"{self._name(local.label, local.children[local.head].word, lexical)} > {' '.join(names)}"

    def places(
        self, local: _Local, upper: _Local | None, lexical: bool, wanted: Collection[str] = frozenset(PLACES)
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The places at a node, with the values of their attributes."""
        forms, tags = self._forms, self._tags
        head = local.children[local.head]
        word = head.word
        label = self._name(local.label, word, lexical)
        parent = STOP if upper is None else self._name(upper.label, upper.children[upper.head].word, lexical)
        above = STOP if upper is None else self._rule(upper, lexical)
        rule = self._rule(local, lexical)
        length = _binned(local.end - local.begin)
        first, last = tags[local.begin], tags[local.end - 1]
        names = [self._name(child.label, child.word, lexical) for child in local.children]
        if "rule" in wanted:
            yield "rule", (label, rule, parent, above, forms[word], tags[word], length, first, last)
        if "bigram" in wanted:
            yield from self._sides(local, names, label, parent, above)
        if "trigram" in wanted:
            marked = [STOP, *names, STOP]
            marked[local.head + 1] += "!"
            for left, middle, right in zip(marked, marked[1:], marked[2:], strict=False):
                yield "trigram", (label, left, middle, right, parent)
        if "span" in wanted:
            before, behind = local.begin - 1, local.end
            yield (
                "span",
                (
                    *(label, parent, length, first, last),
                    *(tags[before] if before >= 0 else STOP, tags[behind] if behind < len(tags) else STOP),
                    *(forms[local.begin], forms[local.end - 1]),
                    *(forms[before] if before >= 0 else STOP, forms[behind] if behind < len(forms) else STOP),
                    _binned(len(tags) - local.end),
                ),
            )
        if lexical:
            return
        if "modifier" in wanted or "distance" in wanted or "preposition" in wanted:
            yield from self._modifiers(local, parent, rule, wanted)
        if "conjuncts" in wanted:
            yield from self._conjuncts(local)

    def _sides(
        self, local: _Local, names: Sequence[str], label: str, parent: str, above: str
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Pairs of children on each side of the head, from inside to outside."""
        words = [self._forms[child.word] for child in local.children]
        outward = (("left", range(local.head - 1, -1, -1)), ("right", range(local.head + 1, len(names))))
        for side, places in outward:
            inside = local.head
            for outside in (*places, -1):
                if inside != local.head or outside >= 0:
                    inner = names[inside] + ("!" if inside == local.head else "")
                    outer, outer_word = (STOP, STOP) if outside < 0 else (names[outside], words[outside])
                    yield "bigram", (side, label, inner, outer, words[inside], outer_word, parent, above)
                inside = outside

    def _modifiers(
        self, local: _Local, parent: str, rule: str, wanted: Collection[str]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        forms, tags = self._forms, self._tags
        head = local.children[local.head]
        for place, child in enumerate(local.children):
            if place == local.head:
                continue
            side = "left" if place < local.head else "right"
            adjacent = "1" if abs(place - local.head) == 1 else "0"
            step = 1 if place < local.head else -1
            inner = local.children[place + step].label
            coordination = "1" if any(one.label in _CONJUNCTIONS for one in local.children) else "0"
            distance = abs(child.word - head.word) - 1
            if "modifier" in wanted:
                yield (
                    "modifier",
                    (
                        *(
                            side,
                            parent,
                            local.label,
                            head.label,
                            child.label,
                            adjacent,
                            coordination,
                            _binned(distance),
                        ),
                        *(forms[head.word], forms[child.word], tags[head.word], tags[child.word], inner, rule),
                    ),
                )
            for told in _distances(distance) if "distance" in wanted else ():
                yield "distance", (local.label, head.label, child.label, told)
            if child.argument is not None and "preposition" in wanted:
                argument, inside = child.argument
                yield (
                    "preposition",
                    (
                        *(local.label, head.label, child.label, argument),
                        *(forms[head.word], forms[child.word], forms[inside]),
                    ),
                )

    def _conjuncts(self, local: _Local) -> Iterator[tuple[str, tuple[str, ...]]]:
        for place in range(1, len(local.children) - 1):
            if local.children[place].label in _CONJUNCTIONS or self._tags[local.children[place].word] in _CONJUNCTIONS:
                left, right = local.children[place - 1], local.children[place + 1]
                same = "rule" if left.inner == right.inner else "label" if left.label == right.label else "no"
                longer = (left.end - left.begin) - (right.end - right.begin)
                lengths = "=" if longer == 0 else ">" if longer > 0 else "<"
                yield (
                    "conjuncts",
                    (
                        *(local.label, left.label, right.label, same),
                        *(" ".join(left.inner), " ".join(right.inner), lengths),
                    ),
                )

    def _word_keys(self, tree: HeadedTree) -> list[NDArray[np.uint64]]:
        found = []
        for word, (path, highest) in enumerate(word_paths(tree)):
            key = word, path, highest
            keys = self._words.get(key)
            if keys is None:
                values = self.word_values(word, path, highest)
                keys = self._words[key] = np.array(self._templates.keys("word", values), np.uint64)
            found.append(keys)
        return found

    def word_values(self, word: int, path: tuple[str, ...], highest: int) -> tuple[str, ...]:
        """The attributes of the place of a word; ``path`` goes up from its tag to the root."""
        up = [*path[highest + 1 :], STOP, STOP, STOP]
        return (
            *(self._forms[word], self._tags[word], path[highest], *up[:3]),
            *(" ".join(path[: highest + 1]), " ".join(path[highest:])),
        )


@lru_cache(maxsize=64)
def _sections(templates: Templates) -> list[tuple[bool, dict[str, str]]]:
    """With and without lexical labels, the sections of the places that templates look at."""
    found = []
    for suffix, lexical in (("", False), ("+", True)):
        wanted = {place: place + suffix for place in PLACES if place + suffix in templates and place != "word"}
        if wanted:
            found.append((lexical, wanted))
    return found


@lru_cache(maxsize=16)
def split_templates(templates: Templates) -> tuple[Templates, Templates]:
    """Those that see a node with its children alone, and those that see what is above it."""
    return templates.split(frozenset(("parent", "above")))


def word_paths(tree: HeadedTree) -> list[tuple[tuple[str, ...], int]]:
    """Of each word the labels from its tag up to the root, and the place there of the highest phrase it heads."""
    found: dict[int, tuple[tuple[str, ...], int]] = {}
    paths: dict[int, tuple[str, ...]] = {}
    for node in _downwards(tree):
        parent = tree.parents[node]
        paths[node] = (tree.labels[node], *(paths[parent] if parent >= 0 else ()))
        if tree.heads[node] < 0:
            word, highest = tree.words[node], 0
            while parent >= 0 and tree.words[parent] == word:
                highest, parent = highest + 1, tree.parents[parent]
            found[word] = paths[node], highest
    return [found[word] for word in sorted(found)]


def _downwards(tree: HeadedTree) -> list[int]:
    order = [node for node, parent in enumerate(tree.parents) if parent < 0]
    for node in order:
        order += tree.children[node]
    return order


def _binned(count: int) -> str:
    return str(count) if count < 6 else "6-9" if count < 10 else "10-19" if count < 20 else "20+"


def _distances(distance: int) -> Iterator[str]:
    distance = min(distance, _FARTHEST)
    yield f"={distance}"
    for most in range(distance, 10):
        yield f"<={most}"
    for least in range(1, distance + 1):
        yield f">={least}"

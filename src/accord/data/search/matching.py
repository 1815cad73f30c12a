# SPDX-License-Identifier: Apache-2.0
"""Matches of patterns in documents, found column by column.

Which words a node may be is decided for a whole document at once; a sentence without a word for each node is passed
over. Then nodes are placed one after the other, those that a relation ties to placed ones first.
Complexity: O(words x conditions), and for each sentence that is left at most O(words^nodes); relations of arcs and of
neighbours leave few choices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from accord.data.document import Document
from accord.data.search.syntax import Condition, Group, Relation
from accord.data.sentence import Sentence


@dataclass(frozen=True)
class Match:
    """Words of a sentence, by name: ``words["V"]`` is the number of the word. ``document[index]`` is the sentence."""

    document: Document = field(repr=False)
    index: int
    words: dict[str, int]

    @property
    def sentence(self) -> Sentence:
        return self.document.sentences[self.index]


class Columns:
    """The columns of a document, read when a condition asks for them."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._found: dict[str, list[str]] = {}

    def __getitem__(self, name: str) -> list[str]:
        if name not in self._found:
            column, _, key = name.partition(".")
            values = self._document.column(column)
            self._found[name] = [_entry(value, key) for value in values] if key else values
        return self._found[name]

    def candidates(self, conditions: Sequence[Condition]) -> list[bool] | None:
        """Of all words, those of which the conditions hold; None: all."""
        found: list[bool] | None = None
        for one in conditions:
            holds: dict[str, bool] = {}
            values = self[one.column]
            for value in set(values):
                holds[value] = one.holds(value)
            mine = [holds[value] for value in values]
            found = mine if found is None else [a and b for a, b in zip(found, mine, strict=True)]
        return found


def _entry(value: str, key: str) -> str:
    """The value of a key in FEATS or MISC; "_" where it is not there."""
    if key not in value:
        return "_"
    for entry in value.split("|"):
        name, _, found = entry.partition("=")
        if name == key:
            return found
    return "_"


class Searcher:
    """A pattern on one document."""

    def __init__(self, document: Document, wanted: Group, refused: Sequence[Group]) -> None:
        self._document = document
        self._columns = Columns(document)
        self._wanted = wanted
        self._refused = [(group, _order(group, set(wanted.nodes))) for group in refused]
        self._order = _order(wanted, set())
        groups = (wanted, *refused)
        self._candidates = [
            {name: self._columns.candidates(conditions) for name, conditions in group.nodes.items()} for group in groups
        ]
        relations = [one for group in groups for one in group.relations]
        self._needs_labels = any(one.labels for one in relations)

    def matches(self) -> Iterator[tuple[int, dict[str, int]]]:
        """The number of the sentence and the words of each match, in order."""
        heads = self._document.heads.tolist()
        labels = self._columns["deprel"] if self._needs_labels else []
        first = 0
        for index, length in enumerate(self._document.lengths.tolist()):
            stop = first + length
            choices = self._choices(self._candidates[0], first, stop)
            if choices is not None:
                place = _Place(heads[first:stop], labels[first:stop], length)
                for found in self._placed(self._wanted, self._order, 0, choices, place, {}):
                    if not self._is_refused(found, first, stop, place):
                        yield index, dict(found)
            first = stop

    @staticmethod
    def _choices(candidates: dict[str, list[bool] | None], first: int, stop: int) -> dict[str, list[int] | None] | None:
        """The words of a sentence that each node may be, None for all; None as a whole where a node has no word."""
        if first == stop:
            return None
        choices: dict[str, list[int] | None] = {}
        for name, flags in candidates.items():
            if flags is None:
                choices[name] = None
                continue
            found = [i for i, flag in enumerate(flags[first:stop], 1) if flag]
            if not found:
                return None
            choices[name] = found
        return choices

    def _placed(
        self,
        group: Group,
        order: Sequence[tuple[str, tuple[Relation, ...]]],
        depth: int,
        choices: dict[str, list[int] | None],
        place: _Place,
        found: dict[str, int],
    ) -> Iterator[dict[str, int]]:
        if depth == len(order):
            yield found
            return
        name, relations = order[depth]
        allowed = choices[name]
        for word in place.options(name, relations, found, allowed):
            if word in found.values() or not all(place.holds(one, {**found, name: word}) for one in relations):
                continue
            yield from self._placed(group, order, depth + 1, choices, place, {**found, name: word})

    def _is_refused(self, found: dict[str, int], first: int, stop: int, place: _Place) -> bool:
        for number, (group, order) in enumerate(self._refused, 1):
            candidates = self._candidates[number]
            bound = {name: word for name, word in found.items() if name in group.nodes}
            flags = ((candidates[name], word) for name, word in bound.items())
            if any(flag is not None and not flag[first + word - 1] for flag, word in flags):
                continue
            tied = [one for one in group.relations if one.left in bound and one.right in bound]
            if not all(place.holds(one, bound) for one in tied):
                continue
            open_nodes = {name: flags for name, flags in candidates.items() if name not in bound}
            choices = self._choices(open_nodes, first, stop) if open_nodes else {}
            if choices is None:
                continue
            if next(self._placed(group, order, 0, choices, place, bound), None) is not None:
                return True
        return False


class _Place:
    """A sentence: heads and labels by number of the word."""

    def __init__(self, heads: list[int], labels: list[str], length: int) -> None:
        self.heads = [0, *heads]
        self.labels = ["", *labels]
        self.length = length
        self._children: list[list[int]] | None = None

    @property
    def children(self) -> list[list[int]]:
        if self._children is None:
            self._children = [[] for _ in range(self.length + 1)]
            for word in range(1, self.length + 1):
                if self.heads[word] >= 0:
                    self._children[self.heads[word]].append(word)
        return self._children

    def options(
        self, name: str, relations: Sequence[Relation], found: dict[str, int], allowed: list[int] | None
    ) -> Sequence[int]:
        """Words that a node may be, by the relation that leaves fewest."""
        for one in relations:
            options = None
            if one.kind == ">" and one.right == name and one.left in found:
                options = self.children[found[one.left]]
            elif one.kind == ">" and one.left == name and one.right in found:
                head = self.heads[found[one.right]]
                options = [head] if head > 0 else []
            elif one.kind == "." and one.left in found and one.right == name:
                options = [found[one.left] + 1] if found[one.left] < self.length else []
            elif one.kind == "." and one.right in found and one.left == name:
                options = [found[one.right] - 1] if found[one.right] > 1 else []
            if options is not None:
                return options if allowed is None else [word for word in options if word in allowed]
        return range(1, self.length + 1) if allowed is None else allowed

    def holds(self, one: Relation, found: dict[str, int]) -> bool:
        left, right = found[one.left], found[one.right]
        if one.kind == ">":
            return self.heads[right] == left and (not one.labels or one.allows(self.labels[right]))
        if one.kind == ".":
            return left + 1 == right
        if one.kind == "..":
            return left < right
        word, steps = self.heads[right], 0
        while word > 0 and steps <= self.length:
            if word == left:
                return True
            word, steps = self.heads[word], steps + 1
        return False


def _order(group: Group, bound: set[str]) -> list[tuple[str, tuple[Relation, ...]]]:
    """Nodes that are not bound, each with the relations to those before it; tied ones come first."""
    placed = set(bound)
    waiting = [name for name in group.nodes if name not in bound]
    order = []
    while waiting:

        def ties(name: str) -> tuple[int, int]:
            tied = sum(
                name in (one.left, one.right) and {one.left, one.right} - {name} <= placed for one in group.relations
            )
            return tied, len(group.nodes[name])

        name = max(waiting, key=ties)
        placed.add(name)
        waiting.remove(name)
        ready = tuple(
            one for one in group.relations if name in (one.left, one.right) and {one.left, one.right} <= placed
        )
        order.append((name, ready))
    return order

# SPDX-License-Identifier: Apache-2.0
"""The grammar that a treebank shows: which spines the words of each tag have, and which relations join them.

A symbol is a number: labels first, then tags, then the root.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accord._core import constituents as _constituents
from accord.data import Sentence
from accord.data.constituents import Constituents
from accord.data.constituents.carriers import word_tags
from accord.data.constituents.head_rules import HeadRules
from accord.data.constituents.spines import ROOT, Derivation


def derivations_of(
    sentences: Iterable[Sentence], trees: Sequence[Constituents], heads: HeadRules
) -> Iterator[Derivation]:
    """The derivations of trees, with the tags that the sentences have."""
    for sentence, tree in zip(sentences, trees, strict=True):
        found = Derivation.from_tree(tree, heads)
        yield Derivation(tuple(word_tags(sentence)), found.spines, found.adjunctions)


@dataclass(frozen=True)
class SpineGrammar:
    """Labels, tags, spines, the spines of each tag, and relations (node, child, modifier, regular), as numbers."""

    labels: tuple[str, ...]
    tags: tuple[str, ...]
    spines: tuple[tuple[int, ...], ...]
    known: tuple[tuple[int, ...], ...]
    relations: tuple[tuple[int, int, int, bool], ...]

    @staticmethod
    def of(derivations: Sequence[Derivation]) -> SpineGrammar:
        """What derivations show. The first label is the one that most trees have at their root."""
        tags, spines, roots = Counter[str](), Counter[tuple[str, ...]](), Counter[str]()
        by_tag: dict[str, Counter[tuple[str, ...]]] = {}
        relations = Counter[tuple[str, str, str, bool, bool, bool]]()
        for derivation in derivations:
            for word, (tag, spine) in enumerate(zip(derivation.tags, derivation.spines, strict=True), start=1):
                tags[tag] += 1
                spines[spine] += 1
                by_tag.setdefault(tag, Counter())[spine] += 1
                one = derivation.relation(word)
                head = derivation.adjunctions[word - 1].head
                if head == 0 and spine:
                    roots[spine[-1]] += 1
                bare = head > 0 and one.below == derivation.tags[head - 1] and one.below != one.node
                bare = bare and derivation.adjunctions[word - 1].node == 0
                relations[(*one, bare, not spine)] += 1
        names = [label for label, _ in roots.most_common()]
        names += sorted({label for spine in spines for label in spine} - set(names))
        label_number = {label: number for number, label in enumerate(names)}
        tag_names = [tag for tag, _ in tags.most_common()]
        tag_number = {tag: len(names) + number for number, tag in enumerate(tag_names)}
        root = len(names) + len(tag_names)
        spine_number = {spine: number for number, (spine, _) in enumerate(spines.most_common())}
        found = set()
        for node, below, modifier, regular, is_tag, bare in relations:
            low = root if below == ROOT else (tag_number if is_tag else label_number)[below]
            found.add(
                (
                    root if node == ROOT else label_number[node],
                    low,
                    (tag_number if bare else label_number)[modifier],
                    regular,
                )
            )
        known = [tuple(sorted(spine_number[spine] for spine in by_tag[tag])) for tag in tag_names]
        return SpineGrammar(
            tuple(names),
            tuple(tag_names),
            tuple(tuple(label_number[label] for label in spine) for spine in spine_number),
            (*known, known[0]),
            tuple(sorted(found)),
        )

    @cached_property
    def native(self) -> _constituents.SpineGrammar:
        return _constituents.SpineGrammar(len(self.labels), len(self.tags), self.spines, self.known, self.relations)

    def numbers(self, derivations: Iterable[Derivation]) -> dict[str, NDArray[np.int32]]:
        """Derivations as the core's trainers take them; -1 for a spine that a word of its tag never has here."""
        names = {tuple(self.labels[label] for label in spine): number for number, spine in enumerate(self.spines)}
        tags = {tag: number for number, tag in enumerate(self.tags)}
        spines: list[int] = []
        joins: list[tuple[int, int, bool]] = []
        for derivation in derivations:
            for tag, spine in zip(derivation.tags, derivation.spines, strict=True):
                number = names.get(spine, -1)
                spines.append(number if number in self.known[tags.get(tag, 0)] else -1)
            joins += derivation.adjunctions
        columns = np.array(joins, np.int32).reshape(-1, 3)
        return {
            "spines": np.array(spines, np.int32),
            "heads": np.ascontiguousarray(columns[:, 0]),
            "nodes": np.ascontiguousarray(columns[:, 1]),
            "regular": np.ascontiguousarray(columns[:, 2]),
        }

    def to_text(self) -> str:
        """One line for each tag, spine and relation; labels are those of the model."""
        lines = [f"tag {tag} {' '.join(map(str, known))}" for tag, known in zip(self.tags, self.known, strict=False)]
        lines += [" ".join(["spine", *map(str, spine)]) for spine in self.spines]
        lines += [f"relation {node} {below} {top} {int(regular)}" for node, below, top, regular in self.relations]
        return "\n".join(lines)

    @staticmethod
    def from_text(text: str, labels: tuple[str, ...]) -> SpineGrammar:
        """Undo :meth:`to_text`; what is no grammar raises ValueError."""
        tags: list[str] = []
        known: list[tuple[int, ...]] = []
        spines: list[tuple[int, ...]] = []
        relations: list[tuple[int, int, int, bool]] = []
        for line in text.splitlines():
            kind, *rest = line.split(" ")
            if kind == "tag" and len(rest) > 1:
                tags.append(rest[0])
                known.append(tuple(map(int, rest[1:])))
            elif kind == "spine":
                spines.append(tuple(map(int, rest)))
            elif kind == "relation" and len(rest) == 4:
                node, below, top, regular = map(int, rest)
                relations.append((node, below, top, bool(regular)))
            else:
                raise ValueError(f"{line[:40]!r} is no line of a grammar")
        if not tags:
            raise ValueError("a grammar has tags")
        return SpineGrammar(labels, tuple(tags), tuple(spines), (*known, known[0]), tuple(relations))

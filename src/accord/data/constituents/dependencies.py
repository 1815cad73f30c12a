# SPDX-License-Identifier: Apache-2.0
"""From constituents to labelled dependencies: heads by head rules, labels by rules that are data too.

``rules/ud-english.labels`` explains the form of label rules. A dependency stands for a place in the tree: the largest
constituent that the dependent heads hangs beside the child that holds the head.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from accord.data.constituents.head_rules import HeadRules, matches
from accord.data.constituents.tree import Constituents
from accord.data.files import open_input
from accord.data.sentence import Sentence
from accord.errors import ConfigError, FormatError

_LABELS = ("dependent", "parent", "head", "tag", "headtag", "before")
_CONDITIONS = (*_LABELS, "side", "word", "conjunct")


@dataclass(frozen=True, slots=True)
class Place:
    """What label rules can ask about one dependency."""

    dependent: str
    parent: str
    head: str
    tag: str
    headtag: str
    before: str  # the next sibling that ends after the dependent, or nothing
    side: str
    word: str
    conjunct: str


@dataclass(frozen=True, slots=True)
class LabelRule:
    """A label and the conditions under which it is given."""

    label: str
    conditions: Mapping[str, tuple[str, ...]]

    def holds(self, place: Place) -> bool:
        for name, values in self.conditions.items():
            found: str = getattr(place, name)
            if name in _LABELS:
                if not found or not any(matches(value, found) for value in values):
                    return False
            elif found not in values:
                return False
        return True


@dataclass(frozen=True)
class LabelRules:
    """Rules in their order; a dependency that none fits gets ``dep``."""

    rules: tuple[LabelRule, ...] = ()

    @classmethod
    def load(cls, name: str | Path) -> LabelRules:
        """Rules of a packaged name (``ud-english``) or of a file."""
        return _load(str(name))

    @classmethod
    def parse(cls, text: str, *, file: str = "<rules>") -> LabelRules:
        rules = []
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip() or line.startswith("#"):
                continue
            label, *pieces = line.split()
            conditions = {}
            for piece in pieces:
                name, equals, values = piece.partition("=")
                if not equals or name not in _CONDITIONS:
                    known = ", ".join(_CONDITIONS)
                    raise FormatError(f"{piece!r}: a condition is one of {known} and values", file=file, line=number)
                conditions[name] = tuple(values.split("|"))
            rules.append(LabelRule(label, conditions))
        return cls(tuple(rules))

    def label(self, place: Place) -> str:
        return next((rule.label for rule in self.rules if rule.holds(place)), "dep")


def dependencies(
    tree: Constituents, forms: Sequence[str], heads: HeadRules, labels: LabelRules | None = None
) -> tuple[list[int], list[str]]:
    """Head and label of each word; without label rules, a label is the dependent's constituent.

    >>> tree, forms = Constituents.from_text("(S (NP-SBJ (PRP They)) (VP (VBD saw) (NP (PRP her))) (. .))")
    >>> dependencies(tree, forms, HeadRules.load("ud-english"), LabelRules.load("ud-english"))
    ([2, 0, 2, 2], ['nsubj', 'root', 'obj', 'punct'])
    """
    words = heads.head_words(tree)
    tags = tree.tags
    found, names = [0] * tree.words, ["root"] * tree.words
    for node, parent in enumerate(tree.parents):
        word = words[node]
        if parent < 0 or not word or word == words[parent]:
            continue
        found[word - 1] = heads.head_of(tree, node, words)
        names[word - 1] = tree.labels[node]
        if labels is not None:
            names[word - 1] = labels.label(_place(tree, node, words, tags, forms, heads.coordination or ("CC",)))
    return found, names


def with_dependencies(sentence: Sentence, heads: HeadRules, labels: LabelRules | None = None) -> Sentence:
    """The sentence with the dependencies that its constituents imply."""
    from dataclasses import replace

    tree = sentence.constituents
    if tree is None:
        raise FormatError("the sentence has no constituents", line=sentence.line)
    governors, names = dependencies(tree, sentence.forms, heads, labels)
    columns = zip(sentence.words, governors, names, strict=True)
    return replace(sentence, words=tuple(replace(word, head=head, deprel=name) for word, head, name in columns))


def _place(
    tree: Constituents,
    node: int,
    words: Sequence[int],
    tags: Sequence[str],
    forms: Sequence[str],
    joints: Sequence[str],
) -> Place:
    parent = tree.parents[node]
    siblings = tree.children[parent]
    at = siblings.index(node)
    head_child = next(child for child in siblings if words[child] == words[parent])
    joined = any(matches(name, tree.labels[child]) for child in siblings for name in joints)
    return Place(
        dependent=tree.labels[node],
        parent=tree.labels[parent],
        head=tree.labels[head_child],
        tag=tags[words[node] - 1],
        headtag=tags[words[parent] - 1],
        before=tree.labels[siblings[at + 1]] if at + 1 < len(siblings) else "",
        side="left" if words[node] < words[parent] else "right",
        word=forms[words[node] - 1].lower(),
        conjunct="yes" if joined else "no",
    )


@cache
def _load(name: str) -> LabelRules:
    folder = resources.files("accord.data.constituents") / "rules"
    packaged = sorted(file.name.removesuffix(".labels") for file in folder.iterdir() if file.name.endswith(".labels"))
    if name in packaged:
        return LabelRules.parse((folder / f"{name}.labels").read_text(encoding="utf-8"), file=f"{name}.labels")
    if not Path(name).is_file():
        raise ConfigError(f"no label rules are named {name!r}: there are {', '.join(packaged)}, or name a file")
    with open_input(name) as file:
        return LabelRules.parse(file.read().decode("utf-8", errors="replace"), file=name)

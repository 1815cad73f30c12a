# SPDX-License-Identifier: Apache-2.0
"""Head rules: which child of a constituent is its head. The rules are data; ``rules/collins.heads`` explains its form.

Rules for a label look at the categories of the children. A name in a rule may end in ``*`` (any label that begins so),
or carry a function tag (``NP-PRD``: a noun phrase that is a predicate). Empty elements are never heads where there is
anything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path

from accord.data.constituents.labels import EMPTY_TAG, category, functions
from accord.data.constituents.tree import Constituents
from accord.data.files import open_input
from accord.errors import ConfigError, FormatError

_DIRECTIONS = ("left", "left-any", "right", "right-any", "last")


@dataclass(frozen=True, slots=True)
class Step:
    """One search among the children."""

    direction: str
    names: tuple[str, ...]

    def find(self, labels: Sequence[str]) -> int | None:
        """The place of the child that the step finds among these labels."""
        places = range(len(labels)) if self.direction.startswith("left") else range(len(labels) - 1, -1, -1)
        if not self.names:
            return places[0]
        if self.direction == "last":
            return len(labels) - 1 if any(matches(name, labels[-1]) for name in self.names) else None
        if self.direction.endswith("any"):
            return next((p for p in places if any(matches(name, labels[p]) for name in self.names)), None)
        return next((p for name in self.names for p in places if matches(name, labels[p])), None)


@cache
def matches(name: str, label: str) -> bool:
    """Whether a name in a rule means a label.

    >>> matches("NP", "NP-SBJ"), matches("NP-PRD", "NP-SBJ"), matches("V*", "VC31"), matches("-LRB-", "-LRB-")
    (True, False, True, True)
    """
    if name.endswith("*") and len(name) > 1:
        return label.startswith(name[:-1])
    if category(name) != category(label):
        return False
    return set(functions(name)) <= set(functions(label))


@dataclass(frozen=True)
class HeadRules:
    """The steps for each label, and what is true of all labels.

    >>> rules = HeadRules.load("collins")
    >>> tree, _ = Constituents.from_text("(S (NP (DT The) (NN dog)) (VP (VBD slept)) (. .))")
    >>> rules.head_words(tree)[0], rules.heads(tree)
    (3, [2, 3, 0, 3])
    """

    steps: dict[str, tuple[Step, ...]]
    default: tuple[Step, ...] = (Step("left", ()),)
    coordination: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    following: tuple[str, ...] = ()
    name: str = field(default="<rules>", compare=False)

    @classmethod
    def load(cls, name: str | Path) -> HeadRules:
        """Rules of a packaged name (``collins``, ``yamada-matsumoto``, ``ud-english``, ...) or of a file."""
        return load_rules(str(name))

    @classmethod
    def parse(cls, text: str, *, file: str = "<rules>") -> HeadRules:
        """The rules of a text; what is no rule raises FormatError with its line."""
        steps: dict[str, tuple[Step, ...]] = {}
        directives: dict[str, tuple[str, ...]] = {}
        default: tuple[Step, ...] = (Step("left", ()),)
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip() or line.startswith("#"):
                continue
            key, _, rest = line.strip().partition(" ")
            if key in ("@coordination", "@never", "@following"):
                directives[key[1:]] = tuple(rest.split())
                continue
            if key.startswith("@") and key != "@default":
                raise FormatError(
                    f"{key}: expected @default, @coordination, @never or @following", file=file, line=number
                )
            found = tuple(_step(piece, file, number) for piece in rest.split(";"))
            if key == "@default":
                default = found
            elif key in steps:
                raise FormatError(f"a second rule for {key}", file=file, line=number)
            else:
                steps[key] = found
        return cls(steps, default, **directives, name=file)

    def head_child(self, tree: Constituents, node: int) -> int:
        """The child of a phrase that is its head."""
        children = tree.children[node]
        labels = [tree.labels[child] for child in children]
        allowed = [p for p, label in enumerate(labels) if not any(matches(name, label) for name in self.never)]
        full = [p for p in allowed if _holds_words(tree, children[p])]
        full = full or [p for p in range(len(labels)) if _holds_words(tree, children[p])] or list(range(len(labels)))
        shown = [labels[p] for p in full]
        found = next((p for step in self._steps_of(tree.labels[node]) if (p := step.find(shown)) is not None), None)
        if found is None:
            found = next((p for step in self.default if (p := step.find(shown)) is not None), 0)
        return children[full[self._first_conjunct(shown, found)]]

    def head_words(self, tree: Constituents) -> list[int]:
        """The word at the head of each node; 0 for empty elements."""
        heads = [leaf if isinstance(leaf, int) else 0 for leaf in tree.leaves]
        for node in range(len(tree) - 1, -1, -1):
            if tree.leaves[node] is None:
                heads[node] = heads[self.head_child(tree, node)]
        return heads

    def heads(self, tree: Constituents) -> list[int]:
        """The head of each word, 0 for the root: the dependencies that the constituents imply."""
        words = self.head_words(tree)
        found = [0] * tree.words
        for node, parent in enumerate(tree.parents):
            if parent >= 0 and words[node] and words[node] != words[parent]:
                found[words[node] - 1] = self.head_of(tree, node, words)
        return found

    def head_of(self, tree: Constituents, node: int, words: Sequence[int]) -> int:
        """The word from which the head of a node hangs; ``words`` are those of :meth:`head_words`."""
        parent = tree.parents[node]
        if any(matches(name, tree.labels[node]) for name in self.following):
            siblings = tree.children[parent]
            for other in siblings[siblings.index(node) + 1 :]:
                if words[other] and not any(matches(name, tree.labels[other]) for name in self.never):
                    return words[other]
        return words[parent]

    def _steps_of(self, label: str) -> tuple[Step, ...]:
        exact = self.steps.get(category(label))
        if exact is not None:
            return exact
        return next((steps for name, steps in self.steps.items() if name.endswith("*") and matches(name, label)), ())

    def _first_conjunct(self, labels: Sequence[str], found: int) -> int:
        while found >= 2 and any(matches(name, labels[found - 1]) for name in self.coordination):
            found -= 2
        return found


def _holds_words(tree: Constituents, node: int) -> bool:
    begin, end = tree.spans[node]
    return end > begin and tree.labels[node] != EMPTY_TAG


def _step(text: str, file: str, line: int) -> Step:
    direction, *names = text.split() or [""]
    if direction not in _DIRECTIONS or (direction == "last" and not names):
        raise FormatError(f"{text.strip()!r}: a step is {', '.join(_DIRECTIONS)} and labels", file=file, line=line)
    return Step(direction, tuple(names))


@cache
def packaged_rules() -> dict[str, str]:
    """The names of packaged head rules, and their texts."""
    folder = resources.files("accord.data.constituents") / "rules"
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".heads"))
    return {name.removesuffix(".heads"): (folder / name).read_text(encoding="utf-8") for name in files}


@cache
def load_rules(name: str) -> HeadRules:
    """See :meth:`HeadRules.load`."""
    packaged = packaged_rules()
    if name in packaged:
        return HeadRules.parse(packaged[name], file=f"{name}.heads")
    if not Path(name).is_file():
        raise ConfigError(f"no head rules are named {name!r}: there are {', '.join(packaged)}, or name a file")
    with open_input(name) as file:
        return HeadRules.parse(file.read().decode("utf-8", errors="replace"), file=name)

# SPDX-License-Identifier: Apache-2.0
"""What ``accord convert`` does to constituents on the way: make, strip and move them, and give them heads."""

from __future__ import annotations

from collections.abc import Callable

from accord.data import Document
from accord.data.constituents import Constituents, without_empties, without_functions, without_root
from accord.data.constituents.dependencies import LabelRules, dependencies
from accord.data.constituents.head_rules import HeadRules
from accord.data.constituents.projections import NAMES, with_phrases_of
from accord.errors import ConfigError, FormatError

STRIPPED = ("empties", "functions", "root")


def tree_change(
    *,
    strip: str = "",
    heads: str | None = None,
    labels: str | None = None,
    carrier: str | None = None,
    phrases: str | None = None,
    left_out: list[FormatError] | None = None,
) -> Callable[[Document], Document]:
    """The function that changes a document as the options of the command say.

    ``left_out``: where sentences go whose dependencies make no phrases; None: the first such sentence is an error.
    """
    if phrases is not None and phrases not in NAMES:
        raise ConfigError(f"--phrases {phrases}: expected {', '.join(NAMES)}")
    if phrases is not None and heads is not None:
        raise ConfigError("--phrases: makes phrases of dependencies, and --heads dependencies of phrases")
    taken = tuple(part for part in strip.split(",") if part)
    for part in taken:
        if part not in STRIPPED:
            raise ConfigError(f"--strip {part}: expected {', '.join(STRIPPED)}")
    if labels is not None and heads is None:
        raise ConfigError("--labels: labels belong to the dependencies of --heads")
    if carrier not in (None, "comment", "misc"):
        raise ConfigError(f"--carrier {carrier}: expected comment or misc")
    head_rules = None if heads is None else HeadRules.load(heads)
    label_rules = None if labels is None else LabelRules.load(labels)

    def changed(document: Document) -> Document:
        if phrases is not None:
            document = _with_phrases(document, phrases, left_out)
        trees = [sentence.constituents for sentence in document.sentences]
        if head_rules is not None:
            document = _with_dependencies(document, trees, head_rules, label_rules)
        if taken:
            trees = [None if tree is None else _stripped(tree, taken) for tree in trees]
        if carrier == "misc":
            return _without_comments(document).with_constituents(trees, "misc")
        return document.with_constituents(trees) if taken else document

    return changed


def _with_phrases(document: Document, name: str, left_out: list[FormatError] | None) -> Document:
    """The document with phrases of its dependencies, without the sentences that have none."""
    kept, trees = [], []
    for sentence in document.sentences:
        tree = with_phrases_of(sentence, name)
        if tree is not None:
            kept.append(sentence)
            trees.append(tree)
            continue
        problem = FormatError("no projective tree with one root", file=document.name, line=sentence.line)
        if left_out is None:
            raise problem
        left_out.append(problem)
    return Document.from_sentences(kept, name=document.name).with_constituents(trees)


def _stripped(tree: Constituents, taken: tuple[str, ...]) -> Constituents:
    if "empties" in taken:
        tree = without_empties(tree) or tree  # a document has no sentence without words
    if "functions" in taken:
        tree = without_functions(tree)
    return without_root(tree) if "root" in taken else tree


def _with_dependencies(
    document: Document, trees: list[Constituents | None], heads: HeadRules, labels: LabelRules | None
) -> Document:
    """The document with dependencies of all trees; words of sentences without a tree keep theirs."""
    governors: list[int | None] = []
    names: list[str] = []
    for sentence, tree in zip(document.sentences, trees, strict=True):
        if tree is None:
            governors += sentence.heads
            names += sentence.deprels
        else:
            found = dependencies(tree, sentence.forms, heads, labels)
            governors += found[0]
            names += found[1]
    return document.replace(heads=governors, deprels=names)


def _without_comments(document: Document) -> Document:
    """The document without the trees that it holds in comments."""
    from dataclasses import replace

    kept = []
    for sentence in document.sentences:
        comments = tuple(line for line in sentence.comments if not line.startswith("# constituents ="))
        kept.append(replace(sentence, comments=comments))
    return Document.from_sentences(kept, name=document.name)

# SPDX-License-Identifier: Apache-2.0
"""The k best trees of a sentence, with and without rules, as a user sees them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from accord._core import tasks as _tasks
from accord.data import Document, Sentence
from accord.inference.rules import Rule
from accord.tasks.parser.answers import RankedTree, Tree
from accord.tasks.parser.ruled import RuledParser, kept_rules

FOREIGN_LABEL = -2  # given, but the model does not know it


def ranked_trees(found: Iterable[Any], labels: Sequence[str], kept: Sentence | None) -> list[RankedTree]:
    """Those of the core (score, heads, labels, certified); those that the model does not know are ``kept``."""
    return [
        RankedTree(Tree(tuple(heads[1:].tolist()), _deprels(numbers, labels, kept)), score, certified=certified)
        for score, heads, numbers, certified in found
    ]


def ruled_ranking(
    ruled: RuledParser,
    document: Document,
    rules: Sequence[Rule],
    k: int,
    given: _tasks.Given | None,
    kept: Sentence | None,
) -> list[RankedTree]:
    """Those of the only sentence of a document under rules."""
    if not document.lengths[0]:
        return []
    known = None if given is None else given.sentence(0)
    answer = ruled.rank(document, 0, rules, k, () if known is None else kept_rules(*known, ruled.labels))
    ranked = []
    for one in answer.ranked:
        solution = one.solution
        numbers = solution.labels
        if numbers is None or ruled.config.label_mode() == "none":
            numbers = np.full_like(solution.heads, -1)
        if known is not None:  # a label that the model does not know stays
            numbers = np.where(known[1] == FOREIGN_LABEL, -1, numbers)
        deprels = _deprels(numbers, ruled.labels, kept)
        heads = tuple(solution.heads[1:].tolist())
        tree = Tree(heads, deprels, solution.broken, answer.unkept)
        ranked.append(RankedTree(tree, solution.value, certified=one.certified))
    return ranked


def ranked_sentences(sentence: Sentence, ranked: Sequence[RankedTree]) -> Iterator[Sentence]:
    """The sentence once for each tree, with the tree's rank and score as comments, without an enhanced graph."""
    own = ("# nbest =", "# score =", "# certified =")
    kept = tuple(comment for comment in sentence.comments if not comment.startswith(own))
    for rank, tree in enumerate(ranked, 1):
        doubt = () if tree.certified else ("# certified = no",)
        comments = (*kept, f"# nbest = {rank}", f"# score = {tree.score:.6f}", *doubt)
        yield dataclasses.replace(with_tree(sentence, tree), comments=comments)


def with_tree(sentence: Sentence, tree: Any) -> Sentence:
    """The sentence with the heads and labels of a tree, and without the enhanced graph of another one."""
    words = tuple(
        dataclasses.replace(word, head=head, deprel=deprel, deps="_")
        for word, head, deprel in zip(sentence.words, tree.heads, tree.deprels, strict=True)
    )
    had_graph = any(word.deps != "_" for word in sentence.words)
    return dataclasses.replace(sentence, words=words, empty_nodes=() if had_graph else sentence.empty_nodes)


def _deprels(numbers: Any, labels: Sequence[str], kept: Sentence | None) -> tuple[str, ...]:
    names = ["_"] * (len(numbers) - 1) if kept is None else kept.deprels
    return tuple(
        labels[number] if number >= 0 else name for number, name in zip(numbers[1:].tolist(), names, strict=True)
    )

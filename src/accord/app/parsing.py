# SPDX-License-Identifier: Apache-2.0
"""Parsing for the command line: document after document, and what the user should hear of how it went."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from accord.app import options
from accord.data import Document, Sentence
from accord.errors import FormatError
from accord.inference.rules import Rule
from accord.tasks.parser import Parser, Search, Trees
from accord.tasks.parser.tagging import Tags


class Parsing:
    """A parser with its options; counts the sentences and those that the budget cut short."""

    def __init__(
        self,
        parser: Parser,
        rules: Sequence[Rule],
        search: Search,
        *,
        marginals: bool,
        keep: bool,
        threads: int,
        status: bool,
        tags: Tags = "keep",
    ) -> None:
        self.parser = parser
        self.keep = keep
        self._rules = rules
        self._search = search
        self._marginals = marginals
        self._threads = threads
        self._status = status
        self._tags = tags
        self._longest = 0
        self._sentences = 0
        self._unproved = 0

    def parse(self, document: Document) -> Document:
        given = self.parser.given(document, threads=self._threads) if self.keep else None
        if given is not None:
            options.warn(given.problems)
        trees = self.parser.trees(
            document,
            marginals=self._marginals,
            keep=given,
            threads=self._threads,
            constraints=self._rules,
            search=self._search,
            tags=self.parser.wants_tags(document, self._tags),
        )
        self._count(document)
        self._warn(document, trees)
        return self.parser.annotated(document, trees, status=self._status, tags=self._tags)

    def ranked(self, document: Document, k: int) -> Document:
        """Each sentence once per tree, with its rank and score as comments."""
        self._count(document)
        sentences = enumerate(document.sentences)
        return Document.from_sentences(
            tree for index, one in sentences for tree in self._ranked(document, index, one, k)
        )

    def _ranked(self, document: Document, index: int, sentence: Sentence, k: int) -> Iterator[Sentence]:
        if len(sentence) == 0:
            yield sentence
            return
        own = ("# nbest =", "# score =", "# certified =")
        kept = tuple(comment for comment in sentence.comments if not comment.startswith(own))
        given = self.parser.given(Document.from_sentences([sentence])) if self.keep else None
        ranked = self.parser.kbest(sentence, k, keep=given, search=self._search, constraints=self._rules)
        for unkept in ranked[0].unkept if ranked else ():
            self._say(document, index, f"{unkept}; parsed without")
        for rank, tree in enumerate(ranked, 1):
            same = tree.heads == sentence.heads and tree.deprels == sentence.deprels  # then DEPS still belong to it
            words = tuple(
                dataclasses.replace(word, head=head, deprel=deprel, deps=word.deps if same else "_")
                for word, head, deprel in zip(sentence.words, tree.heads, tree.deprels, strict=True)
            )
            doubt = () if tree.certified else ("# certified = no",)
            comments = (*kept, f"# nbest = {rank}", f"# score = {tree.score:.6f}", *doubt)
            yield dataclasses.replace(sentence, words=words, comments=comments)

    def _count(self, document: Document) -> None:
        self._longest = max(self._longest, *document.lengths.tolist(), 0)
        self._sentences += len(document)

    def _warn(self, document: Document, trees: Trees) -> None:
        for index, found in trees.unkept.items():
            for unkept in found:
                self._say(document, index, f"{unkept}; parsed without")
        budget = [index for index, name in enumerate(trees.status) if name == "budget"]
        self._unproved += len(budget)
        if self._search.solver == "branch_and_bound":
            for index in budget:
                self._say(document, index, "the budget ran out before the tree was proved best")

    def _say(self, document: Document, index: int, message: str) -> None:
        sentence = document.sentences[index]
        name = f"sentence {sentence.sent_id}: " if sentence.sent_id else ""
        options.warn([FormatError(f"{name}{message}", file=document.name, line=document.native.line(index))])

    def report(self) -> None:
        """What is known at the end only."""
        if self._search.seconds < float("inf") and self._unproved:
            options.say(f"the budget ran out for {self._unproved} of {self._sentences} sentences: best trees so far")
        for rule in self._rules:
            if rule.last_word > self._longest:
                options.say(f"rule '{rule}': no sentence has a word {rule.last_word}")

# SPDX-License-Identifier: Apache-2.0
"""Parsing for the command line: document after document, and what the user should hear of how it went."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

from accord.app import options as shared
from accord.data import Document, Sentence
from accord.errors import FormatError
from accord.tasks.parser import ParseOptions, Parser, Trees
from accord.tasks.parser.options import STATUSES
from accord.tasks.parser.ranked import ranked_sentences

BUDGET = STATUSES.index("budget")


class Parsing:
    """A parser with its options; counts the sentences and those that the budget cut short."""

    def __init__(self, parser: Parser, options: ParseOptions) -> None:
        self.parser = parser
        self.options = options
        self._longest = 0
        self._sentences = 0
        self._unproved = 0

    def parse(self, document: Document) -> Document:
        """The document with its trees; with a list of trees, each sentence once per tree."""
        self._longest = max(self._longest, int(document.lengths.max(initial=0)))
        self._sentences += len(document)
        if self.options.k > 1:
            sentences = enumerate(document.sentences)
            return Document.from_sentences(
                tree for index, one in sentences for tree in self._ranked(document, index, one)
            )
        asked = self.options
        if asked.keep is not None:
            given = self.parser.given(document, threads=asked.threads)
            shared.warn(given.problems)
            asked = dataclasses.replace(asked, keep=given)
        trees = self.parser.trees(document, asked)
        self._warn(document, trees)
        return self.parser.annotated(document, trees, asked)

    def _ranked(self, document: Document, index: int, sentence: Sentence) -> Iterator[Sentence]:
        if len(sentence) == 0:
            yield sentence
            return
        asked = self.options
        if asked.keep is not None:
            asked = dataclasses.replace(asked, keep=self.parser.given(Document.from_sentences([sentence])))
        ranked = self.parser.kbest(sentence, options=asked)
        for unkept in ranked[0].unkept if ranked else ():
            self._say(document, index, f"{unkept}; parsed without")
        yield from ranked_sentences(sentence, ranked)

    def _warn(self, document: Document, trees: Trees) -> None:
        for index, found in trees.unkept.items():
            for unkept in found:
                self._say(document, index, f"{unkept}; parsed without")
        cut_short = (trees.statuses == BUDGET).nonzero()[0].tolist()
        self._unproved += len(cut_short)
        if self.options.search.solver == "branch_and_bound":
            for index in cut_short:
                self._say(document, index, "the budget ran out before the tree was proved best")

    def _say(self, document: Document, index: int, message: str) -> None:
        sentence = document.sentences[index]
        name = f"sentence {sentence.sent_id}: " if sentence.sent_id else ""
        shared.warn([FormatError(f"{name}{message}", file=document.name, line=document.native.line(index))])

    def report(self) -> None:
        """What is known at the end only."""
        if self.options.search.seconds < math.inf and self._unproved:
            shared.say(f"the budget ran out for {self._unproved} of {self._sentences} sentences: best trees so far")
        for rule in self.options.parsed_rules:
            if rule.last_word > self._longest:
                shared.say(f"rule '{rule}': no sentence has a word {rule.last_word}")

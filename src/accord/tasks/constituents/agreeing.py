# SPDX-License-Identifier: Apache-2.0
"""A dependency parser and a constituency parser that agree about every sentence; see accord.inference.agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from accord.data import Document, Sentence
from accord.data.constituents import Constituents
from accord.errors import ConfigError
from accord.inference.agreement import Agreement, agree
from accord.inference.trees import NonProjective, Projective
from accord.tasks.constituents.model import ConstituencyParser
from accord.tasks.constituents.treebank import tree_of_spans, word_tags
from accord.tasks.parser import Parser

WEIGHT = 2.0


@dataclass(frozen=True)
class AgreeingParsers:
    """Both parsers. ``weight``: what the dependency tree counts beside the phrases; ``rounds``: of the search.

    Scores of both are logarithms of probabilities up to constants, so a weight of 1 is the product of the two models.
    For the packaged models of English 2 is better (docs/results/constituents.md).
    """

    parser: Parser
    phrases: ConstituencyParser
    weight: float = WEIGHT
    rounds: int = 50

    def __post_init__(self) -> None:
        if self.parser.config.order != 1:
            raise ConfigError("agreement needs a dependency parser of order 1")
        if self.phrases.model.grammar:
            raise ConfigError("agreement needs phrases by a model of spans: this one has spines")

    @staticmethod
    def load(parser: Parser, phrases: str | Path, *, weight: float = WEIGHT) -> AgreeingParsers:
        return AgreeingParsers(parser, ConstituencyParser.load(phrases), weight)

    def agreement(self, sentence: Sentence) -> Agreement:
        """The phrases and heads of a sentence, with the bound that says how good they are."""
        arcs = self.parser.arc_scores(sentence)
        kind = Projective if self.parser.config.projective else NonProjective
        trees = kind(arcs, single_root=True)
        return agree(self.phrases.spans(sentence), trees, weight=self.weight, rounds=self.rounds)

    def __call__(self, document: Document) -> Document:
        """The document with phrases and heads that agree; sentences too long for a chart are parsed by each alone."""
        found = [self._parsed(sentence) for sentence in document.sentences]
        return self._joined(document, found)

    def _parsed(self, sentence: Sentence) -> Agreement | None:
        return self.agreement(sentence) if 0 < len(sentence) <= self.phrases.model.config.longest else None

    def _joined(self, document: Document, found: Sequence[Agreement | None]) -> Document:
        heads: list[int | None] = []
        changed = False
        for sentence, one in zip(document.sentences, found, strict=True):
            old = [word.head for word in sentence.words]
            new = old if one is None else one.heads.tolist()
            changed = changed or new != old
            heads += new
        if changed:  # labels belong to arcs
            given = document.replace(heads=heads, deprels=["_"] * len(heads))
            document = self.parser.parse(given, keep="given", tags="keep")
        return document.with_constituents(
            [self._tree(s, one) for s, one in zip(document.sentences, found, strict=True)]
        )

    def _tree(self, sentence: Sentence, found: Agreement | None) -> Constituents | None:
        if len(sentence) == 0:
            return None
        if found is None:
            return self.phrases.trees(Document.from_sentences([sentence]))[0].tree
        return tree_of_spans(found.spans, word_tags(sentence), self.phrases.labels)

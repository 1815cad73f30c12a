# SPDX-License-Identifier: Apache-2.0
"""Parsers and taggers as parties of a search for answers that agree; see accord.inference.agreement."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.data import Document, Sentence
from accord.errors import ConfigError, ConstraintError
from accord.inference.agreement import ChainOfTags, DistributionOfHeads, Heads, Tags
from accord.inference.chains import Chain
from accord.inference.trees import NonProjective, Projective
from accord.tasks.parser import Parser
from accord.tasks.parser.tagging import NetworkTagger
from accord.tasks.tagger import Tagger

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]


def heads_of(parser: Parser, sentence: Sentence) -> Heads:
    """The dependency trees of a sentence, whatever the order of the parser is."""
    if parser.config.order != 1:
        return HeadsOfParts(parser, sentence)
    kind = Projective if parser.config.projective else NonProjective
    return DistributionOfHeads(kind(parser.arc_scores(sentence), single_root=True))


def tags_of(tagger: Tagger | NetworkTagger, sentence: Sentence, column: str) -> Tags:
    """The sequences of tags of a sentence."""
    if isinstance(tagger, NetworkTagger):
        return ChainOfTags(Chain(tagger.parser.tag_logs(sentence, column).astype(np.float64)))
    return TagsOfLabeller(tagger, sentence)


def tag_names(tagger: Tagger | NetworkTagger, column: str) -> tuple[str, ...]:
    """The tags of a column that a tagger chooses among."""
    if isinstance(tagger, NetworkTagger) and column in tagger.parser.columns:
        return tagger.classes(column)
    if tagger.column != column:
        raise ConfigError(f"rules about tags of {column}: this tagger labels {tagger.column}")
    return tagger.labels


class HeadsOfParts:
    """Trees of a parser with parts of several arcs, over the arcs that its pruner leaves.

    A search that ends without proof gives a bound all the same.
    """

    def __init__(self, parser: Parser, sentence: Sentence) -> None:
        self.words, self._projective = len(sentence), parser.config.projective
        self._arcs, self._parts = parser.scored_parts(sentence)

    def best(self, bonus: Floats) -> tuple[Numbers, float, float]:
        heads, bound, _ = self._parts.best_tree(self._arcs + bonus, projective=self._projective, single_root=True)
        own = float(self._arcs[heads[1:], np.arange(1, self.words + 1)].sum()) + self._parts.score(heads)
        return heads, own, bound


class TagsOfLabeller:
    """The chain of a linear tagger."""

    def __init__(self, tagger: Tagger, sentence: Sentence) -> None:
        self._chain, self.words, self.labels = tagger.chain, len(sentence), len(tagger.labels)
        self._sequences = self._chain.words(Document.from_sentences([sentence]))

    def best(self, bonus: Floats) -> tuple[Numbers, float, float]:
        found = self._chain.label(self._sequences, bonus=bonus, threads=1)
        if found.impossible[0]:
            raise ConstraintError("no tags are allowed")
        tags = found.numbers[:, 0].astype(np.int32)
        score = float(found.score[0])
        return tags, score - float(bonus[np.arange(self.words), tags].sum()), score

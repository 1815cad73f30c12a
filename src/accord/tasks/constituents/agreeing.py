# SPDX-License-Identifier: Apache-2.0
"""A dependency parser, a constituency parser and a tagger that agree about every sentence.

See accord.inference.agreement for what agreement means and how it is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from accord.data import Document, Sentence
from accord.data.constituents import Constituents
from accord.data.constituents.carriers import word_tags
from accord.data.constituents.tag_rules import TagRules
from accord.errors import ConfigError, ConstraintError
from accord.inference.agreement import Agreement, Known, PhraseTags, Tags, agree
from accord.tasks.constituents.agreement_parties import heads_of, tag_names, tags_of
from accord.tasks.constituents.model import ConstituencyParser
from accord.tasks.constituents.treebank import tree_of_spans
from accord.tasks.parser import Parser
from accord.tasks.parser.tagging import NetworkTagger
from accord.tasks.tagger import Tagger
from accord.tasks.tagger.model import COLUMNS

WEIGHT = 2.0


@dataclass(frozen=True)
class AgreeingParsers:
    """Both parsers, and a tagger where there are rules about its tags.

    ``weight``, ``tag_weight``: what dependencies and tags count beside the phrases; ``rounds``: of the search.

    Scores of all are logarithms of probabilities up to constants, so a weight of 1 is the product of the models.
    For the packaged models of English 2 is better for dependencies (docs/results/constituents.md).
    """

    parser: Parser
    phrases: ConstituencyParser
    weight: float = WEIGHT
    rounds: int = 50
    tagger: Tagger | NetworkTagger | None = None
    rules: TagRules | None = None
    tag_weight: float = 1.0

    def __post_init__(self) -> None:
        if self.phrases.model.grammar:
            raise ConfigError("agreement needs phrases by a model of spans: this one has spines")
        if (self.tagger is None) != (self.rules is None):
            raise ConfigError("a tagger and rules about its tags belong together")

    @staticmethod
    def load(
        parser: Parser,
        phrases: str | Path,
        *,
        weight: float = WEIGHT,
        tagger: Tagger | NetworkTagger | None = None,
        rules: str | Path | None = None,
    ) -> AgreeingParsers:
        """The phrases by a model's name or file; with ``rules`` (a name or a file) the tagger is a third party."""
        loaded = None if rules is None else TagRules.load(rules)
        third = None if rules is None else tagger
        return AgreeingParsers(parser, ConstituencyParser.load(phrases), weight, tagger=third, rules=loaded)

    @cached_property
    def _tags(self) -> tuple[str, ...]:
        assert self.tagger is not None and self.rules is not None
        return tag_names(self.tagger, self.rules.column)

    @cached_property
    def _table(self) -> PhraseTags | None:
        return None if self.rules is None else PhraseTags(*self.rules.tables(self.phrases.labels, self._tags))

    def agreement(self, sentence: Sentence, known: Sequence[str] = ()) -> Agreement:
        """The phrases and heads of a sentence, and its tags, with the bound that says how good they are.

        ``known``: tags that words must keep, ``_`` where there is none. Where no tags fit, tags take no part.
        """
        spans, heads = self.phrases.spans(sentence), heads_of(self.parser, sentence)
        if self._table is not None:
            try:
                return agree(
                    spans,
                    heads,
                    self._tagged(sentence, known),
                    rules=self._table,
                    weight=self.weight,
                    tag_weight=self.tag_weight,
                    rounds=self.rounds,
                )
            except ConstraintError:
                pass
        return agree(spans, heads, weight=self.weight, rounds=self.rounds)

    def _tagged(self, sentence: Sentence, known: Sequence[str]) -> Tags:
        assert self.tagger is not None and self.rules is not None
        tags = tags_of(self.tagger, sentence, self.rules.column)
        numbers = {name: number for number, name in enumerate(self._tags)}
        return Known(tags, [numbers.get(name, -1) for name in known]) if known else tags

    def __call__(self, document: Document, given: Document | None = None) -> Document:
        """The document with phrases, heads and tags that agree; sentences too long for a chart are parsed alone.

        ``given``: the document as it was before it was tagged; the tags that it has stay.
        """
        column = None if self.rules is None else self.rules.column
        before = document.sentences if given is None or column is None else given.sentences
        found = []
        for sentence, old in zip(document.sentences, before, strict=True):
            kept = [str(getattr(word, column)) for word in old.words] if column and given is not None else []
            found.append(self._parsed(sentence, kept))
        return self._joined(self._with_tags(document, found), found)

    def _parsed(self, sentence: Sentence, known: Sequence[str]) -> Agreement | None:
        return self.agreement(sentence, known) if 0 < len(sentence) <= self.phrases.model.config.longest else None

    def _with_tags(self, document: Document, found: Sequence[Agreement | None]) -> Document:
        """The document with the tags that were agreed on, and what else the tagger says of words whose tags changed."""
        if self.tagger is None or self.rules is None:
            return document
        old = list(document.column(self.rules.column))
        new, start = list(old), 0
        for length, one in zip(document.lengths.tolist(), found, strict=True):
            if one is not None and one.tags is not None:
                new[start : start + length] = [self._tags[number] for number in one.tags.tolist()]
            start += length
        unknown = set(old) - set(self._tags)  # tags that were given, and that the tagger does not know
        new = [was if was in unknown else now for was, now in zip(old, new, strict=True)]
        changed = [was != now for was, now in zip(old, new, strict=True)]
        if not any(changed):
            return document
        columns = {name: list(document.column(name)) for name in COLUMNS} | {self.rules.column: new}
        for name in set(COLUMNS) - {self.rules.column}:
            columns[name] = ["_" if out else value for out, value in zip(changed, columns[name], strict=True)]
        upos, xpos, feats, lemmas = (columns[name] for name in COLUMNS)
        return self.tagger(document.replace(upos=upos, xpos=xpos, feats=feats, lemmas=lemmas), keep=set(COLUMNS))

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

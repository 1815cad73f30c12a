# SPDX-License-Identifier: Apache-2.0
"""Rules about what may be deleted, as data: one line of text each, for every compressor.

====================================  ==================================================================================
text                                  meaning
====================================  ==================================================================================
``keep not,never in lemma``           words with one of these values stay (UPOS where no column is named)
``drop INTJ``                         such words go
``needs-head *``                      a dependent with such a label stays only with its head
``never-cut nsubj*,obj of VERB``      a dependent with such a label, of a head with such a tag, goes only with its head
``cut-only ADP,SCONJ across ,_;``     a dependent goes without its head only where it has such a tag, or where one of
                                      these forms stands between the two
``together so_far,according_to``      the words of a phrase stay or go together
====================================  ==================================================================================

Names are patterns, as in rules on trees: ``nsubj*`` is every label that begins so, and ``*`` is any. Lists of forms use
commas; in ``across``, which must be able to name a comma, they use underscores.

>>> rules = ["keep not in form", "never-cut nsubj", "needs-head *"]
>>> columns = {"form": ["he", "did", "not", "come", "today"], "upos": ["PRON", "AUX", "PART", "VERB", "NOUN"],
...            "deprel": ["nsubj", "aux", "advmod", "root", "obl"]}
>>> found = conditions(rules, columns, heads=[-1, 4, 4, 4, 0, 4])
>>> found.keep.tolist(), found.rules
([False, False, True, False, False], ((4, 1), (1, 4), (2, 4), (3, 4), (5, 4)))
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.errors import ConfigError, FormatError
from accord.inference.rules.domain import Domain, matches
from accord.inference.rules.files import text_of_rules
from accord.inference.rules.syntax import Syntax

Pair = tuple[int, int]


@dataclasses.dataclass(frozen=True)
class Conditions:
    """What rules say about one sentence, in the terms of :class:`~accord.inference.compression.CompressionProblem`."""

    keep: NDArray[np.bool_]
    drop: NDArray[np.bool_]
    rules: tuple[Pair, ...]  # (word, needed word)

    def arguments(self) -> dict[str, Any]:
        """Arguments of a problem."""
        return {"keep": self.keep, "drop": self.drop, "rules": self.rules}


@dataclasses.dataclass(frozen=True)
class _Sentence:
    """The columns of a sentence, and its heads."""

    columns: Mapping[str, Sequence[str]]
    heads: NDArray[np.int64]

    def values(self, column: str) -> list[str]:
        if column not in self.columns:
            raise ConfigError(f"the words have no column {column}; they have: {', '.join(self.columns)}")
        return list(self.columns[column])

    def tagged(self, pattern: str | None, column: str) -> NDArray[np.bool_]:
        """By position, the root counted."""
        return Domain(len(self.heads) - 1, None, dict(self.columns)).tagged(pattern, column)

    def arcs(self, label: str) -> Iterator[tuple[int, int]]:
        """Head and dependent of each arc between words with such a label."""
        labels = [] if label == "*" else self.values("deprel")
        for dependent, head in enumerate(self.heads[1:].tolist(), start=1):
            if head > 0 and (label == "*" or matches(label, labels[dependent - 1])):
                yield head, dependent


@dataclasses.dataclass(frozen=True)
class DeletionRule:
    """A rule; ``str(rule)`` is its text."""

    syntax: ClassVar[Syntax]

    def __str__(self) -> str:
        fields = dataclasses.asdict(self)
        if fields.get("column") == "upos":
            fields["column"] = None
        return self.syntax.write(fields)

    def kept(self, sentence: _Sentence) -> Iterable[int]:
        """Words that stay."""
        return ()

    def dropped(self, sentence: _Sentence) -> Iterable[int]:
        """Words that go."""
        return ()

    def pairs(self, sentence: _Sentence) -> Iterable[Pair]:
        """Words, and words that they need."""
        return ()


def _chosen(sentence: _Sentence, pattern: str, column: str) -> list[int]:
    return [int(word) for word in np.flatnonzero(sentence.tagged(pattern, column)) if word > 0]


@dataclasses.dataclass(frozen=True)
class Keep(DeletionRule):
    """Words whose column has one of these values stay."""

    values: str
    column: str = "upos"
    syntax = Syntax("keep {values} [in {column}]")

    def kept(self, sentence: _Sentence) -> list[int]:
        return _chosen(sentence, self.values, self.column)


@dataclasses.dataclass(frozen=True)
class Drop(DeletionRule):
    """Words whose column has one of these values go."""

    values: str
    column: str = "upos"
    syntax = Syntax("drop {values} [in {column}]")

    def dropped(self, sentence: _Sentence) -> list[int]:
        return _chosen(sentence, self.values, self.column)


@dataclasses.dataclass(frozen=True)
class NeedsHead(DeletionRule):
    """A dependent with such a label stays only with its head."""

    label: str
    syntax = Syntax("needs-head {label}")

    def pairs(self, sentence: _Sentence) -> list[Pair]:
        return [(dependent, head) for head, dependent in sentence.arcs(self.label)]


@dataclasses.dataclass(frozen=True)
class NeverCut(DeletionRule):
    """A dependent with such a label, of a head with such a tag, goes only with its head."""

    label: str
    of: str | None = None
    column: str = "upos"
    syntax = Syntax("never-cut {label} [of {of}] [in {column}]")

    def pairs(self, sentence: _Sentence) -> list[Pair]:
        heads = sentence.tagged(self.of, self.column)
        return [arc for arc in sentence.arcs(self.label) if heads[arc[0]]]


@dataclasses.dataclass(frozen=True)
class CutOnly(DeletionRule):
    """A dependent goes without its head only with such a tag, or where one of these forms stands between."""

    tags: str
    column: str = "upos"
    across: str | None = None
    syntax = Syntax("cut-only {tags} [in {column}] [across {across}]")

    def pairs(self, sentence: _Sentence) -> list[Pair]:
        loose = sentence.tagged(self.tags, self.column)
        marks = set() if self.across is None else set(self.across.split("_"))
        forms = sentence.values("form") if marks else []
        return [
            (head, dependent)
            for head, dependent in sentence.arcs("*")
            if not loose[dependent] and marks.isdisjoint(forms[min(head, dependent) : max(head, dependent) - 1])
        ]


@dataclasses.dataclass(frozen=True)
class Together(DeletionRule):
    """The words of a phrase stay or go together; phrases are written in small letters, with underscores."""

    phrases: str
    syntax = Syntax("together {phrases}")

    def pairs(self, sentence: _Sentence) -> list[Pair]:
        forms = [form.lower() for form in sentence.values("form")]
        found: list[Pair] = []
        for phrase in self.phrases.split(","):
            words = phrase.split("_")
            for start in range(len(forms) - len(words) + 1):
                if forms[start : start + len(words)] == words:
                    inside = range(start + 1, start + len(words) + 1)
                    found += [(a, b) for a in inside for b in inside if abs(a - b) == 1]
        return found


KINDS: tuple[type[DeletionRule], ...] = (Keep, Drop, NeedsHead, NeverCut, CutOnly, Together)

# The hard constraints of Qian & Liu (2013) in labels and tags of Universal Dependencies: subjects, objects, predicates,
# clauses and verb groups stay with their heads, as do phrases and coordinations.
GRAMMATICAL = (
    "never-cut nsubj*,csubj*,obj,iobj,ccomp,xcomp,cop,aux*,expl*",
    "never-cut mark,case,fixed,flat*,compound*,goeswith,nummod",
    "never-cut conj,cc*",
    "keep not,n't,no,never in form",
    "together so_far,more_than,less_than,according_to,at_least,at_most,such_as,as_well_as,because_of",
)
CONSERVATIVE = (*GRAMMATICAL, "cut-only ADP,SCONJ across ,_;_:")


def parse_deletion_rule(text: str) -> DeletionRule:
    """The rule that a text states.

    >>> parse_deletion_rule("never-cut obj of VERB"), str(parse_deletion_rule("keep PROPN"))
    (NeverCut(label='obj', of='VERB', column='upos'), 'keep PROPN')
    """
    body = " ".join(text.split())
    for kind in KINDS:
        fields: dict[str, Any] | None = kind.syntax.match(body)
        if fields is not None:
            return kind(**fields)
    known = "; ".join(kind.syntax.usage for kind in KINDS)
    raise ConfigError(f"rule {text!r}: no rule about deletions has this form; there are: {known}")


def read_deletion_rules(file: str | Path) -> tuple[DeletionRule, ...]:
    """The rules of a text file, one a line; a line that begins with ``#`` is a comment.

    A mistake is a :class:`~accord.errors.FormatError` with the file, the line and the reason.
    """
    rules = []
    for number, line in enumerate(text_of_rules(file).splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            rules.append(parse_deletion_rule(line))
        except ConfigError as error:
            raise FormatError(str(error), file=str(Path(file)), line=number) from None
    return tuple(rules)


def conditions(
    rules: Iterable[DeletionRule | str], columns: Mapping[str, Sequence[str]], heads: ArrayLike
) -> Conditions:
    """What rules say about a sentence with these columns (``form``, ``upos``, ``deprel``, ...) and n+1 heads."""
    sentence = _Sentence(columns, np.asarray(heads, np.int64))
    n = len(sentence.heads) - 1
    for column, values in columns.items():
        if len(values) != n:
            raise ConfigError(f"column {column} has {len(values)} values for {n} words")
    keep, drop = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    pairs: dict[Pair, None] = {}
    for rule in rules:
        each = parse_deletion_rule(rule) if isinstance(rule, str) else rule
        keep[[word - 1 for word in each.kept(sentence)]] = True
        drop[[word - 1 for word in each.dropped(sentence)]] = True
        pairs.update(dict.fromkeys(each.pairs(sentence)))
    return Conditions(keep, drop, tuple(pairs))

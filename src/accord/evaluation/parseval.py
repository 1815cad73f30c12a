# SPDX-License-Identifier: Apache-2.0
"""PARSEVAL: labelled brackets of constituents, counted as the program evalb counts them.

A bracket is a phrase: its label without function tags, and the words that it covers. Words whose gold tag is to be
deleted (punctuation, traces) are taken out of both trees first; brackets that then cover nothing are gone. Every gold
bracket is matched by at most one bracket of the system. Precision and recall are over all brackets of all sentences. A
bracket of the system crosses if it shares words with some gold bracket and neither holds the other.

``over_characters`` compares trees of differing words: spans count characters, and a bracket is right only if the words
inside have the same boundaries as in gold. With equal words this is the same as the measure over words.

Black et al.: A procedure for quantitatively comparing the syntactic coverage of English grammars, 1991. Sekine and
Collins: evalb, 1997. Qian and Liu: Joint Chinese word segmentation, POS tagging and parsing, EMNLP 2012.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from accord.data.constituents.labels import category
from accord.data.constituents.tree import Constituents
from accord.errors import FormatError
from accord.evaluation.bracket_parameters import BracketParameters
from accord.evaluation.score import Score, percentage

COLLINS = BracketParameters.load("collins")


@dataclass(frozen=True, slots=True)
class Bracketing:
    """A tree and the forms of its words; no tree where a parser found none."""

    tree: Constituents | None
    forms: Sequence[str]


@dataclass(frozen=True, slots=True)
class SentenceBrackets:
    """The counts of one sentence; ``skipped`` where the system has no tree, or where no word counts."""

    correct: int
    gold: int
    system: int
    crossing: int
    tags: int
    words: int
    length: int
    skipped: bool = False

    @property
    def complete(self) -> bool:
        return self.correct == self.gold == self.system


@dataclass(frozen=True)
class BracketScore:
    """PARSEVAL of several sentences; those that were skipped do not count, as in evalb."""

    sentences: tuple[SentenceBrackets, ...]

    @property
    def counted(self) -> list[SentenceBrackets]:
        return [one for one in self.sentences if not one.skipped]

    @property
    def brackets(self) -> Score:
        counted = self.counted
        correct, gold, system = (sum(getattr(one, name) for one in counted) for name in ("correct", "gold", "system"))
        return Score(correct, gold, system)

    @property
    def precision(self) -> float:
        return self.brackets.precision

    @property
    def recall(self) -> float:
        return self.brackets.recall

    @property
    def f1(self) -> float:
        return self.brackets.f1

    @property
    def complete(self) -> float:
        """Sentences without a wrong or missing bracket, in percent."""
        return percentage(sum(one.complete for one in self.counted), len(self.counted))

    @property
    def crossing(self) -> float:
        """Crossing brackets a sentence."""
        return sum(one.crossing for one in self.counted) / max(len(self.counted), 1)

    @property
    def tagging(self) -> float:
        return percentage(sum(one.tags for one in self.counted), sum(one.words for one in self.counted))

    def crossing_at_most(self, count: int) -> float:
        """Sentences with at most so many crossing brackets, in percent."""
        return percentage(sum(one.crossing <= count for one in self.counted), len(self.counted))

    def up_to(self, length: int) -> BracketScore:
        """The score of the sentences that are not longer."""
        return BracketScore(tuple(one for one in self.sentences if one.length <= length))

    def counts(self) -> NDArray[np.int64]:
        """Correct, gold and system brackets of each sentence: what tests of significance draw from."""
        rows = [(0, one.gold, 0) if one.skipped else (one.correct, one.gold, one.system) for one in self.sentences]
        return np.array(rows, dtype=np.int64).reshape(-1, 3)

    def to_json(self) -> dict[str, float | int]:
        return {
            "sentences": len(self.sentences),
            "skipped": len(self.sentences) - len(self.counted),
            "recall": self.recall,
            "precision": self.precision,
            "f1": self.f1,
            "complete": self.complete,
            "crossing": self.crossing,
            "no_crossing": self.crossing_at_most(0),
            "two_or_less_crossing": self.crossing_at_most(2),
            "tagging": self.tagging,
        }


def parseval(
    gold: Iterable[Bracketing],
    system: Iterable[Bracketing],
    parameters: BracketParameters = COLLINS,
    *,
    over_characters: bool = False,
) -> BracketScore:
    """Compare the trees of a system with gold ones, sentence by sentence.

    >>> one, forms = Constituents.from_text("(S (NP (DT the) (NN dog)) (VP (VBD slept)) (. .))")
    >>> other, _ = Constituents.from_text("(S (NP (DT the)) (VP (NN dog) (VBD slept) (. .)))")
    >>> score = parseval([Bracketing(one, forms)], [Bracketing(other, forms)])
    >>> score.brackets.correct, score.brackets.gold_total, score.sentences[0].crossing
    (1, 3, 1)
    """
    compare = _over_characters if over_characters else _over_words
    found: list[SentenceBrackets] = []
    pairs = zip(_with_end(gold), _with_end(system), strict=False)
    for number, (one, other) in enumerate(pairs, start=1):
        if one is None and other is None:
            return BracketScore(tuple(found))
        if one is None or other is None:
            fewer = "gold" if one is None else "the system"
            raise FormatError(f"{fewer} has {number - 1} sentences, and there are more on the other side")
        if one.tree is None:
            raise FormatError(f"sentence {number}: gold has no tree")
        try:
            found.append(compare(one, other, parameters))
        except FormatError as error:
            raise FormatError(f"sentence {number}: {error.reason}") from None
    return BracketScore(tuple(found))


def _with_end(trees: Iterable[Bracketing]) -> Iterable[Bracketing | None]:
    yield from trees
    yield None


def _over_words(gold: Bracketing, system: Bracketing, parameters: BracketParameters) -> SentenceBrackets:
    assert gold.tree is not None
    tags = [category(tag) for tag in gold.tree.tags]
    length = sum(tag not in parameters.delete_for_length for tag in tags)
    if system.tree is None:
        before, words = _counted([tag not in parameters.delete for tag in tags])
        wanted = counted_brackets(gold.tree, parameters, before)
        return SentenceBrackets(0, len(wanted), 0, 0, 0, words, length, skipped=True)
    if len(gold.forms) != len(system.forms):
        raise FormatError(f"{len(system.forms)} words, and gold has {len(gold.forms)}")
    for number, (one, other) in enumerate(zip(gold.forms, system.forms, strict=True), start=1):
        if not parameters.same_word(one, other):
            raise FormatError(f"word {number} is {other!r}, and in gold {one!r}")
    told = list(zip(gold.forms, tags, map(category, system.tree.tags), strict=True))
    counts = [parameters.counts(*one) for one in told]
    before, words = _counted(counts)
    wanted = counted_brackets(gold.tree, parameters, before)
    found = counted_brackets(system.tree, parameters, before)
    same = parameters.canonical
    right = sum(same(tag) == same(other) for (_, tag, other), counted in zip(told, counts, strict=True) if counted)
    return SentenceBrackets(
        correct=sum((Counter(wanted) & Counter(found)).values()),
        gold=len(wanted),
        system=len(found),
        crossing=_crossing([key[:2] for key in wanted], [key[:2] for key in found]),
        tags=right,
        words=words,
        length=length,
        skipped=not words,
    )


def _counted(counts: Sequence[bool]) -> tuple[Sequence[int], int]:
    """How many words that count stand before each place, and how many there are."""
    before = [0, *accumulate(counts)]
    return before, before[-1]


def counted_brackets(
    tree: Constituents, parameters: BracketParameters, before: Sequence[int]
) -> list[tuple[int, int, Hashable]]:
    """Begin, end and label of each bracket that counts; ``before[i]`` counted words stand before word i + 1."""
    found: list[tuple[int, int, Hashable]] = []
    for phrase in tree.phrases:
        label = phrase.category
        begin, end = before[phrase.begin], before[phrase.end]
        if label and begin < end and label not in parameters.delete:
            found.append((begin, end, parameters.canonical(label) if parameters.labelled else ""))
    return found


def _crossing(gold: Sequence[tuple[int, int]], system: Sequence[tuple[int, int]]) -> int:
    """Brackets of the system that cross a gold one."""
    spans = set(gold)
    return sum(
        any(begin < start < end < stop or start < begin < stop < end for start, stop in spans) for begin, end in system
    )


def _over_characters(gold: Bracketing, system: Bracketing, parameters: BracketParameters) -> SentenceBrackets:
    assert gold.tree is not None
    counts = [
        category(tag) not in parameters.delete
        for tag, form in zip(gold.tree.tags, gold.forms, strict=True)
        for _ in form
    ]
    before = [0, *accumulate(counts)]
    wanted, tagged = _character_brackets(gold.tree, gold.forms, parameters, before)
    if system.tree is None:
        return SentenceBrackets(0, len(wanted), 0, 0, 0, len(tagged), len(gold.forms), skipped=True)
    if "".join(gold.forms) != "".join(system.forms):
        raise FormatError(f"the text is {''.join(system.forms)!r}, and in gold {''.join(gold.forms)!r}")
    found, other_tagged = _character_brackets(system.tree, system.forms, parameters, before)
    return SentenceBrackets(
        correct=sum((Counter(wanted) & Counter(found)).values()),
        gold=len(wanted),
        system=len(found),
        crossing=_crossing([key[:2] for key in wanted], [key[:2] for key in found]),
        tags=len(tagged & other_tagged),
        words=len(tagged),
        length=len(gold.forms),
        skipped=not tagged,
    )


def _character_brackets(
    tree: Constituents, forms: Sequence[str], parameters: BracketParameters, before: Sequence[int]
) -> tuple[list[tuple[int, int, Hashable]], set[tuple[int, int, str]]]:
    """Brackets over the characters that count, with the boundaries of words in their labels; the tagged words."""
    starts = [before[end] for end in accumulate(map(len, forms), initial=0)]
    found: list[tuple[int, int, Hashable]] = []
    for begin, end, label in counted_brackets(tree, parameters, range(len(starts))):
        inner = tuple(dict.fromkeys(starts[begin : end + 1]))
        if len(inner) > 1:
            found.append((inner[0], inner[-1], (label, inner)))
    words = zip(starts, starts[1:], map(category, tree.tags), strict=False)
    return found, {(begin, end, parameters.canonical(tag)) for begin, end, tag in words if begin < end}

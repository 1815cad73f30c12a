# SPDX-License-Identifier: Apache-2.0
"""ROUGE: how much of written summaries a system's summary repeats (Lin 2004).

ROUGE-1 and ROUGE-2 count words and pairs of neighbours, ROUGE-L the longest common subsequence, ROUGE-SU4 words and
pairs of words with at most four others between them. Text is lower-cased and split at everything that is not a letter
a-z or a digit, and stems are taken of words of more than three letters: ROUGE-1, 2 and L are those of the package
``rouge-score``. Text of another script needs ``unicode=True``, which takes letters and digits of all scripts and each
Chinese or Japanese character as a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from accord.data.stems import stem as stem_of
from accord.errors import ConfigError

Combine: TypeAlias = Literal["best", "mean", "jackknife"]
NAMES = ("rouge1", "rouge2", "rougeL", "rougeSU4")
_SKIP = 4
_IDEOGRAPHS = ("CJK UNIFIED", "HIRAGANA", "KATAKANA")


@dataclass(frozen=True)
class RougeScore:
    """Shares between 0 and 1."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both > 0 else 0.0

    def to_json(self) -> dict[str, float]:
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}


@dataclass(frozen=True)
class Rouge:
    """How ROUGE is counted.

    ``stems``: compare stems. ``stop_words``: words that are left out before counting. ``combine``: of several
    references the "best" by F1 decides each score; "mean" averages over them; "jackknife" averages the best of each
    set of references that leaves one out, so that people who wrote references can be scored alike.

    >>> scores = Rouge().score(["the cat sat on the mat"], "the cat lay on a mat")
    >>> round(scores["rouge1"].f1, 3), round(scores["rouge2"].recall, 3)
    (0.667, 0.2)
    """

    stems: bool = False
    stop_words: frozenset[str] = frozenset()
    combine: Combine = "best"
    unicode: bool = False

    def __post_init__(self) -> None:
        if self.combine not in ("best", "mean", "jackknife"):
            raise ConfigError(f"combine = {self.combine!r}: expected one of best, mean, jackknife")

    def tokens(self, text: str) -> list[str]:
        """The words that are compared."""
        text = text.lower()
        found = _words(text) if self.unicode else re.findall("[a-z0-9]+", text)
        kept = [word for word in found if word not in self.stop_words]
        return [stem_of(word) if len(word) > 3 else word for word in kept] if self.stems else kept

    def score(self, references: Sequence[str], system: str) -> dict[str, RougeScore]:
        """ROUGE-1, 2, L and SU4 of a summary."""
        if not references:
            raise ConfigError("ROUGE needs at least one reference summary")
        tokens = self.tokens(system)
        each = [_scores(self.tokens(reference), tokens) for reference in references]
        return {name: self._combined([scores[name] for scores in each]) for name in NAMES}

    def corpus(self, references: Sequence[Sequence[str]], systems: Sequence[str]) -> dict[str, RougeScore]:
        """The means of precision and recall over topics; each F1 is that of the means.

        See :meth:`mean_f1` for the mean of F1.
        """
        each = self._each(references, systems)
        return {name: _mean([scores[name] for scores in each]) for name in NAMES}

    def mean_f1(self, references: Sequence[Sequence[str]], systems: Sequence[str]) -> dict[str, float]:
        """The mean over topics of F1."""
        each = self._each(references, systems)
        return {name: sum(scores[name].f1 for scores in each) / max(len(each), 1) for name in NAMES}

    def _each(self, references: Sequence[Sequence[str]], systems: Sequence[str]) -> list[dict[str, RougeScore]]:
        if len(references) != len(systems):
            raise ConfigError(f"{len(systems)} summaries for {len(references)} topics with references")
        return [self.score(written, system) for written, system in zip(references, systems, strict=True)]

    def _combined(self, scores: list[RougeScore]) -> RougeScore:
        if self.combine == "mean":
            return _mean(scores)
        if self.combine == "best" or len(scores) == 1:
            return _best(scores)
        return _mean([_best(scores[:k] + scores[k + 1 :]) for k in range(len(scores))])


def _best(scores: Sequence[RougeScore]) -> RougeScore:
    return max(scores, key=lambda score: score.f1)


def _mean(scores: Sequence[RougeScore]) -> RougeScore:
    many = max(len(scores), 1)
    return RougeScore(sum(one.precision for one in scores) / many, sum(one.recall for one in scores) / many)


def _scores(reference: list[str], system: list[str]) -> dict[str, RougeScore]:
    common = _common_subsequence(reference, system)
    return {
        "rouge1": _overlap(Counter(reference), Counter(system)),
        "rouge2": _overlap(_pairs(reference, 0), _pairs(system, 0)),
        "rougeL": RougeScore(common / max(len(system), 1), common / max(len(reference), 1)),
        "rougeSU4": _overlap(
            _pairs(reference, _SKIP) + Counter((word,) for word in reference),
            _pairs(system, _SKIP) + Counter((word,) for word in system),
        ),
    }


def _pairs(words: list[str], between: int) -> Counter[tuple[str, ...]]:
    """Pairs of words in their order, with at most so many words between them."""
    return Counter(
        (words[i], words[j]) for i in range(len(words)) for j in range(i + 1, min(i + between + 2, len(words)))
    )


def _overlap(reference: Counter[Any], system: Counter[Any]) -> RougeScore:
    common = (reference & system).total()
    return RougeScore(common / max(system.total(), 1), common / max(reference.total(), 1))


def _common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence; a row of bits for each word (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for k, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << k
    full = (1 << len(first)) - 1
    row = full
    for word in second:
        here = row & places.get(word, 0)
        row = ((row + here) | (row - here)) & full
    return len(first) - row.bit_count()


def _words(text: str) -> Iterable[str]:
    for word in re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text)):
        if any(unicodedata.name(letter, "").startswith(_IDEOGRAPHS) for letter in word):
            yield from word
        else:
            yield word

# SPDX-License-Identifier: Apache-2.0
"""Corpus BLEU: how many word sequences of a system's texts stand in one of the references (Papineni et al. 2002).

BLEU = BP · exp(Σ_n log p_n / N) with N = 4. p_n is the share of the system's n-grams that a reference of the same
sentence has, each n-gram counted at most as often as the reference that has it most often does. BP = exp(1 - r / c)
where the system's texts (c words) are shorter than the references (r words: of each sentence, the reference whose
length is closest). All counts are summed over the corpus before they are divided. An order without a match counts as
half a match, the next one as a quarter and so on (method "exp" of Chen & Cherry 2014).

Texts are split as the NIST script mteval-v13a does, or at blanks. The figures are those of the package ``sacrebleu``.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError

Splitting: TypeAlias = Literal["13a", "none"]
ORDER = 4
# Counts of a text: matches of each order, n-grams of each order, its length, the length of the closest reference.
COUNTS = 2 * ORDER + 2

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_RULES = (
    (re.compile(r"([!-&(-+:-@/\[-`{-~])"), r" \1 "),  # ASCII symbols but for ' , - .
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),  # stop and comma, unless between digits
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),  # a dash after a digit
)


@dataclass(frozen=True)
class BleuScore:
    """BLEU and what it is made of, in percent but for the lengths."""

    bleu: float
    precisions: tuple[float, ...]
    brevity_penalty: float
    system_length: int
    reference_length: int

    def to_json(self) -> dict[str, object]:
        return {
            "bleu": self.bleu,
            "precisions": list(self.precisions),
            "brevity_penalty": self.brevity_penalty,
            "system_length": self.system_length,
            "reference_length": self.reference_length,
        }


@dataclass(frozen=True)
class Bleu:
    """How BLEU is counted. ``splitting``: "13a" or, for texts that are words between blanks already, "none".

    >>> score = Bleu().corpus([["the cat sat on the mat .", "a cat was on the mat ."]], ["The cat was on the mat."])
    >>> round(score.bleu, 2), [round(share, 1) for share in score.precisions]
    (80.91, [85.7, 83.3, 80.0, 75.0])
    """

    splitting: Splitting = "13a"
    lowercase: bool = False

    def __post_init__(self) -> None:
        if self.splitting not in ("13a", "none"):
            raise ConfigError(f"splitting = {self.splitting!r}: expected one of 13a, none")

    def corpus(self, references: Sequence[Sequence[str]], systems: Sequence[str]) -> BleuScore:
        """BLEU of texts, each with its references."""
        return bleu_of_counts(self.counts(references, systems).sum(axis=0))

    def counts(self, references: Sequence[Sequence[str]], systems: Sequence[str]) -> NDArray[np.int64]:
        """A row of counts for each text; BLEU of any set of texts is that of the sum of their rows."""
        if len(references) != len(systems):
            raise ConfigError(f"{len(systems)} texts for {len(references)} sentences with references")
        rows = [self._row(written, system) for written, system in zip(references, systems, strict=True)]
        return np.array(rows, np.int64).reshape(-1, COUNTS)

    def words(self, text: str) -> list[str]:
        """The words that are compared."""
        if self.lowercase:
            text = text.lower()
        if self.splitting == "none":
            return text.split()
        text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
        text = f" {text} "
        for pattern, replacement in _RULES:
            text = pattern.sub(replacement, text)
        return text.split()

    def _row(self, references: Sequence[str], system: str) -> list[int]:
        if not references:
            raise ConfigError("BLEU needs at least one reference of each text")
        words, written = self.words(system), [self.words(reference) for reference in references]
        found = _ngrams(words)
        most: Counter[tuple[str, ...]] = Counter()
        for one in written:
            most |= _ngrams(one)
        matches, totals = [0] * ORDER, [0] * ORDER
        for ngram, count in found.items():
            totals[len(ngram) - 1] += count
            matches[len(ngram) - 1] += min(count, most.get(ngram, 0))
        closest = min((len(one) for one in written), key=lambda length: (abs(length - len(words)), length))
        return [*matches, *totals, len(words), closest]


def bleu_of_counts(counts: NDArray[np.int64]) -> BleuScore:
    """BLEU of a row of counts."""
    matches, totals = counts[:ORDER].tolist(), counts[ORDER : 2 * ORDER].tolist()
    length, reference = int(counts[-2]), int(counts[-1])
    penalty = 1.0 if length >= reference else math.exp(1 - reference / length) if length else 0.0
    precisions, halved = [0.0] * ORDER, 1.0
    if any(matches):
        for n in range(ORDER):
            if totals[n] == 0:
                break
            if matches[n] == 0:
                halved *= 2
                precisions[n] = 100 / (halved * totals[n])
            else:
                precisions[n] = 100 * matches[n] / totals[n]
    whole = all(precision > 0 for precision in precisions)
    bleu = penalty * math.exp(sum(map(math.log, precisions)) / ORDER) if whole else 0.0
    return BleuScore(bleu, tuple(precisions), penalty, length, reference)


def _ngrams(words: Sequence[str]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[k : k + n]) for n in range(1, ORDER + 1) for k in range(len(words) - n + 1))

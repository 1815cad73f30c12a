# SPDX-License-Identifier: Apache-2.0
"""What is known of tokens from the spans of training data, as the lexicon that templates read.

Words:      the types of the spans that a word was in, and whether it was outside of all (``tags``).
Characters: after Xu et al. (2008), for each type the first character of its names (surnames), the last one and the last
            two (suffixes), and the two in front (titles) as words with tags (``tags``, ``ends_word``); the names
            themselves (``entity_starts``, ``entity_ends``, ``entity_inside``).

Lists come from training data alone. A training sentence sees the lists of the other folds, since its own would tell it
every answer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from accord.evaluation.spans import spans_of_labels
from accord.tasks.labeller import Lexicon

Sentence = tuple[Sequence[str], Sequence[str]]  # tokens and their labels


def word_lists(sentences: Sequence[Sentence]) -> Lexicon:
    """Each word with the types of the spans it is in."""
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for tokens, labels in sentences:
        for token, label in zip(tokens, labels, strict=True):
            seen[token].add(label.partition("-")[2] or label[0])
    return Lexicon(words=_lines(seen))


def character_lists(sentences: Sequence[Sentence], least_before: int = 1) -> Lexicon:
    """Names, and how they begin, end and are introduced."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    parts: defaultdict[str, set[str]] = defaultdict(set)
    before: Counter[tuple[str, str]] = Counter()
    for tokens, labels in sentences:
        for span in spans_of_labels(labels):
            name = "".join(tokens[span.start : span.end])
            names[name].add(span.type)
            parts[name[0]].add(f"{span.type}:first")
            parts[name[-1]].add(f"{span.type}:last")
            if len(name) > 2:
                parts[name[-2:]].add(f"{span.type}:last")
            if span.start >= 2:
                before["".join(tokens[span.start - 2 : span.start]), span.type] += 1
    for (text, type_), count in before.items():
        if count >= least_before:
            parts[text].add(f"{type_}:before")
    return Lexicon(words=_lines(parts), names=_lines(names), matching=True)


def folds_of(count: int, folds: int) -> list[range]:
    """Sentences in so many neighbouring stretches; none where there are too few."""
    if folds < 2 or count < folds:
        return []
    return [range(fold * count // folds, (fold + 1) * count // folds) for fold in range(folds)]


def _lines(table: dict[str, set[str]]) -> str:
    return "\n".join(f"{text}\t{'|'.join(sorted(values))}" for text, values in sorted(table.items()))

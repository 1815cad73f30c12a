# SPDX-License-Identifier: Apache-2.0
"""Heads and labels that a document brings along and that its parse has to keep.

A given head may contradict others: a cycle, a second root, no projective tree. Then as few heads as possible are
dropped, with their labels, and each of these sentences is reported once.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from accord._core import tasks as _tasks
from accord.data import Document, Sentence
from accord.errors import ConfigError, FormatError


class DroppedHeadsWarning(UserWarning):
    """Given heads of a sentence contradict each other, and some were dropped."""


@dataclass(frozen=True)
class Given:
    """What a document gives, as the core holds it, and the sentences in which not all of it can be kept."""

    native: _tasks.Given
    problems: tuple[FormatError, ...]


Keep: TypeAlias = Literal["given"] | Given | None


def read_given(
    model: _tasks.ParserModel, document: Document, labels: Sequence[str], *, single_root: bool, threads: int = 0
) -> Given:
    native = model.given(document.native, list(labels), threads)
    dropped: dict[int, list[int]] = defaultdict(list)
    for sentence, word in native.dropped:
        dropped[sentence].append(word)
    problems = (_problem(document, number, words, single_root) for number, words in dropped.items())
    return Given(native, tuple(problems))


def native_given(given: Given, keep: Keep) -> _tasks.Given:
    """What the core is to keep; heads that were dropped without the caller having seen them are warned of."""
    if keep != "given" and not isinstance(keep, Given):
        raise ConfigError(f"keep is 'given' or what Parser.given returned, not {keep!r}")
    if keep == "given":
        for problem in given.problems:
            warnings.warn(str(problem), DroppedHeadsWarning, stacklevel=4)
    return given.native


def _problem(document: Document, number: int, words: list[int], single_root: bool) -> FormatError:
    sentence = document.sentences[number]
    reason = sentence.problem(single_root=single_root, complete=False) or "no projective tree has all given heads"
    which = f"head of word {words[0]} is" if len(words) == 1 else f"heads of words {', '.join(map(str, words))} are"
    return FormatError(
        f"sentence {_title(sentence)}: {reason}; the given {which} dropped", file=document.name, line=sentence.line
    )


def _title(sentence: Sentence, longest: int = 40) -> str:
    if sentence.sent_id is not None:
        return sentence.sent_id
    text = sentence.text
    return repr(text if len(text) <= longest else text[:longest].rstrip() + "...")

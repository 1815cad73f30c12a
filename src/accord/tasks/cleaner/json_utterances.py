# SPDX-License-Identifier: Apache-2.0
"""Utterances in JSON: an object in each line, or a whole file as recognisers of speech write it.

An utterance is an object with ``words`` (or ``tokens``), a list of strings or of objects, or with ``text``. A whole
file is a list of utterances, or an object whose ``segments`` or ``utterances`` are such a list.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from accord.errors import FormatError
from accord.tasks.cleaner.utterances import SourceUtterance, SourceWord
from accord.tasks.cleaner.words import lines_of

_PARTS = ("segments", "utterances")  # names of a list of utterances
_WORD = ("word", "text", "form")  # names of the word itself


def json_utterances(text: str, name: str) -> Iterator[SourceUtterance]:
    """The utterances of a file; FormatError says which line is none."""
    whole = _whole(text)
    if whole is not None:
        for number, entry in enumerate(whole, 1):
            yield _utterance(entry, name, None, f"utterance {number}: ")  # a whole file need not have lines
        return
    for number, line in enumerate(lines_of(text), 1):
        if line.strip():
            yield _utterance(_loaded(line, name, number), name, number, "")


def _whole(text: str) -> list[dict[str, Any]] | None:
    """The utterances of a file that is one value; None where it has an object in each line."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None  # several lines, or one is wrong
    if isinstance(value, dict):
        lists = [value[part] for part in _PARTS if isinstance(value.get(part), list)]
        if not lists and len(lines_of(text.strip())) == 1:
            return None
        value = lists[0] if lists and lists[0] and not value.get("words") else [value]
    return value if isinstance(value, list) and all(isinstance(one, dict) for one in value) else None


def _loaded(line: str, name: str, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON ({error})", file=name, line=number) from None


def _utterance(entry: Any, name: str, line: int | None, which: str) -> SourceUtterance:
    found = None if not isinstance(entry, dict) else _words_of(entry)
    if found is None:
        raise FormatError(f"{which}expected an object with words or text", file=name, line=line)
    key, words = found
    rest = {other: value for other, value in entry.items() if other not in (key, "text")}
    return SourceUtterance(tuple(_word(word, name, line, which) for word in words), rest)


def _words_of(entry: dict[str, Any]) -> tuple[str, list[Any]] | None:
    """The list of words, and the key that it comes from."""
    for key in ("words", "tokens"):
        words = entry.get(key)
        if isinstance(words, list) and not (_numbers(words) and isinstance(entry.get("text"), str)):
            return key, words
    said = entry.get("text")
    return ("text", said.split()) if isinstance(said, str) else None


def _numbers(tokens: list[Any]) -> bool:
    """Whether tokens are those of a recogniser, numbers of a vocabulary; also where there are none."""
    return all(isinstance(token, int) for token in tokens)


def _word(word: Any, name: str, line: int | None, which: str) -> SourceWord:
    if isinstance(word, str):
        return SourceWord(" ".join(word.split()))
    if isinstance(word, dict):
        for key in _WORD:
            if isinstance(word.get(key), str):
                rest = {other: value for other, value in word.items() if other != key}
                return SourceWord(" ".join(word[key].split()), str(word.get("tag", "_")), rest)
    raise FormatError(f"{which}expected a word as a string or an object with word", file=name, line=line)

# SPDX-License-Identifier: Apache-2.0
"""What is cleaned: utterances of plain text, CHAT, JSON lines and CoNLL-U.

Plain text has one utterance in each line. A JSON line is an object with ``words``, a list of strings or of objects
(``word`` or ``text``, and what else is known of the word, such as times), or with ``text``; all else that it says is
kept. CoNLL-U and CHAT are read by their readers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from accord.data import Document, Sentence
from accord.data.files import COMPRESSION_SUFFIXES, open_input, source_name
from accord.errors import ConfigError, FormatError
from accord.tasks.cleaner.chat import chat_utterances

FORMATS = ("auto", "text", "chat", "json", "conllu")


class SourceWord(NamedTuple):
    """A word as it was written; ``fields``: what else the source says of it."""

    text: str
    tag: str = "_"
    fields: dict[str, Any] | None = None


@dataclass(frozen=True)
class SourceUtterance:
    """An utterance before it is cleaned. ``sentence``: where it comes from CoNLL-U."""

    words: tuple[SourceWord, ...]
    fields: dict[str, Any] = field(default_factory=dict)
    sentence: Sentence | None = None

    @staticmethod
    def of_words(words: Sequence[str]) -> SourceUtterance:
        return SourceUtterance(tuple(map(SourceWord, words)))


def text_utterances(text: str) -> Iterator[SourceUtterance]:
    """One utterance in each line."""
    if not isinstance(text, str):
        raise ConfigError(f"expected a text to clean, not {type(text).__name__}")
    for line in text.splitlines():
        yield SourceUtterance.of_words(line.split())


def document_utterances(document: Document) -> Iterator[SourceUtterance]:
    """The sentences of a document."""
    for sentence in document.sentences:
        tags = [word.xpos if word.xpos != "_" else word.upos for word in sentence]
        words = tuple(SourceWord(word.form, tag) for word, tag in zip(sentence, tags, strict=True))
        yield SourceUtterance(words, sentence=sentence)


def read_utterances(file: str, format: str = "auto") -> Iterator[SourceUtterance]:
    """The utterances of a file; what cannot be read raises FormatError with file and line.

    With ``format`` "text" lines are read one by one, so that a live transcript can come from standard input.
    """
    name = source_name(file)
    if format == "text":
        return _lines(file, name)
    with open_input(file) as source:
        try:
            text = source.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise FormatError(f"not UTF-8 ({error.reason})", file=name) from None
    kind = _format_of(file, text) if format == "auto" else format
    if kind == "chat":
        return _chat(text, name)
    if kind == "json":
        return _json(text, name)
    if kind == "conllu":
        return document_utterances(Document.from_conllu(text.encode(), name=name))
    return text_utterances(text)


def _lines(file: str, name: str) -> Iterator[SourceUtterance]:
    with open_input(file) as source:
        for number, line in enumerate(source, 1):
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise FormatError(f"not UTF-8 ({error.reason})", file=name, line=number) from None
            yield SourceUtterance.of_words(text.split())


def _format_of(file: str, text: str) -> str:
    plain = file
    for suffix in COMPRESSION_SUFFIXES:
        plain = plain.removesuffix(suffix)
    for suffix, format in ((".cha", "chat"), (".conllu", "conllu"), (".jsonl", "json"), (".json", "json")):
        if plain.endswith(suffix):
            return format
    first = text.lstrip()[:200]
    if first.startswith(("@UTF8", "@Begin")):
        return "chat"
    if first.startswith("{"):
        return "json"
    if first.startswith(("# sent_id", "1\t")):
        return "conllu"
    return "text"


def _chat(text: str, name: str) -> Iterator[SourceUtterance]:
    for one in chat_utterances(text, name):
        fields: dict[str, Any] = {"speaker": one.speaker, "line": one.line}
        if one.begin is not None:
            fields |= {"begin": one.begin, "end": one.end}
        words = tuple(SourceWord(word.form + "-" if word.fragment else word.form) for word in one.words)
        yield SourceUtterance(words, fields)


def _json(text: str, name: str) -> Iterator[SourceUtterance]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"not JSON ({error})", file=name, line=number) from None
        if not isinstance(entry, dict):
            raise FormatError("expected an object with words or text", file=name, line=number)
        words = entry.get("words", entry.get("tokens"))
        if words is None and isinstance(entry.get("text"), str):
            words = entry["text"].split()
        if not isinstance(words, list):
            raise FormatError("expected an object with words or text", file=name, line=number)
        found = tuple(_json_word(word, name, number) for word in words)
        rest = {key: value for key, value in entry.items() if key not in ("words", "tokens", "text")}
        yield SourceUtterance(found, rest)


def _json_word(word: Any, name: str, number: int) -> SourceWord:
    if isinstance(word, str):
        return SourceWord(word)
    if isinstance(word, dict):
        for key in ("word", "text", "form"):
            if isinstance(word.get(key), str):
                rest = {other: value for other, value in word.items() if other != key}
                return SourceWord(word[key].strip(), str(word.get("tag", "_")), rest)
    raise FormatError("expected a word as a string or an object with word", file=name, line=number)

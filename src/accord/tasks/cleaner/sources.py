# SPDX-License-Identifier: Apache-2.0
"""What is cleaned: utterances of plain text, CHAT, JSON lines and CoNLL-U.

Plain text has one utterance in each line. A JSON line is an object with ``words``, a list of strings or of objects
(``word`` or ``text``, and what else is known of the word, such as times), or with ``text``; all else that it says is
kept. A JSON file may also be one list of such objects, or one object with such a list as ``segments`` or
``utterances``, as recognisers write it. CoNLL-U and CHAT are read by their readers; what CHAT marks as an edit or a
filler is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accord.data import Document, Sentence
from accord.data.files import COMPRESSION_SUFFIXES, open_input, source_name
from accord.data.spacing import Spacing
from accord.errors import ConfigError, FormatError
from accord.tasks.cleaner.chat import ChatWord, chat_utterances
from accord.tasks.cleaner.json_utterances import json_utterances
from accord.tasks.cleaner.utterances import SourceUtterance, SourceWord
from accord.tasks.cleaner.words import CLITICS, lines_of

FORMATS = ("auto", "text", "chat", "json", "conllu")


def text_utterances(text: str) -> Iterator[SourceUtterance]:
    """One utterance in each line."""
    if not isinstance(text, str):
        raise ConfigError(f"expected a text to clean, not {type(text).__name__}")
    for line in lines_of(text):
        yield SourceUtterance.of_words(line.split())


def document_utterances(document: Document) -> Iterator[SourceUtterance]:
    """The sentences of a document. Words that are written together ("do" "n't") are parts of one written word."""
    for sentence in document.sentences:
        yield SourceUtterance(tuple(_sentence_words(sentence)), sentence=sentence)


def _sentence_words(sentence: Sentence) -> Iterator[SourceWord]:
    spacings = [Spacing.of(token.form, token.misc) for token in sentence.tokens]
    told = any(one.said for one in spacings)  # whether the treebank says where blanks are
    before, blank = "", True  # the word before, and whether a blank stands after it
    for token, spacing in zip(sentence.tokens, spacings, strict=True):
        words = [sentence.words[id - 1] for id in token.words]
        spelt = "".join(word.form for word in words).casefold() == token.form.casefold()
        for inside, word in enumerate(words):
            glued = spelt if inside else not blank
            clitic = word.form.lower().replace("’", "'") in CLITICS
            together = clitic or (glued and word.form[:1].isalnum())
            part = inside > 0 or (before[-1:].isalnum() and together and (glued or not told))
            yield SourceWord(word.form, word.xpos if word.xpos != "_" else word.upos, glued=glued, part=part)
            before = word.form
        blank = bool(spacing.after)


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
        return json_utterances(text, name)
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
    if first.startswith(("{", "[{")):
        return "json"
    row = next((line for line in lines_of(text) if line and not line.startswith("#")), "")
    return "conllu" if row.count("\t") == 9 and row[:1].isdigit() else "text"


def _chat(text: str, name: str) -> Iterator[SourceUtterance]:
    for one in chat_utterances(text, name):
        fields: dict[str, Any] = {"speaker": one.speaker, "line": one.line}
        if one.begin is not None:
            fields |= {"begin": one.begin, "end": one.end}
        yield SourceUtterance(tuple(map(_chat_word, one.words)), fields)


def _chat_word(word: ChatWord) -> SourceWord:
    label = "edit" if word.edit else "filler" if word.filler else ""
    return SourceWord(word.form + "-" if word.fragment else word.form, label=label)

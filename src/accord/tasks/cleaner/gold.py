# SPDX-License-Identifier: Apache-2.0
"""Transcripts in which people marked fillers and edits: what a cleaner learns from and is judged by.

Formats, by the end of the name and by the first line:

columns     one token a line, an empty line between utterances: token, tag, edit tag (RM: edited; IM, E: filler), and,
            where there is one, the kind of bracket (the setting ``fillers`` says which kinds are fillers)
JSON lines  objects with ``words`` and ``labels`` ("filler", "edit" or ""), or with ``disfluent`` and ``original`` text:
            what the original does not have was edited out
CHAT        ``.cha``: words before [/], [//] and [///] are edited, words with &- are fillers

Punctuation and words that were broken off are left out. Parts of written words ("it" "'s") are put together, since a
transcript has written words; the word is edited or a filler where its first part is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.data.files import COMPRESSION_SUFFIXES, open_input, source_name
from accord.errors import FormatError
from accord.tasks.cleaner.chat import chat_utterances
from accord.tasks.cleaner.words import Utterances, lines_of, normal_form

FORMATS = ("auto", "columns", "json", "chat")


@dataclass(frozen=True)
class GoldWord:
    """A word with what people said of it."""

    form: str
    tag: str = "_"
    filler: bool = False
    edit: bool = False


@dataclass(frozen=True)
class GoldTranscript:
    """Utterances with the fillers and edits of their words, one after another."""

    utterances: Utterances
    fillers: NDArray[np.bool_]
    edits: NDArray[np.bool_]
    name: str = "<transcript>"

    def __len__(self) -> int:
        return len(self.utterances.lengths)

    @staticmethod
    def of(utterances: Iterable[Sequence[GoldWord]], name: str = "<transcript>") -> GoldTranscript:
        """Of the words of utterances; those that the chain does not see are left out."""
        kept = [[word for word in one if normal_form(word.form)] for one in utterances]
        kept = [one for one in kept if one]
        words = [[normal_form(word.form) for word in one] for one in kept]
        tags = [[word.tag for word in one] for one in kept]
        flat = [word for one in kept for word in one]
        return GoldTranscript(
            Utterances.of(words, tags),
            np.array([word.filler for word in flat], np.bool_),
            np.array([word.edit for word in flat], np.bool_),
            name,
        )


def read_gold(files: Sequence[str | Path], *, format: str = "auto", fillers: str = "FDE") -> GoldTranscript:
    """The utterances of files; what cannot be read raises FormatError with file and line."""
    found: list[Sequence[GoldWord]] = []
    for file in files:
        found += _read(str(file), format, frozenset(fillers))
    return GoldTranscript.of(found, source_name(str(files[0])) if files else "<transcript>")


def _read(file: str, format: str, fillers: frozenset[str]) -> list[Sequence[GoldWord]]:
    plain = file
    for suffix in COMPRESSION_SUFFIXES:
        plain = plain.removesuffix(suffix)
    with open_input(file) as source:
        try:
            text = source.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise FormatError(f"not UTF-8 ({error.reason})", file=source_name(file)) from None
    name = source_name(file)
    if format == "chat" or (format == "auto" and plain.endswith(".cha")):
        return [
            [GoldWord(word.form, filler=word.filler, edit=word.edit) for word in one.words]
            for one in chat_utterances(text, name)
        ]
    if format == "json" or (format == "auto" and text.lstrip()[:1] == "{"):
        return list(_json_utterances(text, name))
    return list(_column_utterances(text, name, fillers))


def _column_utterances(text: str, name: str, fillers: frozenset[str]) -> Iterator[list[GoldWord]]:
    words: list[GoldWord] = []
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            if words:
                yield words
            words = []
            continue
        fields = line.split("\t")
        if len(fields) < 3:
            raise FormatError("expected token, tag and edit tag with tabs between them", file=name, line=number)
        form, tag, edit = fields[:3]
        kind = fields[3] if len(fields) > 3 else "_"
        word = GoldWord(form, tag, edit in ("IM", "E") or kind in fillers, edit == "RM")
        if words and (form.startswith("'") or form == "n't") and len(form) > 1 and normal_form(words[-1].form):
            before = words.pop()
            word = GoldWord(before.form + form, before.tag + tag, before.filler, before.edit)
        words.append(word)
    if words:
        yield words


def _json_utterances(text: str, name: str) -> Iterator[list[GoldWord]]:
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"not JSON ({error})", file=name, line=number) from None
        words = _json_words(entry) if isinstance(entry, dict) else None
        if words is None:
            raise FormatError("expected words and labels, or disfluent and original", file=name, line=number)
        yield words


def _json_words(entry: dict[str, object]) -> list[GoldWord] | None:
    disfluent, original = entry.get("disfluent"), entry.get("original")
    if isinstance(disfluent, str) and isinstance(original, str):
        forms = disfluent.split()
        kept = _common([normal_form(form) for form in forms], [normal_form(form) for form in original.split()])
        return [GoldWord(form, edit=not stays) for form, stays in zip(forms, kept, strict=True)]
    words, labels = entry.get("words"), entry.get("labels")
    if not isinstance(words, list) or not isinstance(labels, list) or len(words) != len(labels):
        return None
    if not all(isinstance(word, str) for word in words) or not all(label in ("", "filler", "edit") for label in labels):
        return None
    return [GoldWord(w, filler=label == "filler", edit=label == "edit") for w, label in zip(words, labels, strict=True)]


def _common(words: Sequence[str], others: Sequence[str]) -> list[bool]:
    """Which words are also in the other text, in the same order; of equal copies the last is meant."""
    kept = [False] * len(words)
    blocks = SequenceMatcher(None, words[::-1], others[::-1], autojunk=False).get_matching_blocks()
    for block in blocks:
        for place in range(block.a, block.a + block.size):
            kept[len(words) - 1 - place] = True
    return kept

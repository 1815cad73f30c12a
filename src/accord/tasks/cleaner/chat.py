# SPDX-License-Identifier: Apache-2.0
"""Utterances of CHAT transcripts (CHILDES, TalkBank): the words of main lines, with what the codes say of them.

A main line begins with ``*SPK:`` and goes on over lines that begin with a tab. Codes in brackets are left out, and
angle brackets only say how far a code reaches. ``&-uh`` is a filler; ``&+fr`` and ``&fr`` are fragments; words before
``[/]``, ``[//]``, ``[///]`` and ``[/-]`` are edited. Pauses, terminators, ``xxx`` and times are no words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from accord.errors import FormatError
from accord.tasks.cleaner.words import lines_of

_TOKEN = re.compile(r"\[[^\]]*\]|[<>]|\x15[^\x15]*\x15|[^\s<>\[\]\x15]+|\[")
_EDITED = ("[/]", "[//]", "[///]", "[/-]", "[/?]")
_NO_WORDS = frozenset(["xxx", "yyy", "www", ",", ";", ":", ".", "?", "!", "‡", "„"])


@dataclass(frozen=True)
class ChatWord:
    """A word of a main line. ``fragment``: it is no whole word."""

    form: str
    filler: bool = False
    edit: bool = False
    fragment: bool = False


@dataclass(frozen=True)
class ChatUtterance:
    """A main line. ``begin`` and ``end``: milliseconds, where the line has a time."""

    speaker: str
    line: int
    words: tuple[ChatWord, ...]
    begin: int | None = None
    end: int | None = None


def chat_utterances(text: str, name: str = "<chat>") -> Iterator[ChatUtterance]:
    """The main lines of a transcript; a line that is none of header, main line, tier and continuation raises."""
    speaker, first, content = "", 0, ""
    for number, line in enumerate([*lines_of(text), "@End"], 1):
        if line.startswith(("\t", " ")) and line.strip():
            content += " " + line.strip()
            continue
        if speaker:
            yield _utterance(speaker, first, content, name)
        speaker = ""
        if line.startswith("*"):
            speaker, colon, content = line[1:].partition(":")
            if not colon or not speaker.strip():
                raise FormatError("expected a speaker and a colon after *", file=name, line=number)
            first = number
        elif line.strip() and line[0] not in "@%":
            raise FormatError("expected a line of CHAT: @header, *SPEAKER: or %tier:", file=name, line=number)
        else:
            content = ""


def _utterance(speaker: str, line: int, content: str, name: str) -> ChatUtterance:
    words: list[ChatWord] = []
    opened: list[int] = []
    reach = (0, 0)  # the words that a code in brackets speaks of
    begin = end = None
    for found in _TOKEN.finditer(content):  # one by one: behind a bracket that is not closed nothing is read
        token = found[0]
        if token == "<":
            opened.append(len(words))
        elif token == ">":
            reach = (opened.pop() if opened else len(words), len(words))
        elif token.startswith("\x15"):
            times = token.strip("\x15").split("_")
            if len(times) == 2 and all(one.isdecimal() and len(one) <= 18 for one in times):
                begin, end = int(times[0]), int(times[1])
        elif token == "[":
            raise FormatError("a bracket is not closed", file=name, line=line)
        elif token.startswith("["):
            if token in _EDITED:
                words[slice(*reach)] = [_edited(word) for word in words[slice(*reach)]]
                reach = (0, 0)  # a second code would say the same
        else:
            word = _word(token)
            if word is not None:
                reach = (len(words), len(words) + 1)
                words.append(word)
    return ChatUtterance(speaker.strip(), line, tuple(words), begin, end)


def _edited(word: ChatWord) -> ChatWord:
    return ChatWord(word.form, word.filler, True, word.fragment)


def _word(token: str) -> ChatWord | None:
    """The word that a token is; None for pauses, terminators, events and what was not understood."""
    if token in _NO_WORDS or token.startswith(("+", "0", "&=", "&*", "(.")) or re.fullmatch(r"\([\d.:]+\)", token):
        return None
    filler = token.startswith("&-")
    fragment = token.startswith("&") and not filler
    plain = token.removeprefix("&-").removeprefix("&+").removeprefix("&~").removeprefix("&")
    plain = plain.partition("@")[0]
    plain = re.sub(r"[()↑↓ˈˌ:^]", "", plain).replace("_", " ").replace("+", "-").strip(" ,;.?!")
    return ChatWord(plain, filler, False, fragment) if plain else None

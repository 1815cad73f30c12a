# SPDX-License-Identifier: Apache-2.0
"""Texts in another script than that of the language of a model: a warning, and which models are for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from accord.app import console
from accord.data import Document
from accord.models import model_path
from accord.models.file import read_header

_LATIN = ("Dutch", "English", "French", "Italian", "Portuguese", "Spanish", "Swedish")
_IDEOGRAPHS = ("Chinese", "Japanese")
_WORDS = 500  # that are looked at
_ENOUGH = 20  # letters, to tell scripts apart


def tell_script(blocks: Iterator[Document], language: object, model: str) -> Iterator[Document]:
    """The documents as they are; a warning where the first is in another script than that of the model's language."""
    for number, block in enumerate(blocks):
        if number == 0:
            say_script(block.name, block.column("form")[:_WORDS], language, model)
        yield block


def language_of(model: str) -> object:
    """The language on the card of a model; nothing where it has none."""
    return read_header(model_path(model)).get("card", {}).get("language")


def say_script(name: str, words: Iterable[str], language: object, model: str) -> None:
    """A warning where words are in another script than that of the model's language; ``name``: where they come from."""
    if language not in _LATIN and language not in _IDEOGRAPHS:
        return
    letters = [letter for word in islice(words, _WORDS) for letter in word if letter.isalpha()]
    found = sum("\u3040" <= letter <= "\u30ff" or "\u3400" <= letter <= "\u9fff" for letter in letters)
    if len(letters) >= _ENOUGH and language in _LATIN and found > len(letters) / 2:
        told = f"{name}: mostly Chinese or Japanese, and {model} is a model of {language}"
        console.say(f"{told} (--model zh or --model ja)")
    elif len(letters) >= _ENOUGH and language in _IDEOGRAPHS and not found:
        console.say(f"{name}: not a character of {language}, of which {model} is a model (--model en)")

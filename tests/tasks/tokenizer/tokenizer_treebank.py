# SPDX-License-Identifier: Apache-2.0
"""Small treebanks of running text: full stops that do not end sentences, contractions, quotes, joined words."""

from __future__ import annotations

import random
from functools import lru_cache

from accord.data import Document
from accord.tasks.tokenizer import Tokenizer, TokenizerConfig

NAMES = ["Mr. Smith", "Dr. Jones", "Mrs. Brown", "Anna", "Bob", "Carla", "Emil"]
VERBS = ["saw", "liked", "found", "called", "met"]
THINGS = ["the cat", "a dog", "the old tree", "3.5 apples", "his car", "it"]
ENDS = [".", "!", "?", "..."]
CONTRACTIONS = {"don't": ("do", "n't"), "can't": ("ca", "n't"), "won't": ("wo", "n't"), "isn't": ("is", "n't")}


def _row(number: int | str, form: str, misc: str = "_") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}\n"


def sentence_rows(random: random.Random) -> str:
    """One sentence as CoNLL-U rows."""
    tokens: list[tuple[str, bool]] = []
    quoted = random.random() < 0.2
    if quoted:
        tokens.append(('"', False))
    tokens += [(form, True) for form in random.choice(NAMES).split()]
    if random.random() < 0.4:
        tokens.append((random.choice(list(CONTRACTIONS)), True))
    tokens.append((random.choice(VERBS), True))
    tokens += [(form, True) for form in random.choice(THINGS).split()]
    if random.random() < 0.3:
        tokens[-1] = (tokens[-1][0], False)
        tokens += [(",", True), ("too", True)]
    tokens[-1] = (tokens[-1][0], False)
    tokens.append((random.choice(ENDS), not quoted))
    if quoted:
        tokens.append(('"', True))
    rows, number = [], 0
    for form, space in tokens:
        misc = "_" if space else "SpaceAfter=No"
        if words := CONTRACTIONS.get(form):
            rows.append(_row(f"{number + 1}-{number + len(words)}", form, misc))
            rows.extend(_row(number + i, word) for i, word in enumerate(words, 1))
            number += len(words)
        else:
            number += 1
            rows.append(_row(number, form, misc))
    return "".join(rows)


def treebank(paragraphs: int, seed: int) -> Document:
    source = random.Random(seed)
    parts = []
    for _ in range(paragraphs):
        for index in range(source.randint(1, 5)):
            parts.append(("# newpar\n" if index == 0 else "") + sentence_rows(source) + "\n")
    return Document.from_conllu("".join(parts))


def joined_treebank(sentences: int, seed: int) -> Document:
    """Words without blanks between them, and no word about it, as in some treebanks of Chinese."""
    source = random.Random(seed)
    words = ["我們", "喜歡", "看", "大", "電影", "他", "的", "朋友", "今天", "學校", "在", "IBM", "GmbH"]
    parts = []
    for _ in range(sentences):
        forms = [*source.choices(words, k=source.randint(2, 7)), "。"]
        parts.append("".join(_row(i, form) for i, form in enumerate(forms, 1)) + "\n")
    return Document.from_conllu("".join(parts))


@lru_cache(maxsize=1)
def small_tokenizer() -> Tokenizer:
    return Tokenizer.train(treebank(150, 1), TokenizerConfig(epochs=5, bits=14, threads=1))


@lru_cache(maxsize=1)
def joined_tokenizer() -> Tokenizer:
    return Tokenizer.train(joined_treebank(300, 1), TokenizerConfig(epochs=5, bits=14, threads=1))

# SPDX-License-Identifier: Apache-2.0
"""Static word vectors of the user: which of them a network keeps, and under which keys.

Set:   words with one vector each, from a text file ("word numbers..." a line, perhaps after a line "count size") or
       from X.npy with the words in X.txt, one a line. The first vector of a word counts.
Kept:  words that occur in the training data, and the first ones of the file, which are the frequent ones.
Keys:  values of the attribute ``lower`` where all words of the file are lower-cased, else of ``form``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import neural as _neural
from accord._core import text as _text
from accord.data import Document
from accord.data.arrays import read_array
from accord.data.files import open_input
from accord.errors import ConfigError, FormatError

CHUNK = 4096  # words that are looked at together
Floats = NDArray[np.float32]
Keys = NDArray[np.uint64]
Places = NDArray[np.int64]
#: Consecutive words of a file, and a function that gives the vectors of some of them.
Chunk = tuple[list[str], Callable[[Places], Floats]]


@dataclass(frozen=True)
class WordVectors:
    """Vectors by the values of an attribute of words, in the order of these keys."""

    attribute: str
    keys: Keys
    table: Floats  # [keys, size]


def read_vectors(path: str, training: Document, most: int) -> WordVectors:
    """The vectors of the words of ``training`` and of the first ``most`` words of a file; 0: of all."""
    if not Path(path).is_file():
        raise ConfigError(f"neural.vectors = {path!r}: there is no such file")
    counted = _neural.count_values(training.native, ["form", "lower"], _text.ClusterLexicon())
    seen = {name: values for name, (values, _) in zip(("form", "lower"), counted, strict=True)}
    lowered, total = True, 0
    keys, tables, firsts = [], [], []  # of the words that may be kept
    for words, vectors in _array_chunks(path) if path.endswith(".npy") else _text_chunks(path):
        own = _neural.values_of_forms(words, "form")
        lowered = lowered and np.array_equal(own, _neural.values_of_forms(words, "lower"))
        first = np.arange(total, total + len(own)) < (most or np.inf)
        chosen = np.flatnonzero(first | np.isin(own, seen["form"]) | np.isin(own, seen["lower"]))
        total += len(own)
        keys.append(own[chosen])
        tables.append(vectors(chosen))
        firsts.append(first[chosen])
    if not total:
        raise FormatError("no vectors", file=path)
    attribute = "lower" if lowered else "form"
    every, table, first = np.concatenate(keys), np.concatenate(tables), np.concatenate(firsts)
    kept = np.flatnonzero(first | np.isin(every, seen[attribute]))
    unique, places = np.unique(every[kept], return_index=True)
    return WordVectors(attribute, unique, table[kept[places]])


def _text_chunks(path: str) -> Iterator[Chunk]:
    with open_input(path) as source:
        lines = ((number, line) for number, line in enumerate(source, 1) if not line.isspace())
        size = 0
        while read := list(islice(lines, CHUNK)):
            if size == 0:
                pieces = read[0][1].split()
                header = len(pieces) == 2 and all(piece.isdigit() and len(piece) < 10 for piece in pieces)
                size = int(pieces[1]) if header else len(pieces) - 1
                if size < 1:
                    raise FormatError("not a word and its numbers", file=path, line=read[0][0])
                if header and not (read := read[1:]):
                    return
            yield _text_chunk(path, read, size)


def _text_chunk(path: str, lines: list[tuple[int, bytes]], size: int) -> Chunk:
    words, numbers = [], []
    for line, text in lines:
        word, *rest = text.rsplit(None, size)
        if len(rest) != size or _ends_in_number(word):
            raise FormatError(f"expected a word and {size} numbers", file=path, line=line)
        try:
            words.append(word.decode())
        except UnicodeDecodeError:
            raise FormatError("not UTF-8", file=path, line=line) from None
        numbers.append(rest)
    return words, partial(_text_rows, path, [line for line, _ in lines], numbers)


def _text_rows(path: str, lines: list[int], numbers: list[list[bytes]], chosen: Places) -> Floats:
    out = np.empty((len(chosen), len(numbers[0])), np.float32)
    for place, index in enumerate(chosen.tolist()):
        try:
            out[place] = [float(number) for number in numbers[index]]
        except ValueError:
            raise FormatError("not a word and its numbers", file=path, line=lines[index]) from None
        if not np.isfinite(out[place]).all():
            raise FormatError("a number is not finite", file=path, line=lines[index])
    return out


def _ends_in_number(word: bytes) -> bool:
    """Whether one number too many stands behind a word, which may be a number and may hold blanks."""
    _, *behind = word.rsplit(None, 1)
    try:
        float(behind[0])
    except (IndexError, ValueError):
        return False
    return True


def _array_chunks(path: str) -> Iterator[Chunk]:
    beside = str(Path(path).with_suffix(".txt"))
    if not Path(beside).is_file():
        raise ConfigError(f"neural.vectors = {path!r}: its words should stand in {beside}, which is not there")
    rows = "rows of floating-point numbers"
    array = read_array(path, kinds="f", expected=rows, mapped=True)
    if array.ndim != 2 or array.shape[1] < 1:
        raise FormatError(f"expected {rows}", file=path)
    total = 0
    with open_input(beside) as source:
        while lines := list(islice(source, CHUNK)):
            words = [_word(line, beside, total + place) for place, line in enumerate(lines, 1)]
            if total + len(words) > len(array):
                raise FormatError(f"more words than the {len(array)} rows of {path}", file=beside, line=len(array) + 1)
            yield words, partial(_array_rows, path, array, total)
            total += len(words)
    if total != len(array):
        raise FormatError(f"{total} words for the {len(array)} rows of {path}", file=beside)


def _array_rows(path: str, array: NDArray[Any], first: int, chosen: Places) -> Floats:
    values: Floats = array[first + chosen].astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(values).all(1))
    if len(bad):
        raise FormatError(f"row {first + chosen[bad[0]] + 1} has a number that is not finite", file=path)
    return values


def _word(line: bytes, file: str, number: int) -> str:
    try:
        word = line.rstrip(b"\r\n").decode()
    except UnicodeDecodeError:
        raise FormatError("not UTF-8", file=file, line=number) from None
    if not word:
        raise FormatError("no word", file=file, line=number)
    return word

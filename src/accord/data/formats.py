# SPDX-License-Identifier: Apache-2.0
"""The formats by name, and which one a file is in: told by its suffix where that says enough, else by its first row."""

from __future__ import annotations

from pathlib import PurePath

from accord.data.files import COMPRESSION_SUFFIXES
from accord.errors import ConfigError

TABULAR = ("conllu", "conllx", "conll2008", "conll2009")
FORMATS = (*TABULAR, "json", "brackets")

_BY_SUFFIX = {
    ".conllu": "conllu",
    ".conllx": "conllx",
    ".json": "json",
    ".jsonl": "json",
    ".mrg": "brackets",
    ".ptb": "brackets",
    ".brackets": "brackets",
}
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def check_format(name: str) -> str:
    if name not in FORMATS:
        raise ConfigError(f"no format is named {name!r}: the formats are {', '.join(FORMATS)}")
    return name


def format_of_name(name: str) -> str | None:
    """The format that a file's suffix names, compression apart; None when it leaves a choice.

    >>> format_of_name("corpus/en-dev.conllu.xz")
    'conllu'
    >>> format_of_name("wsj.conll") is None
    True
    """
    return _BY_SUFFIX.get(_plain_suffix(name))


def format_of_content(name: str, sample: bytes, *, whole: bool) -> str | None:
    """The format of the first row in `sample`; None when it holds no complete row yet and is not the `whole` file.

    Ten columns are CoNLL-U, or CoNLL-X where the name ends in `.conll`: the two differ in the last two columns only.
    More are CoNLL-2009 when the tenth is a predicted head, else CoNLL-2008. Anything else is left to the CoNLL-U reader
    to refuse.
    """
    lines = sample.removeprefix(_BYTE_ORDER_MARK).split(b"\n")
    if not whole:
        lines.pop()
    for line in lines:
        line = line.rstrip(b"\r")
        if not line or line.startswith(b"#"):
            continue
        if line.lstrip().startswith(b"{"):
            return "json"
        if line.lstrip().startswith(b"(") and b"\t" not in line:
            return "brackets"
        columns = line.split(b"\t")
        if len(columns) == 10 and _plain_suffix(name) == ".conll":
            return "conllx"
        if len(columns) <= 10:
            return "conllu"
        predicted_head = columns[9] == b"_" or columns[9].isdigit()
        return "conll2009" if len(columns) >= 12 and predicted_head else "conll2008"
    return "conllu" if whole else None


def _plain_suffix(name: str) -> str:
    path = PurePath(name.lower())
    return PurePath(path.stem).suffix if path.suffix in COMPRESSION_SUFFIXES else path.suffix

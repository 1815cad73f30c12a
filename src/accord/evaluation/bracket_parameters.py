# SPDX-License-Identifier: Apache-2.0
"""What a comparison of brackets ignores and equates: the parameter files of evalb, as data.

A line is a name and a value, as in ``COLLINS.prm``: ``DELETE_LABEL -NONE-``, ``EQ_LABEL ADVP PRT``, ``CUTOFF_LEN 40``.
Lines that begin with ``#`` are comments.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from accord.data.files import open_input
from accord.errors import ConfigError, FormatError

_QUOTES = ("'", '"', "/")
_OUTPUT_ONLY = ("DEBUG", "MAX_ERROR")  # they change what evalb prints, and no figure


@dataclass(frozen=True)
class BracketParameters:
    """Parameters of PARSEVAL.

    Attributes
    ----------
    delete: labels whose brackets do not count; words with such a tag are taken out before spans are counted.
    delete_for_length: tags of words that do not count in the length of a sentence.
    quote_labels: tags that quotes and apostrophes (``' " /``) may be mistaken for; such a word counts if the system's
        tag is another one of these and is not deleted.
    equal_labels, equal_words: sets of labels, and of words, that count as the same.
    cutoff: sentences up to this length are reported apart.
    labelled: whether labels of brackets matter.
    """

    delete: frozenset[str] = frozenset()
    delete_for_length: frozenset[str] = frozenset({"-NONE-"})
    quote_labels: frozenset[str] = frozenset()
    equal_labels: tuple[frozenset[str], ...] = ()
    equal_words: tuple[frozenset[str], ...] = ()
    cutoff: int = 40
    labelled: bool = True
    name: str = field(default="<parameters>", compare=False)

    @classmethod
    def load(cls, name: str | Path) -> BracketParameters:
        """Parameters of a name (``collins``, ``plain``) or of a file."""
        if str(name) in PACKAGED:
            return cls.parse(PACKAGED[str(name)], file=str(name))
        if not Path(name).is_file():
            known = ", ".join(PACKAGED)
            raise ConfigError(f"no parameters of brackets are named {str(name)!r}: there are {known}, or name a file")
        with open_input(name) as file:
            return cls.parse(file.read().decode("utf-8", errors="replace"), file=str(name))

    @classmethod
    def parse(cls, text: str, *, file: str = "<parameters>") -> BracketParameters:
        """The parameters of a text in evalb's form; an unknown one raises FormatError with its line."""
        sets: dict[str, set[str]] = {"DELETE_LABEL": set(), "DELETE_LABEL_FOR_LENGTH": set(), "QUOTE_LABEL": set()}
        equal: dict[str, list[frozenset[str]]] = {"EQ_LABEL": [], "EQ_WORD": []}
        numbers = {"CUTOFF_LEN": 40, "LABELED": 1}
        for number, line in enumerate(text.splitlines(), start=1):
            parts = line.split()
            if not parts or parts[0].startswith("#"):
                continue
            key, *values = parts
            if key in _OUTPUT_ONLY:
                continue
            if key in sets and len(values) == 1:
                sets[key].add(values[0])
            elif key in equal and len(values) >= 2:
                equal[key].append(frozenset(values))
            elif key in numbers and len(values) == 1 and values[0].isdecimal() and len(values[0]) <= 18:
                numbers[key] = int(values[0])
            else:
                raise FormatError(f"{line.strip()!r} is no parameter of brackets", file=file, line=number)
        return cls(
            delete=frozenset(sets["DELETE_LABEL"]),
            delete_for_length=frozenset(sets["DELETE_LABEL_FOR_LENGTH"]),
            quote_labels=frozenset(sets["QUOTE_LABEL"]),
            equal_labels=tuple(equal["EQ_LABEL"]),
            equal_words=tuple(equal["EQ_WORD"]),
            cutoff=numbers["CUTOFF_LEN"],
            labelled=bool(numbers["LABELED"]),
            name=file,
        )

    def canonical(self, label: str) -> str:
        """One label for all that are equal to it."""
        return next((min(group) for group in self.equal_labels if label in group), label)

    def counts(self, word: str, tag: str, found: str) -> bool:
        """Does a word with this gold tag count beside a system that gave it the other one?"""
        if tag not in self.delete:
            return True
        return word in _QUOTES and {tag, found} <= self.quote_labels and found not in self.delete

    def same_word(self, one: str, other: str) -> bool:
        return one == other or any({one, other} <= group for group in self.equal_words)


PACKAGED = {
    "collins": """
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL S1
DELETE_LABEL ROOT
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
""",
    "plain": """
DELETE_LABEL TOP
DELETE_LABEL S1
DELETE_LABEL ROOT
DELETE_LABEL -NONE-
DELETE_LABEL_FOR_LENGTH -NONE-
""",
}

# SPDX-License-Identifier: Apache-2.0
"""Lemmas of tagged words: a lexicon of the words seen in training, and rules chosen by a linear model for all others.

A lemma depends on the form, UPOS, XPOS and FEATS of its word alone, so tag first. A treebank without lemmas (``_``)
makes a lemmatizer that answers ``_``.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.data import Document
from accord.errors import AccordError, ModelError
from accord.models import stored
from accord.models.file import text_block, text_of_block
from accord.models.stored import stored_settings
from accord.settings import setting

Array = NDArray[Any]

_TYPES = {
    "lexicon": np.uint16,
    "lexicon_fingerprints": np.uint32,
    "endings": np.uint32,
    "endings_fingerprints": np.uint32,
    "candidates": np.uint16,
    "known": np.uint64,
    "weights": np.int16,
}


_ESCAPED = re.compile(r"\\(.)")
_ENDS_CELL = re.compile("[\t\n\r]")


def lemma_rule(value: Any) -> str:
    """A rule of a model file. Its lemmas must fit into a column, and it must be one: ValueError otherwise."""
    rule = stored.text(value)
    _tasks.apply_lemma_rule(rule, "word")
    if _ENDS_CELL.search(_ESCAPED.sub(lambda found: "\n" if found[1] == "n" else found[1], rule)):
        raise ValueError(f"a rule of lemmas that end lines or cells: {rule[:40]!a}")
    return rule


@dataclass(frozen=True)
class LemmatizerConfig:
    """How a lemmatizer is trained."""

    epochs: int = setting(6, "passes over the different words of the training text", low=0)
    bits: int = setting(18, "2^bits weights choose between rules", low=4, high=28)
    rate: float = setting(0.2, "length of a training step", low=1e-6)
    seed: int = setting(1, "order of the words in training", low=0)


class Lemmatizer:
    """Gives each word of a tagged document its lemma.

    >>> from accord.data import Sentence
    >>> forms, tags = ["cats", "dogs", "mice", "sleeps", "eats"], ["NOUN", "NOUN", "NOUN", "VERB", "VERB"]
    >>> training = Sentence.from_words(forms, upos=tags, lemmas=["cat", "dog", "mouse", "sleep", "eat"])
    >>> lemmatizer = Lemmatizer.train(Document.from_sentences([training]))
    >>> lemmatizer(Document.from_sentences([Sentence.from_words(["Mice", "Birds"], upos=["NOUN", "NOUN"])]))
    ['mouse', 'bird']
    >>> lemmatizer(Document.from_sentences([training]))
    ['cat', 'dog', 'mouse', 'sleep', 'eat']
    """

    def __init__(self, config: LemmatizerConfig, rules: tuple[str, ...], arrays: Mapping[str, Array]) -> None:
        """Use ``train`` or ``from_blocks``; arrays that do not fit together raise ModelError."""
        self.config = config
        self.rules = rules
        self._arrays = {name: arrays[name] for name in _TYPES}
        try:
            self._native = _tasks.Lemmatizer(list(rules), **self._arrays)
        except ValueError as error:
            raise ModelError(str(error)) from None
        except TypeError:  # whose message lists the signatures of native functions
            raise ModelError("the lemmatizer's parts do not fit together: something is of another type") from None

    @classmethod
    def train(cls, document: Document, config: LemmatizerConfig | None = None) -> Lemmatizer:
        """Learn from the lemmas of a document. The same document and settings give the same lemmatizer."""
        config = config or LemmatizerConfig()
        try:
            rules, arrays = _tasks.train_lemmatizer(document.native, **dataclasses.asdict(config))
        except ValueError as error:
            raise AccordError(f"{document.name}: {error}") from None
        return cls(config, tuple(rules), arrays)

    def __call__(self, document: Document, *, threads: int = 1) -> list[str]:
        """One lemma for each word, sentences one after another; see ``Document.replace(lemmas=...)``."""
        return self._native.lemmatize(document.native, threads)

    def __repr__(self) -> str:
        return f"Lemmatizer({len(self.rules)} rules, {self.size / 1e6:.2f} MB)"

    @property
    def size(self) -> int:
        """Bytes of its arrays in a model file."""
        return sum(array.nbytes for array in self.to_blocks()[1].values())

    def to_blocks(self) -> tuple[dict[str, Any], dict[str, Array]]:
        """A JSON header and named arrays, to be stored in a model file beside those of other parts."""
        text = text_block("\n".join(self.rules))
        return {"config": dataclasses.asdict(self.config)}, {"rules": text, **self._arrays}

    @classmethod
    def from_blocks(cls, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> Lemmatizer:
        """The lemmatizer of ``to_blocks``; the arrays are used where they lie, a memory map for one."""
        try:
            config = stored_settings(LemmatizerConfig, header["config"])
            rules = tuple(map(lemma_rule, text_of_block(arrays["rules"]).split("\n")))
            for name, kind in _TYPES.items():
                if arrays[name].dtype != kind or arrays[name].ndim != 1:
                    raise ModelError(f"lemmatizer: array {name!r} is not a row of {np.dtype(kind).name}")
            return cls(config, rules, arrays)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"not a lemmatizer this version understands ({error})") from None

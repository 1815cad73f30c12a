# SPDX-License-Identifier: Apache-2.0
"""The tokeniser as users hold it: a text in, a document of sentences, tokens and words out.

Every character that is not blank is part of exactly one token, and the blanks stand in MISC where they are unusual, so
that `detokenize` gives the text back. The core does the work (``core/tasks/tokenizer``): labels of characters, tokens,
words of multiword tokens, and the document.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.data import Document
from accord.errors import ConfigError, ModelError
from accord.models import stored
from accord.models.file import Blocks, join_blocks, part_of_blocks, text_block, text_of_block
from accord.models.stored import HeaderFields, StoredModel, open_worker
from accord.tasks.labeller.model_file import LabellerModel
from accord.tasks.tokenizer.blanks import half_surrogate, one_blank
from accord.tasks.tokenizer.config import TokenizerConfig
from accord.tasks.tokenizer.gold import END_LABELS, LABELS
from accord.tasks.tokenizer.spans import Spans

if TYPE_CHECKING:
    from accord.learning import Reporter, TrainingResult

MODES = ("text", "sentences", "tokens")
LONGEST_SENTENCE: int = _tasks.Tokenizer.longest_sentence  # in tokens; longer ones are cut
_PART = "characters."


def uses_surroundings(templates: str) -> bool:
    """Do templates look at the chunks around a character?"""
    return any(name in templates for name in (".chunk", ".next_", ".previous_chunk"))


@dataclass(frozen=True)
class TokenizerModel(StoredModel):
    """All that a trained tokeniser is."""

    kind = "tokenizer"
    title = "tokenizer"
    settings = TokenizerConfig
    in_header: ClassVar[HeaderFields] = {"blanks_inside": stored.flag}

    config: TokenizerConfig
    characters: LabellerModel
    multiword: _tasks.MultiwordRules
    blanks_inside: bool = False  # may tokens hold blanks?
    ends: LabellerModel | None = None  # a network that finds ends of sentences; None: the characters do

    def own_blocks(self) -> Blocks:
        header, _ = super().own_blocks()
        inner, arrays = self.characters.to_blocks()
        named = {_PART + name: array for name, array in arrays.items()}
        header, blocks = {**header, "characters": inner}, {**named, "multiword": text_block(self.multiword.text)}
        if self.ends is None:
            return header, blocks
        own, weights = join_blocks({"ends": self.ends.to_blocks()})
        return {**header, **own}, {**blocks, **weights}

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> dict[str, Any]:
        inner = {name[len(_PART) :]: array for name, array in arrays.items() if name.startswith(_PART)}
        characters = LabellerModel.from_blocks(header["characters"], inner, path)
        if characters.labels != LABELS:
            raise ModelError(f"{path}: a labeller of {', '.join(characters.labels)}, not of ends of tokens")
        multiword = _tasks.MultiwordRules(text_of_block(arrays["multiword"]))
        ends = None
        if "ends" in header:
            ends = LabellerModel.from_blocks(*part_of_blocks(header, arrays, "ends"), path)
            if ends.labels != END_LABELS or ends.network is None:
                raise ModelError(f"{path}: its ends of sentences are not found by a network")
        found = {"characters": characters, "multiword": multiword, "ends": ends}
        return {**super().own_fields(header, arrays, path), **found}

    def native(self, words: TokenWords | None = None) -> _tasks.Tokenizer:
        """The core's tokeniser of this model, with the words of a user."""
        return _tasks.Tokenizer(
            self.characters.native(),
            self.characters.native_lexicon(),
            self.multiword,
            blanks_inside=self.blanks_inside,
            surroundings=uses_surroundings(self.characters.templates),
            words=None if words is None else words.native(self.characters.temperature),
            ends=self.native_ends(),
        )

    def native_ends(self) -> _tasks.SentenceEnds | None:
        """What finds ends of sentences in place of the characters."""
        if self.ends is None or self.ends.network is None:
            return None
        return _tasks.SentenceEnds(self.ends.native(), self.ends.network.native(), self.config.characters_weight)


@dataclass(frozen=True)
class TokenWords:
    """Words that a user wants to be tokens wherever they occur.

    ``prefer`` adds ``bonus``, in units of log-probability, to each of their characters; ``force`` makes tokens of their
    longest matches from left to right, whatever else the model thinks.
    """

    words: frozenset[str]
    mode: str = "prefer"
    bonus: float = 4.0

    def __post_init__(self) -> None:
        if self.mode not in ("prefer", "force"):
            raise ConfigError(f"lexicon mode {self.mode!r}: expected one of prefer, force")

    def __reduce__(self) -> tuple[Any, ...]:
        """In an order of their own, so that the same words have the same pickle in every process."""
        return _token_words, (sorted(self.words), self.mode, self.bonus)

    def native(self, temperature: float) -> _tasks.UserWords:
        bonus = math.inf if self.mode == "force" else self.bonus * temperature
        return _tasks.UserWords(sorted(self.words), bonus)


@dataclass
class _Place:
    """Where the documents of a stream stand: sentences and characters so far."""

    newdoc: str | None  # what the text is called in its first sentence and in the ids of all
    sentences: int = 0
    characters: int = 0
    inside_paragraph: bool = False  # does the next document go on with a paragraph?


class Tokenizer:
    """Splits texts into sentences, tokens and words. Immutable, shared by any number of threads."""

    def __init__(self, model: TokenizerModel, words: TokenWords | None = None) -> None:
        """``words``: what a user wants to be tokens wherever it occurs."""
        self.model = model
        self.words = words
        self._native = model.native(words)

    def __reduce__(self) -> tuple[Any, ...]:
        return Tokenizer, (self.model, self.words)

    @classmethod
    def load(cls, model: str | Path) -> Tokenizer:
        """The tokeniser of a packaged model or of a file."""
        return open_worker(cls, TokenizerModel, model)

    @classmethod
    def train(
        cls,
        documents: Document | Iterable[Document],
        config: TokenizerConfig | None = None,
        *,
        dev: Document | Iterable[Document] = (),
        reporter: Reporter | None = None,
    ) -> Tokenizer:
        """A tokeniser trained on treebanks; see `training.train_tokenizer`."""
        from accord.learning import SILENT
        from accord.tasks.tokenizer.training import train_tokenizer

        result: TrainingResult[TokenizerModel] = train_tokenizer(
            _several(documents), _several(dev), config or TokenizerConfig(), reporter=reporter or SILENT
        )
        return cls(result.model)

    def __call__(
        self,
        text: str,
        *,
        mode: str = "text",
        offsets: bool = False,
        newdoc: str | None = None,
        name: str = "<text>",
        threads: int = 0,
    ) -> Document:
        """The document of a text.

        Parameters
        ----------
        mode: "text" finds sentences and tokens; in "sentences" each line is a sentence, in "tokens" each line is a
            sentence and its tokens stand between blanks: they are words as they are.
        offsets: add TokenRange=begin:end, counted in code points of the text, to MISC.
        newdoc: what to call the text in ``# newdoc id`` and before the numbers of its sentences.
        name: what messages call the document.
        """
        return self._document(text, _check(mode), _Place(_one_line(newdoc)), offsets, name, threads)

    def sentences(self, text: str, *, threads: int = 0) -> list[tuple[int, int]]:
        """Begin and end of the sentences of a text, in code points."""
        return self.spans(text, threads=threads).sentences()

    def stream(
        self,
        source: Iterable[str],
        *,
        mode: str = "text",
        offsets: bool = False,
        newdoc: str | None = None,
        name: str = "<text>",
        block_size: int = 1 << 20,
        threads: int = 0,
    ) -> Iterator[Document]:
        """Documents of whole paragraphs that together are the text, in flat memory.

        ``source`` is an open text file or any other iterable of strings, joined as they are. A paragraph longer than
        ``block_size`` is cut before its last sentence so far. A document ends before a character that is not blank, so
        that the blanks after a token stay with it. An empty string says that the source waits: the paragraphs (or
        lines, where lines are sentences) that are complete become a document at once.
        """
        _check(mode)
        if block_size < 1:
            raise ConfigError(f"block_size is at least 1, not {block_size}")
        place = _Place(_one_line(newdoc))
        pieces: list[str] = []
        length = 0
        for piece in source:
            if not piece and length:
                text = "".join(pieces)
                cut = self._complete(text, mode, threads)
                if cut > 0:
                    yield self._document(text[:cut], mode, place, offsets, name, threads)
                    place.inside_paragraph = False
                pieces, length = [text[cut:]], len(text) - cut
            for begin in range(0, len(piece), block_size):
                pieces.append(piece[begin : begin + block_size])
                length += len(pieces[-1])
                if length < block_size:
                    continue
                text = "".join(pieces)
                cut, whole = self._native.cut(_encoded(text), mode, threads)
                if cut > 0:
                    yield self._document(text[:cut], mode, place, offsets, name, threads)
                    place.inside_paragraph = not whole
                pieces, length = [text[cut:]], len(text) - cut
        if length:
            yield self._document("".join(pieces), mode, place, offsets, name, threads)

    def _complete(self, text: str, mode: str, threads: int) -> int:
        """How many characters of a text are whole paragraphs, or lines where lines are sentences."""
        plain = text.rstrip()
        if not plain:
            return 0
        if text.count("\n", len(plain)) >= (2 if mode == "text" else 1):
            return len(text)
        cut, whole = self._native.cut(_encoded(text), mode, threads)
        return cut if whole else 0

    def spans(self, text: str, *, mode: str = "text", threads: int = 0) -> Spans:
        """Tokens and sentences as stretches of the text."""
        return Spans(*self._native.spans(_encoded(text), _check(mode), threads))

    def _document(self, text: str, mode: str, place: _Place, offsets: bool, name: str, threads: int) -> Document:
        """The document of a text; moves the place on."""
        native = self._native.document(
            _encoded(text),
            mode,
            newdoc=place.newdoc,
            sentences=place.sentences,
            characters=place.characters,
            inside_paragraph=place.inside_paragraph,
            offsets=offsets,
            threads=threads,
        )
        place.sentences += native.sentences
        place.characters += len(text)
        return Document.from_native(native, name=name, text=text)


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise half_surrogate(error) from None


def _check(mode: str) -> str:
    if mode not in MODES:
        raise ConfigError(f"mode {mode!r}: expected one of {', '.join(MODES)}")
    return mode


def _one_line(newdoc: str | None) -> str | None:
    if newdoc is not None and (one_blank(newdoc) != newdoc or not newdoc.strip(" ")):
        raise ConfigError(f"newdoc {newdoc!r}: a name is one line")
    return newdoc


def _token_words(words: list[str], mode: str, bonus: float) -> TokenWords:
    return TokenWords(frozenset(words), mode, bonus)


def _several(documents: Document | Iterable[Document]) -> list[Document]:
    return [documents] if isinstance(documents, Document) else list(documents)

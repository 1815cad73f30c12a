# SPDX-License-Identifier: Apache-2.0
"""The tokeniser as users hold it: a text in, a document of sentences, tokens and words out.

Every character that is not blank is part of exactly one token, and the blanks stand in MISC where they are unusual, so
that `detokenize` gives the text back. Texts of any length: see `windows`; a sentence longer than LONGEST_SENTENCE
tokens is cut where a sentence end is most probable.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.data import Document
from accord.errors import ConfigError, ModelError
from accord.models import model_path
from accord.models.file import Blocks, text_block, text_of_block
from accord.models.stored import HeaderFields, StoredModel
from accord.tasks.labeller import Labeller, LabellerModel
from accord.tasks.tokenizer.blanks import Squeezed, one_blank, squeeze
from accord.tasks.tokenizer.config import TokenizerConfig
from accord.tasks.tokenizer.gold import END, INSIDE, LABELS, LAST, OUTSIDE
from accord.tasks.tokenizer.multiword import Multiword
from accord.tasks.tokenizer.output import Numbering, to_document
from accord.tasks.tokenizer.spans import Spans, spans_of
from accord.tasks.tokenizer.streams import blocks_of
from accord.tasks.tokenizer.windows import label_characters, last_probabilities

if TYPE_CHECKING:
    from accord.learning import Reporter, TrainingResult

MODES = ("text", "sentences", "tokens")
LONGEST_SENTENCE = 1000
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
    in_header: ClassVar[HeaderFields] = {"blanks_inside": bool}

    config: TokenizerConfig
    characters: LabellerModel
    multiword: Multiword
    blanks_inside: bool = False  # may tokens hold blanks?

    def own_blocks(self) -> Blocks:
        header, _ = super().own_blocks()
        inner, arrays = self.characters.to_blocks()
        named = {_PART + name: array for name, array in arrays.items()}
        return {**header, "characters": inner}, {**named, "multiword": text_block(self.multiword.to_text())}

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> dict[str, Any]:
        inner = {name[len(_PART) :]: array for name, array in arrays.items() if name.startswith(_PART)}
        characters = LabellerModel.from_blocks(header["characters"], inner, path)
        if characters.labels != LABELS:
            raise ModelError(f"{path}: a labeller of {', '.join(characters.labels)}, not of ends of tokens")
        multiword = Multiword.from_text(text_of_block(arrays["multiword"]))
        return {**super().own_fields(header, arrays, path), "characters": characters, "multiword": multiword}


class Tokenizer:
    """Splits texts into sentences, tokens and words. Immutable, shared by any number of threads."""

    def __init__(self, model: TokenizerModel) -> None:
        self.model = model
        self._labeller = Labeller(model.characters)
        self._options = {
            "blanks_inside": model.blanks_inside,
            "lexical": uses_surroundings(model.characters.templates),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return Tokenizer, (self.model,)

    @classmethod
    def load(cls, model: str | Path) -> Tokenizer:
        """The tokeniser of a packaged model or of a file."""
        return cls(TokenizerModel.load(model_path(model)))

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
        spans = self.spans(text, mode=mode, threads=threads)
        return self._document(text, spans, mode, Numbering(_one_line(newdoc)), offsets, name)

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
        ``block_size`` is cut before its last sentence so far.
        """
        _check(mode)
        if block_size < 1:
            raise ConfigError(f"block_size is at least 1, not {block_size}")
        numbering = Numbering(_one_line(newdoc))

        def sentences(text: str) -> list[tuple[int, int]]:
            return self.spans(text, mode=mode, threads=threads).sentences()

        for text, whole in blocks_of(source, block_size, sentences, lines=mode != "text"):
            spans = self.spans(text, mode=mode, threads=threads)
            yield self._document(text, spans, mode, numbering, offsets, name)
            numbering.inside_paragraph = not whole

    def spans(self, text: str, *, mode: str = "text", threads: int = 0) -> Spans:
        """Tokens and sentences as stretches of the text."""
        squeezed = squeeze(text, lines=_check(mode) != "text")
        if mode == "tokens":
            labels = np.where(squeezed.blank, OUTSIDE, INSIDE).astype(np.int32)
        else:
            labels = label_characters(self._labeller, squeezed, **self._options, threads=threads)
        if mode == "sentences":
            labels[labels == LAST] = END
        if mode == "text":
            self._cut_long(squeezed, labels, threads)
        spans = spans_of(squeezed, labels)
        return spans if mode == "text" else dataclasses.replace(spans, paragraph=_after_empty_line(text, spans))

    def _document(self, text: str, spans: Spans, mode: str, numbering: Numbering, offsets: bool, name: str) -> Document:
        multiword = Multiword() if mode == "tokens" else self.model.multiword
        inside = self.model.blanks_inside
        return to_document(text, spans, multiword, numbering, blanks_inside=inside, offsets=offsets, name=name)

    def _cut_long(self, squeezed: Squeezed, labels: NDArray[np.int32], threads: int) -> None:
        """Mark ends in sentences of too many tokens: the most probable one of the second half of what is allowed."""
        spans = spans_of(squeezed, labels, np.arange(len(labels)))
        ends = np.flatnonzero(spans.last)
        starts = np.concatenate(([0], ends + 1))[: len(ends)]
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            if end - start < LONGEST_SENTENCE:
                continue
            begin, stop = int(spans.begin[start]), int(spans.end[end])
            chances = last_probabilities(self._labeller, squeezed, begin, stop, **self._options, threads=threads)
            while end - start >= LONGEST_SENTENCE:
                candidates = spans.end[start + LONGEST_SENTENCE // 2 - 1 : start + LONGEST_SENTENCE] - 1
                chosen = int(np.argmax(chances[candidates - begin]))
                labels[candidates[chosen]] = LAST
                start += LONGEST_SENTENCE // 2 + chosen


def _check(mode: str) -> str:
    if mode not in MODES:
        raise ConfigError(f"mode {mode!r}: expected one of {', '.join(MODES)}")
    return mode


def _one_line(newdoc: str | None) -> str | None:
    if newdoc is not None and (one_blank(newdoc) != newdoc or not newdoc.strip(" ")):
        raise ConfigError(f"newdoc {newdoc!r}: a name is one line")
    return newdoc


def _several(documents: Document | Iterable[Document]) -> list[Document]:
    return [documents] if isinstance(documents, Document) else list(documents)


def _after_empty_line(text: str, spans: Spans) -> NDArray[np.bool_]:
    """Of tokens on lines: the first ones of paragraphs."""
    paragraphs = squeeze(text)
    return np.isin(spans.begin, paragraphs.places[paragraphs.starts[:-1]])

# SPDX-License-Identifier: Apache-2.0
"""From raw text to trees: tokeniser, tagger and parser as one model.

>>> import accord
>>> nlp = accord.load("en")
>>> document = nlp("They saw the girl. She waved!")
>>> [sentence.forms for sentence in document.sentences]
[('They', 'saw', 'the', 'girl', '.'), ('She', 'waved', '!')]
>>> document.sentences[1].heads
(2, 0, 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from accord.data import Document, Sentence
from accord.errors import ConfigError, ModelError
from accord.inference.rules import Rule
from accord.models import model_path
from accord.models.blocks import Blocks, join_blocks, part_of_blocks
from accord.models.file import ModelFile, write_model
from accord.tasks.parser import Parser, ParserModel, RankedTree, Search
from accord.tasks.parser.given import Keep
from accord.tasks.parser.tagging import NetworkTagger, Tags
from accord.tasks.tagger import Tagger, TaggerModel
from accord.tasks.tagger.model import COLUMNS
from accord.tasks.tokenizer import Tokenizer
from accord.tasks.tokenizer.model import TokenizerModel

KIND = "pipeline"
TAGS: tuple[Tags, ...] = ("auto", "predict", "keep")
STEP_MODELS: dict[str, Any] = {"tokenizer": TokenizerModel, "tagger": TaggerModel, "parser": ParserModel}


@dataclass(frozen=True)
class PipelineModel:
    """All that a pipeline is: the models of its steps. ``card`` says where it comes from."""

    tokenizer: TokenizerModel | None = None
    tagger: TaggerModel | None = None
    parser: ParserModel | None = None
    card: dict[str, Any] = field(default_factory=dict)

    def save(self, path: str | Path) -> None:
        write_model(path, *self.to_blocks())

    def to_blocks(self) -> Blocks:
        parts = {"tokenizer": self.tokenizer, "tagger": self.tagger, "parser": self.parser}
        headers, arrays = join_blocks({name: part.to_blocks() for name, part in parts.items() if part is not None})
        return {"kind": KIND, "card": self.card, "parts": headers}, arrays

    @staticmethod
    def load(path: str | Path) -> PipelineModel:
        """A pipeline from a model file; a tokeniser, tagger or parser alone makes a pipeline of one step."""
        file = ModelFile(path)
        kind = file.header.get("kind")
        if kind in STEP_MODELS:
            header, arrays = join_blocks({kind: (dict(file.header), dict(file.arrays))})
            return PipelineModel.from_blocks({"kind": KIND, "card": {}, "parts": header}, arrays, file.path)
        return PipelineModel.from_blocks(file.header, file.arrays, file.path)

    @staticmethod
    def from_blocks(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> PipelineModel:
        if header.get("kind") != KIND:
            raise ModelError(f"{path}: a model of kind {header.get('kind')!r}, not a pipeline")
        try:
            parts = header["parts"]
            models = {
                name: kind.from_blocks(*part_of_blocks(parts, arrays, name), path)
                for name, kind in STEP_MODELS.items()
                if name in parts
            }
            return PipelineModel(**models, card=dict(header["card"]))
        except (KeyError, TypeError) as error:
            raise ModelError(f"{path}: not a pipeline this version understands ({error})") from None


class Pipeline:
    """A pipeline ready to work: immutable, shared by any number of threads.

    Its steps are there by name: ``tokenizer``, ``tagger``, ``parser``; one that the model does not have is None. Where
    the parser's network predicts tags along with trees, ``tagger`` is that network.
    """

    def __init__(self, model: PipelineModel, *, precision: str | None = None) -> None:
        """``precision``: arithmetic of a neural parser, "float32" or "int8"; None: as its settings say."""
        if precision == "int8" and model.parser is None:
            raise ConfigError("precision = 'int8': this model has no parser")
        self.model = model
        self.precision = precision
        self.tokenizer = None if model.tokenizer is None else Tokenizer(model.tokenizer)
        self.parser = None if model.parser is None else Parser(model.parser, precision=precision)
        self.tagger: Tagger | NetworkTagger | None = None
        if model.tagger is not None:
            self.tagger = Tagger(model.tagger)
        elif self.parser is not None and self.parser.tasks:
            self.tagger = NetworkTagger(self.parser)

    def __reduce__(self) -> tuple[Any, ...]:
        return _pipeline, (self.model, self.precision)

    @staticmethod
    def load(model: str | Path, *, precision: str | None = None) -> Pipeline:
        """A packaged model or a model file."""
        return Pipeline(PipelineModel.load(model_path(model)), precision=precision)

    def __call__(
        self,
        text: str | Document | Sentence | Sequence[Sentence],
        *,
        input: str = "text",
        tags: Tags = "auto",
        offsets: bool = False,
        threads: int = 0,
    ) -> Document:
        """All steps on raw text, or tagging and parsing of sentences that are there already.

        ``input``: "text", "sentences" (one a line) or "tokens" (one sentence a line, blanks between tokens). ``tags``:
        see :meth:`tag`. ``offsets``: ``TokenRange`` in MISC.
        """
        return self._annotated(self._document(text, input, offsets, threads), tags, threads)

    def _annotated(self, document: Document, tags: Tags, threads: int) -> Document:
        document = self.tagged_first(document, tags, threads=threads)
        return document if self.parser is None else self.parser.parse(document, tags=tags, threads=threads)

    @property
    def tags_with_trees(self) -> bool:
        """Whether one network gives tags and trees in one go."""
        return isinstance(self.tagger, NetworkTagger)

    def tagged_first(self, document: Document, tags: Tags, *, threads: int = 0) -> Document:
        """The document as the parser is to get it: tagged, unless tags come with the trees."""
        _check_tags(tags)
        return document if self.tags_with_trees else self.tag(document, tags=tags, threads=threads)

    def tokenize(self, text: str, *, input: str = "text", offsets: bool = False, threads: int = 0) -> Document:
        """Sentences, tokens and words of a text."""
        return self._tokenizer().__call__(text, mode=input, offsets=offsets, threads=threads)

    def tag(
        self, document: Document, *, tags: Tags = "auto", probabilities: bool = False, threads: int = 0
    ) -> Document:
        """The document with UPOS, XPOS, FEATS and lemmas.

        ``tags``: "auto" keeps what is there and fills in what is not, "predict" replaces all, "keep" does nothing.
        """
        _check_tags(tags)
        if self.tagger is None or tags == "keep":
            return document
        column = self.tagger.column
        if tags == "predict":
            return self.tagger(document, probabilities=probabilities, threads=threads)
        if not probabilities and "_" not in document.column(column):
            return document
        return self.tagger(document, keep=set(COLUMNS), probabilities=probabilities, threads=threads)

    def parse(
        self,
        sentences: Document | Sentence | Sequence[Sentence],
        *,
        tags: Tags = "auto",
        marginals: bool = False,
        keep: Keep = None,
        constraints: Iterable[Rule | str] = (),
        search: Search | None = None,
        status: bool = False,
        threads: int = 0,
    ) -> Document:
        """Trees for sentences, tagged first where they have no tags; see :meth:`Parser.parse` for the options."""
        document = self.tagged_first(self._document(sentences, "text", False, threads), tags, threads=threads)
        return self._parser().parse(
            document,
            tags=tags,
            marginals=marginals,
            keep=keep,
            constraints=constraints,
            search=search,
            status=status,
            threads=threads,
        )

    def kbest(
        self,
        sentence: Sentence,
        k: int,
        *,
        tags: Tags = "auto",
        keep: Keep = None,
        search: Search | None = None,
        constraints: Iterable[Rule | str] = (),
    ) -> list[RankedTree]:
        """The k best trees of a sentence; see :meth:`Parser.kbest`."""
        tagged = self.tag(Document.from_sentences([sentence]), tags=tags, threads=1).sentences[0]
        return self._parser().kbest(tagged, k, keep=keep, search=search, constraints=constraints)

    def pipe(
        self,
        texts: Iterable[str] | Iterable[Document],
        *,
        input: str = "text",
        tags: Tags = "auto",
        offsets: bool = False,
        threads: int = 0,
    ) -> Iterator[Document]:
        """All steps on a stream: pieces of one raw text (an open file, say) or documents; memory stays flat."""
        for document in self._stream(texts, input, offsets, threads):
            yield self._annotated(document, tags, threads)

    def _stream(
        self, texts: Iterable[str] | Iterable[Document], input: str, offsets: bool, threads: int
    ) -> Iterator[Document]:
        source = iter(texts)
        first = next(source, None)
        if first is None:
            return
        if isinstance(first, Document):
            yield first
            yield from source  # type: ignore[misc]
            return
        pieces = (piece for group in ((first,), source) for piece in group if isinstance(piece, str))
        yield from self._tokenizer().stream(pieces, mode=input, offsets=offsets, threads=threads)

    def _document(
        self, text: str | Document | Sentence | Sequence[Sentence], input: str, offsets: bool, threads: int
    ) -> Document:
        if isinstance(text, str):
            return self.tokenize(text, input=input, offsets=offsets, threads=threads)
        if isinstance(text, Document):
            return text
        return Document.from_sentences([text] if isinstance(text, Sentence) else text)

    def _tokenizer(self) -> Tokenizer:
        if self.tokenizer is None:
            raise ConfigError("this model has no tokeniser: pass a Document of tokenised sentences")
        return self.tokenizer

    def _parser(self) -> Parser:
        if self.parser is None:
            raise ConfigError("this model has no parser")
        return self.parser


def _pipeline(model: PipelineModel, precision: str | None) -> Pipeline:
    return Pipeline(model, precision=precision)


def _check_tags(tags: str) -> None:
    if tags not in TAGS:
        raise ConfigError(f"tags: {tags!r} is none of {', '.join(TAGS)}")

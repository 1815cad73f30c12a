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

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.data import Document, Sentence
from accord.data.elsewhere import PIPELINE, Elsewhere
from accord.errors import AccordError, ConfigError, ModelError, described
from accord.models import model_path
from accord.models.file import Blocks, ModelFile, join_blocks, part_of_blocks
from accord.models.stored import understood
from accord.models.writing import write_model
from accord.tasks.parser import ParseOptions, Parser, ParserModel, RankedTree
from accord.tasks.parser.options import TAGS, Tags, parse_options
from accord.tasks.parser.tagging import NetworkTagger
from accord.tasks.pipeline.batches import batches_of, checked_text, joined, parted
from accord.tasks.pipeline.names import NameFinder, finder_for
from accord.tasks.tagger import Tagger, TaggerModel
from accord.tasks.tagger.model import COLUMNS
from accord.tasks.tokenizer import Tokenizer
from accord.tasks.tokenizer.model import TokenizerModel, TokenWords

if TYPE_CHECKING:
    from accord.tasks.spans.model import SpanLabeller

KIND = "pipeline"
UNINFLECTED = ("Chinese",)  # languages of cards whose words are their own lemmas
STEP_MODELS: dict[str, Any] = {"tokenizer": TokenizerModel, "tagger": TaggerModel, "parser": ParserModel}


@dataclass(frozen=True)
class PipelineModel:
    """All that a pipeline is: the models of its steps. ``card`` says where it comes from."""

    title: ClassVar[str] = KIND

    tokenizer: TokenizerModel | None = None
    tagger: TaggerModel | None = None
    parser: ParserModel | None = None
    card: dict[str, Any] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        """As the blocks of its file, so that a model, its copies and the same file in other processes pickle alike."""
        header, arrays = self.to_blocks()
        blocks = [(name, one.dtype.str, one.shape, one.tobytes()) for name, one in sorted(arrays.items())]
        return _model_of_blocks, (json.dumps(header, sort_keys=True), blocks)

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
        if isinstance(kind, str) and kind in STEP_MODELS:
            header, arrays = join_blocks({kind: (dict(file.header), dict(file.arrays))})
            return PipelineModel.from_blocks({"kind": KIND, "card": {}, "parts": header}, arrays, file.path)
        return PipelineModel.from_blocks(file.header, file.arrays, file.path)

    @staticmethod
    def from_blocks(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> PipelineModel:
        if header.get("kind") != KIND:
            raise ModelError(f"{path}: a model of kind {header.get('kind')!r}, not a pipeline")
        with understood(path, KIND):
            parts = header["parts"]
            models = {
                name: kind.from_blocks(*part_of_blocks(parts, arrays, name), path)
                for name, kind in STEP_MODELS.items()
                if name in parts
            }
            return PipelineModel(**models, card=dict(header["card"]))


class Pipeline(Elsewhere):
    """A pipeline ready to work: immutable, shared by any number of threads.

    Its steps are there by name: ``tokenizer``, ``tagger``, ``parser``, ``entities``; one that is not there is None.
    Where the parser's network predicts tags along with trees, ``tagger`` is that network.
    """

    _elsewhere = PIPELINE

    def __init__(self, model: PipelineModel, *, precision: str | None = None, words: TokenWords | None = None) -> None:
        """``precision``: arithmetic of a neural parser, "float32" or "int8"; None: as its settings say.

        ``words``: words of the user that the tokeniser is to find.
        """
        if precision == "int8" and model.parser is None:
            raise ConfigError("precision = 'int8': this model has no parser")
        self.model = model
        self.precision = precision
        if words is not None and model.tokenizer is None:
            raise ConfigError("lexicon: this model has no tokeniser")
        self.tokenizer = None if model.tokenizer is None else Tokenizer(model.tokenizer, words)
        lemma_is_form = model.card.get("language") in UNINFLECTED
        self.parser = (
            None if model.parser is None else Parser(model.parser, precision=precision, lemma_is_form=lemma_is_form)
        )
        self._tagger = None if model.tagger is None else Tagger(model.tagger)

    def __reduce__(self) -> tuple[Any, ...]:
        words = None if self.tokenizer is None else self.tokenizer.words
        return _pipeline, (self.model, self.precision, words)

    def __repr__(self) -> str:
        steps = [name for name in ("tokenizer", "tagger", "parser") if getattr(self, name) is not None]
        names = ["entities"] if self._finder is not None else []
        title = self.model.card.get("name") or self.model.card.get("language") or "no card"
        return f"Pipeline({title!r}: {', '.join([*steps, *names])})"

    def fingerprint(self) -> str:
        """The same for the same models and settings, in every process and of every copy: what caches may go by."""
        import hashlib
        import pickle

        return hashlib.sha256(pickle.dumps(self, protocol=4)).hexdigest()[:32]

    @property
    def language(self) -> str | None:
        """The language of its card."""
        return self.model.card.get("language")

    @cached_property
    def tagger(self) -> Tagger | NetworkTagger | None:
        """The model's own tagger, or the network of a parser that predicts tags along with trees."""
        if self._tagger is None and self.parser is not None and self.parser.columns:
            return NetworkTagger(self.parser)
        return self._tagger

    @cached_property
    def entities(self) -> SpanLabeller | None:
        """The packaged finder of names in the model's language: ``nlp.entities(document)`` writes them into MISC."""
        return None if self._finder is None else self._finder.labeller

    @cached_property
    def _finder(self) -> NameFinder | None:
        return finder_for(self.model.card.get("language"))

    @staticmethod
    def load(model: str | Path, *, precision: str | None = None, words: TokenWords | None = None) -> Pipeline:
        """A packaged model or a model file."""
        path = model_path(model)
        stored = PipelineModel.load(path)
        with understood(str(path), KIND):
            return Pipeline(stored, precision=precision, words=words)

    def __call__(
        self,
        text: str | Document | Sentence | Sequence[Sentence],
        options: ParseOptions | None = None,
        *,
        input: str = "text",
        offsets: bool = False,
        entities: bool = False,
        **changes: Any,
    ) -> Document:
        """All steps on raw text, or tagging and parsing of sentences that are there already.

        ``input``: "text", "sentences" (one a line) or "tokens" (one sentence a line, blanks between tokens).
        ``offsets``: ``TokenRange`` in MISC. ``entities``: names in MISC too; without it ``document.entities`` looks for
        them when it is first asked. For the options of the parse see
        :class:`~accord.tasks.parser.options.ParseOptions`; they may be given by name.
        """
        chosen = parse_options(options, changes)
        document = self._annotated(self._document(text, input, offsets, chosen.threads), chosen)
        return self.with_entities(document, threads=chosen.threads) if entities else document

    def with_entities(self, document: Document, *, threads: int = 0) -> Document:
        """The document with names of persons, places and organisations, and their probabilities; tagged if need be."""
        if self.entities is None:
            raise ConfigError(f"there is no packaged finder of entities for {self.model.card.get('language')}")
        found = self.entities(self.tag(document, threads=threads), probabilities=True, threads=threads)
        return found.with_entity_finder(None)

    def _annotated(self, document: Document, options: ParseOptions) -> Document:
        if self.parser is None:
            found = self.tag(document, tags=options.tags, threads=options.threads)
        else:
            found = self.parser.parse(self.ready_to_parse(document, options), options)
        return found.with_entity_finder(self._finder)

    def ready_to_parse(self, document: Document, options: ParseOptions) -> Document:
        """The document as the parser is to get it: tagged, unless one network gives tags and trees in one go."""
        together = self._tagger is None and self.parser is not None and bool(self.parser.columns) and options.k == 1
        return document if together else self.tag(document, tags=options.tags, threads=options.threads)

    def tokenize(self, text: str, *, input: str = "text", offsets: bool = False, threads: int = 0) -> Document:
        """Sentences, tokens and words of a text."""
        return self._tokenizer().__call__(text, mode=input, offsets=offsets, threads=threads)

    def tag(
        self,
        text: str | Document | Sentence | Sequence[Sentence],
        *,
        tags: Tags = "auto",
        probabilities: bool = False,
        threads: int = 0,
    ) -> Document:
        """UPOS, XPOS, FEATS and lemmas of a text, a document or sentences.

        ``tags``: "auto" keeps what is there and fills in what is not, "predict" replaces all, "keep" does nothing.
        """
        _check_tags(tags)
        document = self._document(text, "text", False, threads)
        if self.tagger is None or tags == "keep":
            return document
        column = self.tagger.column
        if tags == "predict":
            return self.tagger(document, probabilities=probabilities, threads=threads)
        if not probabilities and not document.has_gaps(column):
            return document
        return self.tagger(document, keep=set(COLUMNS), probabilities=probabilities, threads=threads)

    def parse(
        self,
        sentences: Document | Sentence | Sequence[Sentence],
        options: ParseOptions | None = None,
        **changes: Any,
    ) -> Document:
        """Trees for sentences, tagged first where they have no tags; see :meth:`Parser.parse` for the options."""
        chosen = parse_options(options, changes)
        document = self.ready_to_parse(self._document(sentences, "text", False, chosen.threads), chosen)
        return self._parser().parse(document, chosen)

    def kbest(
        self, sentence: Sentence, k: int | None = None, options: ParseOptions | None = None, **changes: Any
    ) -> list[RankedTree]:
        """The k best trees of a sentence; see :meth:`Parser.kbest`."""
        chosen = parse_options(options, changes if k is None else {**changes, "k": k})
        if not isinstance(sentence, Sentence):
            advice = ": nlp.tokenize(text)[0] is the first of a text" if isinstance(sentence, str) else ""
            raise AccordError(f"kbest takes one sentence, not {described(sentence)}{advice}")
        tagged = self.tag(Document.from_sentences([sentence]), tags=chosen.tags, threads=1).sentences[0]
        return self._parser().kbest(tagged, options=chosen)

    def pipe(
        self,
        texts: Iterable[Any],
        options: ParseOptions | None = None,
        *,
        as_tuples: bool = False,
        input: str = "text",
        offsets: bool = False,
        **changes: Any,
    ) -> Iterator[Any]:
        """All steps on many texts or documents: one document for each of them, in order; memory stays flat.

        ``texts``: any iterable, a generator for one. ``as_tuples``: its items are pairs of a text and its context, and
        so are the answers. Neighbouring texts are analysed together, which changes no answer.

        >>> import accord
        >>> nlp = accord.load("en")
        >>> [len(document) for document in nlp.pipe(["One. Two.", "Three"])]
        [2, 1]
        >>> [(len(document), page) for document, page in nlp.pipe([("One. Two.", 7)], as_tuples=True)]
        [(2, 7)]
        """
        if isinstance(texts, (str, bytes, Document)):
            raise AccordError(f"pipe takes many texts, and was given {described(texts)}: call the pipeline with it")
        if not isinstance(texts, Iterable):
            raise AccordError(f"pipe takes many texts, and was given {described(texts)}")
        if isinstance(texts, Mapping) or hasattr(texts, "columns"):
            raise AccordError(f"pipe takes texts, and was given {described(texts)}: choose one of its columns")
        chosen = parse_options(options, changes)
        for batch in batches_of(_numbered(texts, as_tuples)):
            documents = [self._document(text, input, offsets, chosen.threads) for text, _ in batch]
            if len(documents) == 1 or chosen.k > 1:
                answers = iter([self._annotated(document, chosen) for document in documents])
            else:
                whole = self._annotated(joined(documents), chosen)
                answers = (one.with_entity_finder(self._finder) for one in parted(whole, documents))
            for answer, (_, context) in zip(answers, batch, strict=True):
                yield (answer, context) if as_tuples else answer

    def stream(
        self,
        pieces: Iterable[str],
        options: ParseOptions | None = None,
        *,
        input: str = "text",
        offsets: bool = False,
        **changes: Any,
    ) -> Iterator[Document]:
        """All steps on one long text that comes in pieces (an open file, say): documents of whole paragraphs.

        The pieces are joined as they are, so that a word may begin in one and end in the next; memory stays flat.
        """
        if isinstance(pieces, bytes):
            raise AccordError(f"a stream is of pieces of a text, not of {described(pieces)}")
        checked = (_piece(piece, number) for number, piece in enumerate(pieces, 1))
        chosen = parse_options(options, changes)
        for document in self._tokenizer().stream(checked, mode=input, offsets=offsets, threads=chosen.threads):
            yield self._annotated(document, chosen)

    def _document(
        self, text: str | Document | Sentence | Sequence[Sentence], input: str, offsets: bool, threads: int
    ) -> Document:
        if isinstance(text, str):
            return self.tokenize(text, input=input, offsets=offsets, threads=threads)
        if isinstance(text, Document):
            return text
        if isinstance(text, Sentence):
            return Document.from_sentences([text])
        sentences: Any = text
        if isinstance(sentences, (bytes, bytearray, Mapping)) or not isinstance(sentences, Iterable):
            raise AccordError(f"a text, a document or sentences are expected, not {described(sentences)}")
        if hasattr(sentences, "has_annotation"):
            raise AccordError("a Doc of spaCy: accord.Document.from_spacy(doc) makes a document of it")
        return Document.from_sentences(sentences)

    def _tokenizer(self) -> Tokenizer:
        if self.tokenizer is None:
            raise ConfigError("this model has no tokeniser: pass a Document of tokenised sentences")
        return self.tokenizer

    def _parser(self) -> Parser:
        if self.parser is None:
            raise ConfigError("this model has no parser")
        return self.parser


def _model_of_blocks(header: str, blocks: list[tuple[str, str, tuple[int, ...], bytes]]) -> PipelineModel:
    arrays = {name: np.frombuffer(data, kind).reshape(shape) for name, kind, shape, data in blocks}
    return PipelineModel.from_blocks(json.loads(header), arrays, "<pickle>")


def _pipeline(model: PipelineModel, precision: str | None, words: TokenWords | None = None) -> Pipeline:
    return Pipeline(model, precision=precision, words=words)


def _check_tags(tags: str) -> None:
    if tags not in TAGS:
        raise ConfigError(f"tags: {tags!r} is none of {', '.join(TAGS)}")


def _numbered(texts: Iterable[Any], as_tuples: bool) -> Iterator[tuple[str | Document, Any]]:
    """Each text, checked, with what goes with it."""
    for number, item in enumerate(texts, 1):
        context = None
        if as_tuples:
            if not isinstance(item, tuple) or len(item) != 2:
                raise AccordError(f"item {number} of pipe is {described(item)}, not a pair (text, context)")
            item, context = item
        yield checked_text(item, f"item {number} of pipe"), context


def _piece(piece: Any, number: int) -> str:
    if isinstance(piece, str):
        return piece
    advice = "; pipe takes documents" if isinstance(piece, Document) else ""
    raise AccordError(f"piece {number} of a stream is {described(piece)}, not a text (str){advice}")

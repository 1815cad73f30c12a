# SPDX-License-Identifier: Apache-2.0
"""Document: sentences over one native buffer. Immutable; sentences are made when they are asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from accord.data.elsewhere import DOCUMENT, Elsewhere
from accord.data.files import open_output
from accord.data.formats import TABULAR, check_format, format_of_name
from accord.data.jsonlines import sentence_to_json
from accord.data.native import FormatProblem, NativeDocument
from accord.data.sentence import Sentence, encode_text
from accord.data.sentences import Sentences, checked_sentences
from accord.data.spacing import Spacing, text_of, token_places
from accord.errors import AccordError, ConfigError, FormatError, described

if TYPE_CHECKING:
    from accord.data.constituents import Constituents
    from accord.data.constituents.carriers import Carrier
    from accord.data.entities import Entity
    from accord.data.word import Word

OnError: TypeAlias = Literal["raise", "keep"]
Heads: TypeAlias = "npt.NDArray[np.int32]"
EntityFinder: TypeAlias = "Callable[[Document], Document]"  # writes NER into MISC

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


class Document(Elsewhere):
    """A treebank file or a piece of one, byte for byte, and its sentences.

    >>> document = Document.from_sentences([Sentence.from_words(["Go", "!"], heads=[0, 1], deprels=["root", "punct"])])
    >>> document
    Document('<sentences>', 1 sentence, 2 words)
    >>> document.replace(deprels=["root", "_"]).sentences[0].deprels
    ('root', '_')
    """

    __slots__ = (
        "_begins",
        "_finder",
        "_first_line",
        "_labelled",
        "_left_out",
        "_name",
        "_native",
        "_problems",
        "_text",
    )
    _elsewhere = DOCUMENT

    def __init__(
        self,
        data: bytes,
        *,
        format: str = "conllu",
        name: str = "<input>",
        first_line: int = 1,
        on_error: OnError = "raise",
        left_out: Sequence[FormatError] = (),
    ) -> None:
        """Read bytes in one of the tabular formats. For files and JSON see `accord.data.read`.

        `on_error="keep"` keeps a sentence that cannot be read as it stands, without words, and tells it in `problems`,
        after those of `left_out`: sentences that were lost before there were bytes.
        """
        if check_format(format) not in TABULAR:
            raise ConfigError(f"{format} is not a tabular format: use accord.data.read")
        if not isinstance(data, bytes):
            raise AccordError(f"Document(...) takes the bytes of a file, not {described(data)}{_advice(data)}")
        if on_error not in ("raise", "keep"):
            raise ConfigError(f"on_error is 'raise' or 'keep', not {on_error!r}")
        self._name = name
        self._first_line = first_line
        self._text: str | None = None
        self._finder: EntityFinder | None = None
        try:
            self._native = NativeDocument.parse(data, format, first_line, on_error == "keep")
        except FormatProblem as problem:
            line, reason = problem.args
            raise FormatError(reason, file=name, line=line) from None
        found = (FormatError(reason, file=name, line=line) for line, reason in self._native.problems)
        self._left_out = tuple(left_out)
        self._problems = (*self._left_out, *found)

    @classmethod
    def from_conllu(cls, text: str | bytes, *, name: str = "<input>", on_error: OnError = "raise") -> Document:
        """The document of a text in CoNLL-U; `accord.data.read` reads files."""
        if not isinstance(text, (str, bytes)):
            raise AccordError(f"from_conllu takes a text, not {described(text)}: accord.data.read reads files")
        return cls(encode_text(text) if isinstance(text, str) else text, name=name, on_error=on_error)

    @classmethod
    def from_sentences(cls, sentences: Iterable[Sentence], *, name: str = "<sentences>") -> Document:
        """The CoNLL-U document of these sentences; lines in messages count in its text."""
        taken = checked_sentences(sentences)
        on_error: OnError = "keep" if any(sentence.verbatim is not None for sentence in taken) else "raise"
        return cls.from_conllu("".join(sentence.to_conllu() for sentence in taken), name=name, on_error=on_error)

    @classmethod
    def from_native(cls, native: Any, *, name: str, text: str | None = None) -> Document:
        """The document around one that the core made; ``text``: what it was made from."""
        document = cls.__new__(cls)
        document._text = text
        document._finder = None
        document._native = native
        document._name = name
        document._first_line = 1
        document._left_out = document._problems = ()
        return document

    def with_native(self, native: Any) -> Document:
        """The same document with another core: one that was edited from its own."""
        document = Document.from_native(native, name=self._name, text=self._text)
        document._first_line = self._first_line
        document._left_out, document._problems = self._left_out, self._problems
        document._finder = self._finder
        return document

    def with_entity_finder(self, finder: EntityFinder | None) -> Document:
        """The same document, whose `entities` are found by this function when they are first asked for."""
        document = self.with_native(self._native)
        document._finder = finder
        return document

    @property
    def name(self) -> str:
        """What messages call it: the file it was read from."""
        return self._name

    @property
    def native(self) -> Any:
        """The core's document, for code that hands it back to the core."""
        return self._native

    @property
    def format(self) -> str:
        """The tabular format of its bytes."""
        return str(self._native.layout)

    @property
    def problems(self) -> tuple[FormatError, ...]:
        """Sentences that could not be read: kept as they stand, or left out where they came from JSON."""
        return self._problems

    @property
    def sentences(self) -> Sentences:
        return Sentences(self._native, self._begin_of)

    @property
    def text(self) -> str:
        """The text that was tokenised, character for character; else the tokens with the blanks that MISC says.

        >>> Document.from_sentences([Sentence.from_words(["Go", "!"], misc=["SpaceAfter=No", "_"])]).text
        'Go!'
        """
        if self._text is None:
            spacings = [Spacing.of(token.form, token.misc) for one in self.sentences for token in one.tokens]
            text = text_of(spacings)
            self._text = text if not spacings or spacings[-1].said else text.removesuffix(" ")
        return self._text

    @property
    def from_text(self) -> bool:
        """Whether the blanks of a text are known: it was tokenised, or MISC says them (SpacesAfter)."""
        return self._text is not None or b"SpacesAfter=" in self._native.whole()

    def _begin_of(self, index: int) -> int:
        """Where the tokens of a sentence begin to be counted in the text."""
        if not hasattr(self, "_begins"):
            begins = [0]
            for sentence in self.sentences:
                spacings = [Spacing.of(token.form, token.misc) for token in sentence.tokens]
                begins.append(begins[-1] + token_places(spacings)[1])
            self._begins = begins
        return self._begins[index]

    @property
    def words(self) -> list[Word]:
        """All words, sentences one after another."""
        return [word for sentence in self.sentences for word in sentence.words]

    @property
    def entities(self) -> list[Entity]:
        """Named entities: those that labels in MISC say (``NER=B-PER``).

        Where there are none, a document that a pipeline made looks for them when it is first asked, if the pipeline has
        that step. What is found so is in MISC of `labelled`, and of what a pipeline makes with ``entities=True``.
        """
        from accord.data.entities import entities_of

        return [one for sentence in self.labelled.sentences for one in entities_of(sentence, self.text)]

    @property
    def labelled(self) -> Document:
        """The document with its entities in MISC."""
        if not hasattr(self, "_labelled"):
            found = self._finder is None or b"NER=" in self._native.whole()
            self._labelled = self if found or self._finder is None else self._finder(self)
        return self._labelled

    def with_sentence(self, index: int, sentence: Sentence) -> Document:
        """The document with another sentence in the place of one; the others byte for byte.

        >>> document = Document.from_sentences([Sentence.from_words(["Go"], heads=[0])])
        >>> document.with_sentence(0, document[0].edited(1, deprel="root"))[0].deprels
        ('root',)
        """
        number = range(len(self))[index]
        native = self._native
        parts = [
            encode_text(sentence.to_conllu()) if i == number else bytes(native.text(i)) + b"\n"
            for i in range(len(self))
        ]
        on_error: OnError = "keep" if self._problems else "raise"
        return self._like(b"".join(parts), on_error)

    def to_dict(self) -> dict[str, Any]:
        """The name and the sentences as plain dictionaries and lists."""
        return {"name": self._name, "sentences": [one.to_dict() for one in self.sentences if one.verbatim is None]}

    @staticmethod
    def from_dict(members: Mapping[str, Any]) -> Document:
        """The document of `to_dict`."""
        if not isinstance(members, Mapping) or "sentences" not in members:
            raise FormatError("a document is an object with 'sentences'")
        sentences = [Sentence.from_dict(one) for one in members["sentences"]]
        return Document.from_sentences(sentences, name=str(members.get("name", "<dict>")))

    def to_pandas(self) -> Any:
        """A DataFrame with one row a word: number and id of its sentence, its columns, start and end."""
        from accord.data.exchange import to_pandas

        return to_pandas(self)

    def to_networkx(self) -> Any:
        """All trees as one directed graph of networkx, whose nodes are pairs: number of the sentence, of the word."""
        from accord.data.exchange import document_to_networkx

        return document_to_networkx(self)

    def to_spacy(self, vocab: Any = None) -> Any:
        """A spaCy ``Doc`` of the same text: tokens are the words, with all columns, entities and sentence starts."""
        from accord.data.spacy_docs import to_spacy

        return to_spacy(self, vocab)

    @staticmethod
    def from_spacy(doc: Any) -> Document:
        """The document of a spaCy ``Doc``."""
        from accord.data.spacy_docs import from_spacy

        return from_spacy(doc)

    @property
    def heads(self) -> Heads:
        """Heads of all words, sentences one after another; -1 is unknown. Read-only view of the document's memory."""
        heads: Heads = self._native.heads
        return heads

    @property
    def lengths(self) -> npt.NDArray[np.int32]:
        """Words of each sentence."""
        lengths: npt.NDArray[np.int32] = self._native.lengths()
        return lengths

    def column(self, name: str) -> list[str]:
        """One column ("form", "upos", ...) of all words, sentences one after another."""
        values: list[str] = self._native.column(_column_number(name))
        return values

    def has_gaps(self, name: str) -> bool:
        """Whether some word has no value ("_") in a column."""
        return bool(self._native.has_gaps(_column_number(name)))

    def has_values(self, name: str) -> bool:
        """Whether some word has a value (not "_") in a column."""
        return not {"_"}.issuperset(self._native.column(_column_number(name)))

    def check_trees(self, *, single_root: bool = True, complete: bool = True) -> list[FormatError]:
        """The sentences whose heads are not a tree, each with its line; see `Sentence.problem`."""
        found = self._native.check_trees(single_root, complete)
        return [FormatError(reason, file=self._name, line=line) for line, reason in found]

    def replace(
        self,
        *,
        heads: Sequence[int | None] | npt.NDArray[np.integer[Any]] | None = None,
        deprels: Sequence[str] | None = None,
        lemmas: Sequence[str] | None = None,
        upos: Sequence[str] | None = None,
        xpos: Sequence[str] | None = None,
        feats: Sequence[str] | None = None,
        misc: Sequence[Mapping[str, str]] | None = None,
    ) -> Document:
        """The document with new values for whole columns, one per word of all sentences; the rest byte for byte.

        Heads are 0..n, or None or -1 for unknown. `misc` holds entries to set in MISC, key to value: a key that is
        there gets the new value, other entries stay. Ranges, empty nodes and comments stay as they are.
        """
        given = {"deprel": deprels, "lemma": lemmas, "upos": upos, "xpos": xpos, "feats": feats}
        columns = [(COLUMNS.index(name), list(values)) for name, values in given.items() if values is not None]
        entries = None if misc is None else [_misc_entries(mapping) for mapping in misc]
        indices = None if heads is None else _head_array(heads)
        for values in (*(values for _, values in columns), entries, indices):
            if values is not None and len(values) != self._native.total_words:
                raise self._refusal(f"{len(values)} new values for {self._native.total_words} words")
        for texts in (*(values for _, values in columns), entries or []):
            encode_text("".join(texts), errors="strict")
        try:
            return self.with_native(self._native.edited(indices, columns, entries))
        except ValueError as error:
            raise self._refusal(str(error)) from None

    def with_comments(self, key: str, values: Sequence[str | None]) -> Document:
        """The document with a comment ``# key = value`` in each sentence that has a value, in place of one it had.

        >>> document = Document.from_sentences([Sentence.from_words(["Go"])])
        >>> document.with_comments("status", ["optimal"]).sentences[0].comments
        ('# status = optimal',)
        """
        if len(values) != len(self):
            raise self._refusal(f"{len(values)} comments for {len(self)} sentences")
        for text in (key, *(value for value in values if value is not None)):
            if "\n" in text or "\r" in text:
                raise self._refusal("a comment is one line")
        return self.with_native(self._native.with_comments(key, list(values)))

    def with_constituents(self, trees: Sequence[Constituents | None], carrier: Carrier = "comment") -> Document:
        """The document with a tree of phrases for each sentence that gets one, in a comment or in MISC."""
        from accord.data.constituents.carriers import with_constituents  # few documents have them

        return with_constituents(self, trees, carrier)

    def to_bytes(self, format: str | None = None) -> bytes:
        """The document byte for byte in its own format, or translated to "conllu", "conllx", "json" or "brackets".

        Translation leaves out sentences that could not be read.
        """
        format = self.format if format is None else check_format(format)
        if format == "json":
            return self.to_json().encode("utf-8")
        if format == "brackets":
            from accord.data.constituents.carriers import document_to_brackets

            return document_to_brackets(self)
        if format == self.format:
            return bytes(self._native.whole())
        if format == "conllu":
            return bytes(self._native.to_conllu())
        if format == "conllx":
            return bytes(self._native.to_conllx())
        raise ConfigError(f"documents cannot be translated to {format}")

    def to_conllu(self) -> str:
        return self.to_bytes("conllu").decode("utf-8", errors="surrogateescape")

    def to_json(self) -> str:
        """JSON lines, one object a sentence."""
        return "".join(sentence_to_json(sentence) + "\n" for sentence in self.sentences if sentence.verbatim is None)

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write to a path or `-`: in `format`, else as the suffix says, else byte for byte as it is.

        The file is complete or not there; `.gz`, `.xz`, `.bz2` and `.zst` compress.
        """
        data = self.to_bytes(format or format_of_name(os.fspath(path)))
        with open_output(path) as file:
            file.write(data)

    def __len__(self) -> int:
        return int(self._native.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> Document: ...
    def __getitem__(self, index: int | slice) -> Sentence | Document:
        """A sentence, counted from 0; a slice is a document of its sentences."""
        if not isinstance(index, slice):
            return self.sentences[index]
        chosen = range(len(self))[index]
        parts = [bytes(self._native.text(i)) + b"\n" for i in chosen]
        on_error: OnError = "keep" if self._problems else "raise"
        return self._like(b"".join(parts), on_error)

    def _like(self, data: bytes, on_error: OnError) -> Document:
        document = Document(data, format=self.format, name=self._name, on_error=on_error)
        document._finder = self._finder
        return document

    def __repr__(self) -> str:
        count = f"{len(self)} sentence{'' if len(self) == 1 else 's'}"
        words = f"{self._native.total_words} word{'' if self._native.total_words == 1 else 's'}"
        broken = f", {len(self._problems)} not read" if self._problems else ""
        return f"Document({self._name!r}, {count}, {words}{broken})"

    def _repr_html_(self) -> str:
        """What a notebook shows of a document: its first trees, drawn, and the texts of the other sentences."""
        from accord.drawing.sentences import draw_document  # drawings know documents, and only notebooks ask here

        return draw_document(self.sentences, self._name)

    def __reduce__(self) -> tuple[Any, ...]:
        on_error = "keep" if self._problems else "raise"
        place = (self.format, self._name, self._first_line)
        return _rebuild, (self.to_bytes(), *place, on_error, self._left_out, self._text, self._finder)

    def _refusal(self, reason: str) -> FormatError:
        return FormatError(reason, file=self._name)


def _rebuild(
    data: bytes,
    format: str,
    name: str,
    first_line: int,
    on_error: OnError,
    left_out: tuple[FormatError, ...],
    text: str | None,
    finder: EntityFinder | None = None,
) -> Document:
    document = Document(data, format=format, name=name, first_line=first_line, on_error=on_error, left_out=left_out)
    document._text, document._finder = text, finder
    return document


def _advice(data: Any) -> str:
    """What to do with what is no bytes."""
    if isinstance(data, str):
        return ": Document.from_conllu(text) reads CoNLL-U, and accord.load(model)(text) makes a document of raw text"
    return ": accord.data.read reads files"


def _head_array(heads: Sequence[int | None] | npt.NDArray[np.integer[Any]]) -> Heads:
    known = heads if isinstance(heads, np.ndarray) else np.array([-1 if head is None else head for head in heads])
    if known.ndim != 1 or (known.dtype.kind not in "iu" and known.size > 0):
        raise FormatError("heads are one list of whole numbers")
    limits = np.iinfo(np.int32)
    if known.size > 0 and (known.min() < limits.min or known.max() > limits.max):
        raise FormatError("a head is out of range")
    return np.ascontiguousarray(known, dtype=np.int32)


def _column_number(name: str) -> int:
    if name not in COLUMNS:
        raise ConfigError(f"no column is named {name!r}: the columns are {', '.join(COLUMNS)}")
    return COLUMNS.index(name)


def _misc_entries(mapping: Mapping[str, str]) -> str:
    for key, value in mapping.items():
        if not key or "=" in key or "|" in key or "|" in value:
            raise FormatError(f"not an entry of MISC: {key!r} = {value!r}")
    return "|".join(f"{key}={value}" for key, value in mapping.items())

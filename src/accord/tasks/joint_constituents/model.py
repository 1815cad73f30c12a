# SPDX-License-Identifier: Apache-2.0
"""The joint parser as a user holds it: characters in, words with tags and a tree of phrases out.

Set:    segmentations of a text into words, tags of the words, and derivations of a grammar over them.
Score:  weights times the scores of a segmenter, a tagger and of phrases; see :mod:`accord.tasks.joint_constituents`.
Paper:  Qian and Liu (2012), Joint Chinese word segmentation, POS tagging and parsing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.data import Document, Sentence
from accord.data.constituents import Constituents
from accord.errors import ConfigError, ModelError
from accord.models import stored
from accord.models.file import Blocks, join_blocks, part_of_blocks, text_block
from accord.models.stored import HeaderFields, StoredModel, Weights, open_worker, tables_to_blocks
from accord.ranked import Ranked
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.constituents.pieces import joined
from accord.tasks.joint_constituents.config import JointConstituentsConfig
from accord.tasks.joint_constituents.grammar import PhraseGrammar, plain_label
from accord.tasks.joint_constituents.lattice import Choices, Lattice, LatticeWord
from accord.tasks.joint_constituents.texts import cut_text
from accord.tasks.labeller import LabellerModel
from accord.tasks.segmenter.model import Segmenter, SegmenterModel


class Mixture(NamedTuple):
    """Weights of the scores of words, tags and phrases, and a bonus for each word."""

    words: float = 1.0
    tags: float = 1.0
    phrases: float = 1.0
    bonus: float = 0.0

    @staticmethod
    def of(values: Any) -> Mixture:
        words, tags, phrases, bonus = (stored.number()(value) for value in values)
        if min(words, tags, phrases) < 0:
            raise ValueError("a weight is less than 0")
        return Mixture(words, tags, phrases, bonus)


EVEN_MIXTURE = Mixture()


@dataclass(frozen=True)
class JointConstituentsModel(StoredModel):
    """All that a trained joint model is."""

    kind = "joint-constituents"
    title = "joint constituency parser"
    settings = JointConstituentsConfig
    in_header: ClassVar[HeaderFields] = {
        "templates": stored.text,
        "weights": lambda values: Mixture.of(values),
    }
    texts = ("clusters",)

    config: JointConstituentsConfig
    segmenter: SegmenterModel
    tagger: LabellerModel
    grammar: PhraseGrammar
    templates: str
    tables: Mapping[str, Weights]
    clusters: str = ""
    weights: Mixture = EVEN_MIXTURE

    def own_blocks(self) -> Blocks:
        header, _ = super().own_blocks()
        about, arrays = tables_to_blocks(self.tables)
        parts, inner = join_blocks({"segmenter": self.segmenter.to_blocks(), "tagger": self.tagger.to_blocks()})
        grammar = self.grammar
        names = {
            "phrases": list(grammar.phrases),
            "helpers": list(grammar.helpers),
            "chains": list(grammar.chains),
            "roots": list(grammar.roots),
        }
        rules = {"binary": grammar.binary.reshape(-1), "unary": grammar.unary.reshape(-1)}
        texts = {"clusters": text_block(self.clusters)}
        header = {**header, "weights": list(self.weights), "tables": about, "parts": parts, "grammar": names}
        return header, {**arrays, **inner, **rules, **texts}

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> dict[str, Any]:
        found = super().own_fields(header, arrays, path)
        segmenter = SegmenterModel.from_blocks(*part_of_blocks(header["parts"], arrays, "segmenter"), path)
        tagger = LabellerModel.from_blocks(*part_of_blocks(header["parts"], arrays, "tagger"), path)
        names = header["grammar"]
        phrases, helpers = stored.names(names["phrases"]), stored.names(names["helpers"])
        states = len(tagger.labels) + len(phrases) + len(helpers)
        roots = tuple(int(root) for root in names["roots"])
        unary = np.asarray(arrays["unary"], np.int32).reshape(-1, 2)
        chains = stored.names(names["chains"], distinct=False)
        if not roots or len(chains) != len(unary) or not all(0 <= root < states for root in roots):
            raise ValueError("a grammar whose parts do not fit together")
        grammar = PhraseGrammar(
            tagger.labels,
            phrases,
            helpers,
            np.asarray(arrays["binary"], np.int32).reshape(-1, 3),
            unary,
            chains,
            roots,
        )
        return {**found, "segmenter": segmenter, "tagger": tagger, "grammar": grammar}

    def native(self, tagger: _tasks.LabellerModel) -> _tasks.JointPhraseModel:
        """The core's parser of this model, with the core's tagger of it."""
        try:
            return _tasks.JointPhraseModel(
                tagger,
                list(self.tagger.labels),
                self.grammar.native(),
                self.templates,
                self.tables["phrases"],
                cluster_lexicon(self.clusters),
            )
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise ModelError(f"weights and settings do not fit together ({error})") from None


@dataclass(frozen=True)
class JointTree:
    """The words of a text, their tags, and the tree over them (none where there are no words), with their joint score.

    ``whole``: a root of the grammar spans the text; else several trees were put under one.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    tree: Constituents | None
    score: float
    whole: bool = True

    @property
    def brackets(self) -> str:
        """The tree in brackets, with its words; an empty string where there is none."""
        return "" if self.tree is None else self.tree.brackets(self.words)

    def sentence(self) -> Sentence:
        """The words as a sentence that holds the tree."""
        made = Sentence.from_words(self.words, xpos=self.tags, misc=["SpaceAfter=No"] * len(self.words))
        return Document.from_sentences([made]).with_constituents([self.tree]).sentences[0]


class JointConstituencyParser:
    """A joint parser ready to work: immutable, shared by any number of threads."""

    def __init__(self, model: JointConstituentsModel) -> None:
        self.model = model
        self.segmenter = Segmenter(model.segmenter)
        self._native = model.native(model.tagger.native())

    @staticmethod
    def load(path: str | Path) -> JointConstituencyParser:
        return open_worker(JointConstituencyParser, JointConstituentsModel, path)

    def __reduce__(self) -> tuple[Any, ...]:
        return JointConstituencyParser, (self.model,)

    @property
    def tags(self) -> tuple[str, ...]:
        return self.model.grammar.tags

    def __call__(self, texts: str | Iterable[str], *, threads: int = 0) -> Document:
        """The sentences of texts, one each: words, tags in XPOS, and trees."""
        given = [texts] if isinstance(texts, str) else list(texts)
        return Document.from_sentences(one.sentence() for one in self.trees(given, threads=threads) if one.words)

    def trees(self, texts: Sequence[str], *, threads: int = 0, **how: Any) -> list[JointTree]:
        """Words, tags and tree of each text; a blank in a text is a boundary of words.

        ``how``: ``beam``, ``gap``, ``weights`` (a :class:`Mixture`), ``pipeline`` (the best words, then the best tags,
        then the best tree), ``most_tags``, ``margin``, ``tied`` and ``normal_tags``, others than the model's.
        """
        pieces = [cut_text(text, self.model.config.longest) for text in texts]
        flat = [piece for cut in pieces for piece in cut]
        choices = self.choices(flat, margin=how.pop("margin", None), threads=threads)
        found = iter(self._found(choices, threads=threads, **how))
        return [self._joined([next(found) for _ in cut]) for cut in pieces]

    def parse(self, lattices: Iterable[Lattice], *, threads: int = 0, **how: Any) -> list[JointTree]:
        """Words, tags and tree of each lattice of words, whoever made it; ``how`` as in :meth:`trees`."""
        return self._found(Choices.of_lattices(lattices, self.tags), threads=threads, **how)

    def lattice(self, text: str, *, margin: float | None = None) -> Lattice:
        """The words that a text may have, with their scores by the segmenter."""
        choices = self.choices([text], margin=margin)
        words = zip(choices.begins.tolist(), choices.ends.tolist(), choices.forms, choices.scores.tolist(), strict=True)
        return Lattice(choices.lengths[0], tuple(LatticeWord(*word) for word in words))

    def kbest(self, text: str, k: int, **how: Any) -> list[Ranked[JointTree]]:
        """The k best answers to a text that the beam holds, best first; fewer when there are no more."""
        if len(cut_text(text, self.model.config.longest)) > 1:
            raise ConfigError(f"a text of {len(text)} characters: longest is {self.model.config.longest}")
        choices = self.choices([text])
        request = self._request(0, **{"gap": 0.0, **how})  # a gap keeps the best answer and loses others
        answers = self._native.kbest(choices.native, 0, k, request)
        found = [self._tree(choices, 0, answer) for answer in answers]
        return [Ranked(one, one.score) for one in found]

    def choices(self, texts: Sequence[str], *, margin: float | None = None, threads: int = 0) -> Choices:
        """The words that texts may have, as the core takes them."""
        limit = self.model.config.margin if margin is None else margin
        characters, (starts, begins, ends, scores) = self.segmenter.lattices(texts, margin=limit, threads=threads)
        forms = [
            text[begin:end]
            for text, first, last in zip(characters, starts[:-1].tolist(), starts[1:].tolist(), strict=True)
            for begin, end in zip(begins[first:last].tolist(), ends[first:last].tolist(), strict=True)
        ]
        return Choices([len(text) for text in characters], starts, begins, ends, scores, forms)

    def _request(
        self,
        threads: int,
        *,
        beam: int | None = None,
        gap: float | None = None,
        weights: Sequence[float] | None = None,
        pipeline: bool = False,
        most_tags: int | None = None,
        tied: bool | None = None,
        normal_tags: bool | None = None,
    ) -> _tasks.JointRequest:
        config = self.model.config
        mixture = self.model.weights if weights is None else Mixture(*weights)
        return _tasks.JointRequest(
            words=mixture.words,
            tags=mixture.tags,
            phrases=mixture.phrases,
            bonus=mixture.bonus,
            normal_tags=config.normal_tags if normal_tags is None else normal_tags,
            beam=config.beam if beam is None else beam,
            gap=config.gap if gap is None else gap,
            most_tags=config.most_tags if most_tags is None else most_tags,
            tied=config.tied if tied is None else tied,
            pipeline=pipeline,
            threads=threads,
        )

    def _found(self, choices: Choices, *, threads: int, **how: Any) -> list[JointTree]:
        try:
            answers = self._native.parse(choices.native, self._request(threads, **how))
        except ValueError as error:
            raise ConfigError(str(error)) from None
        return [self._tree(choices, number, answer) for number, answer in enumerate(answers)]

    def _tree(self, choices: Choices, number: int, answer: Any) -> JointTree:
        score, whole, words, spans = answer
        first = int(choices.starts[number])
        tags = words[:, 1].tolist()
        forms = tuple(choices.forms[first + given] for given in words[:, 0].tolist())
        tree = self.model.grammar.tree(spans.tolist(), tags) if tags else None
        return JointTree(forms, tuple(self.tags[tag] for tag in tags), tree, score, whole)

    def _joined(self, parts: Sequence[JointTree]) -> JointTree:
        """The trees of the pieces of a text, side by side under one phrase."""
        if len(parts) == 1:
            return parts[0]
        grammar = self.model.grammar
        trees = [part.tree for part in parts if part.tree is not None]
        tree = joined(trees, plain_label(grammar.states[grammar.roots[0]])) if trees else None
        words = tuple(word for part in parts for word in part.words)
        tags = tuple(tag for part in parts for tag in part.tags)
        return JointTree(words, tags, tree, sum(part.score for part in parts), whole=False)

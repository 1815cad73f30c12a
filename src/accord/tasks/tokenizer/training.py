# SPDX-License-Identifier: Apache-2.0
"""Training of tokenisers: one chain of characters, and the words of multiword tokens."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError
from accord.evaluation import Score
from accord.learning import SILENT, Checkpoint, Reporter, TrainingResult
from accord.tasks.labeller import LabellerModel, Lexicon, Problem, train_labeller
from accord.tasks.labeller.folds import annotate_by_folds
from accord.tasks.labeller.problem import read_templates
from accord.tasks.setting_files import read_setting_file
from accord.tasks.tokenizer.blanks import squeeze
from accord.tasks.tokenizer.config import TokenizerConfig
from accord.tasks.tokenizer.ends import train_ends
from accord.tasks.tokenizer.gold import LABELS, GoldParagraph, GoldToken, has_joined_script, read_gold, read_gold_each
from accord.tasks.tokenizer.model import TokenizerModel, uses_surroundings
from accord.tasks.tokenizer.multiword import learn_multiword
from accord.tasks.tokenizer.spans import Spans, spans_of
from accord.tasks.tokenizer.variation import curly, vary
from accord.tasks.tokenizer.variation_joined import vary_joined

_LEAST_BLANKS_INSIDE = 10  # tokens with blanks inside, before blanks are taken to be anything but the end of a token
_FREE = frozenset(
    "一二三四五六七八九十百千万萬两兩几幾半第每各这這那哪某本该該不没沒很太最更"
)  # begin many rows of two words
_LONGEST_WORD = 8  # of the lexicon: a look-up for each length at each character


def train_tokenizer(
    documents: Sequence[Document],
    dev: Sequence[Document],
    config: TokenizerConfig,
    *,
    card: dict[str, Any] | None = None,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[TokenizerModel]:
    """Train on treebanks; the mean of the F1 scores of tokens and sentences of ``dev`` decides when to stop."""
    paragraphs = read_gold(documents, spacing=config.spacing)
    if not paragraphs:
        raise ConfigError("there is nothing to train on")
    joined = has_joined_script(documents)
    tokens = [token for paragraph in paragraphs for sentence in paragraph.sentences for token in sentence]
    blanks_inside = sum(" " in token.form for token in tokens) >= _LEAST_BLANKS_INSIDE
    settings = config.labeller(joined)
    templates = read_templates(settings.templates)
    dictionary = read_dictionary(config.words) if joined else ""
    pieces, folds = _joined_pieces(documents, config, dictionary) if joined else _pieces(paragraphs, config)
    texts, labels = zip(*(piece.labelled() for piece in pieces), strict=True)
    sequences = _text.CharacterSequences([text.encode() for text in texts])
    lexicon = Lexicon()
    if joined:
        lexicon = annotate(sequences, texts, labels, folds, dictionary)
    lexical = uses_surroundings(templates)
    if lexical:
        sequences.annotate_surroundings()
    multiword = learn_multiword([*tokens, *(curly(token) for token in tokens if config.vary and "'" in token.form)])
    checked = DevData(read_gold(dev, spacing=config.spacing), blanks_inside, lexical, config.threads) if dev else None

    ends = None
    if config.sentences == "network":
        ends = train_ends(paragraphs, read_gold(dev, spacing=config.spacing), config, reporter=reporter.of_step("ends"))

    def whole(model: LabellerModel, about: dict[str, Any] | None = None) -> TokenizerModel:
        return TokenizerModel(config, model, multiword, blanks_inside, ends, card={**(card or {}), **(about or {})})

    result = train_labeller(
        Problem(sequences, np.concatenate(labels), LABELS, lexicon=lexicon),
        settings,
        checked,
        reporter=reporter,
        checkpoint=checkpoint,
        whole=whole,
    )
    scores = checked.of(whole(result.model)) if checked is not None and ends is not None else result.scores
    model = whole(result.model, {"scores": scores})
    return TrainingResult(model, result.log, result.best_epoch, result.interrupted, scores)


def cut_into_pieces(paragraphs: Sequence[GoldParagraph], config: TokenizerConfig) -> list[GoldParagraph]:
    """Paragraphs in pieces of some sentences.

    Some paragraphs are joined first, for texts that do not mark them; all of them where nearly every sentence is a
    paragraph of its own: ends of texts would be the only ends of sentences to learn from.
    """
    source = random.Random(config.seed)
    sentences = sum(len(paragraph.sentences) for paragraph in paragraphs)
    share = 1.0 if 10 * len(paragraphs) > 9 * sentences else config.unmarked
    pieces = []
    for paragraph in join_paragraphs(paragraphs, share, source):
        at = 0
        while at < len(paragraph.sentences):
            size = source.randint(max(1, config.piece // 2), config.piece)
            if len(paragraph.sentences) <= config.piece:
                size = config.piece
            pieces.append(GoldParagraph(paragraph.sentences[at : at + size]))
            at += size
    return pieces


def join_paragraphs(
    paragraphs: Sequence[GoldParagraph], share: float, source: random.Random
) -> Iterator[GoldParagraph]:
    """Paragraphs, each of which goes on with the next one with probability ``share``."""
    going_on: list[tuple[GoldToken, ...]] = []
    for paragraph in paragraphs:
        going_on.extend(paragraph.sentences)
        if source.random() >= share:
            yield GoldParagraph(tuple(going_on))
            going_on = []
    if going_on:
        yield GoldParagraph(tuple(going_on))


def _pieces(paragraphs: Sequence[GoldParagraph], config: TokenizerConfig) -> tuple[list[GoldParagraph], list[int]]:
    copies = vary(paragraphs, config.vary, config.seed) if config.vary else []
    return [*cut_into_pieces(paragraphs, config), *cut_into_pieces(copies, config)], []


def _joined_pieces(
    documents: Sequence[Document], config: TokenizerConfig, dictionary: str
) -> tuple[list[GoldParagraph], list[int]]:
    """Pieces of texts without blanks, and the fold of each one.

    A fold has the same share of every treebank, and copies are in the fold of their original. So treebanks that are the
    same text in two scripts, sentence by sentence, do not tell each other their words.
    """
    pieces, folds = [], []
    treebanks = read_gold_each(documents, spacing=config.spacing)
    unseen = unseen_words(dictionary, [paragraph.labelled()[0] for one in treebanks for paragraph in one])
    for paragraphs in treebanks:
        own = cut_into_pieces(paragraphs, config)
        places = [number * config.folds // len(own) for number in range(len(own))]
        copies = vary_joined(own, config.vary, config.seed, unseen)
        pieces += [*own, *(copy for _, copy in copies)]
        folds += [*places, *(places[number] for number, _ in copies)]
    return pieces, folds


def read_dictionary(file: str) -> str:
    """The lines of a dictionary that are not empty."""
    lines = (line.strip() for line in read_setting_file("words", file).splitlines())
    return "\n".join(line for line in lines if line)


def unseen_words(dictionary: str, texts: Iterable[str]) -> list[str]:
    """The frequent words of two characters of a dictionary with frequencies that are nowhere in the texts.

    Of words that are, the treebank knows better whether they are one. Numbers and the like go with many words.
    """
    seen = {pair for text in texts for pair in map("".join, pairwise(text))}
    rows = (line.partition("\t") for line in dictionary.splitlines())
    return [
        word
        for word, _, logarithm in rows
        if len(word) == 2 and word not in seen and word[0] not in _FREE and logarithm.isdigit() and int(logarithm) > 4
    ]


def annotate(
    sequences: _text.CharacterSequences,
    texts: Sequence[str],
    labels: Sequence[NDArray[np.int32]],
    folds: Sequence[int],
    dictionary: str = "",
) -> Lexicon:
    """The lexicon of all words; each text annotated as if its own words were known only where others have them too."""
    words = [_words(text, numbers) for text, numbers in zip(texts, labels, strict=True)]
    parts = [[number for number, fold in enumerate(folds) if fold == one] for one in sorted(set(folds))]
    return annotate_by_folds(sequences, words, lambda texts: _lexicon(texts, dictionary), parts)


def _words(text: str, labels: NDArray[np.int32]) -> list[str]:
    squeezed = squeeze(text)
    spans = spans_of(squeezed, labels)
    return [text[begin:end] for begin, end in zip(spans.begin.tolist(), spans.end.tolist(), strict=True)]


def _lexicon(texts: Iterable[Sequence[str]], dictionary: str) -> Lexicon:
    short = {word for words in texts for word in words if len(word) <= _LONGEST_WORD}
    return Lexicon(words="\n".join(sorted(short)), names=dictionary, matching=True)


class DevData:
    """Scores of a labeller on paragraphs."""

    def __init__(self, paragraphs: Sequence[GoldParagraph], blanks_inside: bool, lexical: bool, threads: int) -> None:
        pairs = [paragraph.labelled() for paragraph in paragraphs]
        self._text = "\n\n".join(text for text, _ in pairs)
        self._squeezed = squeeze(self._text)
        self._gold = spans_of(self._squeezed, np.concatenate([numbers for _, numbers in pairs]))
        self._blanks_inside, self._lexical = blanks_inside, lexical
        self._threads = threads

    def __call__(self, model: LabellerModel) -> dict[str, float]:
        rules = _tasks.MultiwordRules()
        native = _tasks.Tokenizer(
            model.native(),
            model.native_lexicon(),
            rules,
            blanks_inside=self._blanks_inside,
            surroundings=self._lexical,
        )
        labels = native.labels(self._squeezed, self._threads)
        return self._scores(spans_of(self._squeezed, labels))

    def of(self, model: TokenizerModel) -> dict[str, float]:
        """Scores of a whole tokeniser, which may find ends of sentences by a network."""
        return self._scores(Spans(*model.native().spans(self._text.encode(), "text", self._threads)))

    def _scores(self, found: Spans) -> dict[str, float]:
        tokens, sentences = compare(self._gold, found)
        return {"mean": (tokens + sentences) / 2, "tokens": tokens, "sentences": sentences}


def compare(gold: Spans, system: Spans) -> tuple[float, float]:
    """F1 of tokens and of sentences, in percent."""

    def score(right: set[tuple[int, int]], found: set[tuple[int, int]]) -> float:
        return Score(len(right & found), len(right), len(found)).f1

    def tokens(spans: Spans) -> set[tuple[int, int]]:
        return set(zip(spans.begin.tolist(), spans.end.tolist(), strict=True))

    return score(tokens(gold), tokens(system)), score(set(gold.sentences()), set(system.sentences()))

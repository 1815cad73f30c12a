# SPDX-License-Identifier: Apache-2.0
"""Ends of sentences by a network over words: cut into windows, in files, in streams, and as plain labelling says."""

from __future__ import annotations

import dataclasses
import pickle
import random
import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document
from accord.errors import ModelError
from accord.settings import make_settings
from accord.tasks.labeller import LabellerConfig, LabellerModel, Problem
from accord.tasks.labeller.model import Labeller
from accord.tasks.labeller.problem import PreparedProblem
from accord.tasks.network.config import ChainNeuralConfig
from accord.tasks.network.model import CHAIN, NetworkModel
from accord.tasks.network.raw_text import document_of_words
from accord.tasks.network.vocabulary import collect_vocabulary
from accord.tasks.tokenizer import Tokenizer, TokenizerConfig, TokenizerModel, detokenize
from accord.tasks.tokenizer.blanks import squeeze
from accord.tasks.tokenizer.ends import pieces
from accord.tasks.tokenizer.gold import END_LABELS, LABELS, read_gold
from tests.tasks.parser.neural_cases import shapes
from tests.tasks.tokenizer.tokenizer_treebank import small_tokenizer, treebank

PAIRS = np.array([[0.4, -0.3], [0.2, -1.5]])  # of neighbouring labels
TEXT = "Anna saw a dog . Bob found it ! Dr. Jones didn't call Carla ... Emil met his car too"
WORDS = TEXT.split()


def random_ends(seed: int = 1) -> LabellerModel:
    """A chain whose words a small network scores that nobody trained."""
    known = document_of_words([WORDS])
    config = make_settings(
        ChainNeuralConfig,
        {"word_size": 9, "filters": 5, "units": 7, "tag_hidden": 6, "least_count": 1, "storage": "float32"},
    )
    prepared = PreparedProblem(
        Problem(
            _text.DocumentSequences(known.native),
            np.arange(len(WORDS), dtype=np.int32) % 2,
            END_LABELS,
            templates="[state]\nhere.length\n[pair]\nbias\n",
        ),
        LabellerConfig(order=1, bytes=2),
    )
    trainer = _tasks.BatchTrainer(
        prepared.settings,
        prepared.problem.sequences,
        prepared.numbers,
        prepared.cluster_lexicon,
        l2=0.0,
        least_count=1 << 30,
        unseen=False,
        unseen_constant=True,
        threads=1,
    )
    trainer.evaluate(PAIRS.reshape(-1))
    model = prepared.model(trainer.freeze(2, 1, 0.0))
    vocabulary = dataclasses.replace(collect_vocabulary(known, config), classes={CHAIN: END_LABELS})
    source = np.random.default_rng(seed)
    weights = {
        name: (source.standard_normal(shape) * (1.5 / np.sqrt(shape[-1]))).astype(np.float32)
        for name, shape in shapes(config, vocabulary, 0, ())
    }
    weights[f"class.{CHAIN}_bias"] = np.array([0.0, 1.0], np.float32)  # several ends in each text
    return dataclasses.replace(model, network=NetworkModel(config, vocabulary, 0, (), weights))


@cache
def model() -> TokenizerModel:
    return dataclasses.replace(small_tokenizer().model, ends=random_ends())


@cache
def with_ends() -> Tokenizer:
    return Tokenizer(model())


Tokens = list[tuple[str, list[str]]]  # with their words


def best_ends(tokens: Tokens, odds: Sequence[float] = ()) -> list[bool]:
    """Which of the tokens end a sentence, by the best labels of their words; ``odds``: by the characters of each."""
    ends = model().ends
    assert ends is not None
    labeller = Labeller(ends)
    words = labeller.words(document_of_words([[word for _, words in tokens for word in words]]))
    last = np.cumsum([len(words) for _, words in tokens]) - 1
    bonus = np.zeros((last[-1] + 1, 2))
    if odds:
        bonus[last, 1] = model().config.characters_weight * np.array(odds)
    labels = labeller.label(words, bonus=bonus).numbers.reshape(-1)
    return (labels[last] == 1).tolist()


def odds_by_characters(text: str) -> list[float]:
    """The logarithm of the odds that a sentence ends at each token of a paragraph."""
    squeezed = squeeze(text)
    labeller = Labeller(small_tokenizer().model.characters)
    known = np.where(squeezed.blank, LABELS.index("outside"), -1).astype(np.int32)
    sequences = labeller.characters([squeezed.text])
    sequences.annotate_surroundings()
    found = labeller.label(sequences, known=known, label_probabilities=True)
    chances = found.label_probabilities.reshape(-1, len(LABELS))[:, LABELS.index("last")].clip(1e-7, 1 - 1e-7)
    ends = squeezed.spans(found.numbers.reshape(-1))[1]
    places = squeezed.places.tolist()
    return [float(np.log(chances[i] / (1 - chances[i]))) for i in (places.index(end - 1) for end in ends.tolist())]


def plainly(text: str) -> list[list[str]]:
    """The sentences of a text by the definition: tokens by characters, the best labels of each paragraph's words."""
    found: list[list[str]] = []
    for paragraph in re.split(r"[ \n]*\n[ \n]*\n[ \n]*", text):
        tokens = [
            (token.form, [sentence.words[number - 1].form for number in token.words])
            for sentence in small_tokenizer()(paragraph).sentences
            for token in sentence.tokens
        ]
        if tokens:
            ends = [*best_ends(tokens, odds_by_characters(paragraph))[:-1], True]
            behind = [0, *(place + 1 for place, end in enumerate(ends) if end)]
            found += [[form for form, _ in tokens[begin:end]] for begin, end in pairwise(behind)]
    return found


some_text = st.lists(st.sampled_from([*WORDS, "\n\n", "isn't", "Zoo"]), min_size=1, max_size=40).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(some_text)
def test_sentences_are_those_of_the_best_labels(text: str) -> None:
    document = with_ends()(text)
    assert [[token.form for token in sentence.tokens] for sentence in document.sentences] == plainly(text)
    assert detokenize(document) == (text if text.strip() else "")
    spans = with_ends().spans(text)
    assert [(int(b), int(e)) for b, e in spans.sentences()] == with_ends().sentences(text)
    assert len(spans.sentences()) == len(document.sentences)


def test_the_network_and_not_the_characters_decides() -> None:
    texts = [" ".join(WORDS[i:] + WORDS[:i]) for i in range(len(WORDS))]
    assert any(len(with_ends()(text)) != len(small_tokenizer()(text)) for text in texts)
    lines = with_ends()("Anna saw\na dog", mode="sentences")
    assert [sentence.forms for sentence in lines.sentences] == [("Anna", "saw"), ("a", "dog")]


def test_long_paragraphs_are_cut_into_windows_and_long_sentences_at_likely_ends() -> None:
    text = " ".join(WORDS * 300)
    alone = Tokenizer(dataclasses.replace(model(), config=TokenizerConfig(characters_weight=0.0)))
    one, two = alone(text, threads=1), alone(text, threads=2)
    assert one.to_bytes() == two.to_bytes()
    assert detokenize(one) == text
    tokens = [(token.form, [sentence.words[number - 1].form for number in token.words])
              for sentence in one.sentences for token in sentence.tokens]  # fmt: skip
    expected = []
    for first in range(0, len(tokens), 512 - 2 * 48):
        stop = min(first + 512 - 2 * 48, len(tokens))
        begin, end = max(first - 48, 0), min(stop + 48, len(tokens))
        expected += best_ends(tokens[begin:end])[first - begin : stop - begin]
    expected[-1] = True
    found = [place + 1 == len(sentence.tokens) for sentence in one.sentences for place in range(len(sentence.tokens))]
    assert found == expected and 2 < sum(found) < len(found)
    never = dataclasses.replace(alone.model, ends=_never(random_ends()))
    document = Tokenizer(never)("Zoo " * 2500)
    assert max(document.lengths) <= 1000 and sum(document.lengths) == 2500 and min(document.lengths[:-1]) > 500


def _never(ends: LabellerModel) -> LabellerModel:
    """The same, thinking that nothing ends a sentence."""
    assert ends.network is not None
    bias = np.array([50.0, -50.0], np.float32)
    network = dataclasses.replace(ends.network, weights={**ends.network.weights, f"class.{CHAIN}_bias": bias})
    return dataclasses.replace(ends, network=network)


def test_streams_pickles_and_files_keep_the_network(tmp_path: Path) -> None:
    text = "\n\n".join(" ".join(WORDS[i : i + 9]) for i in range(8)) * 5
    whole = [sentence.forms for sentence in with_ends()(text).sentences]
    for block in (30, 200, 10_000):
        documents = list(with_ends().stream([text[i : i + 17] for i in range(0, len(text), 17)], block_size=block))
        found = [sentence.forms for document in documents for sentence in document.sentences]
        assert block < 200 or found == whole
    assert pickle.loads(pickle.dumps(with_ends()))(text).to_bytes() == with_ends()(text).to_bytes()
    model().save(tmp_path / "m.accord")
    assert Tokenizer.load(tmp_path / "m.accord")(text).to_bytes() == with_ends()(text).to_bytes()


def test_a_file_whose_ends_are_no_ends_is_refused(tmp_path: Path) -> None:
    ends = random_ends()
    for broken in (dataclasses.replace(ends, labels=("a", "b")), dataclasses.replace(ends, network=None)):
        dataclasses.replace(model(), ends=broken).save(tmp_path / "m.accord")
        with pytest.raises(ModelError, match=r"m\.accord"):
            Tokenizer.load(tmp_path / "m.accord")


def test_pieces_keep_all_sentences_and_join_paragraphs() -> None:
    paragraphs = read_gold([treebank(60, 3)])
    found = pieces(paragraphs, random.Random(1))
    words = [[word for token in sentence for word in token.words] for one in paragraphs for sentence in one.sentences]
    assert [sentence for run in found for sentence in run] == words
    assert len(found) < len(paragraphs) and max(sum(map(len, run)) for run in found) < 140


def test_a_network_learns_ends(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    neural = {"units": 16, "word_size": 16, "epochs": 25, "batch_words": 100, "rate": 0.01, "least_count": 1}
    values = {"epochs": 2, "bits": 12, "threads": 1, "sentences": "network", "neural": neural}
    trained = Tokenizer.train(treebank(150, 1), make_settings(TokenizerConfig, values), dev=treebank(20, 2))
    assert trained.model.ends is not None and trained.model.card["scores"]["sentences"] > 95
    gold = treebank(20, 4)
    found: Document = trained("\n\n".join(detokenize(gold).split("\n\n")))
    right = {sentence.forms for sentence in gold.sentences}
    assert sum(sentence.forms in right for sentence in found.sentences) > 0.9 * len(gold.sentences)

# SPDX-License-Identifier: Apache-2.0
"""The lemmatizer as a user holds it: training, answers, model files, mistakes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord._core.tasks import apply_lemma_rule, derive_lemma_rule
from accord.data import Document, Sentence, read
from accord.errors import AccordError, ConfigError, ModelError
from accord.models.file import ModelFile
from accord.models.writing import write_model
from accord.settings import make_settings
from accord.tasks.lemmatizer import Lemmatizer, LemmatizerConfig
from tests.data.samples import SHARED

SMALL = LemmatizerConfig(bits=12)

values = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\t\n\r\0"), min_size=1, max_size=8)
tags = st.sampled_from(["NOUN", "VERB", "_"])
rows = st.lists(
    st.tuples(st.sampled_from(["cats", "Cat", "cat", "ran", "runs", "日本", "ÉTÉ"]), tags, values), min_size=1
)


def document_of(rows: list[tuple[str, str, str]]) -> Document:
    forms, upos, lemmas = ([row[i] for row in rows] for i in range(3))
    return Document.from_sentences([Sentence.from_words(forms, upos=upos, lemmas=lemmas)])


@given(st.text(st.characters(exclude_categories=("Cs",))), st.text(st.characters(exclude_categories=("Cs",))))
def test_the_rule_of_a_form_and_a_lemma_gives_the_lemma(form: str, lemma: str) -> None:
    assert apply_lemma_rule(derive_lemma_rule(form, lemma), form) == lemma


@given(rows)
def test_words_of_the_training_text_keep_their_usual_lemma(rows: list[tuple[str, str, str]]) -> None:
    answers = Lemmatizer.train(document_of(rows), SMALL)(document_of(rows))
    for (form, upos, _), answer in zip(rows, answers, strict=True):
        lemmas = [row[2] for row in rows if row[:2] == (form, upos)]
        assert lemmas.count(answer) == max(lemmas.count(lemma) for lemma in lemmas)


@given(rows)
def test_a_lemmatizer_comes_back_from_its_blocks(rows: list[tuple[str, str, str]]) -> None:
    lemmatizer = Lemmatizer.train(document_of(rows), SMALL)
    again = Lemmatizer.from_blocks(*lemmatizer.to_blocks())
    asked = document_of([(form + "s", upos, "_") for form, upos, _ in rows])
    assert again(asked) == lemmatizer(asked)
    assert (again.rules, again.config) == (lemmatizer.rules, lemmatizer.config)


def test_blocks_live_in_a_model_file(tmp_path: Path) -> None:
    document = document_of([("cats", "NOUN", "cat"), ("dogs", "NOUN", "dog"), ("ran", "VERB", "run")])
    header, arrays = Lemmatizer.train(document, SMALL).to_blocks()
    write_model(tmp_path / "m.accord", {"kind": "test", "lemmas": header}, arrays)
    file = ModelFile(tmp_path / "m.accord")
    assert Lemmatizer.from_blocks(file.header["lemmas"], file.arrays)(document) == ["cat", "dog", "run"]


def test_a_treebank_without_lemmas_stays_without() -> None:
    lemmatizer = Lemmatizer.train(document_of([("他", "PRON", "_"), ("是", "VERB", "_")]), SMALL)
    assert lemmatizer(document_of([("他", "PRON", "x"), ("新", "ADJ", "x")])) == ["_", "_"]


def test_threads_change_nothing_and_answers_fit_the_document() -> None:
    document = document_of([("cats", "NOUN", "cat"), ("mice", "NOUN", "mouse")])
    many = Document.from_sentences(list(document) * 50)
    lemmatizer = Lemmatizer.train(document, SMALL)
    assert lemmatizer(many, threads=1) == lemmatizer(many, threads=3) == ["cat", "mouse"] * 50
    assert many.replace(lemmas=lemmatizer(many)).to_conllu() == many.to_conllu()
    assert lemmatizer(Document.from_conllu("")) == []


def test_mistakes_are_one_error() -> None:
    with pytest.raises(AccordError, match="there are no words to learn from"):
        Lemmatizer.train(Document.from_conllu(""))
    with pytest.raises(ConfigError, match="bits = 99"):
        make_settings(LemmatizerConfig, {"bits": 99})
    header, arrays = Lemmatizer.train(document_of([("cats", "NOUN", "cat")]), SMALL).to_blocks()
    for name, broken in (
        ("weights", arrays["weights"][:-1]),
        ("weights", arrays["weights"].astype(np.int32)),
        ("rules", np.frombuffer(b"no rule", np.uint8)),
        ("rules", np.frombuffer(b"\xff", np.uint8)),
        ("candidates", arrays["candidates"] + np.uint16(7)),
        ("lexicon", arrays["lexicon"] + np.uint16(7)),
    ):
        with pytest.raises(ModelError):
            Lemmatizer.from_blocks(header, {**arrays, name: broken})
    for name in set(arrays) - {"rules"}:  # read where they lie: a converted copy would be gone before the first word
        with pytest.raises(ModelError, match="another type"):
            Lemmatizer(SMALL, ("d0",), {**arrays, name: arrays[name].astype(np.float64)})
    with pytest.raises(ModelError, match="known"):
        Lemmatizer.from_blocks(header, {name: array for name, array in arrays.items() if name != "known"})
    with pytest.raises(ModelError, match="config"):
        Lemmatizer.from_blocks({}, arrays)


@pytest.mark.parametrize(("treebank", "least"), [("sl_sst", 96.0), ("nl_lassysmall", 98.0)])
def test_real_treebanks_are_lemmatized_well(treebank: str, least: float) -> None:
    paths = [SHARED / f"ud/{treebank}-ud-{part}.conllu.xz" for part in ("train", "dev")]
    if not all(path.exists() for path in paths):
        pytest.skip("the data are not here")
    training, dev = map(read, paths)
    answers = Lemmatizer.train(training)(dev)
    gold = dev.column("lemma")
    right = sum(answer == lemma for answer, lemma in zip(answers, gold, strict=True))
    assert 100 * right / len(gold) > least
